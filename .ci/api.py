"""Writes the public symbols of each library to Docs/API, as the compiler has them on Linux: one line each, sorted.

--check writes nothing, and fails with the differences if Docs/API is not current.
--unused lists the symbols whose name is in no guide; it reads Docs/API.
"""
import difflib
import json
import pathlib
import re
import sys
import tempfile

from graphs import LIBRARIES, write_graphs

GUIDES = ["README.md", "Docs/*.md", "Docs/Migrating/*.md", "Examples/Sources/**/*.swift",
          "Examples/Downstream/Sources/**/*.swift", "Examples/Downstream/Tests/**/*.swift"]
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}  # conformances that nobody writes


def file_of(library):
    return pathlib.Path(f"Docs/API/{library}.txt")


def read_graphs():
    """The symbol graphs of each library."""
    with tempfile.TemporaryDirectory() as folder:
        # Only a graph of internal symbols has the public ones with an underscore.
        for library, files in write_graphs(folder, "internal"):
            yield library, [json.loads(file.read_text()) for file in files]


def describe(symbol, supertypes, is_default):
    """The declaration, with what the graph keeps apart from it."""
    text = re.sub(r"\s+", " ", "".join(fragment["spelling"] for fragment in symbol["declarationFragments"]))
    if symbol["accessLevel"] == "open":
        text = f"open {text}"
    if supertypes and " : " not in text.partition(" where ")[0]:
        text = re.sub(r"( where .*)?$", rf" : {', '.join(sorted(supertypes))}\1", text, count=1)
    if symbol["kind"]["identifier"] != "swift.extension":
        extension = symbol.get("swiftExtension", {})
        bounds = [f"{bound['lhs']} {'==' if bound['kind'] == 'sameType' else ':'} {bound['rhs']}"
                  for bound in extension.get("constraints", []) if bound["rhs"] not in IMPLIED]
        # Only the mangled name tells that an extension of a protocol is one `where Self: AnyObject`.
        if extension.get("typeKind") == "swift.protocol" and "RlzC" in symbol["identifier"]["precise"]:
            bounds.append("Self : AnyObject")
        text += f" [where {', '.join(bounds)}]" if bounds else ""
    return text + (" [default]" if is_default else "")


def list_symbols():
    """Yields the text of each library's file."""
    names = {}
    for library, graphs in read_graphs():
        symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]
                   if symbol["accessLevel"] in ("public", "open")}
        names |= {precise: ".".join(symbol["pathComponents"]) for precise, symbol in symbols.items()}
        supertypes, defaults, required = {precise: set() for precise in symbols}, set(), set()
        for relation in [relation for graph in graphs for relation in graph["relationships"]]:
            if relation["kind"] == "defaultImplementationOf":
                defaults.add(relation["source"])
            elif relation["kind"] == "memberOf" and "sourceOrigin" in relation:
                required.add(relation["source"])  # its documentation would be that of the requirement
            elif relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in symbols:
                module, _, foreign = relation.get("targetFallback", ".").partition(".")
                name = names.get(relation["target"], "" if module in LIBRARIES else foreign)  # "": not public
                supertypes[relation["source"]] |= {name} - IMPLIED - {""}
        public, declared, conformances, underscored = [], [], [], []
        enums = {names[precise] for precise in symbols if symbols[precise]["kind"]["identifier"] == "swift.enum"}
        for precise, symbol in symbols.items():
            name = names[precise]
            line = f"{name}  |  {describe(symbol, supertypes[precise], precise in defaults)}\n"
            if symbol["kind"]["identifier"] == "swift.extension":
                conformances += [line] if supertypes[precise] else []
            elif re.search(r"\b_\w", name):
                underscored.append(line)
            elif name.removesuffix(".init(rawValue:)") in enums - {name}:
                pass  # made by the compiler
            else:
                (declared if precise in required | defaults else public).append(line)
        sections = [("public symbols", public), ("members that a protocol of the type declares already", declared),
                    ("conformances of types of other modules", conformances),
                    ("public symbols with an underscore", underscored)]
        yield library, "\n".join(f"# {library}: {len(lines)} {title}\n{''.join(sorted(lines))}"
                                 for title, lines in sections if lines)


def list_unused():
    pages = [page.read_text() for pattern in GUIDES for page in pathlib.Path(".").glob(pattern)]
    words = {word for page in pages for word in re.findall(r"\w+", page)}
    for library in LIBRARIES:
        unused, lines = [], file_of(library).read_text().partition("\n\n")[0].splitlines()[1:]
        for line in lines:
            path = line.partition("(")[0].partition(" ")[0].split(".")
            name = path[-2] if path[-1] in ("init", "subscript") else path[-1]
            if name.isidentifier() and name not in words:
                unused.append(line)
        print(f"# {library}: {len(unused)} of {len(lines)} public symbols are named by no guide", *unused, "", sep="\n")


def main(options):
    if options == ["--unused"]:
        return list_unused()
    if options not in ([], ["--check"]):
        sys.exit("usage: api.py [--check | --unused]")
    is_current = True
    for library, text in list_symbols():
        file = file_of(library)
        old = file.read_text() if file.exists() else ""
        print(text.partition("\n")[0])
        if text != old:
            is_current = False
            before, after = old.splitlines(keepends=True), text.splitlines(keepends=True)
            sys.stdout.writelines(difflib.unified_diff(before, after, str(file), "now", n=0))
            if not options:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
    if options and not is_current:
        sys.exit("Docs/API is not current: run `python3 .ci/api.py` and review the differences")


main(sys.argv[1:])
