#!/usr/bin/env python3
"""What a client pays for each product: seconds of processor to build it, and bytes to link it.

    Benchmarks/clients.py [--base COMMIT]

Makes a package with a client of each product that programs link, of five lines, and builds it from nothing, in debug and in release, from this
checkout and from another commit in the same run, since the machine is not always equally fast. The products that a commit
does not have are left out. Bytes are those of the stripped program, with the runtime of Swift beside it.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLIENTS = {
    "KVCore": """
import KVCore
struct Song: KeyValueCoding { var title = "So What" }
let song = Song()
print(try song.value(forKeyPath: "title") ?? "nil")
""",
    "KVQuery": """
import KVQuery
struct Song: KeyValueCoding { var title = "So What" }
let songs = [Song(title: "Blue in Green"), Song()]
print(try songs.filter("title BEGINSWITH 'So'").sorted(by: ["title"]).count)
""",
    "KVBinding": """
import KVBinding
let song: KVRecord = ["title": "So What"]
let token = try song.observe("title") { print($0.new ?? "nil") }
song.title = "Blue in Green"
token.cancel()
""",
    "KVControllers": """
import KVControllers
let songs = KVArrayController<KVRecord>()
songs.content = [["title": "So What"], ["title": "Blue in Green"]]
songs.sortDescriptors = ["title"]
print(songs.arrangedObjects.count)
""",
    "KVDocuments": """
import Foundation
import KVDocuments
let document = try KVDocument(data: Data(#"{"a": [1]}"#.utf8))
print(document)
""",
    "KVDefinitions": """
import KVBinding
import KVDefinitions
let definition = KVBindingDefinition("text", to: "title")
print(definition)
""",
}


def package(folder, checkout, product, source):
    """Writes a package that uses one product of a checkout."""
    (folder / "Sources" / "client").mkdir(parents=True)
    (folder / "Sources" / "client" / "main.swift").write_text(source.lstrip())
    (folder / "Package.swift").write_text(f"""// swift-tools-version: 6.1
import PackageDescription
let package = Package(
  name: "client", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value", path: "{checkout}")],
  targets: [.executableTarget(name: "client", dependencies: [.product(name: "{product}", package: "swift-key-value")])],
  swiftLanguageModes: [.v6])
""")


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def build(folder, configuration):
    """Builds a package from nothing; returns the seconds of processor and the bytes of the stripped program."""
    shutil.rmtree(folder / ".build", ignore_errors=True)
    before = used()
    subprocess.run(["swift", "build", "-c", configuration], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    seconds = used() - before
    program = folder / ".build" / configuration / "client"
    stripped = folder / "stripped"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
    return seconds, os.path.getsize(stripped)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--base", help="a commit to build from in the same run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        checkouts = {"this": ROOT}
        if options.base:
            checkouts[options.base] = pathlib.Path(temporary) / "base" / "swift-key-value"
            subprocess.run(["git", "clone", "--quiet", ROOT, checkouts[options.base]], check=True)
            subprocess.run(["git", "checkout", "--quiet", options.base], cwd=checkouts[options.base], check=True)
        print(f"| {'product':<14} | {'commit':<10} | debug, s | release, s | bytes, stripped |")
        print(f"|{'-' * 16}|{'-' * 12}|---------:|-----------:|----------------:|", flush=True)
        for product, source in CLIENTS.items():
            for name, checkout in checkouts.items():
                if f'"{product}"' not in (checkout / "Package.swift").read_text():
                    continue
                folder = pathlib.Path(temporary) / f"{product}-{name}"
                package(folder, checkout, product, source)
                debug, _ = build(folder, "debug")
                release, size = build(folder, "release")
                print(f"| {product:<14} | {name:<10} | {debug:8.0f} | {release:10.0f} | {size:15,} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
