"""Makes a package of the sources and of some folders of tests: a variant that is tested in part is built in part.

usage: .ci/subset.py NAME [FOLDER…]    makes the package .build/NAME, and fails if it does not resolve

FOLDER is a folder of Tests, such as KVCoreTests/Operators: `swift test --package-path .build/NAME` builds and runs these
only, with the folder Models of each target. A name of SUBSETS needs none.
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUBSETS = {  # the folders of tests of each variant; a target that several of them share is whole
    "weak": ["KVCoreTests/Unsafe", *(f"KVBindingTests/{folder}" for folder in (
        "Models", "Bindings", "Lifetimes", "EndingInDelivery", "Interleavings", "Owners", "Threads", "Targets", "Coalescing"))],
}


def link(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.symlink(os.path.relpath(source, os.path.dirname(target)), target)


def with_models(folders):
    """The folders, and the folder Models of each target of which they are a part."""
    parts = {folder.split("/")[0] for folder in folders if "/" in folder}
    models = {f"{target}/Models" for target in parts.difference(folders)}
    return sorted({*folders, *(folder for folder in models if os.path.isdir(os.path.join(ROOT, "Tests", folder)))})


def main(name, folders):
    directory = os.path.join(ROOT, ".build", name)
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf8") as file:
        manifest = file.read()
    targets = {folder.split("/")[0] for folder in folders}
    shared = re.findall(r'\.target\(.*path: "Tests/(\w+)"', manifest)
    for part in ("Sources", "Tests"):  # what has been built stays
        shutil.rmtree(os.path.join(directory, part), ignore_errors=True)
    os.makedirs(os.path.join(directory, "Sources"))
    if not os.path.lexists(os.path.join(directory, "Docs")):  # tests quote it
        link(os.path.join(ROOT, "Docs"), os.path.join(directory, "Docs"))
    for part in sorted(os.listdir(os.path.join(ROOT, "Sources"))):
        link(os.path.join(ROOT, "Sources", part), os.path.join(directory, "Sources", part))
    for folder in folders + shared:
        source = os.path.join(ROOT, "Tests", folder)
        if not os.path.isdir(source):
            sys.exit(f"there is no folder Tests/{folder}")
        link(source, os.path.join(directory, "Tests", folder))
    tests = re.compile(r'^ *\.testTarget\(\s*name: "(\w+)".*?\),\n', re.M | re.S)
    with open(os.path.join(directory, "Package.swift"), "w", encoding="utf8") as file:
        file.write(tests.sub(lambda match: match[0] if match[1] in targets else "", manifest))
    result = subprocess.run(["swift", "package", "describe", "--package-path", directory], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"the package {directory} does not resolve:\n{result.stderr}")


name, *folders = sys.argv[1:] or [""]
if not re.fullmatch(r"\w+", name) or not (folders or name in SUBSETS):
    sys.exit(f"{__doc__}\nnames of SUBSETS: {', '.join(SUBSETS)}")
main(name, with_models(folders) if folders else SUBSETS[name])
