"""Checks what can be checked on Linux of builds in other ways and for other platforms; prints a table of what was done.

    python3 .ci/elsewhere.py [CHECK…]

The checks, all of them if none is given; each but the first takes a few minutes:

    parse       the sources are parsed for other targets: branches of `#if` are valid syntax, which is all that it says
    evolution   the libraries compile with -enable-library-evolution
    memory      -strict-memory-safety warns nowhere outside of the folders Unsafe/
    static      a program with a model links the libraries of Swift statically (-static-stdlib), and everything
                (-static-executable), and runs
"""
import pathlib
import re
import shutil
import subprocess
import sys

SCRATCH = pathlib.Path(".build-elsewhere").resolve()
TARGETS = """arm64-apple-macosx15.0 arm64-apple-ios18.0 x86_64-unknown-windows-msvc aarch64-unknown-windows-msvc
aarch64-unknown-linux-gnu aarch64-unknown-linux-android28 armv7-unknown-linux-gnueabihf i686-unknown-linux-gnu
wasm32-unknown-wasip1""".split()
MANIFEST = """\
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "probe", dependencies: [.package(name: "swift-key-value", path: "{path}")],
  targets: [.executableTarget(name: "Probe", dependencies: [.product(name: "KVBinding", package: "swift-key-value"),
    .product(name: "KVDocuments", package: "swift-key-value")])])
"""
PROGRAM = """\
import KVBinding
import KVDocuments

@KVModel final class Order: KVObject {
  var total = 1.0
  var names = ["tea", "cups"]
}
@KVModel final class Display: KVObject { var text = "" }
struct Reflected { var city = "London" }

let order = Order(), display = Display()
let token = try order.observe("total") { print($0.old ?? "-", "→", $0.new ?? "-") }
try display.bind("text", to: "names[0]", of: order)
try order.setValue(2, forKey: "total")
order.names[0] = "milk"
print(display.text, try order.value(forKeyPath: "names.@count", as: Int.self))
print(try KVC.value(of: Reflected(), forKeyPath: "city", as: String.self))
print(try KVDocument(data: KVDocument(["a": 1]).data()).root ?? "nil")
"""
PRINTED = "1.0 → 2.0\nmilk 2\nLondon\n[\"a\": 1]\n"


def run(*command, fails=False, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode and not fails:
        errors = [line for line in result.stdout.splitlines() if "error: " in line] or result.stdout.splitlines()[-50:]
        sys.exit("\n".join([f"{' '.join(map(str, command))} ends with {result.returncode}:", *dict.fromkeys(errors)]))
    return result.stdout


def parse():
    sources = [str(file) for file in sorted(pathlib.Path("Sources").rglob("*.swift"))]
    for target in TARGETS:
        output = run("swiftc", "-frontend", "-parse", "-swift-version", "6", "-target", target, *sources, fails=True)
        if " error: " in output:
            sys.exit(f"{target}:\n{output}")
    yield f"parsed for {', '.join(TARGETS)}", f"{len(sources)} files: syntax only, since the toolchain has no modules of these targets"


def build(name, *flags):
    return "".join(run("swift", "build", "--target", target, "--scratch-path", str(SCRATCH / name),
                       *[word for flag in flags for word in ("-Xswiftc", flag)]) for target in ("KVTestSupport", "KVControllers", "KVDefinitions"))


def evolution():
    build("evolution", "-enable-library-evolution")
    yield "compiled with -enable-library-evolution", "all libraries"


def memory():
    shutil.rmtree(SCRATCH / "memory", ignore_errors=True)  # a file that is not compiled again has no warnings
    output = build("memory", "-strict-memory-safety")
    places = set(re.findall(r"^/.*?/Sources/(\S+?:\d+:\d+): warning: .*StrictMemorySafety", output, re.M))
    outside = sorted(place for place in places if "/Unsafe/" not in place)
    if outside:
        sys.exit("\n".join(outside) + "\n-strict-memory-safety warns outside of Unsafe/")
    yield "compiled with -strict-memory-safety", f"no warning outside of Unsafe/, {len(places)} places within"


def static():
    package = SCRATCH / "static"
    (package / "Sources/Probe").mkdir(parents=True, exist_ok=True)
    (package / "Package.swift").write_text(MANIFEST.format(path=pathlib.Path.cwd()))
    (package / "Sources/Probe/main.swift").write_text(PROGRAM)
    for name, *flags in [("-static-stdlib", "--static-swift-stdlib"), ("-static-executable", "-Xswiftc", "-static-executable")]:
        folder = package / f".build{name}"
        run("swift", "build", "--package-path", str(package), "--scratch-path", str(folder), *flags)
        program = folder / "debug/Probe"
        linked = run("ldd", str(program), fails=True)
        if "libswift" in linked or (name == "-static-executable" and "=>" in linked):
            sys.exit(f"{name}: the program links dynamically:\n{linked}")
        if (printed := run(str(program))) != PRINTED:
            sys.exit(f"{name}: the program prints:\n{printed}instead of:\n{PRINTED}")
        yield f"run with {name}", "a model, an observer, a binding, reflection and JSON"


CHECKS = [parse, evolution, memory, static]
wanted = sys.argv[1:] or [check.__name__ for check in CHECKS]
if unknown := set(wanted) - {check.__name__ for check in CHECKS}:
    sys.exit(f"no check is called {' '.join(unknown)}\n{__doc__}")
print("| what was done | of what |\n|---|---|")
for check in CHECKS:
    if check.__name__ in wanted:
        for what, result in check():
            print(f"| {what} | {result} |", flush=True)
