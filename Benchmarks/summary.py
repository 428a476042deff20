#!/usr/bin/env python3
"""Makes tables of Docs/Performance.md and Measurements.md from what the benchmarks printed.

usage: summary.py OURS [PEERS]     the first table of Docs/Performance.md
       summary.py --rows OURS      every row, with its instructions of Counts.txt, and the statements, for Benchmarks/Measurements.md

OURS is the output of KVBenchmarks. PEERS holds lines of the same form, `who workload row ns min … max …`, from programs
that do the same work with GObject, Qt and GNUstep (Peers/run.sh has those of GNUstep for W16 to W20). Prints a line of Markdown for each operation, then the geometric mean
of the ratios to the fastest peer.
"""
import math
import re
import sys

from instructions import COUNTS, kept

# The operation, our row, the native row, and the rows of the peers that do the same work.
ROWS = [
  ("W1", "read a string by key", "W1 typed", "W1 property",
   ["gobject W1 g_object_get", "qt6 W1 property(name).toString", "gnustep W1 get_key"]),
  ("W1", "read a number by key", "W1i typed", "W1i property",
   ["gobject W1i g_object_get", "qt6 W1i property(age).toInt", "gnustep W1i get_key_int"]),
  ("W2", "set a string by key", "W2 typed", "W2 property",
   ["gobject W2 g_object_set", "qt6 W2 setProperty(name,QVariant(QString))", "gnustep W2 set_key_noobs"]),
  ("W2d", "set a property that notifies, without observers", "W2d final_class", "W2d property",
   ["gobject W2d setter+notify_by_pspec", "qt6 W2d setter_emit_no_connection", "gnustep W2d set_direct_noobs"]),
  ("W3", "read a path of three", "W3 typed_string_path", "W3 chain",
   ["gobject W3 3x_g_object_get", "qt6 W3 3x_property", "gnustep W3 get_path3"]),
  ("W4", "set a path of three", "W4 typed_string_path", "W4 chain",
   ["gobject W4 2x_get+set", "qt6 W4 2x_property+setProperty", "gnustep W4 set_path3"]),
  ("W5", "set by key, one observer", "W5 typed", None,
   ["gobject W5 set+handler_reads_new_by_name", "qt6 W5 setProperty+lambda(new)", "gnustep W5 set_key_1obs"]),
  ("W5d", "set the property, one observer", "W5d typed", "W5d didSet_closure",
   ["gobject W5d setter+handler_reads_new_direct", "qt6 W5d setter+lambda(new)", "gnustep W5d set_direct_1obs"]),
  ("W6", "set the end of an observed path", "W6 typed", None, ["gnustep W6 set_leaf_path3_1obs"]),
  ("W7", "replace the middle of an observed path", "W7 typed", None, ["gnustep W7 replace_mid_path3"]),
  ("W8", "set the source of a binding", "W8 text", "W8 didSet",
   ["gobject W8 GBinding_setter", "qt6 W8 connect(signal,setter)_setter", "gnustep W8 bind_oneway"]),
  ("W9", "set an end of a two-way binding", "W9 text", None,
   ["gobject W9 GBinding_bidirectional_setter", "qt6 W9 connect_both_ways_setter"]),
  ("W10", "register and cancel an observer", "W10 typed", "W10 array_of_closures",
   ["gobject W10 signal_connect+disconnect", "qt6 W10 connect+disconnect", "gnustep W10 add_remove"]),
  ("W10p", "register and cancel an observer of a path", "W10p typed", None, ["gnustep W10p add_remove_path3"]),
  ("W11", "set, a hundred observers", "W11 typed", "W11 array_of_closures",
   ["gobject W11 100_handlers_count", "qt6 W11 100_lambdas_setProperty", "gnustep W11 fanout100_per_set"]),
  ("W12", "`@sum` of 1,000 objects", "W12 sum_int", "W12 reduce_int", ["gnustep W12 sum1000"]),
  ("W13", "insert and remove in the middle of 1,000", "W13 mutable_array", "W13 array_in_place",
   ["gnustep W13 array_insert_remove_1000"]),
  ("W14", "set in a scope", "W14 heap_text", None,
   ["gobject W14 freeze;1000x_setter;thaw", "qt6 W14 updateGroup_1000x_setter"]),
  ("W16", "sort 100,000 by a string, each", "W16 name", "W16 closure_name",
   ["Foundation W16 KeyPathComparator_name", "gnustep W16 name"]),
  ("W16i", "sort by a number, each", "W16i age", "W16i closure_age",
   ["Foundation W16i KeyPathComparator_age", "gnustep W16i age"]),
  ("W16p", "sort by a path, then a number, each", "W16p team_age", "W16p closure_team_age", ["gnustep W16p team_age"]),
  ("W16n", "sort strings in natural order, each", "W16n natural", None, ["Foundation W16n localizedStandardCompare"]),
  ("W17", "filter 100,000 by a range of a number, each", "W17 age", "W17 closure_age",
   ["Foundation W17 Predicate_age", "gnustep W17 age"]),
  ("W17c", "filter by `BEGINSWITH[c]`, each", "W17c begins", "W17c lowercased_hasPrefix", ["gnustep W17c begins"]),
  ("W17c", "filter by `CONTAINS[cd]`, each", "W17c contains", None,
   ["Foundation W17c range_of", "gnustep W17c contains"]),
  ("W17a", "filter by `ANY` of ten objects, each", "W17a any", "W17a closure_any", ["gnustep W17a any"]),
  ("W17f", "parse two formats", "W17f parse", None, ["gnustep W17f parse"]),
  ("W20", "record a change for undo", "W20 1000_settings_in_a_group", "W20 1000_settings_in_a_group",
   ["gnustep W20 1000_settings_in_a_group"]),
  ("W20u", "undo and redo it", "W20u undo_redo_1000_settings", "W20u undo_1000_settings",
   ["gnustep W20u undo_redo_1000_settings"]),
]


