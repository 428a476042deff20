"""Fails if a Markdown file links to a file of the project that does not exist, or if the documentation of a public
symbol links to a symbol that is not public (as Docs/API lists them)."""
import pathlib
import re
import sys

missing = []
for page in [*pathlib.Path(".").glob("*.md"), *pathlib.Path("Docs").rglob("*.md")]:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists():
            missing.append(f"{page}: {target}")

public = {word for file in pathlib.Path("Docs/API").glob("*.txt") for word in re.findall(r"\w+", file.read_text())}
for source in pathlib.Path("Sources").rglob("*.swift"):
    comment = []
    for number, line in enumerate(map(str.strip, source.read_text().splitlines()), 1):
        if line.startswith("///"):
            comment.append((number, line))
        elif line.startswith(("@", "//")):
            continue  # attributes are between the comment and the declaration
        else:
            if re.match(r"(public|open)\b|extension\b", line) and " _" not in line:
                for at, text in comment:
                    for link in re.findall(r"``([^`]+)``", text):
                        name = re.findall(r"\w+", link.partition("(")[0])[-1:]
                        if not public.issuperset(name):  # an operator has no name
                            missing.append(f"{source}:{at}: ``{link}``")
            comment = []
if missing:
    sys.exit("links to nowhere:\n" + "\n".join(missing))
print("all links lead somewhere")
