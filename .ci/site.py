"""Builds the documentation of the libraries and the guides as one static site, with the toolchain's docc.

    python3 .ci/site.py [--output FOLDER] [--base PATH] [--source URL]

PATH is where the site will be on its server (swift-key-value), URL the address of the sources' files. The catalogue of
a library, `Sources/X/X.docc`, has its landing page. The pages of Docs become articles here: a link to another page leads
to its article, one to another file to URL, or nowhere if none is given.

Fails if docc warns, if a public symbol is in no group of its landing page, or if a link leads nowhere.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from graphs import LIBRARIES, run, write_graphs

HOME = {"Models": "KVCore", "Conversions": "KVCore", "Sorting": "KVCore", "Testing": "KVTestSupport",
        "Documents": "KVDocuments", "Definitions": "KVDefinitions",
        "Controllers": "KVControllers", "Lists": "KVControllers", "Undo": "KVControllers"}
GROUPS = {  # of articles, beside the guides; a folder of Docs, or names
    "The project": "Contract Compatibility Stability Architecture Performance".split(),
    "From other libraries": "Migrating", "Decisions": "Decisions"}
BUILT = "Extended Modules|Classes|Structures|Enumerations|Protocols|Functions|Macros|Operators|Variables|Type Aliases|Articles"

# A link or an image, or code, which has none.
LINK = r"""^```.*?^```|(?P<image>!?)\[(?P<text>(?:`[^`\n]*`|!\[[^\]]*\]\([^)]*\)|[^\[\]`])*)\]\((?P<target>[^)\s]+)\)|`[^`\n]*`"""


class Page:
    """A page of Docs, as an article of a library."""

    def __init__(self, file):
        self.file = file.resolve()
        self.text = file.read_text()
        self.name = file.parent.name if file.name == "README.md" else file.stem
        self.folder = file.parent.name
        self.library = HOME.get(self.name, "KVBinding")
        self.headings = [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in
                         re.findall(r"^#{2,6} (.*?)\s*$", re.sub(r"^```.*?^```", "", self.text, flags=re.M | re.S), re.M)]

    def anchor(self, slug):
        """The fragment by which docc knows the heading that GitHub knows by another one."""
        for heading in self.headings:
            if re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") == slug:
                return re.sub(r"\s+", "-", re.sub(r"['’\"]", "", heading))
        sys.exit(f"{self.file}: no heading has the anchor #{slug}")


def article(page, pages, source):
    """The text of a page with the links of the site."""
    def link(match):
        text, target = match["text"], match["target"]
        path, _, slug = (target or "").partition("#")
        if not target or re.match(r"https?:", target):
            return match[0]
        file = (page.file.parent / path).resolve() if path else page.file
        if match["image"]:  # an image: docc finds it by its name
            return f"![{text}]({file.name})"
        other = pages.get(file)
        if not other:
            place = file.relative_to(pathlib.Path.cwd()).as_posix()
            return f"[{text}]({source}/{place})" if source else text
        fragment = f"#{other.anchor(slug)}" if slug else ""
        if other.library == page.library:
            reference = f"doc:{other.name}{fragment}"
            return f"<{reference}>" if text == file.name and not slug else f"[{text.removesuffix('.md')}]({reference})"
        # In a link that docc resolves it drops the dot itself; a page of another library is linked by its address.
        return f"[{text.removesuffix('.md')}]({address(other)}{fragment.replace('·', '')})"

    return re.sub(LINK, link, page.text, flags=re.M | re.S)


def address(page):
    return f"/documentation/{page.library}/{page.name}".lower()


def list_of_articles(library, pages):
    """The topics of the landing page that have the articles of the library, and links to those of the others."""
    mine = [page for page in pages.values() if page.library == library]
    groups = {}
    for page in mine:
        title = next((title for title, members in GROUPS.items() if page.folder == members or page.name in members), "Guides")
        groups.setdefault(title, []).append(page)
    return "\n".join(f"\n### {title}\n\n" + "".join(f"- <doc:{page.name}>\n" for page in groups[title])
                     for title in ["Guides", *GROUPS] if title in groups)


def write_catalogue(library, folder, pages, source):
    catalogue = folder / f"{library}.docc"
    shutil.copytree(f"Sources/{library}/{library}.docc", catalogue)
    landing = catalogue / f"{library}.md"
    text = landing.read_text()
    before, topics, after = text.partition("## Topics\n")
    others = ", ".join(f"[{page.name}]({address(page)})" for page in pages.values()
                       if page.library != library and page.folder == "Docs" and page.name not in GROUPS["The project"])
    landing.write_text(f"{before}Guides to the other libraries: {others}.\n\n{topics}{list_of_articles(library, pages)}{after}")
    for page in pages.values():
        if page.library == library:
            (catalogue / f"{page.name}.md").write_text(article(page, pages, source))
            for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.text):
                shutil.copy(page.file.parent / name, catalogue)
    return catalogue


def link_modules(file, library, known):
    """Names the module in a comment's link to a symbol of another library, as docc wants it."""
    graph = json.loads(file.read_text())
    for symbol in graph["symbols"]:
        if symbol.get("docComment", {}).get("module") == library:
            for line in symbol["docComment"]["lines"]:
                line["text"] = re.sub(r"``(\w+)(?=[/`(])", lambda match: f"``/{known[match[1]]}/{match[1]}"
                                      if known.get(match[1], library) != library else match[0], line["text"])
    file.write_text(json.dumps(graph))
    return {symbol["pathComponents"][0] for symbol in graph["symbols"] if symbol["kind"]["identifier"] != "swift.extension"}


