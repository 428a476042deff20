"""Finds the conformances that a program loses which links the libraries from a plain static archive, as CMake does.
usage: .ci/archive.py DIRECTORY [--lower]    where an optimized build is, e.g. Benchmarks/.build/release
Without it, such a program would lose conversions without an error: a linker takes an object file of an archive only if another one
refers to it, and nothing refers to a conformance that only `as?` looks for. Follows what each object file refers to; a conformance
is lost if its type and its protocol are linked, and it is not. Compares the size of each library with its budget, too.
"""
import collections
import math
import pathlib
import re
import subprocess
import sys

from checks import over_budget

MODULES = {  # and those that a program with one of them links
    "KVCore": "", "KVQuery": "KVCore", "KVFoundation": "KVCore", "KVBinding": "KVCore KVFoundation", "KVDocuments": "KVCore KVFoundation",
    "KVControllers": "KVCore KVQuery KVFoundation KVBinding",
    "KVDefinitions": "KVCore KVFoundation KVBinding KVDocuments"}
COMPILED = {  # protocols that only the compiler asks for
    "KVCore.KVKeyPathConvertible", "KVFoundation.LinkedWithFoundation", "KVBinding.LinkedWithBinding", "KVControllers.KVKeyValueStore",
    "KVDefinitions.LinkedWithArchive"}
PARTS = set("""KVBindingSource KVControl KVControlHandlers KVError+LocalizedError KVError.Code+Definitions KVFormulaConvertible
KVListSection KVTransformer+Failable""".split())  # files whose code no program can use alone: what calls it links the conformances
PUBLIC = {path.stem for path in pathlib.Path("Sources").rglob("*.swift")
          if re.search(r"^\s*(?:@\w+(?:\(.*?\))? )*(?:public|open) ", path.read_text(), re.M)}  # other files no program uses itself


def output(*command, text=None):
    return subprocess.run(command, capture_output=True, text=True, check=True, input=text).stdout


def read(files):
    """What the object files refer to, their conformances as (file, type, protocol), and the files of types and protocols."""
    defined, wanted, homes = collections.defaultdict(list), collections.defaultdict(set), {}
    for line in output("nm", "-A", "--format=posix", *files).splitlines():
        if match := re.match(r"(.*?\.o): (.*) ([A-Z])(?: +[0-9a-f]+)* *$", line):
            file, name = "/".join(match[1].split("/")[-2:]), match[2]
            (wanted[file].add if match[3] == "U" else defined[file].append)(name)
    for file, names in defined.items():
        for name in names:
            if not re.search(r"T[gG]q?5|Tf4", name):  # specialized functions are in many files: which is linked is chance
                homes.setdefault(name, file)
    refers = {file: {homes[name] for name in wanted[file] if name in homes} for file in defined}
    names = [name for name in homes if name.endswith(("Mc", "Mn", "Mp"))]
    titles = list(zip(names, output("swift-demangle", "-compact", text="\n".join(names)).splitlines()))
    return (refers, [(homes[name], *match.groups()) for name, title in titles
                     if (match := re.match(r"protocol conformance descriptor for (.*) : (\S+) in \S+$", title))],
            {match[1]: homes[name] for name, title in titles
             if (match := re.match(r"(?:nominal type|protocol) descriptor for (.*)$", title))})


def lost(refers, conformances, types):
    """The conformances that are lost, each with the object files whose use loses them."""
    found = collections.defaultdict(list)
    for root in (root for root in refers if re.sub(r"^.*/|\.swift\.o$", "", root) in PUBLIC - PARTS):
        linked, rest = {root}, [root]
        while rest:
            linked |= (new := refers[rest.pop()] - linked)
            rest += new
        module = root.partition(".build/")[0]
        for file, name, protocol in conformances:
            bare = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", name)).strip()
            # A type of another module is linked whatever the program uses.
            if (file not in linked and file.partition(".build/")[0] in [module, *MODULES[module].split()] and protocol not in COMPILED
                    and types.get(bare) in linked | {None} and types.get(protocol) in linked | {None}):
                found[f"{name}: {protocol} in {file}"].append(root)
    return [f"{key} is lost to a program that uses {min(roots)}, and by {len(roots)} files" for key, roots in found.items()]


objects = {module: sorted(map(str, pathlib.Path(sys.argv[1], f"{module}.build").rglob("*.o"))) for module in MODULES}
# Text and data of all files, without what debuggers read.
sizes = {f"kilobytes of {module}, optimized": math.ceil(int(output("size", "--totals", *files).splitlines()[-1].split()[3]) / 1024)
         for module, files in objects.items()}
print(*(f"{name}: {size}" for name, size in sizes.items()), sep="\n")
graph = read(sum(objects.values(), []))
print(f"{len(graph[1])} conformances in {len(graph[0])} object files")
sys.exit("\n".join([*lost(*graph), *over_budget(sizes)]) or 0)
