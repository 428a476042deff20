"""Makes a package of the sources and of some folders of tests: a variant that is tested in part is built in part.

usage: .ci/subset.py DIRECTORY FOLDER...    e.g. .ci/subset.py .build/weak KVCoreTests/Unsafe KVBindingTests
"""

import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def link(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.symlink(os.path.relpath(source, os.path.dirname(target)), target)


def main(directory, *folders):
    for name in ("Sources", "Tests"):  # what has been built stays
        shutil.rmtree(os.path.join(directory, name), ignore_errors=True)
    os.makedirs(os.path.join(directory, "Sources"))
    if not os.path.lexists(os.path.join(directory, "Docs")):  # tests quote it
        link(os.path.join(ROOT, "Docs"), os.path.join(directory, "Docs"))
    for name in sorted(os.listdir(os.path.join(ROOT, "Sources"))):
        link(os.path.join(ROOT, "Sources", name), os.path.join(directory, "Sources", name))
    for folder in folders:
        source = os.path.join(ROOT, "Tests", folder)
        if not os.path.isdir(source):
            sys.exit(f"there is no folder Tests/{folder}")
        link(source, os.path.join(directory, "Tests", folder))
    targets = {folder.split("/")[0] for folder in folders}
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf8") as file:
        lines = file.read().splitlines(keepends=True)
    tests = re.compile(r'\s*\.testTarget\(name: "(\w+)"')
    with open(os.path.join(directory, "Package.swift"), "w", encoding="utf8") as file:
        file.writelines(line for line in lines if not (match := tests.match(line)) or match[1] in targets)


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
