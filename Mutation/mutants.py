"""The mutants of a text: each a change of a range, which a number in the environment switches on."""
import platform
import re
from typing import NamedTuple

from swiftcode import Code, PRECEDENCE, STATEMENT, TERNARY, Unclear

SWITCH = "_kvMutant"
COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
               "===": ("!==",), "!==": ("===",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "<<": ">>", ">>": "<<", "&": "|",
              "|": "&"}
MEMBERS = {"first": "last", "last": "first", "min": "max", "max": "min", "dropFirst": "dropLast", "dropLast": "dropFirst",
           "prefix": "suffix", "suffix": "prefix", "removeFirst": "removeLast", "removeLast": "removeFirst",
           "popLast": "popFirst", "lowerBound": "upperBound", "upperBound": "lowerBound", "startIndex": "endIndex",
           "hasPrefix": "hasSuffix", "hasSuffix": "hasPrefix", "insert": "remove", "union": "intersection",
           "firstIndex": "lastIndex", "lastIndex": "firstIndex", "allSatisfy": "contains"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "*=": "+="}
CONDITIONAL = ("if", "guard", "while")


class Mutant(NamedTuple):
    """A change: the range of the text, and what replaces it, in which SWITCH(0) stands for the switch."""
    kind: str
    start: int
    end: int
    text: str
    line: int
    change: str

    def switched(self, number):
        return self.text.replace(f"{SWITCH}(0)", f"{SWITCH}({number})")


TRUE = {"DEBUG", "canImport(Glibc)", "canImport(Testing)", "canImport(XCTest)", "os(Linux)", "_pointerBitWidth(_64)",
        "compiler(>=6.2)", f"arch({platform.machine()})"}


def compiled_lines(text):
    """The numbers of the lines that are compiled here, by the conditions of `#if`."""
    lines, around = set(), []  # of each #if: whether this branch is compiled, and whether one has been
    for number, line in enumerate(text.splitlines(), 1):
        directive, _, condition = line.strip().partition(" ")
        if directive == "#if":
            around.append([holds(condition)] * 2)
        elif directive == "#elseif":
            around[-1] = [not around[-1][1] and holds(condition), around[-1][1] or holds(condition)]
        elif directive == "#else":
            around[-1] = [not around[-1][1], True]
        elif directive == "#endif":
            around.pop()
        elif all(compiled for compiled, _ in around):
            lines.add(number)
    return lines


def holds(condition):
    words = re.sub(r"\w+\([^()]*\)|\w+", lambda match: str(match[0] in TRUE), condition)
    return eval(words.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip())


def short(text):
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:40] + " … " + text[-27:]


def mutants(text):
    """All mutants of a file, in order of their places."""
    code = Code(text)
    found = []
    for index in range(len(code)):
        for make in MAKERS:
            try:
                for kind, first, last, new, change in make(code, index):
                    if "#if" in code.source(first, last) or is_excluded(code, index):
                        continue
                    found.append(Mutant(kind, code[first].start, code[last].end, new, code.line(index), short(change)))
            except Unclear:
                pass
    return found


def is_excluded(code, index):
    """Whether a place is no code that runs: a precondition, an attribute, the raw value of a case."""
    first = index
    while first > 0 and not code.is_first_of_line(first):
        first -= 1
    return code[first].text in ("precondition", "assert", "preconditionFailure", "fatalError", "import", "case") and (
        code[first].text != "case" or code[index].kind == "number") or code[first].text[0] in "@#"


def comparison(code, index):
    token = code[index]
    if token.text in COMPARISONS and code.is_spaced(index):
        first, last = code.left(index, 3), code.right(index, 3)
        left, right = code.source(first, index - 1), code.source(index + 1, last)
        for other in COMPARISONS[token.text]:
            yield ("comparison", first, last,
                   f"({SWITCH}(0) ? {left} {other} {right} : {left} {token.text} {right})",
                   f"{left} {token.text} {right}  →  {other}")


def logic(code, index):
    token = code[index]
    if token.text in ("&&", "||") and code.is_spaced(index):
        precedence = PRECEDENCE[token.text]
        first, last = code.left(index, precedence), code.right(index, precedence)
        left, right = code.source(first, index - 1), code.source(index + 1, last)
        other = "||" if token.text == "&&" else "&&"
        yield ("logic", first, last, f"({SWITCH}(0) ? ({left}) {other} ({right}) : {left} {token.text} {right})",
               f"{left} {token.text} {right}  →  {other}")


