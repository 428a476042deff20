"""Writes the public symbols of each library to Docs/API, as the compiler has them on Linux, each with the first sentence of its
documentation; --check writes nothing, and fails with the differences if Docs/API is not current.

Without it, no review would see a change of the API. With the options of KV_BUILD, a build with the same options is current.
"""
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIBRARIES = ["KVCore", "KVQuery", "KVFoundation", "KVBinding", "KVDocuments", "KVControllers", "KVDefinitions", "KVTestSupport"]
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}  # conformances that nobody writes
TITLES = ["public symbols", "members that a protocol of the type declares already", "conformances of types of other modules",
          "public symbols with an underscore"]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def read_graphs(folder, level):
    """Builds the libraries where a build is not current; yields the files of the symbol graphs of each."""
    options = os.environ.get("KV_BUILD", "").split()
    for library in LIBRARIES[-3:]:  # which depend on the others
        sys.stderr.write(run("swift", "build", "--target", library, *options))
    modules = run("swift", "build", "--show-bin-path", *options).strip() + "/Modules"
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    for library in LIBRARIES:
        output = pathlib.Path(folder, library)
        output.mkdir(parents=True)
        run("swift", "symbolgraph-extract", "-module-name", library, "-I", modules, "-target", target, "-output-dir", str(output),
            "-minimum-access-level", level, "-skip-synthesized-members", "-emit-extension-block-symbols")
        yield library, sorted(output.glob(f"{library}*.symbols.json"))


def describe(symbol, supertypes, is_default):
    """The declaration, with what the graph keeps apart from it, and below it the first sentence of the documentation."""
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
    comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", [])).partition("\n\n")[0]
    sentence = re.match(r"(?:.*?[.:!?](?=\s+[A-Z`]|$)|.*)", " ".join(comment.split()))[0]
    return text + (" [default]" if is_default else "") + "\n" + (f"    {sentence}\n" if sentence else "")


def list_symbols():
    """Yields the text of each library's file."""
    names, hidden = {}, {None}  # hidden: symbols that are not public
    with tempfile.TemporaryDirectory() as folder:
        # Only a graph of internal symbols has the public ones with an underscore.
        read = [(library, [json.loads(file.read_text()) for file in files]) for library, files in read_graphs(folder, "internal")]
    for library, graphs in read:
        symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]
                   if symbol["accessLevel"] in ("public", "open")}
        hidden |= {symbol["identifier"]["precise"] for graph in graphs for symbol in graph["symbols"]} - symbols.keys()
        names |= {precise: ".".join(symbol["pathComponents"]) for precise, symbol in symbols.items()}
        supertypes, defaults, required = {precise: set() for precise in symbols}, set(), set()
        for relation in [relation for graph in graphs for relation in graph["relationships"]]:
            if relation["kind"] == "defaultImplementationOf":
                defaults.add(relation["source"])
            elif relation["kind"] == "memberOf" and relation.get("sourceOrigin", {}).get("identifier") not in hidden:
                required.add(relation["source"])  # its documentation would be that of the requirement
            elif relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in symbols:
                module, _, foreign = relation.get("targetFallback", ".").partition(".")
                name = names.get(relation["target"], "" if module in LIBRARIES else foreign)  # "": not public
                supertypes[relation["source"]] |= {name} - IMPLIED - {""}
        sections = [[] for _ in TITLES]
        enums = {names[precise] for precise in symbols if symbols[precise]["kind"]["identifier"] == "swift.enum"}
        for precise, symbol in symbols.items():
            name = names[precise]
            line = f"{name}  |  {describe(symbol, supertypes[precise], precise in defaults)}"
            if symbol["kind"]["identifier"] == "swift.extension":
                sections[2] += [line] if supertypes[precise] else []
            elif re.search(r"\b_\w", name):
                sections[3].append(line)
            elif name.removesuffix(".init(rawValue:)") not in enums - {name}:  # that one is made by the compiler
                sections[precise in required | defaults].append(line)
        yield library, "\n".join(f"# {library}: {len(lines)} {title}\n{''.join(sorted(lines))}"
                                 for title, lines in zip(TITLES, sections) if lines)


def main(options):
    differs = False
    for library, text in list_symbols():
        file = pathlib.Path(f"Docs/API/{library}.txt")
        old = file.read_text() if file.exists() else ""
        print(text.partition("\n")[0])
        differs |= text != old
        before, after = old.splitlines(keepends=True), text.splitlines(keepends=True)
        sys.stdout.writelines(difflib.unified_diff(before, after, str(file), "now", n=0))
        if options != ["--check"]:
            file.write_text(text)
    if options == ["--check"] and differs:
        sys.exit("Docs/API is not current: run `python3 .ci/api.py` and review the differences")


if __name__ == "__main__":
    main(sys.argv[1:])
