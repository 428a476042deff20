"""Makes a package of the sources and of some folders of tests: a variant that is tested in part is built in part.

usage: .ci/subset.py NAME    makes the package .build/NAME, and fails if it does not resolve
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


def main(name):
    directory = os.path.join(ROOT, ".build", name)
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf8") as file:
        manifest = file.read()
    folders = SUBSETS[name]
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


if len(sys.argv) != 2 or sys.argv[1] not in SUBSETS:
    sys.exit(f"{__doc__}names: {', '.join(SUBSETS)}")
main(sys.argv[1])