def arithmetic(code, index):
    token = code[index]
    if token.text in ARITHMETIC and code.is_spaced(index):
        precedence = PRECEDENCE[token.text]
        first, last = code.chain_start(index - 1), code.right(index, precedence)
        if PRECEDENCE.get(code[first - 1].text, -1) >= precedence:
            raise Unclear
        left, right = code.source(first, index - 1), code.source(index + 1, last)
        other = ARITHMETIC[token.text]
        yield ("arithmetic", first, last, f"({SWITCH}(0) ? {left} {other} {right} : {left} {token.text} {right})",
               f"{left} {token.text} {right}  →  {other}")


def literal(code, index):
    token, before, after = code[index], code[index - 1], code[index + 1]
    if before.text in (".", ":") and code[index - 2].text in ("case", "..."):
        return
    if token.text in ("true", "false") and token.kind == "name":
        other = "false" if token.text == "true" else "true"
        if before.text in ("return", "=", ":", "(", ",", "?", "{", "in") and after.text != ".":
            yield ("constant", index, index, f"({SWITCH}(0) ? {other} : {token.text})",
                   f"{code.source(max(index - 2, 0), index)}  →  {other}")
    if token.kind == "number" and token.text.isdigit() and before.text not in (".", "case", "-") and after.text != ".":
        if code.is_adjacent(index) and after.text not in (")", "]", ",", ":", "}"):
            return
        other = str(int(token.text) + 1)
        yield ("constant", index, index, f"({SWITCH}(0) ? {other} : {token.text})",
               f"{code.source(max(index - 2, 0), index)}  →  {other}")


def clauses(code, index):
    """The plain conditions of an `if`, `guard` or `while`: the first and last token of each."""
    end = index + 1
    start = end
    while end < len(code):
        token = code[end]
        is_body = token.text == "{"
        if token.text in (",", "else") or is_body:
            if code[start].text not in ("let", "var", "case", "#available", "try", "#unavailable") and start < end:
                if not any(code[at].text in ("=",) and code.is_spaced(at) for at in range(start, end)):
                    yield start, end - 1
            start = end + 1
            if token.text != ",":
                return
        if token.text in ("(", "[") and end in code.partner:
            end = code.partner[end]
        end += 1


def condition(code, index):
    keyword = code[index].text
    if keyword in CONDITIONAL and code[index].kind == "name":
        for first, last in clauses(code, index):
            source = code.source(first, last)
            if any(code[at].text in ("try", "await", "}") for at in range(first, last + 1)):
                continue
            for change, new in (
                ("negated", f"({SWITCH}(0) != ({source}))"), ("true", f"({SWITCH}(0) || ({source}))"),
                ("false", f"(!{SWITCH}(0) && ({source}))"),
            ):
                if keyword == "while" and change != "false":
                    continue
                yield ("condition", first, last, new, f"{keyword} {source}  →  {change}")


def ternary(code, index):
    if code[index].text == "?" and code.is_spaced(index):
        first = code.left(index, TERNARY)
        source = code.source(first, index - 1)
        yield ("condition", first, index - 1, f"({SWITCH}(0) != ({source}))", f"{source} ?  →  negated")


def negation(code, index):
    if code[index].text == "!" and not code.is_adjacent(index - 1) and code.is_adjacent(index):
        last = code.chain_end(index + 1)
        source = code.source(index + 1, last)
        if code[last + 1].text != "{" or code[index - 1].text in CONDITIONAL + ("&&", "||", ","):
            yield "condition", index, last, f"({SWITCH}(0) ? {source} : !{source})", f"!{source}  →  {source}"


def member(code, index):
    token = code[index]
    if token.kind != "name" or code[index - 1].text != "." or not code.is_adjacent(index - 1):
        return
    if token.text not in MEMBERS and token.text != "isEmpty":
        return
    first, last = code.chain_start(index), code.chain_end(index)
    if code[last + 1].text in ("=", "+=", "-=") or code[first].text == ".":
        return
    source = code.source(first, last)
    if token.text == "isEmpty":
        yield "member", first, last, f"({SWITCH}(0) != ({source}))", f"{source}  →  negated"
        return
    other = MEMBERS[token.text]
    offset = token.start - code[first].start
    changed = source[:offset] + other + source[offset + len(token.text):]
    switch = f"({SWITCH}(0) ? {changed} : {source})"
    yield "member", first, last, switch, f"{source}  →  {other}"


def coalescing(code, index):
    if code[index].text == "??" and code.is_spaced(index):
        first, last = code.left(index, 4), code.right(index, 3)
        left, right = code.source(first, index - 1), code.source(index + 1, last)
        yield "coalescing", first, last, f"({SWITCH}(0) ? ({right}) : {left} ?? {right})", f"{left} ?? {right}  →  {right}"