def rows(path):
  """Returns the medians of an output by who, workload and row; of several rounds the least one.

  The median is followed by the least and the greatest time, with or without the words `min` and `max`.
  """
  found = {}
  with open(path) as lines:
    for line in lines:
      fields = [field for field in line.split() if field not in ("min", "max")]
      if len(fields) >= 6 and fields[0] in ("kv", "native", "gobject", "qt6", "gnustep"):
        name, time = " ".join(fields[:-3]), float(fields[-3])
        found[name] = min(time, found.get(name, time))
  return found


# Our rows with a model that the macro has written, where there is one.
MODELS = {
  "W1 typed": "W1_macro", "W2 typed": "W2_macro", "W2d final_class": "W2d_macro", "W3 typed_string_path": "W3_macro",
  "W4 typed_string_path": "W4_macro", "W5 typed": "W5_macro", "W5d typed": "W5d_macro", "W6 typed": "W6_macro",
  "W8 text": "W8_macro", "W9 text": "W9_macro", "W10 typed": "W10_macro", "W11 typed": "W11_macro",
  "W14 heap_text": "W14_macro",
}


def text(number):
  """Returns a time as the table shows it."""
  return "–" if number is None else f"{number:,.1f}" if number < 10 else f"{number:,.0f}"


def all_rows(path):
  """Prints every row, then the statements beside plain Swift."""
  counts = kept(COUNTS)
  print("| workload | row | ns | instructions |\n|---|---|---|---|")
  for name, time in rows(path).items():
    who, workload, row = name.split(" ", 2)
    title = ("native: " if who == "native" else "") + row.replace("_", " ")
    print(f"| {workload} | {title} | {text(time)} | {f'{counts[name][0]:,.0f}' if name in counts else ''} |")
  print("\n| statement | ns | native | ratio |\n|---|---|---|---|")
  with open(path) as lines:
    for line in lines:
      # Words behind the statement say who observes it, or of how many elements it is.
      match = re.fullmatch(r"spelling (\S+) native (\S+) ratio \S+ [ !] (.+?)((?:, [\w. ]+)*)", line.rstrip("\n"))
      if match:
        time, native = float(match[1]), float(match[2])
        print(f"| `{match[3]}`{match[4] or ''} | {text(time)} | {text(native)} | {time / native:.1f} |")


def main(arguments):
  if arguments[0] == "--rows":
    return all_rows(arguments[1])
  ours = rows(arguments[0])
  peers = rows(arguments[1]) if len(arguments) > 1 else {}
  peers.update((row.replace("native", "Foundation", 1), time) for row, time in ours.items() if row.startswith("native"))
  ratios = []
  print("| | operation | table by hand | `@KVModel` | native Swift | fastest peer | ratio to it |")
  print("|---|---|---|---|---|---|---|")
  for name, operation, row, native, others in ROWS:
    time = ours.get(f"kv {row}")
    if time is None:
      continue
    best = min(((peers[other], other.split()[0]) for other in others if other in peers), default=None)
    model = ours.get(f"kv WM {MODELS.get(row)}")
    # Users write @KVModel; where that has no row, the table by hand stands for it.
    ratio = (model or time) / best[0] if best else None
    if ratio:
      ratios.append((time / best[0], ratio))
    peer = f"{text(best[0])} {best[1]}" if best else "–"
    twin = ours.get(f"native {native}") if native else None
    print(f"| {name} | {operation} | {text(time)} | {text(model)} | {text(twin)} | {peer} "
          f"| {f'{ratio:.2f}' if ratio else '–'} |")
  if ratios:
    hand, model = (math.exp(sum(map(math.log, column)) / len(ratios)) for column in zip(*ratios))
    print(f"\nGeometric mean of the ratios: {model:.2f} with `@KVModel`, {hand:.2f} with tables by hand")


if __name__ == "__main__":
  main(sys.argv[1:])
