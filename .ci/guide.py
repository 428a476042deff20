"""Compiles the blocks of Swift code in the guides against the built libraries.

    python3 .ci/guide.py "$(swift build --show-bin-path)" [PAGE…]

The blocks of a page make one program, in their order: what a block declares, the next ones use, and may declare again. A
type that a block declares once more begins a further program. What a block imports, all of the page have; a page whose
blocks import no library of the package gets KVBinding. `.ci/Guides/PAGE.swift` has what a page takes for granted,
and, behind lines of these forms, how single blocks are compiled, by the beginning of their first line:

    //@ in FIRST LINE: the block stands where the next lines have //@block
    //@ skip FIRST LINE: it is no code that can be compiled; the next line is a comment with the reason
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = """README Bindings Controllers Controls Conversions Definitions Diagnostics Documents Formulas Lists Models Observing
Programs Security Sorting Testing Transformers Trees Undo Migrating/FromAppKit Migrating/FromBlockKVO
Migrating/FromILBinding Migrating/FromRZDataBinding Migrating/FromTJBinder KVCore KVBinding KVDocuments
KVControllers KVDefinitions KVTestSupport""".split()
DECLARATION = re.compile(r"(?:@\S+(?:\(.*\))? )*(?:(?:public|private|final|indirect|open) )*(?:class|struct|enum|extension|"
                         r"protocol|actor) (\w+)")
LIBRARY = re.compile(r"^import KV\w+$", re.M)


class Preparation:
    """What stands in .ci/Guides for a page."""

    def __init__(self, name):
        self.path = pathlib.Path(".ci/Guides", name.replace("/", "-") + ".swift")
        text = self.path.read_text() if self.path.exists() else ""
        if found := LIBRARY.search(text):
            sys.exit(f"{self.path} has {found[0]}: a reader would miss it, so a block of the page imports it")
        head, *parts = re.split(r"^//@ (?=in |skip )", text, flags=re.M)
        self.lines = head.splitlines()
        self.contexts, self.skipped = {}, set()
        for part in parts:
            kind, first, rest = re.match(r"(\w+) (.*)\n((?:.*\n?)*)", part).groups()
            if kind == "skip":
                self.skipped.add(first)
            else:
                self.contexts[first] = rest.partition("//@block\n")[::2]


def blocks(text):
    """The lines of each block, with their numbers in the page."""
    for block in re.finditer(r"^```swift\n(.*?)^```", text, re.M | re.S):
        number = text[: block.start()].count("\n") + 2
        yield [(number + index, filled(line)) for index, line in enumerate(block[1].splitlines())]


def filled(line):
    """The line with something that compiles for each … that is neither in a text nor in a comment."""
    code, *comment = re.split(r"(?=//)", line, maxsplit=1)
    return "".join([re.sub(r"…(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)", "fatalError()", code), *comment])



def chunks(lines):
    """The statements and declarations of a block at its left margin."""
    chunk = []
    for number, line in lines:
        if chunk and line and not line[0].isspace() and line[0] not in ")}]" and not is_attribute(chunk):
            yield chunk
            chunk = []
        chunk.append((number, line))
    if chunk:
        yield chunk


def is_attribute(chunk):
    return all(re.fullmatch(r"\s*(@\S+.*|//.*|)", line) and not DECLARATION.match(line) for _, line in chunk)


def programs(lines_of_blocks, preparation, unused):
    """The lines of each program: declarations, and a function of the statements, in which blocks are scopes."""
    declared, statements, names, others, imports = [], [], set(), [], []
    for lines in lines_of_blocks:
        first = lines[0][1]
        if any(first.startswith(start) and not unused.discard(start) for start in preparation.skipped):
            continue
        imports += [line for line in lines if line[1].startswith("import ")]
        lines = [line for line in lines if not line[1].startswith("import ")]
        while lines and not lines[0][1]:
            del lines[0]
        if not lines:
            continue
        first = lines[0][1]
        for start, (before, after) in preparation.contexts.items():
            if first.startswith(start):
                unused.discard(start)
                number = lines[0][0]
                lines = ([(number, line) for line in before.splitlines()] + [(n, "  " + line) for n, line in lines]
                         + [(number, line) for line in after.splitlines()])
        types, body = [], []
        for chunk in chunks(lines):
            head = next((line for _, line in chunk if line and not re.match(r"\s*//|@\S+$", line)), "")
            (types if DECLARATION.match(head) else body).append(chunk)
        new = {DECLARATION.match(line)[1] for chunk in types for _, line in chunk
               if (match := DECLARATION.match(line)) and "extension " not in match[0]}
        if new & names:
            others.append((types, body))
            continue
        names |= new
        declared += [line for chunk in types for line in chunk]
        statements += [(0, "do {")] + [line for chunk in body for line in chunk]
    library = [] if any(LIBRARY.match(line) for _, line in imports) else [(0, "import KVBinding")]
    head = library + imports + [(0, line) for line in preparation.lines]
    yield head + declared + [(0, "func guide() async throws {")] + statements + [(0, "}" * (statements.count((0, "do {")) + 1))]
    for types, body in others:
        yield (head + [line for chunk in types for line in chunk] + [(0, "func guide() async throws {")]
               + [line for chunk in body for line in chunk] + [(0, "}")])


def errors(page, program, binaries, folder):
    source = pathlib.Path(folder, "Guide.swift")
    source.write_text("\n".join(line for _, line in program) + "\n")
    plugins = pathlib.Path(subprocess.run(["which", "swiftc"], capture_output=True, text=True).stdout.strip()).resolve()
    command = ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings",
               "-diagnostic-style", "llvm", "-I", f"{binaries}/Modules",
               "-plugin-path", str(plugins.parents[1] / "lib/swift/host/plugins/testing"),
               "-load-plugin-executable", f"{binaries}/KVMacros-tool#KVMacros", str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    for line in result.stderr.splitlines():
        if match := re.match(r"(\S+?):(\d+):\d+: error: (.*)", line):
            isHere = match[1] == str(source) and int(match[2]) <= len(program)
            number, text = program[int(match[2]) - 1] if isHere else (0, "")
            yield f"{page}:{number}: {match[3]}: {text.strip()}"
    if result.returncode and "error: " not in result.stderr:
        yield result.stderr


binaries, *wanted = sys.argv[1:]
faults, count, skipped = [], 0, 0
with tempfile.TemporaryDirectory() as folder:
    for name in wanted or PAGES:
        page = next(page for page in [pathlib.Path("Sources", name, f"{name}.docc", name + ".md"),
                                      pathlib.Path(name + ".md"), pathlib.Path("Docs", name + ".md")] if page.exists())
        preparation = Preparation(name)
        unused = {*preparation.contexts, *preparation.skipped}
        found = list(blocks(page.read_text()))
        for program in programs(found, preparation, unused):
            faults += errors(page, program, binaries, folder)
        faults += [f"{preparation.path}: no block of {page} begins with {start}" for start in unused]
        count += len(found) - len(preparation.skipped)
        skipped += len(preparation.skipped)
if faults:
    sys.exit("\n".join(faults))
print(f"{count} blocks of code in {len(wanted or PAGES)} pages compile; {skipped} are no programs")
