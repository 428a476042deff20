"""Fails unless the example in README.md is the program Examples/Sources/ReadmeExample, and its command prints what README.md says.

usage: .ci/readme.py [OPTION OF SWIFT RUN…]
"""
import pathlib
import re
import shlex
import subprocess
import sys

blocks = re.findall(r"```(\w*)\n(.*?)```", pathlib.Path("README.md").read_text(), re.S)
code = next(text for kind, text in blocks if kind == "swift")
command, output = re.fullmatch(r"\$ (swift run .*?)\n(.*)", next(text for kind, text in blocks if kind == "console"), re.S).groups()
if code != pathlib.Path("Examples/Sources/ReadmeExample/main.swift").read_text():
    sys.exit("README.md: the example differs from Examples/Sources/ReadmeExample/main.swift")
words = shlex.split(command)
words[2:2] = sys.argv[1:]  # behind "swift run"
printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
if printed != output:
    sys.exit(f"README.md: {command}\nprints something else:\n{printed}")
print("the example of README.md prints what it says")
