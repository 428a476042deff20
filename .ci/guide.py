"""Compiles each block of Swift code in Docs/Models.md against the built libraries.

    python3 .ci/guide.py "$(swift build --show-bin-path)"

The blocks make one program, in their order: what a block declares, the next ones use. A block that declares a type once
more is a program of its own, and one that shows a part of a type stands within what CONTEXTS says.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

GUIDE = pathlib.Path("Docs/Models.md")
# By the first line of a block: what stands before its lines, and after them.
CONTEXTS = {
    "private weak var storedBoss": ("final class Puppy: KVObject {", "}"),
    'key("rate", \\.rate)': (
        """\
final class Hub: KVObject {
  var rate = 1.0, port = 80
  var note: String?
  let id = 7
  func open(_ port: Int) throws {}
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Hub.self) { key in
""",
        "}}}",
    ),
    'key("items", \\.items).inPlace': (
        """\
final class Basket: KVObject {
  @KVProperty var items: [Int] = []
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Basket.self) { key in
""",
        None,  # The first line alone.
    ),
}


def programs(text):
    """The lines of each program, with their numbers in the guide."""
    shared, others, names = [], [], set()
    for block in re.finditer(r"^```swift\n(.*?)^```", text, re.M | re.S):
        number = text[: block.start()].count("\n") + 2
        lines = [(number + index, line) for index, line in enumerate(block[1].splitlines())]
        for start, (before, after) in CONTEXTS.items():
            if not block[1].startswith(start):
                continue
            before = [(number, line) for line in before.splitlines()]
            if after is None:
                lines = before + lines[:1] + [(number, "}}}")] + lines[1:]
            else:
                lines = before + lines + [(number, after)]
        declared = set(re.findall(r"^(?:@\S+ )*(?:final )?(?:class|struct|enum) (\w+)", block[1], re.M))
        if declared & names:
            others.append([(number, "import KVBinding"), *lines])
        else:
            shared += lines
        names |= declared
    return [shared, *others]


def errors(program, binaries, folder):
    source = pathlib.Path(folder, "main.swift")
    source.write_text("\n".join(line for _, line in program) + "\n")
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", "-diagnostic-style", "llvm", "-I",
               f"{binaries}/Modules", "-load-plugin-executable", f"{binaries}/KVMacros-tool#KVMacros", str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    for line in result.stderr.splitlines():
        if match := re.match(r"(\S+?):(\d+):\d+: error: (.*)", line):
            number = program[int(match[2]) - 1][0] if match[1] == str(source) else 0
            yield f"{GUIDE}:{number}: {match[3]}"
    if result.returncode and "error: " not in result.stderr:
        yield result.stderr


text = GUIDE.read_text()
found = programs(text)
for start in CONTEXTS:
    if not any(line.startswith(start) for program in found for _, line in program):
        sys.exit(f"{GUIDE}: no block begins with {start}")
with tempfile.TemporaryDirectory() as folder:
    faults = [error for program in found for error in errors(program, sys.argv[1], folder)]
if faults:
    sys.exit("\n".join(faults))
print(f"{len(re.findall('^```swift', text, re.M))} blocks of {GUIDE} compile")
