"""Compares what the compiler says of the mistakes in .ci/Mistakes with what stands beside them: .ci/mistakes.py DIRECTORY

Without it, nothing would show that a mistake in a model is answered with a sentence and its cure. DIRECTORY has a build. `// error: …`
or `// warning: …` is what the compiler has to say of a line; a line without one, as the cures, compiles without a word. `// unknown:
error: …` is reported without a line, `// expansion: error: …` in the code that a macro generates. `…` at the end leaves out the rest.
`// fix-it: A => B` says that the compiler offers the edit A, which inserts B; its line is ASCII. Sentences of the compiler in
Docs/Troubleshooting.md have to be among them. `swiftc -verify` would need a block of lines and columns for each error in an expansion,
a comment for each note, and takes nothing without a line.
"""
import pathlib
import re
import subprocess
import sys

MARK = re.compile(r"// (unknown: |expansion: )?((?:error|warning|fix-it): .*?)(?= // |$)")
SAID = re.compile(r"^(?:(\S+?):(\d+):\d+|<unknown>:0): ((?:error|warning): .*?)(?: \(from macro '\w+ ?'\))?$")
OFFERED = re.compile(r"^(\S+?):(\d+):\d+: note: (.*)\n.*\n[ ~]*\^~*\n *(?!\S+:\d+:\d+: )(\S.*)$", re.M)  # a note with an edit


def said(file, modules):
    flags = re.match(r"// flags: (.*)\n|", file.read_text())[1] or ""
    output = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules, "-load-plugin-executable",
         f"{modules}/../KVMacros-tool#KVMacros", *flags.split(), str(file)], capture_output=True, text=True).stderr
    for line in dict.fromkeys(output.splitlines()):  # an error without a line is said several times
        if message := SAID.match(line):
            yield int(message[2] or 0) if message[1] in (None, str(file)) else 0, message[3]
    if "// fix-it:" in file.read_text():
        yield from ((int(number), f"fix-it: {title} => {text.rstrip()}") for name, number, title, text in OFFERED.findall(output)
                    if name == str(file))


def fits(message, pattern):
    return message.startswith(pattern[:-1]) if pattern.endswith("…") else message == pattern


faults, patterns = [], []
for file in sorted(pathlib.Path(".ci/Mistakes").glob("*.swift")):
    found = list(said(file, pathlib.Path(sys.argv[1], "Modules")))
    for number, line in enumerate(file.read_text().splitlines(), 1):
        for place, pattern in MARK.findall(line):
            patterns.append(pattern)
            if match := next((each for each in found if each[0] == (0 if place else number) and fits(each[1], pattern)), None):
                found.remove(match)
            else:
                faults.append(f"{file}:{number}: the compiler does not say: {pattern}")
    faults += [f"{file}:{number}: the compiler says: {message}" for number, message in found]
sentences = re.findall(r"^(?:<unknown>:0: )?((?:error|warning): .*)$", pathlib.Path("Docs/Troubleshooting.md").read_text(), re.M)
faults += [f"Docs/Troubleshooting.md: not tried: {sentence}" for sentence in sentences
           if not any(fits(sentence, pattern) for pattern in patterns)]
if faults:
    sys.exit("\n".join(faults))
print(f"{len(patterns)} mistakes are answered as written, and {len(sentences)} of them in the guide")
