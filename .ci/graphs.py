"""Reads the symbol graphs of the libraries from the compiler: what `.ci/api.py` lists and `.ci/site.py` documents.

With the options of KV_BUILD, a build with the same options is current.
"""
import json
import os
import pathlib
import subprocess
import sys

LIBRARIES = ["KVCore", "KVFoundation", "KVBinding", "KVDocuments", "KVControllers", "KVDefinitions", "KVTestSupport"]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write_graphs(folder, level):
    """Builds the libraries where a build is not current, and writes the graphs of each into a folder of its name."""
    options = os.environ.get("KV_BUILD", "").split()
    for library in LIBRARIES[-3:]:  # which depend on the others
        sys.stderr.write(run("swift", "build", "--target", library, *options))
    modules = run("swift", "build", "--show-bin-path", *options).strip() + "/Modules"
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    for library in LIBRARIES:
        place = pathlib.Path(folder, library)
        place.mkdir(parents=True)
        run("swift", "symbolgraph-extract", "-module-name", library, "-I", modules, "-target", target, "-output-dir",
            str(place), "-minimum-access-level", level, "-skip-synthesized-members", "-emit-extension-block-symbols")
        yield library, sorted(place.glob(f"{library}*.symbols.json"))
