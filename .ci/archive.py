"""Links the libraries as a plain static archive, as CMake does, and finds the conformances that are lost by that.

usage: .ci/archive.py DIRECTORY    where a release build is, e.g. Benchmarks/.build/release

A linker takes an object file of an archive only if another one refers to it, and nothing refers to a conformance that
only `as?` looks for. Follows what each object file refers to, and fails if some conformance is lost to a program that
uses one of them: the type and the protocol are linked, the conformance is not. Then runs .ci/Archive/main.swift, once
with the object files and once with the archive, and compares the outputs.
"""
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys

MODULES = {  # and those that a program with one of them links
    "KVCore": "", "KVFoundation": "KVCore", "KVBinding": "KVCore KVFoundation", "KVDocuments": "KVCore KVFoundation",
    "KVControllers": "KVCore KVFoundation KVBinding", "KVDefinitions": "KVCore KVFoundation KVBinding KVDocuments"}
COMPILED = {  # protocols that only the compiler asks for
    "KVCore.KVKeyPathConvertible", "KVFoundation.LinkedWithFoundation", "KVBinding.LinkedWithBinding", "KVControllers.KVKeyValueStore",
    "KVDefinitions.LinkedWithArchive",
}
PARTS = set("""
ArrangedContent+Slots ArrangedKey ArraySelection ArrayState BindingCures BindingEndpoint+Controls BindingPayload CGFloat+KVNumeric
Column Date+KVTextConvertible DeliveryStack Elements+List Error+Sentence Foundation+KVTextConvertible
FoundationProvider+Services IndexedEdit+Records JSONExcerptPath KeyChange KeyResolving KVArrayController+Finding
KVBindingSource KVControl KVControlHandlers KVError+Arranging KVError+LocalizedError KVError.Code+Definitions
KVFormulaConvertible KVListSection KVTransformer+Failable ListFailure MergeKey ObjectFinder Occurrences
OwnersResolving RateLimiter RegistrationOrder ReusedMemory SelectedValues Sequence+Order ToManyParts Unretained
""".split())  # files of the libraries whose code no program can use alone: what calls it links the conformances


def output(*command, text=None):
    return subprocess.run(command, capture_output=True, text=True, check=True, input=text).stdout


def demangled(names):
    return output("swift-demangle", "-compact", text="\n".join(names)).splitlines()


def is_linked(file, root):
    """Whether a program that uses an object file has the module of another one."""
    module, own = (name.partition(".build/")[0] for name in (file, root))
    return module == own or module in MODULES[own].split()


class Objects:
    def __init__(self, files):
        self.defined, self.wanted = collections.defaultdict(list), collections.defaultdict(set)
        for line in output("nm", "-A", "--format=posix", *files).splitlines():
            if match := re.match(r"(.*?\.o): (.*) ([A-Za-z])(?: +[0-9a-f]+)* *$", line):
                file, name, kind = "/".join(match[1].split("/")[-2:]), match[2], match[3]
                self.defined[file]  # also of a file that defines nothing
                if kind == "U":
                    self.wanted[file].add(name)
                elif kind.isupper():
                    self.defined[file].append(name)
        place = {}  # specialized functions are in many files: which of them is linked is chance
        for file, names in self.defined.items():
            for name in names:
                if not re.search(r"T[gG]q?5|Tf4", name):
                    place.setdefault(name, file)
        self.refers = {file: {place[name] for name in self.wanted[file] if name in place} for file in self.defined}
        descriptors = [(name, file) for name, file in place.items() if name.endswith(("Mc", "Mn", "Mp"))]
        self.conformances, self.types = [], {}
        for (_, file), title in zip(descriptors, demangled(name for name, _ in descriptors)):
            if match := re.match(r"protocol conformance descriptor for (.*) : (\S+) in \S+$", title):
                self.conformances.append((file, match[1], match[2]))
            elif match := re.match(r"(?:nominal type|protocol) descriptor for (.*)$", title):
                self.types[match[1]] = file

    def linked(self, file):
        """The object files that a program links that uses one of them."""
        found, rest = {file}, [file]
        while rest:
            new = self.refers[rest.pop()] - found
            found |= new
            rest += new
        return found

    def lost(self):
        """The conformances that are lost, each with the object files whose use loses them."""
        lost = collections.defaultdict(list)
        for root in sorted(self.defined):
            linked = self.linked(root)
            for file, name, protocol in self.conformances:
                if file in linked or not is_linked(file, root):
                    continue
                bare = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", name)).strip()
                # A type of another module is linked whatever the program uses.
                if all(self.types.get(each) in linked | {None} for each in (bare, protocol)):
                    lost[f"{name}: {protocol} in {file}"].append(root)
        return {key: roots for key, roots in lost.items() if key.split(": ")[1].split(" ")[0] not in COMPILED}


def check(files):
    for conformance, roots in Objects(files).lost().items():
        others = [root for root in roots if re.sub(r"^.*/|\.swift\.o$", "", root) not in PARTS]
        if others:
            yield f"{conformance} is lost to a program that uses {others[0]}, and by {len(others)} files in all"


def run(directory, files):
    folder = pathlib.Path(directory, "archive")
    folder.mkdir(exist_ok=True)
    main, archive = str(folder / "main.o"), str(folder / "libKV.a")
    subprocess.run(["swiftc", "-swift-version", "6", "-O", "-c", ".ci/Archive/main.swift", "-o", main,
                    "-module-name", "Program", "-I", f"{directory}/Modules", "-I", "Sources/KVRuntime/include"], check=True)
    if os.path.exists(archive):
        os.remove(archive)
    subprocess.run(["ar", "rcs", archive, *files], check=True)
    texts = []
    for name, inputs in (("objects", files), ("program", [archive])):
        program = str(folder / name)
        subprocess.run(["swiftc", main, *inputs, "-o", program], check=True)
        texts.append(output(program).splitlines())
    print(f"{len(texts[0])} lines of output, by object files and by an archive")
    pairs = itertools.zip_longest(*texts)
    return [f"linked from an archive:\n  {b}\nfrom object files:\n  {a}" for a, b in pairs if a != b]


if len(sys.argv) != 2:
    sys.exit(__doc__)
objects = [sorted(map(str, pathlib.Path(sys.argv[1], f"{module}.build").rglob("*.o"))) for module in MODULES]
runtime = sorted(map(str, pathlib.Path(sys.argv[1], "KVRuntime.build").rglob("*.o")))
if not all(objects):
    sys.exit(f"there are no object files in {sys.argv[1]}")
faults = list(check(sum(objects, []))) + run(sys.argv[1], sum(objects, runtime))
sys.exit("\n".join(faults) or 0)
