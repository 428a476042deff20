#!/usr/bin/env python3
"""Counts the instructions of each row of the benchmarks with valgrind's callgrind: they repeat where times do not.

usage: instructions.py [--compare FILE] [W1 W5 ...]

Each operation runs a fixed number of times. The program reads its clock before and after; callgrind dumps what it has
counted at each reading, so the dump that a row names holds the instructions of its loop. Prints a line for each
row: who, the row, the instructions of an operation. With --compare, FILE is an earlier output, and the line has what the
row was and the ratio.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COUNT = 1000
# Each operation of these sorts or filters a hundred thousand elements.
LARGE = {"W16", "W16i", "W16p", "W16n", "W17", "W17c", "W17a"}
# Rows that make a million objects, count bytes or run on several threads say nothing here.
WITHOUT = {"Growth", "BindingGrowth", "Results", "W15", "W13b", "Threads"}


def run(command, **options):
  return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def workloads(program):
  """Returns the names that the program knows, which it lists when it is given another one."""
  sentence = subprocess.run([program, "?"], text=True, stderr=subprocess.PIPE).stderr
  return [name.strip() for name in sentence.split(":", 1)[1].strip(" .\n").split(",")]


def total(path):
  """Returns the sum of a dump."""
  with open(path) as lines:
    for line in lines:
      if line.startswith(("summary:", "totals:")):
        return int(line.split()[1])
  raise SystemExit(f"{path} has no total")


def counts(program, name):
  """Yields the rows of a workload and their instructions."""
  with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "dump")
    output = run(
      ["valgrind", "--tool=callgrind", "--dump-before=*threadSeconds*", f"--callgrind-out-file={out}", program, name],
      env=dict(os.environ, KV_BENCH_COUNT=str(1 if name in LARGE else COUNT)), stderr=subprocess.DEVNULL)
    for line in output.splitlines():
      match = re.match(r"(.*) dump (\d+) for (\d+)$", line)
      if match:
        yield match[1], total(f"{out}.{match[2]}") / int(match[3])


def main(arguments):
  before = {}
  if arguments[:1] == ["--compare"]:
    with open(arguments[1]) as lines:
      for line in lines:
        row, count = line.split("\t")[:2]
        before[row] = float(count)
    arguments = arguments[2:]
  run(["swift", "build", "-c", "release", "--package-path", HERE], stderr=sys.stderr)
  binaries = run(["swift", "build", "-c", "release", "--package-path", HERE, "--show-bin-path"]).strip()
  with tempfile.TemporaryDirectory() as folder:
    # Valgrind cannot read all debugging information of Swift. The names of functions are enough.
    program = os.path.join(folder, "KVBenchmarks")
    run(["strip", "--strip-debug", "-o", program, os.path.join(binaries, "KVBenchmarks")])
    for name in arguments or [name for name in workloads(program) if name not in WITHOUT]:
      for row, count in counts(program, name):
        old = before.get(row)
        print(row, f"{count:.0f}", *([f"{old:.0f}", f"{count / old:.2f}"] if old else []), sep="\t", flush=True)


if __name__ == "__main__":
  main(sys.argv[1:])
