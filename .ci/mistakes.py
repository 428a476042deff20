"""Compiles the mistakes of .ci/Mistakes against the built libraries, and compares what the compiler says.

Beside each mistake stands what the compiler has to say, as a comment: `// error: …` or `// warning: …`. A line without
one has to compile without a word: so do the cures, which stand below their mistakes. `// unknown: error: …` is for an
error that the compiler reports without a line, `// expansion: error: …` for one in the code that a macro generates.
`…` at the end leaves out the rest of a message. `// fix-it: A => B` says that the compiler offers the edit A, which
inserts B; its line is ASCII. Sentences of the compiler in Docs/Troubleshooting.md have to be among them.
"""
import pathlib
import re
import subprocess
import sys

MARK = re.compile(r"// (unknown: |expansion: )?((?:error|warning|fix-it): .*?)(?= // |$)")
SAID = re.compile(r"^(?:(\S+?):(\d+):\d+|<unknown>:0): ((?:error|warning): .*?)(?: \(from macro '\w+ ?'\))?$")
OFFERED = re.compile(r"^(\S+?):(\d+):\d+: note: (.*)\n.*\n[ ~]*\^~*\n *(\S.*)$", re.M)


def expected(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        for mark in MARK.finditer(line):
            yield (0 if mark[1] else number), mark[2]


def said(file, modules):
    flags = re.match(r"// flags: (.*)\n", file.read_text())
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules,
               "-load-plugin-executable", f"{modules}/../KVMacros-tool#KVMacros", *(flags[1].split() if flags else []),
               str(file)]
    output = subprocess.run(command, capture_output=True, text=True).stderr
    for line in dict.fromkeys(output.splitlines()):  # an error without a line is said several times
        if message := SAID.match(line):
            is_own = message[1] in (None, str(file))
            yield int(message[2] or 0) if is_own else 0, message[3]
    if "// fix-it:" in file.read_text():
        for name, number, title, text in OFFERED.findall(output):
            # Another note of the compiler has no edit: the next message follows it.
            if name == str(file) and not re.match(r"\S+:\d+:\d+: ", text):
                yield int(number), f"fix-it: {title} => {text.rstrip()}"


def fits(message, pattern):
    return message.startswith(pattern[:-1]) if pattern.endswith("…") else message == pattern


modules = pathlib.Path(sys.argv[1], "Modules")
faults, patterns = [], []
for file in sorted(pathlib.Path(".ci/Mistakes").glob("*.swift")):
    wanted, found = list(expected(file)), list(said(file, modules))
    patterns += [pattern for _, pattern in wanted]
    for number, pattern in wanted:
        match = next((each for each in found if each[0] == number and fits(each[1], pattern)), None)
        if match:
            found.remove(match)
        else:
            faults.append(f"{file}:{number}: the compiler does not say: {pattern}")
    faults += [f"{file}:{number}: the compiler says: {message}" for number, message in found]
guide = pathlib.Path("Docs/Troubleshooting.md").read_text()
sentences = re.findall(r"^(?:<unknown>:0: )?((?:error|warning): .*)$", guide, re.M)
faults += [f"Docs/Troubleshooting.md: not tried: {sentence}" for sentence in sentences
           if not any(fits(sentence, pattern) for pattern in patterns)]
if faults:
    sys.exit("\n".join(faults))
print(f"{len(patterns)} mistakes are answered as written, and {len(sentences)} of them in the guide")
