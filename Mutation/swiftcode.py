"""Swift text as tokens, and the extents of the expressions and statements around a token."""
import re
from typing import NamedTuple

NAME = r"[^\W\d]\w*|`\w+`|\$\d+|[@#]\w+"
NUMBER = r"0[xob][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?"
OPERATOR = r"[-+*/%=<>!&|^~?]+|\.\.[.<]"
TOKEN = re.compile(rf"(?P<name>{NAME})|(?P<number>{NUMBER})|(?P<operator>{OPERATOR})|(?P<mark>[()\[\]{{}},:;.\\@#])")
QUOTE = re.compile(r'(#*)("""|")')
PAIRS = {"(": ")", "[": "]", "{": "}"}
PRECEDENCE = {"||": 1, "&&": 2, **dict.fromkeys("< <= > >= == != === !== ~=".split(), 3), "??": 4, "is": 5, "as": 5,
              "..<": 6, "...": 6, **dict.fromkeys("+ - &+ &- | ^".split(), 7),
              **dict.fromkeys("* / % &* &".split(), 8), "<<": 9, ">>": 9, "&<<": 9, "&>>": 9}
TERNARY = 0  # binds less than all of these
BEFORE = set("( [ { , : ; = ? += -= *= /= |= &= ^= && || if guard while return where in case else try await throw yield "
             "consume copy".split())
AFTER = set(") ] } , : ; { ? && || else in".split())
STATEMENT = {"if", "guard", "while", "for", "switch", "return", "let", "var", "func", "case", "default", "do", "defer",
             "throw", "break", "continue", "repeat", "struct", "class", "enum", "extension", "init", "deinit", "subscript",
             "import", "static", "private", "public", "package", "internal", "final", "mutating", "else", "catch",
             "override", "typealias", "protocol", "actor", "indirect", "lazy", "weak", "unowned", "nonisolated", "get",
             "set", "willSet", "didSet", "fallthrough", "super", "precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure", "required",
             "convenience", "fileprivate", "associatedtype", "some", "any", "operator", "infix", "prefix", "postfix",
             "borrowing", "consuming", "inout", "where", "as", "is", "in", "nonmutating", "isolated", "async", "throws",
             "rethrows", "discard", "dynamic", "optional", "precedencegroup", "macro"}


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Unclear(Exception):
    """The extent of an expression is not certain."""


def tokens(text):
    """The tokens of a text without comments; a string is one token, with what it interpolates."""
    found, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith("//", at):
            at = (text + "\n").index("\n", at)
        elif text.startswith("/*", at):
            at = after_comment(text, at)
        elif quote := QUOTE.match(text, at):
            end = after_string(text, quote)
            found.append(Token("string", text[at:end], at, end))
            at = end
        elif match := TOKEN.match(text, at):
            found.append(Token(match.lastgroup, match[0], at, match.end()))
            at = match.end()
        else:
            at += 1
    return found


def after_comment(text, at):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def after_string(text, quote):
    hashes, quotes = quote.groups()
    at = quote.end()
    while at < len(text) and not text.startswith(quotes + hashes, at):
        if text.startswith(f"\\{hashes}(", at):
            depth, at = 1, at + len(hashes) + 2
            while depth and at < len(text):
                inner = QUOTE.match(text, at)
                if inner:
                    at = after_string(text, inner)
                    continue
                depth += (text[at] == "(") - (text[at] == ")")
                at += 1
        else:
            at += 2 if text.startswith(f"\\{hashes}", at) else 1
    return at + len(quotes + hashes)


