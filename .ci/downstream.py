"""Builds and runs Examples/Downstream as a package elsewhere does that depends on this one by its version.

    python3 .ci/downstream.py [DIRECTORY]    DIRECTORY has the programs, already built: they are only run

The working tree is committed and tagged in a folder of its own, and fetched from there by its URL. The programs are built
in release, with the libraries of Swift linked statically, warnings of the package as errors, and a model that only the
package sees, which needs the package's name.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

MODEL = """\
import KVBinding

/// A model that other modules of the package see, and nobody else.
@KVModel package class Receipt: KVObject {
  package var paid = 0
  package var isPaid: Bool { paid > 0 }
}
@KVModel package final class Invoice: Receipt {
  package var number = 1
  package var label: String { "\\(number): \\(paid)" }
}
"""
PROGRAM = """\
let invoice = Invoice()
let token = try invoice.observe("label") { change in print(change.new ?? "nil") }
invoice.paid = 2
try invoice.setValue(7, forKey: "number")
token.cancel()
"""
PRINTED_BY_PROGRAM = "1: 2\n7: 2\n"
SCREEN = """\
active 2250
{
  "bindings" : [
    {
      "direction" : "oneWay",
      "key" : "total",
      "sourceKeyPath" : "total",
      "targetKeyPath" : "text"
    }
  ],
  "version" : 1
}

"""
TILL = """\
20.25 €
the transformer "archive" is of the library KVDefinitions: depend on the library, and import it.
"""
PRICE_LIST = """\
["tea", "cups"]
2250
cannot convert: the Int 1800 is not a Decimal: import KVBinding or KVDocuments for its conversions.
"""
PRINTED = {"Till": TILL, "PriceList": PRICE_LIST,
           "Receipts": '2250\n{"items":[{"cents":450},{"cents":1800}],"paid":true}\n', "Screen": SCREEN,
           "Shelf": '["Blue in Green", "So What"] Undo Add\n0\n'}


def run(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} ends with {result.returncode}:\n{result.stdout[-5000:]}")
    return result.stdout


def git(*arguments, folder):
    run("git", "-c", "user.name=ci", "-c", "user.email=ci@localhost", "-C", str(folder), *arguments)


def release(folder):
    """A repository with the files of the working tree, as version 1.0.0."""
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, dict.fromkeys(names)):
        if pathlib.Path(name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, target)
    git("init", "--quiet", folder=folder)
    git("add", "--all", folder=folder)
    git("commit", "--quiet", "--no-verify", "--message", "Version 1.0.0", folder=folder)
    git("tag", "1.0.0", folder=folder)


def user(folder, url):
    """The package downstream, with the version instead of the path."""
    shutil.copytree("Examples/Downstream", folder, ignore=shutil.ignore_patterns(".build", "Package.resolved"))
    manifest = (folder / "Package.swift").read_text()
    path = '.package(name: "swift-key-value", path: "../..")'
    if path not in manifest:
        sys.exit(f"Examples/Downstream/Package.swift has no {path}")
    manifest = manifest.replace(path, f'.package(url: "{url}", exact: "1.0.0")')
    # A flag for all packages contradicts the one by which warnings of dependencies are suppressed.
    manifest += 'for target in package.targets { target.swiftSettings = [.unsafeFlags(["-warnings-as-errors"])] }\n'
    (folder / "Package.swift").write_text(manifest)
    (folder / "Sources/Checkout/Receipt.swift").write_text(MODEL)
    with open(folder / "Sources/Till/main.swift", "a") as till:
        till.write(PROGRAM)


def compare(binaries, printed):
    for program, wanted in printed.items():
        output = run(str(binaries / program))
        if output != wanted:
            sys.exit(f"{program} prints:\n{output}instead of:\n{wanted}")


def build(scratch):
    library, package = pathlib.Path(scratch, "swift-key-value"), pathlib.Path(scratch, "checkout")
    library.mkdir()
    release(library)
    user(package, library.as_uri())
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--disable-dependency-cache", "--package-path",
               str(package)]
    run(*command)
    binaries = pathlib.Path(run(*command, "--show-bin-path").strip())
    compare(binaries, PRINTED | {"Till": PRINTED["Till"] + PRINTED_BY_PROGRAM})
    for program in PRINTED:
        if "libswiftCore" in run("ldd", str(binaries / program)):
            sys.exit(f"{program} links the libraries of Swift dynamically")
    if '"1.0.0"' not in (package / "Package.resolved").read_text():
        sys.exit("the package was not resolved by its version")
    print("a package downstream builds by version, in release, with static libraries, and its programs print what they should")


if len(sys.argv) > 1:
    compare(pathlib.Path(sys.argv[1]), PRINTED)
else:
    with tempfile.TemporaryDirectory() as scratch:
        build(scratch)
