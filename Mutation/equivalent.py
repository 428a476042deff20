"""The mutants of equivalent.txt, which are no faults: they change no result, so that no test can notice them."""
import re

from mutants import mutants


def equivalents(root):
    """The place in its file and the change of each, by file. Raises ValueError where the list names no mutant, or several."""
    found, known = {}, {}
    for line in (root / "Mutation/equivalent.txt").read_text().splitlines():
        if line[:1] in ("", "#", " "):
            continue
        name, _, rest = line.partition(": ")
        change, ordinal = re.fullmatch(r"(.*?)(?: \((\d+)\))?", rest).groups()
        file = f"Sources/{name}"
        if file not in known:
            known[file] = mutants((root / file).read_text()) if (root / file).exists() else []
        places = [mutant for mutant in known[file] if mutant.change == change]
        number = int(ordinal or 1)
        if not 1 <= number <= len(places) or len(places) > 1 and not ordinal:
            raise ValueError(f"Mutation/equivalent.txt: {name} has {len(places)} mutants {change!r}, and the list means "
                             + (f"number {ordinal}" if ordinal else "the only one"))
        found.setdefault(file, set()).add((places[number - 1].start, change))
    return found
