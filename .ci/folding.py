"""Writes Sources/KVCore/Sorting/FoldingData.swift: the case folding, the diacritics and the digits of Unicode.

The tables are data of the package, so that the order of texts is the same on every platform. Run it again for another
version of Unicode, which is that of Python.
"""
import pathlib
import sys
import textwrap
import unicodedata

LETTERS_OWN = {0, 7, 8, 9}  # combining classes of marks that make another letter: nukta, kana voicing, virama
SCALARS = [code for code in range(0x80, sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]


def is_diacritic(code):
    return unicodedata.combining(chr(code)) not in LETTERS_OWN


def ranges(codes):
    """The runs of consecutive codes, as (start, count)."""
    runs = []
    for code in codes:
        if runs and runs[-1][0] + runs[-1][1] == code:
            runs[-1][1] += 1
        else:
            runs.append([code, 1])
    return runs


def case_runs():
    """The scalars that fold to one other: (start, count, step, difference)."""
    runs = []
    for code in SCALARS:
        folded = chr(code).casefold()
        if len(folded) != 1 or ord(folded) == code:
            continue
        difference = ord(folded) - code
        if runs and runs[-1][3] == difference:
            start, count, step, _ = runs[-1]
            gap = code - (start + (count - 1) * step)
            if (count == 1 and gap in (1, 2)) or (count > 1 and gap == step):
                runs[-1][1:3] = [count + 1, gap]
                continue
        runs.append([code, 1, 1, difference])
    return runs


def decompositions():
    """The scalars whose decomposition has a diacritic: (scalar, base, mark or nothing)."""
    for code in SCALARS:
        text = unicodedata.decomposition(chr(code))
        if not text or text.startswith("<"):
            continue
        if any(is_diacritic(ord(each)) for each in unicodedata.normalize("NFD", chr(code))):
            yield [code] + [int(part, 16) for part in text.split()]


def literal(name, summary, tokens):
    lines = textwrap.wrap(" ".join(tokens), 112, break_on_hyphens=False)
    body = " \\\n".join("    " + line for line in lines)
    return f'  /// {summary}\n  static let {name} = """\n{body}\n    """\n'


def hexes(numbers):
    return ",".join(f"{'-' if number < 0 else ''}{abs(number):x}" for number in numbers)


previous, decomposed = 0, []
for code, *parts in decompositions():
    decomposed.append(hexes([code - previous] + parts) if code - previous != 1 else "," + hexes(parts))
    previous = code
special = [(code, [ord(each) for each in chr(code).casefold()]) for code in SCALARS if len(chr(code).casefold()) > 1]
marks = ranges(code for code in SCALARS if is_diacritic(code))
zeros = [code for code in SCALARS if unicodedata.category(chr(code)) == "Nd" and unicodedata.digit(chr(code)) == 0]
text = f"""// Written by .ci/folding.py from Unicode {unicodedata.unidata_version}. Numbers are hexadecimal.

/// The data of ``FoldingTable``.
enum FoldingData {{
"""
text += "\n".join([
    literal("cases", "Scalars that fold to one other: the first, how many, the step, the difference.",
            [hexes(run) for run in case_runs()]),
    literal("specialCases", "Scalars that fold to several: the scalar, and these.",
            [hexes([code] + folded) for code, folded in special]),
    literal("marks", "Diacritics: the first, how many.", [hexes(run) for run in marks]),
    literal("zeros", "The zeros of decimal digits, which nine digits follow.", [hexes([code]) for code in zeros]),
    literal("decompositions", "Letters with diacritics: the difference to the one before, if it is not one; the letter; the mark.",
            decomposed),
])
pathlib.Path("Sources/KVCore/Sorting/FoldingData.swift").write_text(text + "}\n")
