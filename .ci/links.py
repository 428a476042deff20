"""Fails if a Markdown file links to a file of the project, or to a heading, that does not exist, if Docs/README.md leaves
out a page of Docs, or if the documentation of a public symbol links to a symbol that is not public (as Docs/API lists
them)."""
import pathlib
import re
import sys

PAGES = ["*.md", "Docs/**/*.md", "Benchmarks/*.md", "Fuzzing/*.md", "Mutation/*.md"]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)  # `a[0](b)` is no link


def anchors(page):
    """The fragments by which GitHub knows the headings of a page."""
    for heading in re.findall(r"^#{1,6} (.*?)\s*$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


missing = []
for page in [page for pattern in PAGES for page in pathlib.Path(".").glob(pattern)]:
    for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", page.read_text())):
        path, _, anchor = target.partition("#")
        other = page.parent / path if path else page
        if target.startswith(("http:", "https:")):
            continue
        if not other.exists() or (anchor and other.suffix == ".md" and anchor not in set(anchors(other))):
            missing.append(f"{page}: {target}")

index = pathlib.Path("Docs/README.md")
linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#\s]+)", index.read_text())} | {index.resolve()}
missing += [f"{index}: no link to {page}" for page in sorted(pathlib.Path("Docs").rglob("*"))
            if page.suffix in (".md", ".txt") and page.resolve() not in linked]

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
