#!/usr/bin/env python3
"""The stories of `kv studio` in headless Chromium.

Usage: suite.py PATH-TO-kv [--screenshots DIRECTORY] [STORY…]. Needs chromium, chromedriver and the standard library of Python.
"""

import concurrent.futures
import contextlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import traceback

from driver import Browser, Studio
from stories_editor import EditorStories
from stories_outline import OutlineStories
from stories_programs import ProgramStories
from stories_server import ServerStories
from stories_table import TableStories

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures")


class AllStories(EditorStories, OutlineStories, ProgramStories, ServerStories, TableStories):
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


def write_documents(directory):
    for name in ("shop.json", "bindings.json"):
        shutil.copyfile(os.path.join(FIXTURES, name), os.path.join(directory, name))
    files = {
        "hostile.json": {"name": "<img src=x onerror='window.hit = 1'>", "</script><script>window.hit=1</script>": 1},
        "faulty.json": {"version": 1, "bindings": [
            {"sourceKeyPath": "rde", "pathToTarget": "redSlider", "targetKeyPath": "value", "direction": "twoWay"}]},
    }
    for name, content in files.items():
        with open(os.path.join(directory, name), "w", encoding="utf8") as file:
            json.dump(content, file)


def run(name, kv, screenshots):
    """Runs a story with documents, a server and a browser of its own. Returns its outcome, and what is to be printed."""
    story = getattr(AllStories, name)
    text = f"{name[6:]}: {story.__doc__}"
    studio = None
    try:
        with contextlib.ExitStack() as ends:
            directory = ends.enter_context(tempfile.TemporaryDirectory())
            write_documents(directory)
            studio = Studio(kv, "shop.json", "hostile.json", directory=directory)
            ends.callback(studio.stop)
            browser = Browser()
            ends.callback(browser.quit)
            story(AllStories(studio, browser, screenshots))
            check_console(browser.errors(), getattr(story, "answers", set()))
        return "passed", f"passed: {text}"
    except Exception:  # noqa: BLE001
        # The program is stopped by a signal that it cannot handle: what else ends it is a fault.
        ended = studio is not None and studio.process.poll() not in (None, -signal.SIGKILL)
        said = studio.error_text() if studio else ""
        return "ended" if ended else "failed", f"FAILED: {text}\n{traceback.format_exc()}{said}"


def main():
    arguments = sys.argv[1:]
    screenshots = None
    if "--screenshots" in arguments:
        place = arguments.index("--screenshots")
        screenshots = os.path.abspath(arguments[place + 1])
        os.makedirs(screenshots, exist_ok=True)
        del arguments[place:place + 2]
    kv, wanted = os.path.abspath(arguments[0]), arguments[1:]
    names = [name for name in dir(AllStories) if name.startswith("story_")]
    unknown = set(wanted) - {name[6:] for name in names}
    if unknown:
        sys.exit(f"there is no story {', '.join(sorted(unknown))}; the stories are {', '.join(name[6:] for name in names)}")
    failed, failures = [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        stories = {pool.submit(run, name, kv, screenshots): name for name in names if not wanted or name[6:] in wanted}
        for story in concurrent.futures.as_completed(stories):
            outcome, text = story.result()
            if outcome == "failed":
                failed.append(stories[story])
            failures += outcome == "ended"
            print(text, flush=True)
    # A machine that does much else can starve a browser: what fails twice is no such accident.
    for name in failed:
        outcome, text = run(name, kv, screenshots)
        failures += outcome != "passed"
        print(f"again, alone: {text}", flush=True)
    if failures:
        sys.exit(f"{failures} stories failed twice, or ended the program")


main()
