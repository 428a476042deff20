"""Records what a compiler and the plug-in say to each other while small files are compiled.

    python3 .ci/record.py "$(swift build --show-bin-path)"

Writes Tests/KVExpansionTests/Conversations, which the tests replay: the compiler's version, and then by turns a message
and its answer. Run it with a new compiler, or when the macros generate other code. The compiler describes what it
compiles for in each message: the description is kept in the first one and left out of the others.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

SOURCES = {
    "Model": """\
import KVCore

@KVModel final class Order: KVObject {
  @KVKey(.lenient) var number = 1
  var total: Int { number * 2 }
}
""",
    "Value": """\
import KVCore

@KVModel struct Size {
  var width = 1
  var area: Int { width * width }
}
""",
    "Mistake": """\
import KVCore

@KVModel class Loose {
  @KVKey(.lenent) var name = ""
}
""",
    "Other": """\
@freestanding(expression) macro number() -> Int = #externalMacro(module: "KVMacros", type: "Number")
@attached(member) macro Marked() = #externalMacro(module: "KVMacros", type: "Marked")
@Marked struct Size { let width = #number }
""",
}
BUILD = "staticBuildConfiguration"


def frames(data):
    while data:
        (count,) = struct.unpack("<Q", data[:8])
        yield data[8 : 8 + count].decode()
        data = data[8 + count :]


def record(name, source, binaries, folder):
    heard, said, wrapper = (pathlib.Path(folder, name + end) for end in (".in", ".out", ".sh"))
    pathlib.Path(folder, name + ".swift").write_text(source)
    # The compiler starts a plug-in without an environment.
    wrapper.write_text(f"#!/bin/bash\n/usr/bin/tee {heard} | {binaries}/KVMacros-tool | /usr/bin/tee {said}\n")
    wrapper.chmod(0o755)
    subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "Example", "-I",
         f"{binaries}/Modules", "-load-plugin-executable", f"{wrapper}#KVMacros", f"{name}.swift"],
        cwd=folder, stderr=subprocess.DEVNULL)
    for number, (message, answer) in enumerate(zip(frames(heard.read_bytes()), frames(said.read_bytes()))):
        content = json.loads(message)
        for value in content.values():
            if BUILD in value and number > 1:
                value[BUILD] = "{}"
        yield "> " + json.dumps(content, sort_keys=True, ensure_ascii=False)
        yield "< " + answer


target = pathlib.Path("Tests/KVExpansionTests/Conversations")
version = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
with tempfile.TemporaryDirectory() as folder:
    for name, source in SOURCES.items():
        lines = list(record(name, source, pathlib.Path(sys.argv[1]).resolve(), folder))
        target.joinpath(name + ".txt").write_text("\n".join([version, *lines]) + "\n")
        print(f"{name}: {len(lines) // 2} messages")
