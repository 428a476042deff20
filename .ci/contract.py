"""Fails if a rule of Docs/Contract.md is quoted by no test, or if a line is indented such that its list ends there."""
import pathlib
import re
import sys

chapter, rules, indents = None, [], ()
for line in pathlib.Path("Docs/Contract.md").read_text().splitlines():
    if heading := re.match(r"## ([A-Z]{2,4}\b)?", line):
        chapter, indents = heading.group(1), ()
    elif chapter and (rule := re.match(r"(\d+)\.\s", line)):
        rules.append(f"{chapter}.{rule.group(1)}")
        indents = (rule.end(), rule.end() + 2)
    elif indents and line and len(line) - len(line.lstrip()) not in indents[:1 if line.lstrip().startswith("- ") else 2]:
        sys.exit(f"{rules[-1]}: bullets are indented by {indents[0]}, and their lines by {indents[1]}: {line}")
quoted = set()
for path in [*pathlib.Path("Tests").rglob("*.swift"), *pathlib.Path("Examples/Tests").rglob("*.swift")]:
    quoted |= set(re.findall(r"\b[A-Z]{2,4}\.\d+\b", path.read_text()))
missing = [rule for rule in rules if rule not in quoted]
print(f"{len(rules) - len(missing)} of {len(rules)} rules are quoted")
if missing:
    sys.exit(f"not quoted by any test: {' '.join(missing)}")
