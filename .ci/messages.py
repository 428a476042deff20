"""Fails if a message of the libraries, the macros or the programs says "is no …" where English says "is not a …"."""
import pathlib
import re
import sys

FORM = re.compile(r"(?<!here )\b(?:is|are|was|were) (?:no|none)\b")
wrong, count = [], 0
for root in ("Sources", "Examples/Sources", "Examples/Downstream/Sources"):
    for source in sorted(pathlib.Path(root).rglob("*.swift")):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            text = re.sub(r"(^|\s)//.*", "", line)  # comments may
            count += 1
            wrong += [f"{source}:{number}: {found}" for found in FORM.findall(text)]
print(f"{len(wrong)} of {count} lines of sources say \"is no\" in a message")
if wrong:
    sys.exit("\n".join(wrong))
