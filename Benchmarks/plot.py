#!/usr/bin/env python3
"""Draws what grows with what from the output of `KVBenchmarks Growth`, as an SVG.

usage: plot.py GROWTH.csv > Docs/Images/growth.svg

Both axes are logarithmic. A line that stays level is an operation whose time does not depend on the number.
"""
import csv
import math
import sys

SERIES = {
  "observers of one key: set another key": "set another key than the one with n observers",
  "observers of one key: a set (per observer)": "set a key with n observers, per observer",
  "observers of one key: register and cancel one more": "register and cancel one more of n observers",
  "keys of a record: set one of them (observed)": "set one of n observed keys of a record",
  "a chain of dependent keys: set its end (per link)": "change through n dependent keys, per key",
  "a chain of bindings: a set (per binding)": "change through n bindings in a row, per binding",
  "bindings of one source: a set (per target)": "set a source with n bindings, per binding",
  "a scope: merge insertions at random indexes (each)": "merge n insertions of a scope, each",
  "objects: observe each": "observe each of n objects",
}
COLORS = ["#4477aa", "#ee6677", "#228833", "#aa8800", "#2299bb", "#aa3377", "#888888", "#dd7733", "#7755cc"]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 960, 480, 64, 24, 380, 48


def points(path):
  """Returns the points of each series; sizes under 10 measure the first use of a type."""
  found = {}
  with open(path) as file:
    for row in csv.DictReader(file):
      if row["case"] in SERIES and int(row["n"]) >= 10:
        found.setdefault(row["case"], []).append((int(row["n"]), float(row["ns"])))
  return found


def main(path):
  series = points(path)
  xs = [x for line in series.values() for x, _ in line]
  ys = [y for line in series.values() for _, y in line]
  x_low, x_high = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)))
  y_low, y_high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
  inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

  def x(value):
    return LEFT + (math.log10(value) - x_low) / (x_high - x_low) * inner_width

  def y(value):
    return TOP + inner_height - (math.log10(value) - y_low) / (y_high - y_low) * inner_height

  # Grey is legible on light and on dark pages.
  lines = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" '
    'fill="#808080">',
    "<title>Time of an operation by the number of observers, keys, bindings or objects</title>",
  ]
  for power in range(x_low, x_high + 1):
    position = x(10**power)
    lines.append(f'<path d="M{position:.1f} {TOP}V{TOP + inner_height}" stroke="#80808040"/>')
    lines.append(f'<text x="{position:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{10**power:,}</text>')
  for power in range(y_low, y_high + 1):
    position = y(10**power)
    lines.append(f'<path d="M{LEFT} {position:.1f}H{LEFT + inner_width}" stroke="#80808040"/>')
    lines.append(f'<text x="{LEFT - 8}" y="{position + 4:.1f}" text-anchor="end">{10**power:,}</text>')
  lines.append(f'<text x="{LEFT + inner_width / 2}" y="{HEIGHT - 8}" text-anchor="middle">n</text>')
  lines.append(f'<text x="{LEFT - 8}" y="{TOP - 10}" text-anchor="end">ns</text>')
  for number, (case, label) in enumerate((case, label) for case, label in SERIES.items() if case in series):
    color, line = COLORS[number % len(COLORS)], sorted(series[case])
    path_data = "M" + "L".join(f"{x(n):.1f} {y(ns):.1f}" for n, ns in line)
    lines.append(f'<path d="{path_data}" fill="none" stroke="{color}" stroke-width="2"/>')
    lines += [f'<circle cx="{x(n):.1f}" cy="{y(ns):.1f}" r="3" fill="{color}"/>' for n, ns in line]
    height = TOP + 12 + number * 22
    lines.append(f'<path d="M{WIDTH - RIGHT + 16} {height - 4}h20" stroke="{color}" stroke-width="3"/>')
    lines.append(f'<text x="{WIDTH - RIGHT + 44}" y="{height}">{label}</text>')
  print("\n".join(lines + ["</svg>"]))


if __name__ == "__main__":
  main(sys.argv[1])
