"""Compiles the blocks of Swift code in the guides: python3 .ci/guide.py "$(swift build --show-bin-path)" [PAGE…]

Without it, guides would show code that does not compile. The blocks of a page make one program, in their order: what a block declares,
the next ones use. A type that a block declares once more begins a further program. What a block imports, all of the page have; a page
whose blocks import no library of the package gets KVBinding. .ci/guides.swift has what pages take for granted:

    //@ page PAGE [import MODULE]   what the lines below are for
    //@ new TYPE NAME NAME…; …      objects that are made without arguments
    //@ in FIRST LINE               the block that begins so stands where the next lines have /*block*/, or /*table*/ for a table
    //@ skip FIRST LINE  // REASON  the block that begins so is no code that can be compiled
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

QUOTING = {"Architecture", "Compatibility", "Contract", "Stability", "Troubleshooting"}  # their blocks are parts of the libraries, or wrong
PAGES = {path.relative_to("Docs").with_suffix("").as_posix() if path.parts[0] == "Docs" else path.stem: path
         for pattern in ["README.md", "Docs/*.md", "Docs/Migrating/*.md", "Sources/*/*.docc/*.md"]
         for path in sorted(pathlib.Path().glob(pattern)) if path.stem not in QUOTING and "\n```swift\n" in path.read_text()}
DECLARATION = re.compile(r"(?:@\S+(?:\(.*\))? )*(?:(?:public|private|final|indirect|open) )*(class|struct|enum|extension|"
                         r"protocol|actor) (\w+)")
LIBRARY = re.compile(r"^import KV\w+$", re.M)
TABLE = "override class var keyTable: KVTable { super.keyTable.extended(for: %s.self) { key in /*block*/ } }"


def preparation(text):
    """The lines before the blocks of a page, the lines around single blocks, and the beginnings of blocks that are skipped."""
    text = re.sub(r"^//@ new (.*)", lambda match: "\n".join(f"nonisolated(unsafe) let {name} = {kind}()" for part in match[1].split("; ")
                                                           for kind, *names in [part.split()] for name in names), text, flags=re.M)
    text = re.sub(r"^(.*class (\w+).*)/\*table\*/", lambda match: match[1] + TABLE % match[2], text, flags=re.M)
    head, *parts = re.split(r"^//@ (?=in |skip )", text, flags=re.M)
    around = dict(part[3:].split("\n", 1) for part in parts if part.startswith("in "))
    return head.splitlines(), around, {part[5:].split("  //")[0] for part in parts if part.startswith("skip ")}


def blocks(text):
    """The lines of each block, with their numbers in the page; fatalError() for each … that is neither in a text nor in a comment."""
    for block in re.finditer(r"^```swift\n(.*?)^```", text, re.M | re.S):
        number = text[: block.start()].count("\n") + 2
        yield [(number + index, re.sub(r"…(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)", "fatalError()", code) + comment) for index, line in
               enumerate(block[1].splitlines()) for code, comment in [re.match(r"(.*?)((?://.*)?)$", line).groups()]]


def chunks(lines):
    """The statements and declarations of a block at its left margin."""
    chunk = []
    for number, line in lines:
        is_attribute = all(re.fullmatch(r"\s*(@\S+.*|//.*|)", text) and not DECLARATION.match(text) for _, text in chunk)
        if chunk and line and not line[0].isspace() and line[0] not in ")}]" and not is_attribute:
            yield chunk
            chunk = []
        chunk.append((number, line))
    yield chunk


def programs(page, text, head, around, skipped):
    """The lines of each program: declarations, and a function of the statements, in which blocks are scopes."""
    declared, statements, names, others, imports = [], [], set(), [], []
    unused = {*around, *skipped}
    for lines in blocks(text):
        if start := next((start for start in [*skipped, "."] if lines[0][1].startswith(start)), None):
            unused.discard(start)  # a part of a manifest begins with a dot
            continue
        imports += [line for line in lines if line[1].startswith("import ")]
        lines = [line for line in lines if not line[1].startswith("import ")]
        while lines and not lines[0][1]:
            del lines[0]
        if not lines:
            continue
        for start in [start for start in around if lines[0][1].startswith(start)]:
            unused.discard(start)
            before, after = around[start].split("/*block*/")
            lines = [(lines[0][0], line) for line in before.splitlines()] + [(number, "  " + line) for number, line in lines] + [
                (lines[0][0], " " + line) for line in after.splitlines()]
        types, body, new = [], [], set()
        for chunk in chunks(lines):
            first = next((line for _, line in chunk if line and not re.match(r"\s*//|@\S+$", line)), "")
            (types if DECLARATION.match(first) else body).extend(chunk)
            new |= {match[2] for _, line in chunk if DECLARATION.match(first) and (match := DECLARATION.match(line))
                    and match[1] != "extension"}
        if new & names:
            others.append((types, body))
        else:
            names |= new
            declared += types
            statements += [(0, "do {"), *body]
    if unused:
        sys.exit(f".ci/guides.swift: no block of {page} begins with {', '.join(unused)}")
    library = [] if any(LIBRARY.match(line) for _, line in imports) else [(0, "import KVBinding")]
    for types, body in [(declared, statements), *others]:
        yield library + imports + [(0, line) for line in head] + types + [(0, "func guide() async throws {"), *body, (0, "}" * (body.count((0, "do {")) + 1))]


def errors(page, program, binaries, folder):
    source, library = pathlib.Path(folder, "Guide.swift"), pathlib.Path(shutil.which("swiftc")).resolve().parents[1] / "lib/swift"
    source.write_text("\n".join(line for _, line in program) + "\n")
    said = subprocess.run(
        [*"swiftc -typecheck -parse-as-library -swift-version 6 -package-description-version 6.1 -suppress-warnings".split(),
         "-diagnostic-style", "llvm", "-I", f"{binaries}/Modules", "-I", f"{library}/pm/ManifestAPI", "-plugin-path",
         f"{library}/host/plugins/testing", "-load-plugin-executable", f"{binaries}/KVMacros-tool#KVMacros", source],
        capture_output=True, text=True)
    for file, line, message in re.findall(r"^(\S+?):(\d+):\d+: error: (.*)", said.stderr, re.M):
        number, text = program[int(line) - 1] if file == str(source) and int(line) <= len(program) else (0, "")
        yield f"{page}:{number}: {message}: {text.strip()}"
    yield from [said.stderr] if said.returncode and "error: " not in said.stderr else []


binaries, *wanted = sys.argv[1:]
faults, count = [], 0
sections = dict(re.findall(r"^//@ page (\S+) ?(.*\n(?:(?!//@ page ).*\n)*)", pathlib.Path(".ci/guides.swift").read_text(), re.M))
for name, section in sections.items():
    if found := LIBRARY.search(section):
        sys.exit(f".ci/guides.swift: {name} has {found[0]}: a reader would miss it, so a block of the page imports it")
with tempfile.TemporaryDirectory() as folder:
    for name in wanted or PAGES:
        page = PAGES[name]
        for program in programs(page, page.read_text(), *preparation(sections.get(name, ""))):
            faults += errors(page, program, binaries, folder)
        count += len(list(blocks(page.read_text())))
if faults:
    sys.exit("\n".join(faults))
print(f"{count} blocks of code in {len(wanted or PAGES)} pages compile, but for those that .ci/guides.swift skips")
