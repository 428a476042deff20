#!/usr/bin/env python3
"""The stories of `kv studio` in headless Chromium.

Usage: suite.py PATH-TO-kv [--screenshots DIRECTORY] [STORY…]. Needs chromium, chromedriver and the standard library of Python.
"""

import json
import os
import re
import sys
import tempfile
import traceback

from driver import Browser, Studio
from stories_editor import EditorStories
from stories_programs import ProgramStories
from stories_server import ServerStories
from stories_table import TableStories

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures")


class AllStories(EditorStories, ProgramStories, ServerStories, TableStories):
    pass


def check_console(errors, answers):
    """The console shows refused requests, too: those that the story causes, and no other error."""
    seen, faults = set(), []
    for error in errors:
        refused = re.search(r"http://[^/]+/([^? ]*)\S* - Failed to load resource: the server responded with a status of (\d+)", error)
        answer = f"{refused[1]} {refused[2]}" if refused else "lost" if "net::ERR_" in error else None
        answer = "worker" if "Failed to fetch a worker script" in error else answer
        seen.add(answer)
        if answer not in answers and f"{answer}?" not in answers:
            faults.append(error)
    assert not faults, faults
    missing = {answer for answer in answers - seen if not answer.endswith("?")}
    assert not missing, f"the console does not show {missing}"


def main():
    arguments = sys.argv[1:]
    screenshots = None
    if "--screenshots" in arguments:
        place = arguments.index("--screenshots")
        screenshots = os.path.abspath(arguments[place + 1])
        os.makedirs(screenshots, exist_ok=True)
        del arguments[place:place + 2]
    wanted = arguments[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        for name in ("shop.json", "bindings.json"):
            with open(os.path.join(FIXTURES, name), encoding="utf8") as source:
                with open(os.path.join(directory, name), "w", encoding="utf8") as copy:
                    copy.write(source.read())
        files = {
            "hostile.json": {"name": "<img src=x onerror='window.hit = 1'>", "</script><script>window.hit=1</script>": 1},
            "faulty.json": {"version": 1, "bindings": [
                {"sourceKeyPath": "rde", "pathToTarget": "redSlider", "targetKeyPath": "value", "direction": "twoWay"}]},
        }
        for name, content in files.items():
            with open(os.path.join(directory, name), "w", encoding="utf8") as file:
                json.dump(content, file)
        for story in [name for name in dir(AllStories) if name.startswith("story_")]:
            if wanted and story[6:] not in wanted:
                continue
            studio = Studio(os.path.abspath(arguments[0]), "shop.json", "hostile.json", directory=directory)
            browser = Browser()
            try:
                stories = AllStories(studio, browser, screenshots)
                getattr(stories, story)()
                check_console(browser.errors(), getattr(getattr(AllStories, story), "answers", set()))
                print(f"passed: {story[6:]}: {getattr(AllStories, story).__doc__}", flush=True)
            except Exception:  # noqa: BLE001
                failures += 1
                print(f"FAILED: {story[6:]}: {getattr(AllStories, story).__doc__}", flush=True)
                traceback.print_exc()
            finally:
                browser.quit()
                studio.stop()
    if failures:
        sys.exit(f"{failures} stories failed")


main()
