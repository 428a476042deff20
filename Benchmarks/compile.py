"""Prints what models cost at compile time: CPU seconds, and bytes of code and data for each property.

Compiles a class of 60 stored properties in four forms: plain, with @KVProperty alone, with @KVProperty and a table by
hand, and with @KVModel; in -O and in debug. The least of three compilations counts.
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = [("Int", "1"), ("String", '""'), ("Double", "0.5"), ("Bool", "false"), ("[Int]", "[]"), ("String?", "nil")]


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


options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
options.add_argument("--properties", type=int, default=60)
options.add_argument("--scratch-path", default=f"{ROOT}/.build")
arguments = options.parse_args()
build = ["swift", "build", "-c", "release", "--package-path", str(ROOT), "--scratch-path", arguments.scratch_path]
run(*build, "--target", "KVCore")
compile_models(run(*build, "--show-bin-path").strip(), arguments.properties)
