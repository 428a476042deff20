"""Fails if a file outside of the folders Unsafe/ has unsafe constructs, or an attribute is used more often than allowed.

The numbers in MAXIMA may only become smaller. Comments do not count.
"""
import pathlib
import re
import sys

from swift import code

CONSTRUCT = re.compile(
    r"\b(?:Unsafe\w*Pointer|Unmanaged|unsafeBitCast|unsafeDowncast|assumingMemoryBound|withUnsafe\w*|unsafelyUnwrapped)\b")
MAXIMA = {"nonisolated(unsafe)": 0, "@exclusivity(unchecked)": 7}

texts = {path: code(path.read_text()) for path in sorted(pathlib.Path("Sources").rglob("*.swift"))}
unsafe = {path.as_posix(): match[0] for path, text in texts.items()
          if "Unsafe" not in path.parts and (match := CONSTRUCT.search(text))}
wrong = [f"{path} has {construct}: it belongs in a folder Unsafe/" for path, construct in unsafe.items()]
print(f"{len(unsafe)} of {len(texts)} files have unsafe constructs outside of Unsafe/")
for attribute, maximum in MAXIMA.items():
    number = sum(text.count(attribute) for text in texts.values())
    print(f"{attribute}: {number}, at most {maximum}")
    if number > maximum:
        wrong.append(f"{attribute} occurs {number} times; at most {maximum} are allowed")
if wrong:
    sys.exit("\n".join(wrong))
