"""Makes a package of the sources and of some folders of tests, .build/NAME: python3 .ci/subset.py NAME FOLDER…

Without it, a first change and a variant would build all tests. FOLDER is a folder of Tests, such as KVCoreTests/Operators:
`swift test --package-path .build/NAME` builds and runs these only, with the folder Models of each target.
"""
import pathlib
import re
import shutil
import subprocess
import sys

name, *folders = sys.argv[1:]
package, manifest = pathlib.Path(".build", name).resolve(), pathlib.Path("Package.swift").read_text()
targets = {folder.split("/")[0] for folder in folders}
models = [f"Tests/{target}/Models" for target in targets.difference(folders) if pathlib.Path("Tests", target, "Models").is_dir()]
shared = re.findall(r'\.target\(.*path: "(Tests/\w+)"', manifest)
for part in ("Sources", "Tests"):  # what has been built stays
    shutil.rmtree(package / part, ignore_errors=True)
# Tests quote Docs.
for link in {"Docs", *(f"Tests/{folder}" for folder in folders), *models, *shared, *map(str, pathlib.Path().glob("Sources/*"))}:
    if not pathlib.Path(link).is_dir():
        sys.exit(f"there is no folder {link}")
    package.joinpath(link).parent.mkdir(parents=True, exist_ok=True)
    package.joinpath(link).unlink(missing_ok=True)
    package.joinpath(link).symlink_to(pathlib.Path(link).resolve())
package.joinpath("Package.swift").write_text(re.sub(r'^ *\.testTarget\(\s*name: "(\w+)".*?\),\n', lambda match: match[0] if match[1] in targets
                                                    else "", manifest, flags=re.M | re.S))
subprocess.run(["swift", "package", "describe", "--package-path", str(package)], check=True, stdout=subprocess.DEVNULL)
