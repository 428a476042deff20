"""Reads Swift files as code: without comments and without the text of literals, but with what strings interpolate."""
import re

QUOTE = re.compile(r'(#*)("""|")')


def code(text):
    kept = []
    keep_code(text, 0, kept, interpolated=False)
    return "".join(kept)


def keep_code(text, at, kept, interpolated):
    """Keeps the code up to the end, or to the parenthesis that closes an interpolation. Returns where it stops."""
    depth = 0
    while at < len(text):
        if text.startswith("//", at):
            at = (text + "\n").index("\n", at)
        elif text.startswith("/*", at):
            at = skip_comment(text, at)
        elif quote := QUOTE.match(text, at):
            at = skip_string(text, quote, kept)
        else:
            depth += (text[at] == "(") - (text[at] == ")")
            if interpolated and depth < 0:
                return at + 1
            kept.append(text[at])
            at += 1
    return at


def skip_comment(text, at):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def skip_string(text, quote, kept):
    hashes, quotes = quote.groups()
    at = quote.end()
    kept.append('"')
    while at < len(text) and not text.startswith(quotes + hashes, at):
        if text.startswith(f"\\{hashes}(", at):
            kept.append(" ")
            at = keep_code(text, at + len(hashes) + 2, kept, interpolated=True)
        else:
            at += 2 if text.startswith(f"\\{hashes}", at) else 1
    kept.append('"')
    return at + len(quotes + hashes)
