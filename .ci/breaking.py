"""Fails if a public symbol of a release has changed or is gone, and CHANGELOG does not name it.

    python3 .ci/breaking.py [BASE]

Compares Docs/API with that of BASE, which is the latest tagged version if it is not given. The name of the symbol must
stand in the part of CHANGELOG above the version (or in the whole, if BASE is none), under "Changed", "Deprecated" or
"Removed"; a type stands for its members. A symbol that is in another library now has changed: a program imports that one.
Further conformances, attributes and symbols break nobody, but for a new case of an enumeration. The listing does not
tell a new requirement of a protocol from a new member, nor the conditions of a conformance: who reviews its differences
looks for these. `swift package diagnose-api-breaking-changes` does not work
for a package with a macro and a target in C: the module of the latter is defined twice (Swift 6.3.1).
"""
import pathlib
import re
import subprocess
import sys


def git(*arguments):
    result = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else None


def symbols(text):
    """The declarations of each name; symbols with an underscore are not API."""
    listed = {}
    for section in re.split(r"^(?=# )", text, flags=re.M):
        if "with an underscore" not in section.partition("\n")[0]:
            for line in section.splitlines():
                if "  |  " in line:
                    name, _, declaration = line.partition("  |  ")
                    listed.setdefault(name, set()).add(declaration)
    return listed


def parts(declaration):
    """The declaration without attributes and conformances, and the conformances of a type."""
    plain = re.sub(r"@\w+(\([^)]*\))? ", "", declaration)
    match = re.fullmatch(r"((?:open |final )*(?:class|struct|enum|protocol|extension) .*?) : (.*?)( where .*)?", plain)
    return (match[1] + (match[3] or ""), set(match[2].split(", "))) if match else (plain, set())


def is_kept(old, declarations):
    """Whether one of the declarations allows what the old one does."""
    plain, supertypes = parts(old)
    return any(plain == now and supertypes <= present for now, present in map(parts, declarations))


def breaks(old, new, arrived):
    """The names whose declarations changed, with what happened; `arrived` has the libraries in which a name is new."""
    enums = {name for name, declarations in old.items() if any(parts(text)[0].startswith("enum ") for text in declarations)}
    for name, declarations in old.items():
        if name not in new:
            yield name, f"moved to {arrived[name]}" if name in arrived else "is gone"
        elif changed := [text for text in declarations if not is_kept(text, new[name])]:
            yield name, f"was: {changed[0]}"
    for name, declarations in new.items():
        if name not in old and name.rpartition(".")[0] in enums and any(text.startswith("case ") for text in declarations):
            yield name, "is a new case"


def words(name):
    """The words by which CHANGELOG may name a symbol: its own, or a type that it belongs to."""
    path = re.sub(r"\(.*", "", name).split(".")
    return [word for word in path if re.fullmatch(r"\w+", word) and word not in ("init", "subscript")] or [name]


def libraries(base):
    """The symbols of each library at a commit and now; a library that is new or gone has none on one side."""
    listed = (git("ls-tree", "--name-only", base, "Docs/API/") or "").split()
    now = {file.as_posix() for file in pathlib.Path("Docs/API").glob("*.txt")}
    for path in sorted({path for path in listed if path.endswith(".txt")} | now):
        file = pathlib.Path(path)
        yield file.stem, symbols(git("show", f"{base}:{path}") or ""), symbols(file.read_text() if path in now else "")


def main(base=None):
    base = base or (git("describe", "--tags", "--abbrev=0", "--match", "[0-9]*") or "").strip()
    if not base:
        return print("there is no tagged version to compare with")
    changelog = pathlib.Path("CHANGELOG.md").read_text()
    recent = re.split(rf"^## \[?{re.escape(base)}\b", changelog, flags=re.M)[0]
    notes = "".join(re.findall(r"^### (?:Changed|Deprecated|Removed)\n(.*?)(?=^#|\Z)", recent, re.M | re.S))
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", notes))))
    if git("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") is None:
        sys.exit(f"there is no commit {base}")
    unnamed, count, found = [], 0, list(libraries(base))
    arrived = {name: library for library, old, new in found for name in new if name not in old}
    for library, old, new in found:
        for name, what in breaks(old, new, arrived):
            count += 1
            if not named.intersection(words(name)):
                unnamed.append(f"{library}: {name} {what}")
    if unnamed:
        sys.exit(f"changes since {base} that CHANGELOG does not name:\n" + "\n".join(sorted(unnamed)))
    print(f"{count} symbols of {base} changed or gone, all of them named in CHANGELOG")


main(*sys.argv[1:])
