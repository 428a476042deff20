"""Fails if a line of Docs/API has changed since a release, and CHANGELOG does not name its symbol: .ci/breaking.py [COMMIT]
Without it, a release could break programs without a word. The release is the latest tag if none is given. The symbol, or a type that it
belongs to, has to be named under "Changed", "Deprecated" or "Removed" above it; so has the type that gets a further case. New
requirements of protocols and conditions of conformances are for who reviews Docs/API. `swift package diagnose-api-breaking-changes`
cannot compile this package (Swift 6.3.1: the module of a target in C is defined twice if a macro depends on it).
"""
import pathlib
import re
import subprocess
import sys


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout


def symbols(texts):
    """The library, name and declaration of each symbol, without attributes."""
    return {(library, name, re.sub(r"@\w+(\([^)]*\))? ", "", declaration)) for library, text in texts.items()
            for name, declaration in re.findall(r"^(.*?)  \|  (.*)", text.partition("with an underscore")[0], re.M)}


base = (sys.argv[1:] or [git("describe", "--tags", "--abbrev=0", "--match", "[0-9]*").strip()])[0]
if not base:
    sys.exit(print("there is no tagged version to compare with"))
if not (paths := git("ls-tree", "--name-only", base, "Docs/API/").split()):
    sys.exit(f"there is no commit {base} with a folder Docs/API")
old = symbols({pathlib.Path(path).stem: git("show", f"{base}:{path}") for path in paths})
new = symbols({file.stem: file.read_text() for file in pathlib.Path("Docs/API").glob("*.txt")})
recent = re.split(rf"^## \[?{re.escape(base)}\b", pathlib.Path("CHANGELOG.md").read_text(), flags=re.M)[0]
notes = "".join(re.findall(r"^### (?:Changed|Deprecated|Removed)\n(.*?)(?=^#|\Z)", recent, re.M | re.S))
named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", notes))))
types = {(library, name) for library, name, _ in old}
changed = old - new | {(library, name, declaration) for library, name, declaration in new - old
                       if declaration.startswith("case ") and (library, name.rpartition(".")[0]) in types}
unnamed = [f"{library}: {name}  |  {declaration}" for library, name, declaration in changed if not named.intersection(
    [word for word in re.sub(r"\(.*", "", name).split(".") if re.fullmatch(r"\w+", word) and word not in ("init", "subscript")] or [name])]
if unnamed:
    sys.exit(f"changes since {base} that CHANGELOG does not name:\n" + "\n".join(sorted(unnamed)))
print(f"{len(changed)} symbols of {base} changed or gone, all of them named in CHANGELOG")
