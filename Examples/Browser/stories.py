"""What the stories of `kv studio` share: a server, a browser, and the steps that many of them take."""

import json
import os
import time
import urllib.request

from driver import Studio  # noqa: F401

SLIDE = """
const slider = document.querySelector(arguments[0]);
for (const value of arguments[1]) { slider.value = value; slider.dispatchEvent(new Event("input")); }
slider.dispatchEvent(new Event("change"));
"""


def connected(browser):
    browser.wait_text("#status", "Connected")


def slide(browser, slider, *values):
    browser.js(SLIDE, slider, values)


def refuses(*answers):
    """Says which answers of the server a story causes: "path status", with "?" if it may. The console shows no other errors."""
    def mark(story):
        story.answers = set(answers)
        return story
    return mark


class Stories:
    def __init__(self, studio, browser, screenshots):
        self.studio, self.browser, self.screenshots = studio, browser, screenshots

    def keep(self, name, width=900, height=640, scheme="light"):
        if self.screenshots:
            self.browser.resize(width, height)
            self.browser.scheme(scheme)
            self.browser.js("window.scrollTo(0, 0)")
            time.sleep(0.4)
            self.browser.screenshot(os.path.join(self.screenshots, f"studio-{name}.png"))
            self.browser.resize(1200, 900)
            self.browser.scheme("light")

    def start(self, part):
        self.browser.open("about:blank")
        self.browser.open(f"{self.studio.address}#{part}")
        connected(self.browser)

    def open_window(self, part):
        """Opens a second window, and returns its name."""
        name = self.browser.new_window(f"{self.studio.address}#{part}")
        connected(self.browser)
        return name

    def close_window(self, other):
        """Closes the window, and goes on in another one."""
        self.browser.close_window()
        self.browser.switch(other)

    def open_definitions(self):
        self.browser.fill("#documentName", "package:ColorPicker.json", "Enter")
        self.browser.wait_count("#definitionList li", 6)

    def warns_before_leaving(self):
        return self.browser.js("const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); "
                               "return e.defaultPrevented")

    def check_names(self, part):
        """Whatever takes the keyboard has a name for screen readers."""
        names = self.browser.js(
            "return [...document.querySelectorAll(`${arguments[0]} :is(input, select, button, [role=listbox], [role=tab], [role=grid], [role=tree], [role=treeitem])`)]"
            ".filter(e => !(e.labels?.length || e.ariaLabel || e.getAttribute('aria-label') || e.textContent.trim()))"
            ".map(e => e.id)", part)
        assert names == [], f"without a name for screen readers: {names}"

    def request(self, path, body, window=None, number=None, headers=None):
        fields = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.studio.port}",
                  "Authorization": f"Bearer {self.studio.token}"}
        if window:
            fields.update({"X-Window": window, "X-Request": str(number)})
        fields.update(headers or {})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.studio.port}{path}", data=json.dumps(body).encode(), headers=fields)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
