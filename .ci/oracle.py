"""Compares the properties that KVSyntax finds in the types of Swift files with those that the compiler parses.

    python3 .ci/oracle.py Sources Tests ../swift-collections ../swift-nio

Reads files and folders, as data: nothing is built of them. Prints each difference and the numbers of files, types and
properties. Files that the compiler does not parse alone are counted and left out; so are the parts of a file whose
condition does not hold, which the compiler does not show.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ACCESSORS = ["get", "_read", "read", "unsafeAddress", "borrow", "willSet", "didSet"]
TYPES = ["class_decl", "struct_decl", "enum_decl", "extension_decl"]


def types(node):
    """The types of a syntax tree, the nested ones included."""
    pending, found = [node], []
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if node.get("_kind") in TYPES:
                found.append(node)
            pending += node.values()
        elif isinstance(node, list):
            pending += node
    return found


def parsed(file):
    """The types that the compiler parses in a file; None if it does not parse it."""
    command = ["swiftc", "-frontend", "-dump-parse", "-dump-ast-format", "json", "-swift-version", "6",
               "-enable-bare-slash-regex", "-parse-as-library", str(file)]
    output = subprocess.run(command, capture_output=True).stdout.decode("utf-8", "replace")
    try:
        return types(json.JSONDecoder().raw_decode(output)[0])
    except ValueError:
        return None


def wanted(node):
    """The properties of a type as the compiler parses it: name, let, static, stored, observers."""
    for member in node.get("members", []):
        if member.get("_kind") != "var_decl" or member.get("implicit"):
            continue
        written = [accessor for accessor in member.get("accessors", []) if not accessor.get("implicit")]
        kinds = {kind for kind in ACCESSORS for accessor in written
                 if accessor.get(kind) or kind in (accessor.get("kind"), accessor.get("accessor_kind"))}
        name = member.get("name", {}).get("base_name", {}).get("name", "?")
        yield (name, bool(member.get("let")), bool(member.get("static")), not kinds - {"willSet", "didSet"},
               bool(kinds & {"willSet", "didSet"}))


def build(folder):
    sources = [str(path) for path in pathlib.Path("Sources/KVSyntax").rglob("*.swift")]
    program = str(pathlib.Path(folder, "oracle"))
    command = ["swiftc", "-O", "-package-name", "oracle", "-module-name", "Oracle", "-swift-version", "6"]
    subprocess.run([*command, *sources, ".ci/Oracle/main.swift", "-o", program], check=True)
    return subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def differs(found, wanted, count):
    """Whether the properties differ, apart from those under conditions that do not hold."""
    at = 0
    for each in found:
        if at < len(wanted) and tuple(each[key] for key in ("name", "let", "static", "stored", "observers")) == wanted[at]:
            at += 1
        elif each["conditional"]:
            count["inactive"] += 1
        else:
            return True
    return at < len(wanted)


with tempfile.TemporaryDirectory() as folder:
    scanner, count = build(folder), collections.Counter(types=0, properties=0, different=0, unparsed=0, inactive=0)
    paths = [pathlib.Path(argument) for argument in sys.argv[1:] or ["Sources", "Tests"]]
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.swift")))]
    for file in files:
        nodes = parsed(file)
        count["unparsed"] += nodes is None
        for node in nodes or []:
            place = node.get("range", {})
            if place.get("start", -1) < 0 or "end" not in place:
                continue
            scanner.stdin.write(f"{file}\t{place['start']}\t{place['end'] + 1}\n")
            scanner.stdin.flush()
            found, expected = json.loads(scanner.stdout.readline()), list(wanted(node))
            count.update(types=1, properties=len(expected))
            if differs(found, expected, count):
                count["different"] += 1
                print(f"{file}: bytes {place['start']} to {place['end']}\n  compiler: {expected}\n  scanner: {found}")
    scanner.stdin.close()
    scanner.wait()
print(f"{len(files)} files: " + ", ".join(f"{name} {number}" for name, number in count.items()))
sys.exit(count["different"] > 0)
