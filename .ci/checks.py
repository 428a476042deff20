"""Rules of the text of sources and documents: python3 .ci/checks.py [CHECK…] runs those of these names, or all.

Without it, rules without a test, links to nowhere, unsafe code outside of its folders and growth would go unnoticed.
"""
import pathlib
import re
import sys

HEADLESS = re.compile(r"(?:///|[.:]) (?:What|Those|That of|Those of|One that|One of|Who|Whoever|Whatever)\b")
IMPORTING = ("Unsafe/Threads.swift", "Mathematics.swift", "Unsafe/StoredLocation.swift")  # threads, mathematics, reflection
IS_NO = re.compile(r"(?<!here )\b(?:is|are|was|were) (?:no|none)\b")
PRIVATE = set("""anew announce announced answered answers ask asked asks behind begun cargo carried carries carry elsewhere farewell former
gave give gives goes hear heard hears held hindering hold holds joint keeping kept leave leaves lend lent likeness mourners nobody place
places rest shown silence silent slowly somebody settle settles take taken takes tell tells together told turn turns unhindered untold vain
waiting way ways whoever whole""".split())  # VOCABULARY: the field has other words for these
TOKEN = re.compile(r'//[^\n]*|/\*|(#*)("""|")|[()]')


def code(text):
    """The text without comments and without the text of literals, but with what strings interpolate."""
    return read_code(text, 0, False)[0]


def read_code(text, at, is_interpolated):
    kept, depth = [], 0
    while match := TOKEN.search(text, at):
        kept.append(text[at:match.start()])
        at, hashes, quotes = match.end(), match[1], match[2]
        if match[0] == "/*":
            nested = 1
            while nested and (mark := re.compile(r"/\*|\*/").search(text, at)):
                nested, at = nested + (1 if mark[0] == "/*" else -1), mark.end()
        elif quotes:
            mark, kept = re.compile(rf"\\{hashes}(\()|\\{hashes}.|({quotes}{hashes})", re.S), kept + ['"']
            while (found := mark.search(text, at)) and not found[2]:
                at = found.end()
                if found[1]:
                    inner, at = read_code(text, at, True)
                    kept.append(f" {inner}")
            kept, at = kept + ['"'], found.end() if found else len(text)
        elif match[0] in "()":
            depth += 1 if match[0] == "(" else -1
            if is_interpolated and depth < 0:
                return "".join(kept), at
            kept.append(match[0])
    return "".join(kept) + text[at:], len(text)


def files(*patterns):
    return {path.as_posix(): path.read_text() for pattern in patterns for path in sorted(pathlib.Path().glob(pattern))}


def over_budget(measures, is_exact=False):
    """The measures that are over .ci/budgets.txt, and those below if they are exact. With --lower, their lines are lowered."""
    path = pathlib.Path(".ci/budgets.txt")
    text = path.read_text()
    for name, value in measures.items():
        line = re.search(rf"^{re.escape(name)}: (\d+)(( \+\d+ [^+\d\n][^+\n]*)*)$", text, re.M)
        maximum = int(line[1]) + sum(map(int, re.findall(r"\+(\d+)", line[2]))) if line else 0
        if value > maximum:
            yield (f"{name}: {value}, and the budget is {maximum}: have less, or end its line in {path} with "
                   f'"+{value - maximum}" and what that buys')
        elif value < maximum and "--lower" in sys.argv:
            text = text.replace(line[0], f"{name}: {value}")
        elif value < maximum and is_exact:
            yield f"{name}: {value}, and the budget is {maximum}: --lower writes it"
    if "--lower" in sys.argv:
        path.write_text(text)


def anchors(text):
    """The fragments by which GitHub knows the headings of a page."""
    headings = re.findall(r"^#{1,6} (.*?)\s*$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-") for heading in headings}


def contract():
    """Each rule of Docs/Contract.md is quoted by a test, each name of a test quotes one, and lists have one indentation."""
    chapter, rules, indents, faults = None, [], (), []
    for line in pathlib.Path("Docs/Contract.md").read_text().splitlines():
        if heading := re.match(r"## ([A-Z]{2,4}\b)?", line):
            chapter, indents = heading[1], ()
        elif chapter and (rule := re.match(r"(\d+)\.\s", line)):
            rules.append(f"{chapter}.{rule[1]}")
            indents = (rule.end(), rule.end() + 2)
        elif indents and line and len(line) - len(line.lstrip()) not in indents[:1 if line.lstrip().startswith("- ") else 2]:
            faults.append(f"{rules[-1]} is indented by {indents[0]}, lines of bullets by {indents[1]}: {line}")
    tests = files("Tests/**/*.swift")
    quoted = {rule for text in [*tests.values(), *files("Examples/Tests/**/*.swift").values()]
              for rule in re.findall(r"\b[A-Z]{2,4}\.\d+\b", text)}
    print(f"{len(quoted.intersection(rules))} of {len(rules)} rules are quoted")
    faults += [f"no test quotes {rule}, or it is not a rule" for rule in quoted.symmetric_difference(rules)]
    rule = r"[A-Z]{2,4}\.\d[A-Z\d., –]*"  # methods of XCTest have no room for it: their class quotes it
    return faults + [f'{path}: a name of a test quotes no rule, and no "/// No rule: …" says why' for path, text in tests.items()
                     for name, reason in ((rf'@Test\b(?!\s*\(\s*#*"{rule}: )', "No rule"), (r"func test[A-Z]\w*\(", f"No rule|{rule}"))
                     if re.search(name, text) and not re.search(rf"^ *///? (?:{reason}): \w", text, re.M)]