def open_range(code, index):
    if code[index].text == "..<":
        last = code.right(index, 6)
        right = code.source(index + 1, last)
        yield ("constant", index + 1, last, f"({right} - ({SWITCH}(0) ? 1 : 0))",
               f"{code[index - 1].text}..<{right}  →  one less")


def statement(code, index):
    token = code[index]
    if not code.is_statement_start(index):
        return
    if token.kind == "name" and token.text not in STATEMENT and code[index + 1].text != ":":
        last = code.statement_end(index)
        source = code.source(index, last)
        if last == index or code[index + 1].text in ("{", "->") or token.text[0] in "@#":
            return
        if not any(code[at].text in ("(", "=", "+=", "-=", "|=", "&=", "*=") for at in range(index, last + 1)):
            return
        yield "statement", index, last, f"if !{SWITCH}(0) {{ {source} }}", f"{source}  →  skipped"
        operators = [at for at in range(index, last) if code[at].text in ASSIGNMENTS and code.is_spaced(at)]
        if operators and all(code.around[at] == code.around[index] for at in operators):
            at = operators[0]
            other = (code.text[token.start:code[at].start] + ASSIGNMENTS[code[at].text]
                     + code.text[code[at].end:code[last].end])
            yield ("arithmetic", index, last, f"if {SWITCH}(0) {{ {other} }} else {{ {source} }}",
                   f"{source}  →  {ASSIGNMENTS[code[at].text]}")
    if token.text in ("break", "continue") and code.statement_end(index) == index:
        other = "continue" if token.text == "break" else "break"
        yield "jump", index, index, f"if !{SWITCH}(0) {{ {token.text} }}", f"{token.text}  →  skipped"
        yield "jump", index, index, f"if {SWITCH}(0) {{ {other} }}; {token.text}", f"{token.text}  →  {other}"
    if token.text == "return" and code[index + 1].text == "}":
        yield "jump", index, index, f"if !{SWITCH}(0) {{ return }}", "return  →  skipped"


def returned(code, index):
    """`return x` in a function whose type is written before its body."""
    if code[index].text != "return" or code[index + 1].text == "}" or code[index - 1].text == "else":
        return
    around = code.around[index]
    if around is None or code[around].text != "{":
        return
    last = code.statement_end(index)
    source = code.source(index + 1, last)
    kind = result_type(code, around)
    if kind is None or any(code[at].text in ("try", "await") for at in range(index, last)):
        return
    if kind == "Bool":
        yield "result", index + 1, last, f"({SWITCH}(0) != ({source}))", f"return {source}  →  negated"
        return
    other = ("nil" if kind.endswith("?") else '""' if kind == "String" else "[]" if kind.startswith("[") else
             f"({source}) + 1" if kind == "Int" else None)
    if other and other != source:
        yield ("result", index + 1, last, f"({SWITCH}(0) ? {other} : {source})", f"return {source}  →  {other}")


def result_type(code, around):
    """The result of the function, getter or property around a body; nil if it cannot be seen."""
    while around is not None:
        start = around - 1
        while start > 0 and not (code.is_first_of_line(start) and code.around[start] == code.around[around]):
            start -= 1
        words = [code[at].text for at in range(start, around) if code.around[at] == code.around[around]]
        if "->" in words:
            arrow = max(at for at in range(start, around)
                        if code[at].text == "->" and code.around[at] == code.around[around])
            return code.source(arrow + 1, around - 1).split(" where ")[0].strip()
        if "var" in words and ":" in words and "=" not in words:
            colon = next(at for at in range(start, around) if code[at].text == ":")
            return code.source(colon + 1, around - 1).strip()
        if code[around + 1].text == "in" or "func" in words or "init" in words or "in" in [
                code[at].text for at in range(around, min(around + 8, len(code)))]:
            return None
        around = code.around[around]
    return None



MAKERS = (comparison, logic, arithmetic, literal, condition, ternary, negation, member, coalescing, open_range, statement,
          returned)


def rewritten(text, chosen):
    """A text with all chosen mutants in it, as (number, mutant), which may not overlap; and the lines of each."""
    pieces, at, lines, line = [], 0, {}, 1
    for number, mutant in sorted(chosen, key=lambda pair: pair[1].start):
        assert mutant.start >= at
        pieces.append(text[at:mutant.start])
        line += text.count("\n", at, mutant.start)
        new = mutant.switched(number)
        pieces.append(new)
        lines[number] = (line, line + new.count("\n"))
        line += new.count("\n")
        at = mutant.end
    return "".join(pieces) + text[at:], lines
