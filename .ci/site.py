"""Builds the documentation of the libraries and the pages of Docs, as their articles, as one static site, .build/site, with docc.

Without it, a link of the documentation could lead nowhere, and a symbol be in no group of Sources/X/X.docc.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from api import LIBRARIES, read_graphs, run

HOME = {"Models": "KVCore", "Conversions": "KVCore", "Sorting": "KVQuery", "Testing": "KVTestSupport", "Documents": "KVDocuments",
        "Definitions": "KVDefinitions", "Controllers": "KVControllers", "Lists": "KVControllers",
        "Formulas": "KVControllers", "Undo": "KVControllers"}
GROUPS = {  # of articles, beside the guides; a folder of Docs, or names
    "The project": "Contract Compatibility Stability Architecture Performance".split(),
    "From other libraries": "Migrating", "Decisions": "Decisions"}
KINDS = "Extended Modules|Classes|Structures|Enumerations|Protocols|Functions|Macros|Operators|Variables|Type Aliases|Articles"
# A link or an image, or code, which has none.
LINK = r"""^```.*?^```|(?P<image>!?)\[(?P<text>(?:`[^`\n]*`|!\[[^\]]*\]\([^)]*\)|[^\[\]`])*)\]\((?P<target>[^)\s]+)\)|`[^`\n]*`"""


class Page:
    """A page of Docs, as an article of a library."""

    def __init__(self, file):
        self.file, self.text, self.folder = file.resolve(), file.read_text(), file.parent.name
        self.name = file.parent.name if file.name == "README.md" else file.stem
        self.library = HOME.get(self.name, "KVBinding")
        self.group = next((title for title, members in GROUPS.items() if self.folder == members or self.name in members), "Guides")
        self.address = f"/documentation/{self.library}/{self.name}".lower()

    def anchor(self, slug):
        """The fragment by which docc knows the heading that GitHub knows by another one."""
        for heading in re.findall(r"^#{2,6} (.*?)\s*$", re.sub(r"^```.*?^```", "", self.text, flags=re.M | re.S), re.M):
            heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
            if re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") == slug:
                return "#" + re.sub(r"\s+", "-", re.sub(r"['’\"]", "", heading))
        sys.exit(f"{self.file}: no heading has the anchor #{slug}")

    def article(self, pages):
        """The text with the links of the site."""
        def link(match):
            text, target = match["text"], match["target"]
            if not target or re.match(r"https?:", target):
                return match[0]
            path, _, slug = target.partition("#")
            file = (self.file.parent / path).resolve() if path else self.file
            if match["image"]:  # docc finds it by its name
                return f"![{text}]({file.name})"
            if not (other := pages.get(file)):
                return text
            fragment = other.anchor(slug) if slug else ""
            if other.library != self.library:  # docc drops the dot itself in a link that it resolves
                return f"[{text.removesuffix('.md')}]({other.address}{fragment.replace('·', '')})"
            reference = f"doc:{other.name}{fragment}"
            return f"<{reference}>" if text == file.name and not slug else f"[{text.removesuffix('.md')}]({reference})"

        return re.sub(LINK, link, self.text, flags=re.M | re.S)


def write_catalogue(library, folder, pages):
    catalogue = folder / f"{library}.docc"
    shutil.copytree(f"Sources/{library}/{library}.docc", catalogue)
    landing = catalogue / f"{library}.md"
    before, topics, after = landing.read_text().partition("## Topics\n")
    others = ", ".join(f"[{page.name}]({page.address})" for page in pages.values()
                       if page.library != library and page.folder == "Docs" and page.group == "Guides")
    mine = [page for page in pages.values() if page.library == library]
    articles = "".join(f"\n### {title}\n\n" + "".join(f"- <doc:{page.name}>\n" for page in mine if page.group == title)
                       for title in ["Guides", *GROUPS] if any(page.group == title for page in mine))
    landing.write_text(f"{before}Guides to the other libraries: {others}.\n\n{topics}{articles}{after}")
    for page in mine:
        (catalogue / f"{page.name}.md").write_text(page.article(pages))
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
    for symbol in graph["symbols"]:
        if symbol["kind"]["identifier"] != "swift.extension":
            known.setdefault(symbol["pathComponents"][0], library)


def convert(library, catalogue, graphs, archives):
    archive = catalogue.with_suffix(".doccarchive")
    result = subprocess.run(
        ["docc", "convert", str(catalogue), "--additional-symbol-graph-dir", str(graphs), "--output-path", str(archive),
         "--hosting-base-path", "swift-key-value", "--transform-for-static-hosting", "--enable-experimental-external-link-support",
         "--fallback-display-name", library, "--fallback-bundle-identifier", library, "--fallback-default-module-kind", "Library",
         "--default-code-listing-language", "swift", "--warnings-as-errors", *[f"--dependency={other}" for other in archives]],
        capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"docc, of {library}:\n{result.stdout}{result.stderr}")
    archives.append(archive)


pages = {page.file: page for page in map(Page, sorted(pathlib.Path("Docs").rglob("*.md")))}
output = pathlib.Path(".build/site")
with tempfile.TemporaryDirectory() as scratch:
    folder, archives, known = pathlib.Path(scratch), [], {}
    for library, graphs in read_graphs(folder / "graphs", "public"):
        for file in graphs:
            link_modules(file, library, known)
        if pathlib.Path("Sources", library, f"{library}.docc").exists():
            convert(library, write_catalogue(library, folder, pages), folder / "graphs" / library, archives)
    shutil.rmtree(output, ignore_errors=True)
    run("docc", "merge", *map(str, archives), "--output-path", str(output), "--synthesized-landing-page-name", "swift-key-value")
    (output / "index.html").write_text('<!doctype html><meta http-equiv="refresh" content="0; url=documentation/">\n')
data = [file for file in output.glob("data/documentation/*.json")]
# docc makes a section of a kind of what is in no group.
if wrong := [f"{file.stem}: in no group: {' '.join(group['identifiers'])}" for file in data
             for group in json.loads(file.read_text()).get("topicSections", []) if re.fullmatch(KINDS, group.get("title", "Articles"))]:
    sys.exit("\n".join(wrong))
print(f"{output}: {len(list(output.glob('data/**/*.json')))} pages, {len(pages)} of them from Docs; every symbol is in a group")
