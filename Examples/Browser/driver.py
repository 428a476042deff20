"""Drives headless Chromium by chromedriver, with the standard library only."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 60  # seconds; a machine that does other work lets a page wait
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Right": "\ue014", "Left": "\ue012", "Down": "\ue015", "Up": "\ue013",
        "End": "\ue010", "Home": "\ue011", "PageDown": "\ue00f", "PageUp": "\ue00e", "Space": " ",
        "Escape": "\ue00c", "Delete": "\ue017", "Insert": "\ue016", "F2": "\ue032"}


given_ports = set()


def free_port():
    """A port that nobody listens on, and that was not given before: stories run beside each other."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port not in given_ports:
            given_ports.add(port)
            return port


class Browser:
    """A browser with windows; `js` and the rest act on the current one."""

    def __init__(self, width=1200, height=900, dark=False):
        self.script = None
        self.port = free_port()
        self.profile = tempfile.mkdtemp(prefix="kv-studio-")
        self.process = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                if self.call("GET", "/status", root=True)["ready"]:
                    break
            except OSError:
                time.sleep(0.1)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "--no-first-run"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"args": arguments, "binary": shutil.which("chromium") or shutil.which("chromium-browser")}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}, root=True)
        self.session = session["sessionId"]

    def call(self, method, path, body=None, root=False):
        address = f"http://127.0.0.1:{self.port}" + ("" if root else f"/session/{self.session}") + path
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(address, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def js(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def new_window(self, address):
        handle = self.call("POST", "/window/new", {"type": "window"})["handle"]
        self.switch(handle)
        self.open(address)
        return handle

    def window(self):
        return self.call("GET", "/window")

    def switch(self, handle):
        self.call("POST", "/window", {"handle": handle})

    def close_window(self):
        self.call("DELETE", "/window")

    def element(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.element(selector)}/click")

    def fill(self, selector, text, *after):
        """Replaces the text of a field as a user would, in one go, and presses keys."""
        self.js("const e = document.querySelector(arguments[0]); e.focus(); e.select();", selector)
        self.keys(text, *(after or ("Tab",)))

    def keys(self, *names):
        """Presses keys one after the other, where the focus is."""
        actions = []
        for name in names:
            key = KEYS.get(name, name)
            for character in (key if name not in KEYS else [key]):
                actions += [{"type": "keyDown", "value": character}, {"type": "keyUp", "value": character}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def held(self, modifier, *names):
        """Presses keys one after the other while a modifier is held."""
        actions = [{"type": "keyDown", "value": modifier}]
        for name in names:
            actions += [{"type": kind, "value": KEYS.get(name, name)} for kind in ("keyDown", "keyUp")]
        actions.append({"type": "keyUp", "value": modifier})
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def shift(self, *names):
        self.held("\ue008", *names)

    def control(self, *names):
        self.held("\ue009", *names)

    def alt(self, *names):
        self.held("\ue00a", *names)

    def focus(self, selector, selects=False):
        self.js("const e = document.querySelector(arguments[0]); e.focus(); if (arguments[1]) e.select()", selector, selects)

    def press(self, selector, shift=False):
        """Clicks an element, also one that is out of view."""
        self.js("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, "
                "shiftKey: arguments[1]}))", selector, shift)

    def choose(self, selector, value):
        self.js("const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))",
                selector, value)

    def scroll(self, selector, top):
        self.js("document.querySelector(arguments[0]).scrollTop = arguments[1]", selector, top)

    def enter_frame(self, number):
        self.call("POST", "/frame", {"id": number})

    def before_load(self, script):
        """Runs a script before those of each page that is opened from now on, in place of a former one."""
        if self.script:
            self.call("POST", "/goog/cdp/execute", {"cmd": "Page.removeScriptToEvaluateOnNewDocument", "params": self.script})
        self.script = self.call(
            "POST", "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}})

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent", selector)

    def value(self, selector):
        return self.js("return document.querySelector(arguments[0])?.value", selector)

    def wait(self, what, script, *arguments):
        """Waits until a script returns something true, and returns it."""
        end = time.time() + PATIENCE
        while True:
            found = self.js(script, *arguments)
            if found:
                return found
            if time.time() > end:
                raise AssertionError(f"waited in vain for {what}")
            time.sleep(0.05)

    def wait_text(self, selector, expected):
        self.wait(
            f"{expected!r} in {selector}, where there is {self.text(selector)!r}",
            "return document.querySelector(arguments[0])?.textContent.includes(arguments[1])", selector, expected)

    def wait_value(self, selector, expected):
        self.wait(f"{expected!r} as the value of {selector}",
                  "return document.querySelector(arguments[0]).value === arguments[1]", selector, expected)

    def wait_count(self, selector, count):
        self.wait(f"{count} of {selector}", "return document.querySelectorAll(arguments[0]).length === arguments[1]", selector, count)

    def wait_attribute(self, selector, name, expected):
        self.wait(f"{name} of {selector} to be {expected}",
                  "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) === arguments[2]", selector, name, expected)

    def wait_focus(self, name):
        self.wait(f"the focus at {name}", "return document.activeElement.id === arguments[0]", name)

    def resize(self, width, height):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def scheme(self, name):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": name}]}})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def errors(self):
        """The errors that the console has shown since the last call."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def quit(self):
        try:
            self.call("DELETE", "")
        except (OSError, AssertionError):
            pass
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Studio:
    """The server `kv studio`, as a process."""

    def __init__(self, kv, *arguments, port=None, token="a-token-for-the-suite", directory=None):
        self.kv, self.arguments, self.token = kv, arguments, token
        self.port = port or free_port()
        self.directory = directory
        self.errors = tempfile.TemporaryFile("w+")
        self.start()

    def start(self):
        # Few descriptors are enough, and show whether a lack of them is survived.
        program = ["bash", "-c", 'ulimit -n 48; exec "$@"', "kv", self.kv, "studio", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*program, *self.arguments], stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=self.directory, env={**os.environ, "KV_STUDIO_TOKEN": self.token})
        self.address = self.process.stdout.readline().strip()
        assert self.address == f"http://127.0.0.1:{self.port}/?token={self.token}", self.address

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read()

    def restart(self, *arguments):
        """Starts anew with other files."""
        self.stop()
        self.arguments = arguments
        self.start()

    def stop(self):
        self.process.kill()
        self.process.wait()
