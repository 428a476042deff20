"""Fails if the code of a folder comes to name a type or free function that a folder on a higher floor declares.

Without it, folders would come to name each other, and what a library is built of could not be read in an order.
Compares top-level names, and the members that an extension adds to a type of another folder if no other folder declares that name.
Files outside of folders may name all. .ci/budgets.txt has how many names go up, how many pairs of folders name each other, and how
many names a library uses of others that are not public; a smaller number has to be written there, too (--lower does it).
"""
import collections
import pathlib
import re
import sys

from checks import code, files, over_budget

FLOORS = {  # from the ground up; a folder may name those of its own floor
    "KVSyntax": ["Lexing", "Declarations", "Mentions"],
    "KVExpansion": ["Messages", "Expansion", "Plugin"],
    "KVCore": ["Errors Support Unsafe", "KeyPaths", "Accessors Coercion Collections", "Tables Reflection", "Access",
               "Operators", "Observing", "Objects ToMany Models"],
    "KVQuery": ["Sorting", "Predicates"],
    "KVBinding": ["Reports", "Changes", "Registration", "Wave", "Coalescing", "Observing", "Transforming", "Bindings",
                  "Diagnosis", "Ports"],
    "KVControllers": ["Arranging Formulas Undo", "Controllers", "Lists"],
    "KVDocuments": ["Unsafe", "JSON PropertyLists"],
    "KVTestSupport": ["Fixtures Foundation Reporting", "Recording", "Compliance Execution Lifetimes XCTest", "Expecting"],
}
KINDS = "struct|class|enum|protocol|actor|typealias|func"
DECLARATION = re.compile(rf"^[ \t]*((?:@[\w.]+(?:\([^)]*\))?\s+|[a-z]+\s+)*?)({KINDS})\s+(\w+)", re.M)
LABEL = re.compile(r"(?:<[^>]*>)?\(\s*(\w*)")
EXTENSION = re.compile(r"^extension\s+(\w+)[^{]*\{(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"\b(?:func|var|let|case)\s+`?(\w+)")
SHARED = re.compile(rf"\bpackage\s+(?:[a-z]+(?:\(\w+\))?\s+)*?(?:(?:var|let|case|{KINDS})\s+`?(\w+)|init\b|subscript\b)")
STANDARD = {"filter", "sorted"}  # methods of the standard library, which extensions overload


def is_nested(text, at):
    return text.count("{", 0, at) > text.count("}", 0, at)


def declared(text):
    """The top-level names of a file, each with the pattern of its uses."""
    for match in DECLARATION.finditer(text):
        modifiers, kind, name = match.groups()
        if is_nested(text, match.start()) or "private" in modifiers:
            continue
        if kind != "func":
            yield name, rf"(?<![\w.]){name}\b"
        elif label := LABEL.match(text, match.end()):
            first = "" if label[1] == "_" else rf"{label[1]}\s*:" if label[1] else r"\)"
            yield name, rf"(?<![\w.]){name}(?:<[^>]*>)?\(\s*{first}"


def added(text, own):
    """The members that the extensions of a file add to types of other folders, each with the pattern of its uses."""
    for body in (body for name, body in EXTENSION.findall(text) if name not in own):
        for match in MEMBER.finditer(body):
            line = body[body.rfind("\n", 0, match.start()):match.start()]
            if match[1] not in STANDARD and "private" not in line and not is_nested(body, match.start()):
                yield match[1], rf"(?<!\w){match[1]}\b"


def read(library):
    """The folders of a library, and the arrows between them: (from, to) → name → files that name it."""
    texts, owners = collections.defaultdict(dict), collections.defaultdict(set)
    arrows = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in SOURCES[library].items():
        texts["/".join(path.split("/")[2:-1]).removesuffix("/Unsafe")][path] = text
    texts.pop("", None)  # those that name all
    for folder in texts:
        for name in MEMBER.findall("\n".join(texts[folder].values())):
            owners[name].add(folder)
    for home in texts:
        names = {each for text in texts[home].values() for each in declared(text)}
        own = {name for name, _ in names}
        names |= {each for text in texts[home].values() for each in added(text, own) if owners[each[0]] == {home}}
        for name, pattern in sorted(names):
            for folder in texts.keys() - {home}:
                for file, text in texts[folder].items():
                    if name in text and re.search(pattern, text) and not re.search(rf"\b(?:{KINDS}|associatedtype) {name}\b", text):
                        arrows[folder, home][name].append(file)
    return sorted(texts), arrows


def check(library):
    """What is wrong with the folders of a library; counts those that name each other."""
    height = {folder: index for index, floor in enumerate(FLOORS[library]) for folder in floor.split()}
    folders, arrows = read(library)
    if unknown := [folder for folder in folders if folder.split("/")[0] not in height]:
        return [f"{library}/{folder} has no floor in .ci/floors.py" for folder in unknown]
    MEASURES[f"pairs of folders of {library} that name each other"] = sum((b, a) in arrows for a, b in arrows) // 2
    rises = [(folder, above, name, files) for (folder, above), names in sorted(arrows.items()) for name, files in sorted(names.items())
             if height[folder.split("/")[0]] < height[above.split("/")[0]]]
    MEASURES[f"names of a higher floor in {library}"] = len(rises)
    if "-v" in sys.argv:
        print(*(f"{library}/{folder} names {name} of {above}: {', '.join(files)}" for folder, above, name, files in rises), sep="\n")
    return []


def names_of_others(library):
    """The names of other libraries that are not public and that a library uses; those that others have, too, are left out."""
    imported = set(re.findall(r"^(?:package |public |@_exported )?import (KV\w+)$", TEXTS[library], re.M)) & TEXTS.keys()
    shared = {name for other in imported for name in SHARED.findall(TEXTS[other])}
    others = SHARED.sub("", "\n".join([TEXTS[library], *(TEXTS[other] for other in imported)]))
    return shared.intersection(re.findall(r"\w+", TEXTS[library])) - set(re.findall(rf"\b(?:var|let|case|{KINDS})\s+`?(\w+)", others))


MEASURES = {}
SOURCES = {folder.name: {path: code(text) for path, text in files(f"{folder}/**/*.swift").items()}
           for folder in sorted(pathlib.Path("Sources").iterdir())}
TEXTS = {library: "\n".join(texts.values()) for library, texts in SOURCES.items()}
faults = [fault for library in FLOORS for fault in check(library)]
MEASURES["declarations with the access package"] = sum(len(SHARED.findall(text)) for text in TEXTS.values())
MEASURES["names of other libraries that are not public"] = sum(len(names_of_others(library)) for library in SOURCES)
print(*(f"{name}: {number}" for name, number in MEASURES.items()), sep="\n")
sys.exit("\n".join([*faults, *over_budget(MEASURES, is_exact=True)]) or 0)
