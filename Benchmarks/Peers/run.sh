#!/usr/bin/env bash
# Builds and runs peers on the data of KVBenchmarks. Linux, by hand.
#
#   run.sh [WORKLOAD ...]   the rows of GNUstep, by default of all workloads that it has
#   run.sh --compare        what sorts and filters give here and in GNUstep: the differences, as diff prints them
#
# GNUstep's base 1.28 differs here: OR binds closer than AND, SOME is NOT ALL, `?` in LIKE also matches no
# character, IN finds no number in a list of literals, and it has neither BETWEEN of literals nor SUBQUERY(…).@count. ANY, ALL
# and NONE, the other filters and all sorts give the same.
#
# Needs the packages gobjc, gnustep-make and libgnustep-base-dev. BENCH_CPU pins the peers to a core. BENCH_SECONDS and
# BENCH_REPEATS change the length and the number of the repeats.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

command -v gnustep-config > /dev/null || { echo "There is no gnustep-config: install gnustep-make." >&2; exit 1; }
config() { env -i PATH="$PATH" HOME="$folder" gnustep-config "$1"; }
# shellcheck disable=SC2046
gcc -std=gnu99 $(config --objc-flags) -O2 "$here/gnustep.m" -o "$folder/gnustep" $(config --base-libs)
pin=(${BENCH_CPU:+taskset -c "$BENCH_CPU"})

if [ "${1:-}" = "--compare" ]; then
  swift run -c release --package-path "$here/.." KVBenchmarks Results > "$folder/kv.txt"
  "$folder/gnustep" Results > "$folder/gnustep.txt"
  diff "$folder/kv.txt" "$folder/gnustep.txt" && echo "All $(wc -l < "$folder/kv.txt") results are equal."
else
  "${pin[@]}" "$folder/gnustep" "$@"
fi