def convert(library, catalogue, graphs, archives, base):
    archive = catalogue.with_suffix(".doccarchive")
    result = subprocess.run(
        ["docc", "convert", str(catalogue), "--additional-symbol-graph-dir", str(graphs), "--output-path", str(archive),
         "--hosting-base-path", base, "--transform-for-static-hosting", "--enable-experimental-external-link-support",
         "--fallback-display-name", library, "--fallback-bundle-identifier", library, "--fallback-default-module-kind", "Library",
         "--default-code-listing-language", "swift", *[f"--dependency={other}" for other in archives]],
        capture_output=True, text=True)
    if result.returncode or re.search(r"^(warning|error)", result.stdout + result.stderr, re.M):
        sys.exit(f"docc, of {library}:\n{result.stdout}{result.stderr}")
    return archive


def strings(value, key):
    """The texts under a key, anywhere in a document."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name == key and isinstance(member, str):
                yield member
            else:
                yield from strings(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member, key)


def faults(site, libraries):
    """What is grouped by its kind only, and the links that lead nowhere."""
    data = {"/" + file.relative_to(site / "data").with_suffix("").as_posix(): json.loads(file.read_text())
            for file in site.glob("data/**/*.json")}
    anchors = {path: {text.lower() for text in strings(page, "anchor")} for path, page in data.items()}
    for library in libraries:
        for group in data[f"/documentation/{library.lower()}"]["topicSections"]:
            if re.fullmatch(BUILT, group.get("title", "Articles")):
                yield f"Sources/{library}/{library}.docc: in no group: {' '.join(group['identifiers'])}"
    for path, page in data.items():
        for target in {*strings(page.get("references", {}), "url"), *strings(page, "destination")}:
            place, _, anchor = target.partition("#")
            if re.match(r"https?:|mailto:", target):
                continue
            if place.startswith(("/images/", "/img/", "/videos/")):
                if not (site / place[1:]).exists():
                    yield f"{path}: no file {target}"
            elif place.lower() not in data:
                yield f"{path}: no page {target}"
            elif anchor and anchor.lower() not in anchors[place.lower()]:
                yield f"{path}: no heading {target}"
        for relative in strings(page, "identifier"):
            if relative.endswith(".md"):
                yield f"{path}: no link of the site: {relative}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--output", default=".build/site")
    parser.add_argument("--base", default="swift-key-value")
    parser.add_argument("--source", default="")
    options = parser.parse_args()
    pages = {page.file: page for page in map(Page, sorted(pathlib.Path("Docs").rglob("*.md")))}
    output = pathlib.Path(options.output)
    with tempfile.TemporaryDirectory() as scratch:
        folder, archives, known = pathlib.Path(scratch), [], {}
        documented = [library for library in LIBRARIES if pathlib.Path("Sources", library, f"{library}.docc").exists()]
        for library, files in write_graphs(folder / "graphs", "public"):
            for file in files:
                for name in link_modules(file, library, known):
                    known.setdefault(name, library)
            if library not in documented:
                continue
            catalogue = write_catalogue(library, folder, pages, options.source)
            archives.append(convert(library, catalogue, folder / "graphs" / library, archives, options.base))
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        run("docc", "merge", *map(str, archives), "--output-path", str(output),
            "--synthesized-landing-page-name", "swift-key-value")
        (output / "index.html").write_text('<!doctype html><meta http-equiv="refresh" content="0; url=documentation/">\n')
    if wrong := sorted(set(faults(output, documented))):
        sys.exit("\n".join(wrong))
    count = sum(1 for _ in output.glob("data/**/*.json"))
    print(f"{output}: {count} pages, {len(pages)} of them from Docs; every symbol is in a group, every link leads to a page")


main()
