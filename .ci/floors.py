"""Fails if the code of a folder names a type or free function that a folder on a higher floor declares.

Counts what is named, not how often: top-level names, and the names of members that an extension adds to a type of
another folder if no other folder declares that name, in the code without comments and the text of literals. Prints the
pairs of folders that name each other. ALLOWED has the names that go up today. It may only become shorter: a name that
no longer goes up must leave it. Files outside of folders may name all; KVFoundation and KVDefinitions have no folders.

`.ci/Boundaries` has a list for each library beside KVCore and KVBinding: the types and members of other libraries that it
uses and that are not public. A member whose name others have, too, is listed by hand: the check does not ask for it.
"""
import collections
import functools
import pathlib
import re
import sys

from swift import code

FLOORS = {  # from the ground up; a folder may name those of its own floor
    "KVSyntax": ["Lexing", "Declarations", "Mentions"],
    "KVExpansion": ["Messages", "Expansion", "Plugin"],
    "KVCore": ["Errors Support Unsafe", "KeyPaths", "Accessors Coercion Collections", "Tables Reflection", "Access",
               "Operators", "Observing", "Objects ToMany Models", "Sorting", "Predicates"],
    "KVBinding": ["Reports", "Changes", "Registration", "Wave", "Coalescing", "Observing", "Transforming", "Bindings",
                  "Diagnosis", "Ports"],
    "KVControllers": ["Undo Arranging", "Controllers", "Lists"],
    "KVDocuments": ["Unsafe", "JSON PropertyLists"],
    "KVTestSupport": ["Fixtures Foundation Reporting", "Recording", "Compliance Execution Lifetimes XCTest", "Expecting"],
}
ALLOWED = {  # folder, folder above it: names, reason
    "KVSyntax": {},
    "KVExpansion": {},
    "KVCore": {
        ("KeyPaths", "Accessors"): ("Accessor", "a component caches its accessor"),
        ("KeyPaths", "Access"): ("KeyValueCoding", "a typed path asks the table of the type that it leads through"),
        ("Accessors", "Tables"): ("KVTable KeyDeclaration TableChecker", "TypeInfo makes accessors from a table"),
        ("Accessors", "Reflection"): ("ReflectedFields ReflectedValue StoredPlace", "TypeInfo holds the fields of a type"),
        ("Accessors", "Access"): ("KeyValueCoding resolves", "TypeInfo asks for the protocols"),
        ("Accessors", "Observing"): ("KVObservable", "an accessor knows whether its owner can be observed"),
        ("Accessors", "Objects"): ("KVObject KVRecord", "TypeInfo treats the two base classes apart, for speed"),
        ("Coercion", "Access"): ("KeyValueCoding", "the cure of a mismatch depends on whether the type has a table"),
        ("Tables", "Operators"): ("KVOperator", "a table checks the operators of affecting paths"),
        ("Tables", "Access"): ("KeyValueCoding", "a table is checked against that of the superclass"),
        ("Reflection", "Observing"): ("KVObservable", "the slot of an observable object is no key of it"),
        ("Access", "Observing"): ("canBeSetInSilence writeNotifying", "a write by key notifies"),
        ("Access", "Operators"): ("OperatorCall", "a path leads through an operator"),
        ("Access", "Objects"): ("KVRecord", "records have keys without a table"),
        ("Observing", "Objects"): ("KVObject", "KVObject has a short way to its registrar"),
    },
    "KVBinding": {
        ("Bindings", "Ports/Controls"): ("refuseControls", "a control notifies by events, so it is no source"),
        ("Transforming", "Ports/Foundation"): ("formatPrefix url", "a format of a number is Foundation's"),
        ("Coalescing", "Bindings"): ("KVExecutor suspendingBindings", "a rate limit has an executor; a transaction that fails suspends bindings"),
        ("Observing", "Bindings"): ("BindingEndpoint", "reverting a record finds the object of the last key"),
        ("Registration", "Bindings"): ("BindingCore BindingPayload", "the sink of a binding"),
        ("Registration", "Coalescing"): ("CoalescingScope DeferredDelivery ObservationLimit", "a registration defers its records"),
        ("Registration", "Wave"): ("ChangeOfElements ChangePlan ChangeRun Deallocation ListPlans ManualChange OpenChange PlanBuilder "
                                   "PlanValidity ThreadDeliveries Wave WaveGraph WaveOrder", "entries join a plan; the registrar begins a change"),
        ("Wave", "Bindings"): ("BindingCore BindingPayload TransactedBindings notifyingOfDeallocation", "a wave has bindings and their edits"),
        ("Wave", "Coalescing"): ("CoalescingScope TaskScope", "the thread has its scope"),
    },
    "KVControllers": {},
    "KVDocuments": {},
    "KVTestSupport": {
        ("Foundation", "Compliance"): ("ValueMaker VariedValue", "samples of Foundation's types"),
        ("Recording", "Compliance"): ("Likeness", "a record without a change is told by comparing the values"),
    },
}
MAXIMUM_PAIRS = {"KVSyntax": 0, "KVExpansion": 0, "KVCore": 20, "KVBinding": 9, "KVControllers": 0, "KVDocuments": 0, "KVTestSupport": 2}  # folders that name each other
STANDARD = {"filter", "sorted"}  # methods of the standard library, which extensions overload
KINDS = "struct|class|enum|protocol|actor|typealias|func"
DECLARATION = re.compile(rf"^[ \t]*((?:@[\w.]+(?:\([^)]*\))?\s+|[a-z]+\s+)*?)({KINDS})\s+(\w+)", re.M)
LABEL = re.compile(r"(?:<[^>]*>)?\(\s*(\w*)")
EXTENSION = re.compile(r"^extension\s+(\w+)[^{]*\{(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"\b(?:func|var|let|case)\s+`?(\w+)")


def declared(text):
    """The top-level names of a file, each with the pattern of its uses."""
    for match in DECLARATION.finditer(text):
        modifiers, kind, name = match.groups()
        is_nested = text.count("{", 0, match.start()) > text.count("}", 0, match.start())
        if is_nested or "private" in modifiers:
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
            if match[1] in STANDARD:
                continue
            if body.count("{", 0, match.start()) == body.count("}", 0, match.start()) and "private" not in line:
                yield match[1], rf"(?<!\w){match[1]}\b"


@functools.cache
def sources(library):
    """The code of each file of a library, by its path in it."""
    root = pathlib.Path("Sources", library)
    return {path.relative_to(root): code(path.read_text()) for path in sorted(root.rglob("*.swift"))}


def read(library):
    """The folders of a library, and the arrows between them: (from, to) → name → files that name it."""
    texts = collections.defaultdict(dict)
    for path, text in sources(library).items():
        texts[path.parent.as_posix().removesuffix("/Unsafe")][path.as_posix()] = text
    texts.pop(".", None)  # those that name all
    arrows = collections.defaultdict(lambda: collections.defaultdict(list))
    owners = collections.defaultdict(set)
    for folder in texts:
        for text in texts[folder].values():
            for name in MEMBER.findall(text):
                owners[name].add(folder)
    for home in texts:
        names = {each for text in texts[home].values() for each in declared(text)}
        own = {name for name, _ in names}
        names |= {each for text in texts[home].values() for each in added(text, own) if owners[each[0]] == {home}}
        for name, pattern in sorted(names):
            for folder in texts.keys() - {home}:
                for file, text in texts[folder].items():
                    is_used = name in text and re.search(pattern, text)
                    if is_used and not re.search(rf"\b(?:{KINDS}|associatedtype) {name}\b", text):
                        arrows[folder, home][name].append(file)
    return sorted(texts), arrows


def check(library):
    """Prints the pairs of folders of a library, and returns what is wrong."""
    height = {folder: index for index, floor in enumerate(FLOORS[library]) for folder in floor.split()}
    folders, arrows = read(library)
    wrong = [f"{library}/{folder} has no floor in .ci/floors.py" for folder in folders
             if folder.split("/")[0] not in height]
    if wrong:
        return wrong
    pairs = [f"{one} ↔ {other}" for one, other in sorted(arrows) if one < other and (other, one) in arrows]
    print(f"{library}: {len(pairs)} pairs of folders name each other: {', '.join(pairs)}")
    if len(pairs) != MAXIMUM_PAIRS[library]:
        wrong.append(f"{library}: {len(pairs)} pairs of folders name each other, {MAXIMUM_PAIRS[library]} in .ci/floors.py")
    allowed = {arrow: set(names.split()) for arrow, (names, _) in ALLOWED[library].items()}
    for folder, above in sorted(arrows.keys() | allowed.keys()):
        goes_up = height.get(folder.split("/")[0], 0) < height.get(above.split("/")[0], 0)
        found = arrows[folder, above] if goes_up else {}
        listed = allowed.get((folder, above), set())
        for name in sorted(found.keys() - listed):
            wrong.append(f"{library}/{folder} names {name} of {above}, a floor above it: {', '.join(found[name])}")
        for name in sorted(listed - found.keys()):
            wrong.append(f"{library}/{folder} no longer names {name} of {above}: remove it from .ci/floors.py")
    names = sum(len(names) for names in allowed.values())
    print(f"{library}: names that go up and are allowed: {names}; arrows: {len(allowed)}")
    return wrong


TYPE = re.compile(r"^((?:@\w+(?:\([^)]*\))?\s+|[a-z]+\s+)*)(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
BODY = re.compile(r"^(?:[@\w()]+\s+)*?(class|struct|enum|protocol|actor|extension)\s+([\w.]+)[^{}]*\{ *(?:\n(.*?)^|([^\n]*))\}", re.M | re.S)
FREE = re.compile(r"^(?:@\w+\s+)*package\s+(?:[a-z]+\s+)*?(?:func|let|var)\s+(\w+)", re.M)
SHARED = re.compile(r"\b(package|public|open)\s+(?:[a-z]+(?:\(\w+\))?\s+)*?(?:(?:func|var|let)\s+`?(\w+)|init\??(?:<[^>]*>)?\(\s*(\w+))")


def shared(library):
    """The members that a library shares with others: each with its access, its owner, and the pattern of its uses."""
    for text in sources(library).values():
        for name in FREE.findall(text):
            yield "package", "", name, rf"(?<![\w.]){name}\b(?!\s*:)"
        for kind, owner, *bodies in BODY.findall(text):
            body = "".join(bodies)
            for access, name, label in SHARED.findall(body):
                uses = rf"\b{owner}\(\s*" + (rf"{label}\s*:" if label != "_" else r"(?!\w+\s*:|\))")
                yield access, owner, name or f"init({label}:)", rf"\.{name}\b" if name else uses
            for name in MEMBER.findall(body) if kind == "protocol" else re.findall(r"\bcase\s+`?(\w+)", body):
                yield "public", owner, name, rf"\.{name}\b"


def crossed(wing, text, libraries):
    """What a wing uses of the types of other libraries that are not public, and of members and functions that are not.

    The second result are members whose names others have, too, so that a use may be one of theirs.
    """
    types = {library: {name: words.split() for words, name in TYPE.findall("\n".join(sources(library).values()))}
             for library in libraries}
    access = {name: words for each in types.values() for name, words in each.items()}
    own = set(re.findall(rf"\b(?:{KINDS})\s+(\w+)", text))
    certain = {(library, name) for library in libraries for name, words in types[library].items()
               if "package" in words and name not in own and re.search(rf"\b{name}\b", text)}
    owners, uses = collections.defaultdict(set), {}
    for library in libraries:
        for word, owner, name, pattern in shared(library):
            owners[f"{owner}.{name}" if "(" in name else name].add((owner, word != "package"))
            known = [access[part] for part in owner.split(".") if part in access]
            isReached = all({"public", "open"} & set(words) for words in known) and (known or name != "init(_:)")
            if word == "package" and isReached:
                uses[library, f"{owner}.{name}".removeprefix(".")] = name, pattern
    own |= set(MEMBER.findall(text)) | STANDARD
    found = {key: name for key, (name, pattern) in uses.items() if re.search(pattern, text)}
    alone = {key for key, name in found.items() if name not in own and len(owners[key[1] if "(" in name else name]) == 1}
    return certain | alone, found.keys() - alone


def crossing(wing):
    """Returns what is wrong with the list of what a wing uses of other libraries."""
    file = pathlib.Path(".ci/Boundaries", f"{wing}.txt")
    lines = [line.split(None, 2) for line in file.read_text().splitlines() if not line.startswith("#")]
    listed = {(library, name) for library, name, _ in lines}
    text = "\n".join(sources(wing).values())
    libraries = sorted(set(re.findall(r"^(?:package |public |@_exported )?import (KV\w+)$", text, re.M)))
    used, possible = crossed(wing, text, libraries)
    print(f"{wing}: {len(used | listed)} types and members of other libraries that are not public")
    yield from (f"{wing} uses {name} of {library}: add it, and why, to {file}" for library, name in sorted(used - listed))
    yield from (f"{wing} does not use {name} of {library}: remove it from {file}"
                for library, name in sorted(listed - used - possible))


wings = sorted(path.stem for path in pathlib.Path(".ci/Boundaries").iterdir())
if wrong := [*(fault for library in FLOORS for fault in check(library)), *(fault for wing in wings for fault in crossing(wing))]:
    sys.exit("\n".join(wrong))