def links():
    """Documents link to files and headings that exist, and Docs/README.md to all; docc (.ci/site.py) follows the links of comments."""
    missing, linked = [], set()
    for page, text in files("*.md", "Docs/**/*.md", "Benchmarks/*.md", "Fuzzing/*.md", "Mutation/*.md").items():
        for target in re.findall(r"\]\(((?!https?:)[^)\s]+)\)", re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)):
            path, _, anchor = target.partition("#")
            other = pathlib.Path(page).parent / path if path else pathlib.Path(page)
            linked |= {other.resolve()} if page == "Docs/README.md" else set()
            if not other.exists() or anchor and other.suffix == ".md" and anchor not in anchors(other.read_text()):
                missing.append(f"{page}: {target}")
    missing += [f"from Docs/README.md to {page}" for page in files("Docs/**/*.md", "Docs/**/*.txt")
                if page != "Docs/README.md" and pathlib.Path(page).resolve() not in linked]
    return [f"a link to nowhere: {link}" for link in missing]


def unsafe():
    """Unsafe constructs are in folders Unsafe/, Mirror in Reflection/, imports of KVCore and KVQuery in single files, attributes not more often."""
    construct = re.compile(r"\b(?:Unsafe\w*Pointer|Unmanaged|unsafeBitCast|unsafeDowncast|assumingMemoryBound|withUnsafe\w*"
                           r"|unsafelyUnwrapped)\b")
    texts = {path: code(text) for path, text in files("Sources/**/*.swift").items()}
    for path, text in texts.items():
        if "/Unsafe/" not in path and (match := construct.search(text)):
            yield f"{path} has {match[0]}: it belongs in a folder Unsafe/"
        if "/Reflection/" not in path and "Mirror(" in text:
            yield f"{path} has Mirror: it belongs in a folder Reflection/"
        if (re.search("/KV(Core|Query)/", path) and not path.endswith(IMPORTING)
                and re.search(r"(?m)^\s*(@\S+ )*(\w+ )?import (?!(KVCore|Synchronization)$)", text)):
            yield f"{path} imports more than KVCore and Synchronization: only {', '.join(IMPORTING)} do"
    for attribute, maximum in {"nonisolated(unsafe)": 0, "@exclusivity(unchecked)": 7}.items():
        if (number := sum(text.count(attribute) for text in texts.values())) > maximum:
            yield f"{attribute} occurs {number} times; at most {maximum} are allowed"


def words():
    """Messages say "is not a"; doc comments have subjects, and identifiers the field's words, but for those in .ci/budgets.txt."""
    for path, text in files("Sources/**/*.swift", "Examples/**/Sources/**/*.swift").items():
        yield from (f'{path}: "{found}"' for found in IS_NO.findall(re.sub(r"(?m)(^|\s)//.*", "", text)))
    texts = files("Sources/**/*.swift").values()
    clauses = sum(len(HEADLESS.findall(re.sub(r"^(?! *///).*", "", text, flags=re.M))) for text in texts)
    identifiers = {name for text in texts for name in re.findall(r"\b[A-Za-z_]\w+", code(text))
                   if PRIVATE.intersection(part.lower() for part in re.findall(r"[A-Z]?[a-z]+", name))}
    print("identifiers with private words:", *sorted(identifiers))
    yield from over_budget({"headless clauses in doc comments": clauses, "identifiers with private words": len(identifiers)})


def sizes():
    """What a user reads and what is maintained grows only by what .ci/budgets.txt says."""
    guides = set(re.findall(r"\w+", " ".join(files("README.md", "Docs/*.md", "Docs/Migrating/*.md", "Examples/Sources/**/*.swift",
                                                   "Examples/Downstream/[ST]*/**/*.swift").values())))
    measures, unnamed = {}, []
    for path, text in files("Docs/API/*.txt").items():
        symbols = [line.split("  |  ")[0] for line in text.partition("\n# ")[0].splitlines() if "  |  " in line]
        measures[f"public symbols of {pathlib.Path(path).stem}"] = len(symbols)
        unnamed += [name for symbol in symbols if (name := re.sub(r"\.(init|subscript)$", "", symbol.partition("(")[0])
                    .rpartition(".")[2]).isidentifier() and name not in guides]
    lines = [line.strip() for text in files("Sources/**/*.swift").values() for line in text.splitlines()]
    measures["lines of code of Sources"] = sum(bool(line) and not line.startswith("//") for line in lines)
    measures["public symbols that no guide names"] = len(unnamed)
    measures["words of README.md and Docs"] = sum(len(text.split()) for text in files("README.md", "Docs/**/*.md").values())
    measures["lines of .ci"] = sum(len(text.splitlines()) for text in files(".ci/[!_]*/*", ".ci/*.*", ".ci/run", ".ci/nightly").values())
    print(*(f"{name}: {number}" for name, number in measures.items()), f"no guide names: {' '.join(unnamed)}", sep="\n")
    return over_budget(measures)


if __name__ == "__main__":
    checks = {check.__name__: check for check in (contract, links, unsafe, words, sizes)}
    wanted = [name for name in sys.argv[1:] if name != "--lower"] or checks
    if unknown := set(wanted) - checks.keys():
        sys.exit(f"there is no check {' '.join(unknown)}: {' '.join(checks)}")
    faults = []
    for name in wanted:
        faults += (found := list(checks[name]()))
        print(f"{name}: {len(found)} faults. {checks[name].__doc__}")
    sys.exit("\n".join(faults) or 0)
