#!/usr/bin/env python3
"""Counts the instructions and the allocations of each row of the benchmarks: they repeat where times do not.

usage: instructions.py [--skip-build] [--compare FILE | --check | --record] [W1 W5 ...]

Each operation runs a fixed number of times under valgrind's callgrind. The program reads its clock before and after;
callgrind dumps what it has counted at each reading, so the dump that a row names holds the instructions of its loop,
and the calls of malloc and its like. Prints a line for each row: who, the row, instructions and allocations of an
operation. Lists that are sorted, filtered or arranged have 5,000 elements, or fewer.

With --compare, FILE is an earlier output, and the line also has the instructions of then and the ratio. --record writes
Counts.txt, which is in the repository. --check compares with it, and fails where a row of the package takes more than
3 % more or fewer instructions or allocations: fewer, too, so that the next increase shows. Instructions depend on the
compiler and on the C library, so that --check compares nothing, and says so, where the rows of native code differ.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = pathlib.Path(HERE) / "Counts.txt"
TOLERANCE = 0.03
COUNT = 1000
# Each operation of these works on hundreds or thousands of elements.
LARGE = {"W12", "W16", "W16i", "W16p", "W16n", "W17", "W17c", "W17a", "W17f", "W14", "W18", "W18h", "W18i", "W19", "W19d", "W19f",
         "W20", "W20u"}
# Foundation compares localized texts so slowly that 5,000 of them take minutes under valgrind.
ELEMENTS = {"W16n": 100}
# Rows that make a million objects, count bytes or run on several threads say nothing here.
WITHOUT = {"Growth", "Results", "W15", "W13b", "Threads", "Rounds"}
ALLOCATING = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}


def run(command, **options):
  return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def workloads(program):
  """Returns the names that the program knows, which it lists when it is given another one."""
  sentence = subprocess.run([program, "?"], text=True, stderr=subprocess.PIPE).stderr
  return [name.strip() for name in sentence.split(":", 1)[1].strip(" .\n").split(",")]


def totals(path):
  """Returns the instructions of a dump, and how often they allocate memory."""
  instructions, allocations, allocates, allocating = None, 0, False, set()
  with open(path) as lines:
    for line in lines:
      if line.startswith("summary:"):
        instructions = int(line.split()[1])
      elif line.startswith(("fn=", "cfn=")):
        # A name stands where its number occurs first, and the number alone from then on.
        number, _, name = line.split("=", 1)[1].strip().partition(" ")
        if name in ALLOCATING:
          allocating.add(number)
        allocates = line.startswith("cfn=") and number in allocating
      elif allocates and line.startswith("calls="):
        allocations += int(line[len("calls="):].split()[0])
  if instructions is None:
    raise SystemExit(f"{path} has no total")
  return instructions, allocations


def counts(program, name):
  """Yields the rows of a workload, with their instructions and allocations."""
  # The same seeds and addresses in all runs: what hashes take, and which lines of a cache they share, depends on them.
  environment = dict(os.environ, KV_BENCH_COUNT=str(2 if name in LARGE else COUNT), KV_BENCH_ELEMENTS=str(ELEMENTS.get(name, 5000)),
                     SWIFT_DETERMINISTIC_HASHING="1")
  with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "dump")
    output = run(
      ["setarch", "--addr-no-randomize", "valgrind", "--tool=callgrind", "--dump-before=*threadSeconds*",
       f"--callgrind-out-file={out}", program, name], env=environment, stderr=subprocess.DEVNULL)
    for line in output.splitlines():
      match = re.match(r"(.*) dump (\d+) for (\d+)$", line)
      if match:
        yield match[1], *(count / int(match[3]) for count in totals(f"{out}.{match[2]}"))


def kept(path):
  """Returns the rows of a file that this script has written."""
  with open(path) as lines:
    return {row: [float(count) for count in rest[:2]] for row, *rest in (line.rstrip("\n").split("\t") for line in lines)}


def differs(now, before):
  """Whether one of the counts is out of tolerance: a whole instruction or a twentieth of an allocation is nothing."""
  return any(abs(new - old) > max(old * TOLERANCE, least) for new, old, least in zip(now, before, (2, 0.05)))


def check(rows):
  """Compares with Counts.txt, and returns whether all is as it was."""
  before = kept(COUNTS)
  changed = {row: now for row, now in rows.items() if row not in before or differs(now, before[row])}
  native = [row for row in rows if row.startswith("native ")]
  elsewhere = [row for row in native if row in changed]
  if len(elsewhere) > len(native) // 20:
    print(f"NOT COMPARED: {len(elsewhere)} of {len(native)} rows of native code differ from {COUNTS.name}, so it was "
          "recorded with another compiler or C library")
    return True
  changed = {row: now for row, now in changed.items() if not row.startswith("native ")}
  for row, now in changed.items():
    then = "is new" if row not in before else "was {:.0f} instructions, {:.2f} allocations".format(*before[row])
    print("{}: {:.0f} instructions, {:.2f} allocations; {}".format(row, *now, then), file=sys.stderr)
  if changed:
    print("If this is meant, record it: Benchmarks/instructions.py --record", file=sys.stderr)
  return not changed


def main(arguments):
  builds = arguments[:1] != ["--skip-build"]
  arguments = arguments[0 if builds else 1:]
  mode = arguments.pop(0) if arguments and arguments[0].startswith("--") else None
  if mode not in (None, "--compare", "--check", "--record") or mode == "--compare" and not arguments:
    raise SystemExit(__doc__)
  before = kept(arguments.pop(0)) if mode == "--compare" else {}
  if builds:
    run(["swift", "build", "-c", "release", "--package-path", HERE], stderr=sys.stderr)
  binaries = run(["swift", "build", "-c", "release", "--package-path", HERE, "--show-bin-path"]).strip()
  rows = {}
  with tempfile.TemporaryDirectory() as folder:
    # Valgrind cannot read all debugging information of Swift. The names of functions are enough.
    program = os.path.join(folder, "KVBenchmarks")
    run(["strip", "--strip-debug", "-o", program, os.path.join(binaries, "KVBenchmarks")])
    known = workloads(program)
    if unknown := set(arguments) - set(known):
      raise SystemExit(f"there is no workload {min(unknown)}: {', '.join(known)}")
    for name in arguments or [name for name in known if name not in WITHOUT]:
      for row, instructions, allocations in counts(program, name):
        rows[row] = [instructions, allocations]
        if mode != "--check":
          old = before.get(row)
          print(row, f"{instructions:.0f}", f"{allocations:.2f}",
                *([f"{old[0]:.0f}", f"{instructions / old[0]:.2f}"] if old else []), sep="\t", flush=True)
  if mode == "--record":
    rows = (kept(COUNTS) if arguments and COUNTS.exists() else {}) | rows
    COUNTS.write_text("".join("{}\t{:.0f}\t{:.2f}\n".format(row, *rows[row]) for row in sorted(rows)))
  elif mode == "--check" and not check(rows):
    raise SystemExit(1)


if __name__ == "__main__":
  main(sys.argv[1:])
