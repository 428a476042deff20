"""Prints what models cost at compile time: CPU seconds, and bytes of code and data for each property.

Compiles a class of 60 stored properties in four forms: plain, with @KVProperty alone, with @KVProperty and a table by
hand, and with @KVModel; in -O and in debug. `--libraries` adds the CPU seconds of a release build of each library, from
nothing, and the size of a program of five lines that links it: stripped, with the libraries of Swift beside it, in -O and in
-Osize. The least of three compilations counts.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = [("Int", "1"), ("String", '""'), ("Double", "0.5"), ("Bool", "false"), ("[Int]", "[]"), ("String?", "nil")]
LIBRARIES = ["KVCore", "KVBinding", "KVDocuments", "KVDefinitions", "KVTestSupport"]
PROGRAM = """\
import {library}
@KVModel final class Person: KVObject {{ var name = "Ada" }}
let person = Person()
try person.setValue("Grace", forKey: "name")
print(person.name)
"""


def model(form, count):
    """The source of a class; a blank table line stands for no table."""
    attribute = "@KVProperty " if form in ("wrappers", "table") else ""
    names = [(f"property{number}", *TYPES[number % len(TYPES)]) for number in range(count)]
    properties = "".join(f"  {attribute}public var {name}: {type} = {value}\n" for name, type, value in names)
    lines = "".join(f'      key("{name}", \\.{name})\n' for name, _, _ in names)
    table = f"""\
  public override class var keyTable: KVTable {{
    super.keyTable.extended(for: Model.self) {{ key in
{lines}    }}
  }}
""" if form == "table" else ""
    superclass = "" if form == "plain" else ": KVObject"
    macro = "@KVModel " if form == "macro" else ""
    initializer = "public init() {}" if form == "plain" else "public override init() {}"
    return f"import KVCore\n{macro}public final class Model{superclass} {{\n{properties}{table}  {initializer}\n}}\n"


def seconds(command, **options):
    """The CPU seconds of a command and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{result.stdout[:3000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def sizes(file):
    """The bytes of a file's code, and of its constants and metadata; neither symbols nor unwinding tables."""
    code = data = 0
    for line in run("size", "-A", str(file)).splitlines():
        name, *numbers = line.split() or [""]
        if name.startswith(".text"):
            code += int(numbers[0])
        elif name.startswith((".rodata", ".data", ".bss", "swift5", ".swift")):
            data += int(numbers[0])
    return code, data


def compile_models(bin_path, count):
    flags = ["-swift-version", "6", "-parse-as-library", "-module-name", "Models", "-I", f"{bin_path}/Modules",
             "-load-plugin-executable", f"{bin_path}/KVMacros-tool#KVMacros"]
    print(f"{'':24}" + "".join(f"{mode + ': CPU s':>14}{'code':>8}{'data':>8}" for mode in ("-O", "debug")))
    with tempfile.TemporaryDirectory() as folder:
        for form, title in [("plain", "plain class"), ("wrappers", "@KVProperty"),
                            ("table", "@KVProperty and table"), ("macro", "@KVModel")]:
            row = f"{title:24}"
            for mode in ("-O", "-Onone"):
                found = []
                for number in (0, count):
                    source, target = pathlib.Path(folder, "Model.swift"), pathlib.Path(folder, "Model.o")
                    source.write_text(model(form, number))
                    time = min(seconds(["swiftc", *flags, mode, "-c", str(source), "-o", str(target)]) for _ in "123")
                    found.append((time, *sizes(target)))
                (_, *before), (time, *after) = found
                row += f"{time:>14.2f}" + "".join(f"{(new - old) // count:>8,}" for old, new in zip(before, after))
            print(row, flush=True)


def build_libraries():
    print(f"\n{'':24}{'build: CPU s':>14}{'program, -O':>18}{'program, -Osize':>18}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = ["-c", "release", "--package-path", str(ROOT), "--scratch-path", f"{folder}/build"]
        for library in LIBRARIES:
            time = seconds(["swift", "build", *scratch, "--target", library])
            modes = ("-O", "-Osize") if library != "KVTestSupport" else ()
            programs = [program_size(library, pathlib.Path(folder, library + mode), mode) for mode in modes]
            print(f"{library:24}{time:>14.1f}" + "".join(f"{f'{size:,} bytes':>18}" for size in programs), flush=True)


def program_size(library, folder, mode):
    (folder / "Sources").mkdir(parents=True)
    (folder / "Sources/main.swift").write_text(PROGRAM.format(library=library))
    (folder / "Package.swift").write_text(f"""\
// swift-tools-version: 6.1
import PackageDescription
let package = Package(
  name: "Program", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value", path: "{ROOT}")],
  targets: [
    .executableTarget(
      name: "Program", dependencies: [.product(name: "{library}", package: "swift-key-value")], path: "Sources")
  ])
""")
    run("swift", "build", "-c", "release", "-Xswiftc", mode, "--package-path", str(folder))
    program = folder / ".build/release/Program"
    if run(str(program)) != "Grace\n":
        raise SystemExit(f"the program that links {library} does not work")
    run("strip", str(program))
    return os.path.getsize(program)


options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
options.add_argument("--properties", type=int, default=60)
options.add_argument("--libraries", action="store_true")
options.add_argument("--scratch-path", default=f"{ROOT}/.build")
arguments = options.parse_args()
build = ["swift", "build", "-c", "release", "--package-path", str(ROOT), "--scratch-path", arguments.scratch_path]
run(*build, "--target", "KVCore")
compile_models(run(*build, "--show-bin-path").strip(), arguments.properties)
if arguments.libraries:
    build_libraries()
