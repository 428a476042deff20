"""Checks what is made of a small source: one mutant of each kind, and the text with all of them."""
from mutants import mutants, rewritten

SOURCE = '''
func f(_ a: Int, _ b: [Int], _ c: String?) -> Bool {
  guard a > 0, let c else { return false }  // a < 1 in a comment
  for x in 0..<b.count {
    if !b.isEmpty { continue }
    total += a * 2
    notify("\\(a < 1 ? "x" : "y")", b.first ?? 7)
    if x != 2 && a < x { break }
    break
  }
  return c.count <= a ? b.isEmpty : g(a)
}
'''
EXPECTED = [  # line, kind, what stands in the place of the code
    (3, "comparison", "(_kvMutant(9) ? a >= 0 : a > 0)"),
    (3, "comparison", "(_kvMutant(9) ? a <= 0 : a > 0)"),
    (3, "condition", "(_kvMutant(9) != (a > 0))"),
    (3, "condition", "(_kvMutant(9) || (a > 0))"),
    (3, "condition", "(!_kvMutant(9) && (a > 0))"),
    (3, "constant", "(_kvMutant(9) ? 1 : 0)"),
    (3, "constant", "(_kvMutant(9) ? true : false)"),
    (4, "constant", "(b.count - (_kvMutant(9) ? 1 : 0))"),
    (5, "condition", "(_kvMutant(9) ? b.isEmpty : !b.isEmpty)"),
    (5, "condition", "(_kvMutant(9) != (!b.isEmpty))"),
    (5, "condition", "(_kvMutant(9) || (!b.isEmpty))"),
    (5, "condition", "(!_kvMutant(9) && (!b.isEmpty))"),
    (5, "member", "(_kvMutant(9) != (!b.isEmpty))"),
    (6, "arithmetic", "(_kvMutant(9) ? a + 2 : a * 2)"),
    (6, "arithmetic", "if _kvMutant(9) { total -= a * 2 } else { total += a * 2 }"),
    (6, "constant", "(_kvMutant(9) ? 3 : 2)"),
    (6, "statement", "if !_kvMutant(9) { total += a * 2 }"),
    (7, "coalescing", "(_kvMutant(9) ? (7) : b.first ?? 7)"),
    (7, "constant", "(_kvMutant(9) ? 8 : 7)"),
    (7, "member", "(_kvMutant(9) ? b.last : b.first)"),
    (7, "statement", 'if !_kvMutant(9) { notify("\\(a < 1 ? "x" : "y")", b.first ?? 7) }'),
    (8, "comparison", "(_kvMutant(9) ? x == 2 : x != 2)"),
    (8, "comparison", "(_kvMutant(9) ? a <= x : a < x)"),
    (8, "comparison", "(_kvMutant(9) ? a >= x : a < x)"),
    (8, "condition", "(_kvMutant(9) != (x != 2 && a < x))"),
    (8, "condition", "(_kvMutant(9) || (x != 2 && a < x))"),
    (8, "condition", "(!_kvMutant(9) && (x != 2 && a < x))"),
    (8, "constant", "(_kvMutant(9) ? 3 : 2)"),
    (8, "logic", "(_kvMutant(9) ? (x != 2) || (a < x) : x != 2 && a < x)"),
    (9, "jump", "if !_kvMutant(9) { break }"),
    (9, "jump", "if _kvMutant(9) { continue }; break"),
    (11, "comparison", "(_kvMutant(9) ? c.count < a : c.count <= a)"),
    (11, "comparison", "(_kvMutant(9) ? c.count > a : c.count <= a)"),
    (11, "condition", "(_kvMutant(9) != (c.count <= a))"),
    (11, "member", "(_kvMutant(9) != (b.isEmpty))"),
    (11, "result", "(_kvMutant(9) != (c.count <= a ? b.isEmpty : g(a)))"),
]


def run():
    """Prints what differs. Returns the exit code."""
    found = mutants(SOURCE)
    made = sorted((mutant.line, mutant.kind, mutant.switched(9)) for mutant in found)
    wrong = [("missing", entry) for entry in sorted(EXPECTED) if entry not in made]
    wrong += [("unexpected", entry) for entry in made if entry not in EXPECTED]
    chosen = []
    for number, mutant in enumerate(found, 1):
        if all(mutant.start >= other.end or other.start >= mutant.end for _, other in chosen):
            chosen.append((number, mutant))
    text, lines = rewritten(SOURCE, chosen)
    for number, mutant in chosen:
        first, last = lines[number]
        if mutant.switched(number) not in "\n".join(text.split("\n")[first - 1:last]):
            wrong.append(("misplaced", (mutant.line, mutant.kind, mutant.change)))
    for what, (line, kind, change) in wrong:
        print(f"{what} in line {line}: {kind}: {change}")
    print(f"{len(made)} mutants of {len({kind for _, kind, _ in made})} kinds: {'wrong' if wrong else 'as expected'}")
    return 1 if wrong else 0
