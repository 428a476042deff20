"""Fails unless the example in README.md is the program Examples/Sources/ReadmeExample, and prints what README.md says.

usage: .ci/readme.py [OPTION OF SWIFT RUN…]
"""
import pathlib
import re
import subprocess
import sys

blocks = re.findall(r"```(\w*)\n(.*?)```", pathlib.Path("README.md").read_text(), re.S)
code = next(text for kind, text in blocks if kind == "swift")
output = next(text for kind, text in blocks if kind == "")
if code != pathlib.Path("Examples/Sources/ReadmeExample/main.swift").read_text():
    sys.exit("README.md: the example differs from Examples/Sources/ReadmeExample/main.swift")
command = ["swift", "run", "--package-path", "Examples", *sys.argv[1:], "ReadmeExample"]
printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
if printed != output:
    sys.exit(f"README.md: the example prints something else:\n{printed}")
print("the example of README.md prints what it says")
