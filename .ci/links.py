"""Fails if a Markdown file links to a file of the project that does not exist."""
import pathlib
import re
import sys

missing = []
for page in [*pathlib.Path(".").glob("*.md"), *pathlib.Path("Docs").rglob("*.md")]:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists():
            missing.append(f"{page}: {target}")
if missing:
    sys.exit("links to nowhere:\n" + "\n".join(missing))
print("all links lead somewhere")