class Code:
    """A file as tokens, with the partner of each bracket and the bracket around each token."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.partner, self.around = {}, []
        open_brackets = []
        for index, token in enumerate(self.tokens):
            if token.text in PAIRS.values() and open_brackets:
                opened = open_brackets.pop()
                self.partner[opened], self.partner[index] = index, opened
            self.around.append(open_brackets[-1] if open_brackets else None)
            if token.text in PAIRS and token.kind == "mark":
                open_brackets.append(index)

    def __getitem__(self, index):
        return self.tokens[index] if 0 <= index < len(self.tokens) else Token("mark", "", -1, -1)

    def __len__(self):
        return len(self.tokens)

    def source(self, first, last):
        """The text from a token to another one, both included."""
        return self.text[self[first].start:self[last].end]

    def line(self, index):
        return self.text.count("\n", 0, self[index].start) + 1

    def is_adjacent(self, index):
        """Whether no space is between a token and the one after it."""
        return self[index].end == self[index + 1].start

    def is_first_of_line(self, index):
        return index == 0 or "\n" in self.text[self[index - 1].end:self[index].start]

    def is_spaced(self, index):
        """Whether a token is an operator between two operands."""
        return index > 0 and not self.is_adjacent(index - 1) and not self.is_adjacent(index)

    def chain_start(self, index):
        """The first token of the postfix expression that ends with a token, with its prefix operators."""
        while True:
            token = self[index]
            if token.kind == "operator" and token.text in ("!", "?") and self.is_adjacent(index - 1):
                index -= 1
                continue
            if token.text in (")", "]"):
                index = self.partner.get(index, -1)
                if index < 0:
                    raise Unclear
                before = self[index - 1]
                if (self.is_adjacent(index - 1) and (before.kind == "name" or before.text in (")", "]", ">", "?", "!"))
                        and before.end > 0):
                    if before.text == ">":
                        raise Unclear
                    index -= 1
                    continue
            elif token.kind not in ("name", "number", "string"):
                raise Unclear
            elif token.kind == "name" and token.text in STATEMENT - {"super"}:
                raise Unclear
            if self[index - 1].text == "." and self.is_adjacent(index - 1):
                dot = index - 1
                if self.is_first_of_line(dot):
                    raise Unclear
                before = self[dot - 1]
                if self.is_adjacent(dot - 1) and (before.kind in ("name", "number", "string")
                                                  or before.text in (")", "]", "?", "!", "}")):
                    index = dot - 1
                    continue
                index = dot
            while (self[index - 1].kind == "operator" and self.is_adjacent(index - 1)
                   and self[index - 1].text in ("!", "-", "~", "&") and not self.is_adjacent(index - 2)
                   or self[index - 1].text == "!" and self.is_adjacent(index - 1)
                   and self[index - 2].text in ("(", "[")):
                index -= 1
            if self[index].text == "&":
                raise Unclear
            return index

    def chain_end(self, index):
        """The last token of the postfix expression that begins with a token."""
        while self[index].kind == "operator" and self[index].text in ("!", "-", "~") and self.is_adjacent(index):
            index += 1
        if self[index].text == "." and self.is_adjacent(index):
            index += 1
        token = self[index]
        if token.text in ("(", "["):
            index = self.partner.get(index, -1)
            if index < 0:
                raise Unclear
        elif token.kind not in ("name", "number", "string") or token.text in STATEMENT - {"super"}:
            raise Unclear
        while self.is_adjacent(index):
            following = self[index + 1]
            if following.text in ("(", "["):
                index = self.partner.get(index + 1, -1)
                if index < 0:
                    raise Unclear
            elif following.text in ("!", "?"):
                index += 1
            elif following.text == "." and self[index + 2].kind in ("name", "number"):
                index += 2
            elif following.text in (")", "]", "}", ",", ":", ";"):
                break
            else:
                raise Unclear
        if self[index + 1].text == "." and self.is_first_of_line(index + 1):
            raise Unclear
        return index

    def left(self, operator, precedence):
        """The first token of the left operand."""
        index = operator - 1
        while True:
            if self[index].text == "}":
                raise Unclear
            index = self.chain_start(index)
            before = self[index - 1]
            if PRECEDENCE.get(before.text, -1) > precedence and self.is_operator(index - 1):
                if before.text in ("as", "is"):
                    raise Unclear
                index -= 2
                continue
            if before.text in BEFORE and before.kind != "string":
                return index
            if self.is_first_of_line(index) and before.text not in PRECEDENCE and before.text != ".":
                return index
            raise Unclear

    def right(self, operator, precedence):
        """The last token of the right operand."""
        index = operator + 1
        while True:
            index = self.chain_end(index)
            after = self[index + 1]
            if PRECEDENCE.get(after.text, -1) > precedence and self.is_operator(index + 1):
                if after.text in ("as", "is"):
                    raise Unclear
                index += 2
                continue
            if after.text in AFTER or PRECEDENCE.get(after.text, 99) <= precedence:
                return index
            if self.is_first_of_line(index + 1):
                return index
            raise Unclear

    def is_operator(self, index):
        return self[index].text in ("as", "is") or self.is_spaced(index) or self[index].text in ("..<", "...")

    def statement_end(self, index):
        """The last token of the statement that begins with a token, on its line or in brackets that it opens."""
        while True:
            if self[index].text in PAIRS and self[index].kind == "mark":
                index = self.partner.get(index, -1)
                if index < 0:
                    raise Unclear
            if self[index + 1].text in ("}", ";") or index + 1 >= len(self):
                return index
            if self.is_first_of_line(index + 1):
                following = self[index + 1]
                if (following.kind == "operator" or following.text in (".", "{", "else")
                        or self[index].kind == "operator" and self.is_spaced(index)):
                    if following.kind != "operator" or self.is_spaced(index + 1):
                        index += 1
                        continue
                return index
            index += 1

    def is_statement_start(self, index):
        """Whether a token begins a statement of its own in a body."""
        around = self.around[index]
        if around is None or self[around].text != "{" or not self.is_first_of_line(index):
            return False
        before = self[index - 1]
        if before.text in ("{", "}", ")", "]", ":") or before.kind in ("number", "string"):
            return True
        return before.kind == "name" and before.text not in BEFORE or before.text in ("!", "?") and self.is_adjacent(index - 2)
