#!/usr/bin/env python3
"""The stories of `kv studio` in headless Chromium.

Usage: suite.py PATH-TO-kv [--screenshots DIRECTORY]. Needs chromium, chromedriver and the standard library of Python.
"""

import http.server
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

from driver import Browser, Studio

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures")
SLIDE = """
const slider = document.querySelector(arguments[0]);
for (const value of arguments[1]) { slider.value = value; slider.dispatchEvent(new Event("input")); }
slider.dispatchEvent(new Event("change"));
"""

CONTRAST = """
const number = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (rgb) => {
  const [r, g, b] = rgb.map((part) => part / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (first, second) => {
  const [a, b] = [light(first), light(second)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const color = number(getComputedStyle(e).backgroundColor);
    if (color[3] !== 0) return color.slice(0, 3);
  }
  return [255, 255, 255];
};
const faults = [];
for (const element of document.querySelectorAll("body *")) {
  if (!element.checkVisibility() || element.disabled || element.closest(".visually-hidden, .skip, svg")) continue;
  const style = getComputedStyle(element);
  const check = (what, color, other, least) => {
    const found = ratio(number(color).slice(0, 3), other);
    if (found < least) faults.push(`${element.tagName}#${element.id}.${element.className} ${what} ${found.toFixed(2)}`);
  };
  if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) check("text", style.color, ground(element), 4.5);
  if (element.matches("input:not([type=range]), select, button:not([role=tab]):not(.link)") && style.borderTopWidth !== "0px") {
    check("edge", style.borderTopColor, ground(element.parentElement), 3);
  }
}
return faults;
"""


def connected(browser):
    browser.wait_text("#status", "Connected")


def slide(browser, slider, *values):
    browser.js(SLIDE, slider, values)


def show_root(browser, name):
    browser.wait(f"the object {name}", "return [...document.querySelector('#root').options].some(o => o.value === arguments[0])",
                 name)
    browser.js("const r = document.querySelector('#root'); r.value = arguments[0]; r.dispatchEvent(new Event('change'))", name)


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

    def story_picker(self):
        """Sliders, the hex field, the swatch and the label follow one model, and so does a second window."""
        b = self.browser
        self.start("picker")
        assert b.js("return location.href").endswith("/#picker"), "the token is still in the address"
        slide(b, "#redSlider", 0.1, 0.5, 1)
        slide(b, "#greenSlider", 0.8)
        b.wait_value("#hexField", "#FFCC00")
        b.wait_text("#titleLabel", "Bright")
        assert b.js("return getComputedStyle(document.querySelector('#swatch')).backgroundColor") == "rgb(255, 204, 0)"
        first = b.window()
        b.new_window(self.studio.address)
        connected(b)
        b.wait_value("#hexField", "#FFCC00")
        b.fill("#hexField", "#08f", "Enter")
        b.wait_value("#hexField", "#0088FF")
        b.wait("the slider of the same window", "return document.querySelector('#blueSlider').value === '1'")
        second = b.window()
        b.switch(first)
        b.wait_value("#hexField", "#0088FF")
        b.wait("the slider of the other window", "return document.querySelector('#redSlider').value === '0'")
        slide(b, "#redSlider", *[step / 100 for step in range(0, 51)])
        b.wait_value("#hexField", "#8088FF")
        assert b.value("#redSlider") == "0.5"
        b.switch(second)
        b.wait_value("#hexField", "#8088FF")
        b.close_window()
        b.switch(first)
        b.fill("#hexField", "lilac", "Enter")
        b.wait_text("#hexProblem", '"lilac" is no colour')
        assert b.value("#redSlider") == "0.5"
        b.fill("#hexField", "#D2691E", "Enter")
        b.wait_text("#titleLabel", "Dark")
        assert b.text("#hexProblem") == ""
        self.keep("picker")
        self.keep("phone", 390, 844, "dark")

    def story_files(self):
        """The original format binds what it did; a file with faults is refused with each of them."""
        b = self.browser
        self.start("picker")
        choose = "const s = document.querySelector('#bindingFile'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))"
        b.js(choose, "package:ColorPicker.ilabs-bindings")
        b.wait("five definitions", "return document.querySelectorAll('#definitions li').length === 5")
        b.wait("no hex field", "return document.querySelector('#hexField').disabled")
        slide(b, "#greenSlider", 1)
        b.wait("the swatch", "return document.querySelector('#swatch').style.background.includes(', 255,')")
        b.fill("#fileName", "faulty.json", "Enter")
        b.wait_text("#fileProblem", "faulty.json has 1 fault")
        b.wait_text("#fileProblem", 'Did you mean "red"?')
        b.fill("#fileName", "../secret.json", "Enter")
        b.wait_text("#fileProblem", "not below the directory")
        b.click("#unbind")
        b.wait("no definitions", "return document.querySelectorAll('#definitions li').length === 0")
        b.js(choose, "package:ColorPicker.json")
        b.wait("six definitions", "return document.querySelectorAll('#definitions li').length === 6")

    def story_editor(self):
        """Definitions are opened, edited, undone, run in the colour picker and saved; nothing is lost unasked."""
        b = self.browser
        self.start("editor")
        b.fill("#documentName", "package:ColorPicker.json", "Enter")
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        b.click("#run")
        b.wait("the run", "return document.querySelector('#run').getAttribute('aria-pressed') === 'true'")
        first = b.window()
        b.new_window(f"{self.studio.address}#picker")
        connected(b)
        slide(b, "#redSlider", 0.25)
        b.wait_value("#hexField", "#400000")
        second = b.window()
        b.switch(first)
        b.wait_value("#field-sourceKeyPath", "red")
        b.js("document.querySelector('#field-sourceKeyPath').focus()")
        b.wait("completions", "return [...document.querySelector('#completions').options].some(o => o.value === 'hex')")
        b.fill("#field-transformerName", "oneMinu")
        b.wait_text("#problem-transformerName", 'neMinus"?')
        b.wait_text("#definitionList li", "1 fault")
        self.keep("editor", 900, 760)
        b.fill("#field-transformerName", "oneMinus")
        b.wait_text("#documentState", "unsaved changes")
        b.wait("no fault", "return !document.querySelector('#problem-transformerName').textContent")
        b.switch(second)
        b.wait("the other slider", "return document.querySelector('#redSlider').value === '0.75'")
        b.switch(first)
        b.wait_text("#undo", "Undo Change transformer name")
        b.click("#undo")
        b.wait("the undo", "return document.querySelector('#field-transformerName').value !== 'oneMinus'")
        b.click('[data-action="duplicate"]')
        b.wait("seven definitions", "return document.querySelectorAll('#definitionList li').length === 7")
        b.wait("the focus", "return document.activeElement.id === 'field-key'")
        b.fill("#field-key", "green")
        b.wait_text("#definitionList li:nth-child(3)", "1 fault")
        b.click('[data-action="down"]')
        b.wait("the move", "return document.querySelectorAll('#definitionList li')[2].getAttribute('aria-selected') === 'true'")
        b.click('[data-action="remove"]')
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        b.fill("#field-fallback", "0.5")
        b.wait_text("#documentState", "unsaved changes")
        b.fill("#documentName", "shop.json", "Enter")
        b.wait_text("#editorProblem", "unsaved changes")
        b.click("#confirmNo")
        b.fill("#documentName", "package:ColorPicker.json")
        b.click("#saveDocument")
        b.wait_text("#editorProblem", "belongs to the package")
        b.fill("#documentName", "bindings.json")
        b.click("#saveDocument")
        b.wait_text("#editorProblem", "already")
        b.click("#confirmNo")
        b.fill("#documentName", "mine.json")
        b.click("#saveDocument")
        b.wait_text("#documentState", "mine.json: 6 definitions")
        with open(os.path.join(self.studio.directory, "mine.json"), encoding="utf8") as file:
            saved = json.load(file)
        assert len(saved["bindings"]) == 6 and any(item.get("fallback") == 0.5 for item in saved["bindings"]), saved
        assert not b.js("const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented")
        b.fill("#field-fallback", "0.25")
        b.wait_text("#documentState", "unsaved changes")
        assert b.js("const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented")
        b.click("#undo")
        b.wait("the saved state", "return !document.querySelector('#documentState').textContent.includes('unsaved')")
        b.switch(second)
        b.close_window()
        b.switch(first)

    def story_keyboard(self):
        """The keyboard alone suffices: tabs, a slider, the hex field, the rows of the list."""
        b = self.browser
        b.open(self.studio.address)
        connected(b)
        b.wait_text("#titleLabel", "Black")
        focus = "return document.activeElement.id || document.activeElement.className"
        b.keys("Tab")
        assert b.js(focus) == "skip", b.js(focus)
        b.keys("Tab")
        assert b.js(focus) == "tab-picker", b.js(focus)
        b.keys("Tab")
        assert b.js(focus) == "redSlider", b.js(focus)
        b.keys("End")
        b.wait_value("#hexField", "#FF0000")
        b.keys("Left", "Left")
        b.wait_value("#hexField", "#FA0000")
        b.keys("Tab", "Tab", "Tab")
        assert b.js(focus) == "hexField", b.js(focus)
        b.js("document.activeElement.select()")
        b.keys("#fff", "Enter")
        b.wait_text("#titleLabel", "White")
        b.js("document.querySelector('#tab-picker').focus()")
        b.keys("Right")
        assert b.js(focus) == "tab-editor", b.js(focus)
        b.keys("Right")
        assert b.js(focus) == "tab-people", b.js(focus)
        b.wait("the cells", "return document.querySelectorAll('.cell').length > 5")
        b.keys("Tab", "Tab")
        assert b.js(focus) == "list", b.js(focus)
        b.keys("Down", "Down", "PageDown", "End")
        b.wait("the last row", "return document.querySelector('#row-999')?.getAttribute('aria-selected') === 'true'")
        assert b.js("return document.querySelector('#list').getAttribute('aria-activedescendant')") == "row-999"
        b.keys("Home")
        b.wait_value("#personName", "Alex Rawss")
        names = b.js("return [...document.querySelectorAll('input, select, button, [role=listbox], [role=tab]')]"
                     ".filter(e => !(e.labels?.length || e.ariaLabel || e.getAttribute('aria-label') || e.textContent.trim()))"
                     ".map(e => e.id)")
        assert names == [], f"without a name for screen readers: {names}"

    def story_people(self):
        """A few cells show a thousand people: they are used again, follow their person, and can be edited."""
        b = self.browser
        self.start("people")
        b.wait("the cells", "return document.querySelector('#row-0 .name')?.textContent === 'Alex Rawss'")
        for top in [0, 1000, 20000, 63000, 500]:
            b.js("document.querySelector('#list').scrollTop = arguments[0]", top)
            b.wait(f"the rows at {top}", "return document.querySelector(`#row-${Math.ceil(arguments[0] / 64)} .text`)", top)
        rows = b.js("return [...document.querySelectorAll('.cell:not([hidden])')].map(c => [+c.dataset.row, "
                    "c.querySelector('.text').textContent, c.querySelector('progress').value])")
        for number, text, fraction in rows:
            assert text == f"In progress: {number * 37 % 101} %" and abs(fraction - number * 37 % 101 / 100) < 1e-9, text
        assert b.js("return document.querySelectorAll('.cell').length") <= 25
        b.js("document.querySelector('#list').scrollTop = 0")
        b.wait("row 2", "return document.querySelector('#row-2')")
        b.click("#row-2")
        b.wait("the selection", "return !document.querySelector('#personName').disabled")
        b.fill("#personName", "<b>Grace</b> Hopper")
        b.wait("the name as text", "return document.querySelector('#row-2 .name').textContent === '<b>Grace</b> Hopper'")
        assert b.js("return document.querySelector('#row-2 .name').children.length") == 0
        b.fill("#personProgress", "150")
        b.wait_text("#personProblem", "from 0 to 100")
        b.fill("#personName", "Grace Hopper")
        b.wait("the name", "return document.querySelector('#row-2 .name').textContent === 'Grace Hopper'")
        before = b.text("#row-1 .text") + b.text("#row-3 .text") + b.text("#row-5 .text")
        b.click("#work")
        b.wait("their progress", "return ['#row-1', '#row-3', '#row-5'].map(r => document.querySelector(r + ' .text')"
               ".textContent).join('') !== arguments[0]", before)
        self.keep("people")
        b.click("#work")
        b.wait("the rest", "return document.querySelector('#work').getAttribute('aria-pressed') === 'false'")

    def start_table(self):
        """Opens the survey, which is shown if no document has a list."""
        self.studio.restart()
        self.start("table")
        self.browser.wait("the rows", "return document.querySelectorAll('.grid-row[data-id]').length > 5", seconds=60)

    def rows(self):
        return self.browser.js(
            "return [...document.querySelectorAll('.grid-row[data-id]')].sort((a, b) => a.dataset.index - b.dataset.index)"
            ".map(r => [+r.dataset.index, [...r.children].map(c => c.textContent)])")

    def cell(self, key):
        return self.browser.value(f"#cell-{key}")

    def story_table(self):
        """100,000 rows: scrolled, sorted, filtered, grouped, edited, undone, and changed by the program."""
        b = self.browser
        self.start_table()
        b.wait_text("#tableCount", "100,000 rows")
        assert b.js("return document.querySelector('#grid').getAttribute('aria-rowcount')") == "100001"
        for top in (0, 320, 1600000, 3199000, 64000):
            b.js("document.querySelector('#grid').scrollTop = arguments[0]", top)
            b.wait(f"the rows at {top}", "return document.querySelector(`.grid-row[data-index='${Math.ceil(arguments[0] / 32)}']`)",
                   top)
        assert b.js("return document.querySelectorAll('.grid-row').length") < 60
        head = "#gridHead div:nth-child({}) button"
        b.click(head.format(3))
        b.wait("the order", "return document.querySelector('#gridHead :nth-child(3)').getAttribute('aria-sort') === 'ascending'", seconds=60)
        b.js("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true}))", head.format(1))
        b.wait_text(head.format(1), "Name ▲ 2", seconds=60)
        b.js("document.querySelector('#grid').scrollTop = 0")
        b.wait("ancient languages", "return document.querySelector('.grid-row[data-index=\"0\"] :nth-child(3)')?.textContent === 'Ancient'")
        # A filter with a fault, with one that reads too much, and a good one.
        b.fill("#tableFilter", "speakers > AND", "Enter")
        b.wait_text("#filterProblem", "expected an expression")
        assert b.text("#filterProblem").splitlines()[1:] == ["speakers > AND", " " * 11 + "^"], b.text("#filterProblem")
        assert b.js("return [document.activeElement.id, document.activeElement.selectionStart]") == ["tableFilter", 11]
        b.fill("#tableFilter", "nam == 'x'", "Enter")
        b.wait_text("#filterProblem", 'Did you mean "name"?')
        b.fill("#tableFilter", "speakers > 1000000 AND name BEGINSWITH 'B'", "Enter")
        b.wait_text("#tableCount", " of 100,000 rows", seconds=60)
        assert b.text("#filterProblem") == ""
        for _, cells in self.rows():
            assert cells[0].startswith("B") and int(cells[4]) > 1000000, cells
        b.js("const s = document.querySelector('#tableGroup'); s.value = 'year'; s.dispatchEvent(new Event('change'))")
        b.wait("the groups", "return document.querySelector('.grid-row.group')?.textContent.startsWith('Year: ')", seconds=60)
        groups = [cells[0] for _, cells in self.rows() if len(cells) == 1]
        b.wait_text("#tableFields .field:nth-child(1)", "Name")
        # Selection and markers.
        field = "return document.querySelector('#cell-name').placeholder"
        assert b.js(field) == "No selection"
        b.click(".grid-row[data-index='1']")
        b.wait("the name", "return document.querySelector('#cell-name').value")
        name = self.cell("name")
        b.js("document.querySelector('.grid-row[data-index=\"4\"]').dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true}))")
        b.wait("several names", f"{field} === 'Multiple values'")
        assert b.text("#tableSelected") == "4 rows" and self.cell("status") == "Living"
        b.click(".grid-row[data-index='0']")
        b.wait("the header", f"{field} === 'Not applicable'")
        assert b.js("return document.querySelector('#cell-name').disabled"), groups
        b.click(".grid-row[data-index='1']")
        b.wait_value("#cell-name", name)
        # An edit that is refused keeps the focus and the row.
        b.fill("#cell-year", "1700")
        b.wait_text("#tableProblem", "Year is a whole number from 1800 to 2100")
        b.wait("the focus", "return document.activeElement.id === 'cell-year'")
        b.click(".grid-row[data-index='3']")
        b.wait("the focus", "return document.activeElement.id === 'cell-year'")
        time.sleep(0.3)
        assert self.cell("year") == "1700" and self.cell("name") == name and "1700" in b.text("#tableProblem")
        b.fill("#cell-year", "2099")
        b.wait_text("#tableUndo", "Undo Change year")
        b.wait("a group at the end", "return [...document.querySelectorAll('.grid-row.group')].some(r => r.textContent === 'Year: 2099 (1)')")
        assert b.text("#tableProblem") == ""
        self.keep("table", 1100, 800)
        b.click("#tableUndo")
        b.wait_text("#tableRedo", "Redo Change year")
        b.wait("the year", "return document.querySelector('#cell-year').value !== '2099'")
        b.fill("#cell-note", "<b>bold</b>")
        b.wait("the text", "return [...document.querySelectorAll('.grid-row > div')].some(c => c.textContent === '<b>bold</b>')")
        assert b.js("return document.querySelectorAll('.grid-row b').length") == 0
        # Removal, insertion, and changes by the program.
        b.click("#tableRemove")
        b.wait_text("#tableCount", "of 99,999 rows")
        b.click("#tableUndo")
        b.wait_text("#tableCount", "of 100,000 rows")
        b.js("const s = document.querySelector('#tableGroup'); s.value = ''; s.dispatchEvent(new Event('change'))")
        b.wait("no groups", "return !document.querySelector('.grid-row.group')", seconds=60)
        b.click("#tableAdd")
        b.wait("the row, though the filter hid it", "return document.querySelector('#cell-name').value === 'New row'", seconds=60)
        b.wait_text("#tableCount", "100,001 rows")
        count = b.text("#tableCount")
        b.click("#tableChange")
        b.wait_text("#tableCount", "100,002 rows")
        b.click("#tableLive")
        b.wait("live changes", "return document.querySelector('#tableLive').getAttribute('aria-pressed') === 'true'")
        b.wait("another number", "return document.querySelector('#tableCount').textContent !== arguments[0]", count)
        time.sleep(2)
        b.click("#tableLive")
        b.wait("the rest", "return document.querySelector('#tableLive').getAttribute('aria-pressed') === 'false'")

    def story_table_windows(self):
        """An edit in one window moves the row in another one, which keeps its place."""
        b = self.browser
        self.start_table()
        b.click("#gridHead div:nth-child(1) button")
        b.wait("the order", "return document.querySelector('#gridHead :nth-child(1)').getAttribute('aria-sort') === 'ascending'", seconds=60)
        first = b.window()
        b.new_window(f"{self.studio.address}#table")
        connected(b)
        b.wait("the rows", "return document.querySelector('.grid-row[data-index=\"0\"][data-id]')", seconds=60)
        assert b.js("return document.querySelector('#gridHead :nth-child(1)').getAttribute('aria-sort')") == "ascending"
        before = self.rows()
        second = b.window()
        b.switch(first)
        b.wait("the rows", "return document.querySelector('.grid-row[data-index=\"2\"][data-id]')")
        assert self.rows()[:8] == before[:8]
        b.click(".grid-row[data-index='2']")
        b.wait_value("#cell-name", before[2][1][0])
        b.fill("#cell-name", "!! first of all", "Enter")
        b.wait("the row", "return document.querySelector('.grid-row[data-index=\"0\"] > div')?.textContent === '!! first of all'")
        b.wait("its selection", "return document.querySelector('.grid-row[data-index=\"0\"]').getAttribute('aria-selected') === 'true'")
        b.switch(second)
        b.wait("the row", "return document.querySelector('.grid-row[data-index=\"0\"] > div')?.textContent === '!! first of all'")
        after = self.rows()
        assert [row[1] for row in after[1:3]] == [row[1] for row in before[:2]] and after[3] == before[3]
        assert b.js("return document.querySelectorAll('[aria-selected=true].grid-row').length") == 0
        # Its place: rows that come above the screen do not move what is on it.
        b.js("document.querySelector('#grid').scrollTop = 640000")
        b.wait("the rows", "return document.querySelector('.grid-row[data-index=\"20003\"][data-id]')")
        shown = [row[1] for row in self.rows()]
        b.switch(first)
        b.click("#tableUndo")
        b.wait("the undo", "return document.querySelector('.grid-row[data-index=\"2\"] > div')?.textContent === arguments[0]", before[2][1][0])
        b.fill("#cell-name", "zzz last", "Enter")
        b.wait_text("#tableUndo", "Undo Change name")
        b.wait("the row is followed", "return document.querySelector('#grid').scrollTop > 3000000")
        place = b.wait("the row", "return document.querySelector('.grid-row[aria-selected=true]')?.dataset.index")
        b.switch(second)
        b.wait("the place", "return document.querySelector('#grid').scrollTop === 640000 - 32")
        assert [row[1] for row in self.rows()][:10] == shown[:10]
        # A value that moves nothing is drawn where it is.
        b.js("document.querySelector('#grid').scrollTop = 32 * arguments[0]", int(place))
        b.wait("the row", "return [...document.querySelectorAll('.grid-row > div')].some(c => c.textContent === 'zzz last')")
        b.switch(first)
        b.fill("#cell-note", "seen by both", "Enter")
        b.switch(second)
        b.wait("the note", "return [...document.querySelectorAll('.grid-row > div')].some(c => c.textContent === 'seen by both')")
        b.close_window()
        b.switch(first)

    def story_table_keyboard(self):
        """The keyboard alone sorts, selects, edits and gives up, removes and undoes."""
        b = self.browser
        self.start_table()
        focus = "return document.activeElement.id || document.activeElement.textContent"
        b.js("document.querySelector('#tab-table').focus()")
        b.keys("Tab")
        assert b.js(focus) == "tableFilter", b.js(focus)
        b.keys("name BEGINSWITH 'Z'", "Enter")
        b.wait_text("#tableCount", " of 100,000 rows", seconds=60)
        b.js("document.querySelector('#grid').focus()")
        b.keys("Tab")
        assert b.js(focus) == "Name", b.js(focus)
        b.keys("Enter")
        b.wait_text("#gridHead :nth-child(1)", "▲", seconds=60)
        b.keys("Enter")
        b.wait_text("#gridHead :nth-child(1)", "▼", seconds=60)
        b.js("document.querySelector('#grid').focus()")
        active = "return document.getElementById(document.querySelector('#grid').getAttribute('aria-activedescendant'))?.dataset.index"
        b.keys("Down")
        b.wait("row 0", f"{active} === '0'")
        b.keys("Down")
        b.wait("row 1", f"{active} === '1'")
        b.keys("End")
        last = int(b.text("#tableCount").split(" ")[0].replace(",", "")) - 1
        b.wait("the last row", f"{active} === '{last}'")
        b.keys("PageUp")
        b.wait("a page before", f"{active} < {last}")
        b.keys("Home")
        b.wait("row 0", f"{active} === '0'")
        name = self.cell("name")
        b.shift("Down", "Down")
        b.wait("three rows", "return document.querySelector('#tableSelected').textContent === '3 rows'")
        b.keys("Home", "Enter")
        b.wait("the field", "return document.activeElement.id === 'cell-name'")
        b.wait_value("#cell-name", name)
        b.js("document.activeElement.select()")
        b.keys(" ", "Enter")
        b.wait_text("#tableProblem", "Name cannot be empty")
        assert b.js(focus) == "cell-name" and b.js("return document.activeElement.getAttribute('aria-invalid')") == "true"
        b.keys("Escape")
        b.wait_value("#cell-name", name)
        b.wait("the table", "return document.activeElement.id === 'grid'")
        b.keys("Delete")
        b.wait_text("#tableUndo", "Undo Remove row")
        b.control("z")
        b.wait_text("#tableRedo", "Redo Remove row")
        names = b.js("return [...document.querySelectorAll('#table :is(input, select, button, [role=grid])')]"
                     ".filter(e => !(e.labels?.length || e.ariaLabel || e.getAttribute('aria-label') || e.textContent.trim()))"
                     ".map(e => e.id)")
        assert names == [], f"without a name for screen readers: {names}"

    def story_inspector(self):
        """Keys, observers and bindings of objects; a trace with filter and pause; the graph; edits by key path."""
        b = self.browser
        self.start("inspector")
        b.wait_text("#inspected", "KVRecord")
        assert "(read-only)" in b.text("#inspected")
        assert b.js("return document.querySelectorAll('#keys input').length") == 0
        show_root(b, "Colour picker")
        b.wait_text("#inspected", "ColorPicker")
        b.wait_text("#bindings", "ColorPicker.red ⇄ Slider.value")
        b.wait_text("#bindings", "PickerWindow.swift:")
        b.click("#trace")
        b.wait_text("#trace", "Pause")
        field = "#keys tbody tr:first-child input"
        b.fill(field, "0.25")
        b.wait_text("#lines", "ColorPicker.red")
        b.fill(field, "7")
        b.wait_text("#keys", "A part of a colour is a number from 0 to 1.")
        b.fill(field, "0.5")
        b.fill("#filter", "nothing like this")
        b.wait("no line", "return document.querySelectorAll('#lines li').length === 0")
        b.fill("#filter", "hex")
        b.wait("some lines", "return document.querySelectorAll('#lines li').length > 0")
        assert b.js("return [...document.querySelectorAll('#lines li')].every(l => l.textContent.includes('hex'))")
        b.js("const f = document.querySelector('#filter'); f.value = ''; f.dispatchEvent(new Event('input'))")
        b.click("#draw")
        b.wait("the drawing", "return document.querySelector('#graph img')?.naturalWidth > 300")
        b.wait("the graph as text", "return document.querySelector('#graphText pre').textContent.includes('⇄')")
        b.js("window.scrollTo(0, 0)")
        self.keep("inspector", 760, 1040)
        b.click("#trace")
        b.wait_text("#trace", "Start")
        time.sleep(0.3)
        count = b.js("return document.querySelectorAll('#lines li').length")
        b.fill(field, "0.75")
        time.sleep(0.5)
        assert b.js("return document.querySelectorAll('#lines li').length") == count
        show_root(b, "People")
        b.wait_text("#inspected", "People")
        b.fill("#path", "people[2].progress", "Enter")
        b.wait("the number", "return /^\\d+$/.test(document.querySelector('#plain').textContent)")
        b.fill("#path", "people[2].progres", "Enter")
        b.wait_text("#inspectorProblem", 'Did you mean "progress"?')
        b.fill("#path", "people", "Enter")
        b.wait_text("#inspected", "1000 elements")
        b.js("[...document.querySelectorAll('#keys button')].find(e => e.textContent === '[1]').focus(); "
             "document.activeElement.click()")
        b.wait_text("#crumbs", "People › people › [1]")
        name = '[aria-label="Value of name"]'
        b.wait("the name", f"return document.querySelector('{name}')?.value === 'Jess Rawss'")
        # The focus is at the beginning of what is shown; the answer to an edit is the value as it was validated.
        assert b.js("return document.activeElement.id") == "inspected", b.js("return document.activeElement.id")
        b.fill(name, "  Jess   Late ")
        b.wait("the name", f"return document.querySelector('{name}').value === 'Jess Late'")
        # What is typed survives the changes that are shown meanwhile, and so does the place of the focus.
        b.js(f"const e = document.querySelector('{name}'); e.focus(); e.select(); window.field = e")
        b.keys("Jess T")
        self.request("/api/people/edit", {"row": 1, "key": "progress", "value": 3}, self.request("/api/open", {})["window"], 1)
        b.wait("the progress", "return document.querySelector('[aria-label=\"Value of progress\"]').value === '3'")
        b.keys("yped", "Enter")
        b.wait("the name in the program", "return window.field.isConnected && window.field.value === 'Jess Typed'")
        assert b.js("return document.activeElement === window.field")
        # Numbers that move all the time are not read aloud.
        live = "return [...document.querySelectorAll('output')].filter(e => e.id !== 'titleLabel' && e.ariaLive !== 'off').map(e => e.id)"
        assert b.js(live) == [], b.js(live)

    def story_phone(self):
        """No part is wider than a phone, and each can be used in the dark."""
        b = self.browser
        b.resize(390, 844)
        b.scheme("dark")
        for part in ("picker", "editor", "people", "table", "inspector"):
            self.start(part)
            time.sleep(0.5)
            width = b.js("return document.documentElement.scrollWidth")
            assert width <= 390, f"{part} is {width} wide"
            assert b.js("return getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)", part
        b.scheme("light")

    def story_restart(self):
        """A server that dies and returns: the page says so, and begins anew by itself."""
        b = self.browser
        self.start("picker")
        slide(b, "#redSlider", 0.9)
        b.wait("the model", "return document.querySelector('#hexField').value.startsWith('#E6')")
        self.studio.stop()
        b.wait("the loss", "return document.querySelector('#status').dataset.state === 'lost'")
        self.keep("lost", 700, 420)
        self.studio.start()
        b.wait("the return", "return document.querySelector('#status').dataset.state === 'connected'", seconds=30)
        b.wait_value("#hexField", "#000000")
        slide(b, "#greenSlider", 1)
        b.wait_value("#hexField", "#00FF00")
        self.studio.stop()
        self.studio.token = "another-token-of-the-suite"
        self.studio.start()
        b.wait_text("#status", "Open the address that the server has printed", seconds=30)
        assert self.expected_errors(), "the console has shown no error"

    def story_unsaved(self):
        """A new run of the program: the window offers the unsaved document that it still has, and the program warns."""
        b = self.browser
        self.start("editor")
        b.fill("#documentName", "package:ColorPicker.json", "Enter")
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        b.fill("#field-fallback", "0.375")
        b.wait_text("#documentState", "unsaved changes")
        self.studio.process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert "unsaved changes. Press Ctrl-C again" in self.studio.error_text()
        assert self.studio.process.poll() is None
        self.studio.process.send_signal(signal.SIGINT)
        assert self.studio.process.wait(timeout=5) == 0
        b.wait("the loss", "return document.querySelector('#status').dataset.state === 'lost'")
        self.studio.start()
        b.wait_text("#keptText", "still has the unsaved document of before, with 6 definitions", seconds=30)
        assert b.js("return document.querySelectorAll('#definitionList li').length") == 1
        assert b.js("const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented")
        b.click("#restore")
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        b.wait_value("#field-fallback", "0.375")
        b.wait_text("#documentState", "unsaved changes")
        assert b.js("return document.querySelector('#kept').hidden")
        b.click("#undo")
        b.wait_value("#field-fallback", "")
        self.studio.process.send_signal(signal.SIGINT)
        assert self.studio.process.wait(timeout=5) == 0, "nothing is unsaved"

    def story_replace(self):
        """The answer to a question is about the file that was asked about; a change on disk is noticed."""
        b = self.browser
        path = lambda name: os.path.join(self.studio.directory, name)  # noqa: E731
        for name in ("asked.json", "other.json"):
            with open(path(name), "w", encoding="utf8") as file:
                file.write('{"kept": true}')
        self.start("editor")
        b.fill("#documentName", "package:ColorPicker.json", "Enter")
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        b.fill("#documentName", "asked.json")
        b.click("#saveDocument")
        b.wait_text("#editorProblem", "already")
        b.js("document.querySelector('#documentName').value = 'other.json'")
        b.click("#confirmYes")
        b.wait_text("#documentState", "asked.json: 6 definitions")
        with open(path("other.json"), encoding="utf8") as file:
            assert file.read() == '{"kept": true}', "another file is replaced than the one asked about"
        with open(path("asked.json"), "w", encoding="utf8") as file:
            file.write('{"version": 1, "bindings": []}')
        b.fill("#documentName", "asked.json")
        b.click("#saveDocument")
        b.wait_text("#editorProblem", "was changed on disk")
        b.click("#confirmOther")
        b.wait_text("#documentState", "asked.json: 0 definitions")

    def story_conflicts(self):
        """What is typed stays, whatever other windows do meanwhile, and overwrites nothing unasked."""
        b = self.browser
        self.start("editor")
        b.fill("#documentName", "package:ColorPicker.json", "Enter")
        b.wait("six definitions", "return document.querySelectorAll('#definitionList li').length === 6")
        first = b.window()
        second = b.new_window(f"{self.studio.address}#editor")
        connected(b)
        b.switch(first)
        focus = "const e = document.querySelector(arguments[0]); e.focus(); e.select()"
        b.js(focus, "#field-fallback")
        b.keys("0.5")
        b.switch(second)
        b.fill("#field-fallback", "0.25")
        b.wait_text("#documentState", "unsaved changes")
        b.switch(first)
        b.wait_text("#documentState", "unsaved changes")
        b.keys("Tab")
        b.wait_text("#problem-fallback", 'changed to "0.25" meanwhile')
        assert b.value("#field-fallback") == "0.5", "what was typed is gone"
        b.switch(second)
        assert b.value("#field-fallback") == "0.25"
        b.switch(first)
        b.js("document.querySelector('#field-fallback').focus()")
        b.keys("Enter")
        b.wait("no problem", "return !document.querySelector('#problem-fallback').textContent")
        b.switch(second)
        b.wait_value("#field-fallback", "0.5")
        # A definition that another window removes.
        b.switch(first)
        b.js(focus, "#field-key")
        b.keys("mine")
        b.switch(second)
        b.click('[data-action="remove"]')
        b.wait("five definitions", "return document.querySelectorAll('#definitionList li').length === 5")
        b.switch(first)
        b.wait_text("#problem-key", "Another window has removed the definition")
        assert b.value("#field-key") == "mine" and b.js("return document.activeElement.id") == "field-key"
        b.keys("Enter")
        b.wait_text("#problem-key", "not in the document any more")
        assert b.value("#field-key") == "mine" and b.text("#status") == "Connected"
        b.switch(second)
        b.click("#undo")
        b.switch(first)
        b.wait_text("#problem-key", "The definition is back")
        b.keys("Enter")
        b.wait_text("#undo", "Undo Change key")
        assert b.value("#field-key") == "mine" and not b.text("#problem-key")
        # The hex field follows again when the user restores what was there.
        b.js("document.querySelector('#tab-picker').click()")
        b.js(focus, "#hexField")
        before = b.value("#hexField")
        b.keys("#00", "Escape", "Tab")
        b.switch(second)
        b.js("document.querySelector('#tab-picker').click()")
        b.fill("#hexField", "#123456", "Enter")
        b.switch(first)
        b.wait_value("#hexField", "#123456")
        assert before != "#123456"
        b.js(focus, "#hexField")
        b.js("const e = document.activeElement; e.value = 'x'; e.dispatchEvent(new Event('input')); e.value = '#123456'")
        b.keys("Tab")
        b.switch(second)
        b.fill("#hexField", "#654321", "Enter")
        b.switch(first)
        b.wait_value("#hexField", "#654321")
        b.switch(second)
        b.close_window()
        b.switch(first)

    def story_order(self):
        """An answer that arrives behind a later event does not bring the older value back."""
        b = self.browser
        self.start("picker")
        other = self.request("/api/open", {})
        # The answers of this window take a second.
        b.js("const f = window.fetch; window.fetch = async (...a) => { const r = await f(...a); "
             "await new Promise(d => setTimeout(d, 1000)); return r; };")
        b.js("const s = document.querySelector('#redSlider'); s.value = 0.2; s.dispatchEvent(new Event('input'))")
        time.sleep(0.4)
        body = {"control": "redSlider", "value": 0.9, "event": "committed"}
        self.request("/api/picker/event", body, other["window"], 1)
        time.sleep(2.5)
        assert b.value("#redSlider") == "0.9", b.value("#redSlider")
        # The form of a person who is not selected any more is not filled by a late answer, nor sent for another one.
        b.js("document.querySelector('#tab-people').click()")
        b.wait("the cells", "return document.querySelectorAll('.cell').length > 5")
        b.js("document.querySelector('#row-0').click()")
        b.fill("#personName", "Alex Late")
        b.js("document.querySelector('#row-2').click()")
        b.wait("the answer", "return document.querySelector('#row-0 .name').textContent === 'Alex Late'")
        time.sleep(1.5)
        assert b.value("#personName") == b.text("#row-2 .name") != "Alex Late"
        b.js("document.querySelector('#list').dispatchEvent(new KeyboardEvent('keydown', {key: 'End'}))")
        assert b.js("return document.querySelector('#personName').disabled"), "the form has the person of another row"
        b.wait("the last row", "return document.querySelector('#personName').value === document.querySelector('#row-999 .name')?.textContent")

    def story_windows(self):
        """Nine windows share the stream of events, also when the first one is closed."""
        b = self.browser
        self.start("picker")
        handles = [b.window()]
        for _ in range(8):
            handles.append(b.new_window(self.studio.address))
            connected(b)
        slide(b, "#redSlider", 1)
        for handle in handles:
            b.switch(handle)
            b.wait_value("#hexField", "#FF0000")
        b.switch(handles[0])
        b.close_window()
        b.switch(handles[4])
        slide(b, "#greenSlider", 1)
        for handle in handles[1:]:
            b.switch(handle)
            b.wait_value("#hexField", "#FFFF00")
        for handle in handles[2:]:
            b.switch(handle)
            b.close_window()
        b.switch(handles[1])
        slide(b, "#blueSlider", 1)
        b.wait_value("#hexField", "#FFFFFF")

    def story_many(self):
        """More connections than the program has descriptors: it refuses some, and serves again when they are gone."""
        b = self.browser
        self.start("picker")
        idle = [socket.create_connection(("127.0.0.1", self.studio.port)) for _ in range(100)]
        time.sleep(1)
        assert self.studio.process.poll() is None, "the server has ended"
        for connection in idle:
            connection.close()
        time.sleep(1.5)
        slide(b, "#redSlider", 1)
        b.wait_value("#hexField", "#FF0000")
        assert self.request("/api/open", {})["window"]

    def story_slow_reader(self):
        """A reader that takes nothing is dropped, can resume or begin anew, and keeps nobody waiting."""
        b = self.browser
        self.start("people")
        answer = self.request("/api/open", {})
        fields = f"HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nAuthorization: Bearer {self.studio.token}\r\n\r\n"
        stream = f"GET /events?run={answer['run']}&windows={answer['window']}&after="
        sleeper = socket.socket()
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(("127.0.0.1", self.studio.port))
        sleeper.sendall(f"{stream}{answer['position']} {fields}".encode())
        b.wait("the cells", "return document.querySelectorAll('.cell').length > 5")
        # Each event has the whole document: together, more than the buffers of the system take, and than the list keeps.
        for number in range(1, 251):
            self.request("/api/editor/add", {}, answer["window"], number)
        start = time.time()
        self.request("/api/people/edit", {"row": 0, "key": "name", "value": "Alex Quick"}, answer["window"], 251)
        b.wait("the name", "return document.querySelector('#row-0 .name').textContent === 'Alex Quick'")
        assert time.time() - start < 3, "the page waits for another reader"
        # Ten seconds to take something.
        time.sleep(12)
        sleeper.settimeout(5)
        received = b""
        try:
            while chunk := sleeper.recv(1 << 16):
                received += chunk
        except ConnectionResetError:
            pass
        except TimeoutError:
            raise AssertionError("the reader that takes nothing is not dropped") from None
        assert b"event: editor.state" in received and len(received) < 2 << 20, "it has received everything"
        # A server that had only waited would go on now, and say what was lost.
        assert b"event: lost" not in received, "the reader has kept the server waiting"
        last = max(int(line[4:]) for line in received.split(b"\n")[:-1] if line.startswith(b"id: ") and line[4:].isdigit())
        again = socket.create_connection(("127.0.0.1", self.studio.port), timeout=10)
        again.sendall(f"{stream}{last} {fields}".encode())
        text = b""
        while b"event: lost" not in text:
            text += again.recv(1 << 16)
        again.close()

    def story_hostile(self):
        """Another site cannot use the server, nor learn the token, and no value becomes markup."""
        b = self.browser
        base = f"http://127.0.0.1:{self.studio.port}"
        self.start("picker")
        assert b.js("return document.cookie") == ""
        heard = []

        class Site(http.server.BaseHTTPRequestHandler):
            """A page on another port of this machine, which forbids nothing."""

            def do_GET(self):  # noqa: N802
                heard.append(self.path + str(self.headers))
                self.send_response(200)
                isImage = self.path.endswith(".svg")
                self.send_header("Content-Type", "image/svg+xml" if isImage else "text/html")
                self.end_headers()
                self.wfile.write(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' if isImage else b"<p>Hello")

            def log_message(self, *arguments):
                pass

        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        try:
            own = f"http://127.0.0.1:{site.server_port}"
            load = ("return new Promise(done => { const e = document.createElement(arguments[0]); e.onload = () => done('loaded'); "
                    "e.onerror = () => done('failed'); e.src = arguments[1]; document.body.append(e); })")
            get = ("return fetch(arguments[0], arguments[1]).then(async r => r.type + ' ' + r.status + ' ' + await r.text(), "
                   "() => 'failed')")
            b.open(own)
            assert self.studio.token not in "".join(heard) and "Cookie" not in "".join(heard), heard
            # The same calls succeed where they may.
            assert b.js(load, "img", f"{own}/a.svg") == "loaded" and b.js(get, f"{own}/a", {}).startswith("basic 200")
            for name, path in [("img", "icon.svg"), ("script", "studio.js"), ("script", f"?token={self.studio.token}")]:
                assert b.js(load, name, f"{base}/{path}") == "failed", path
            token = {"Authorization": f"Bearer {self.studio.token}"}
            for options in ({}, {"headers": token}, {"method": "POST", "body": "{}", "headers": token}, {"credentials": "include"}):
                for path in ("/", "/api/open", "/events"):
                    assert b.js(get, base + path, options) == "failed", (path, options)
            answer = b.js(get, f"{base}/api/open", {"method": "POST", "body": "{}", "mode": "no-cors", "credentials": "include"})
            assert answer in ("failed", "opaque 0 "), answer
            b.js("const f = document.createElement('iframe'); f.src = arguments[0]; document.body.append(f)", self.studio.address)
            time.sleep(0.5)
            assert b.js("return document.querySelector('iframe').contentDocument") is None
        finally:
            site.shutdown()
        for headers in (
            {"Host": "rebound.example"}, {"Host": f"localhost:{self.studio.port}"}, {"Origin": own}, {"Authorization": "Bearer x"},
            {"Sec-Fetch-Site": "same-site"}, {"Authorization": "", "Cookie": f"kv-studio-{self.studio.port}={self.studio.token}"},
        ):
            try:
                self.request("/api/open", {}, headers=headers)
            except urllib.error.HTTPError as error:
                assert error.code == 403 and json.load(error)["error"].endswith("."), headers
            else:
                raise AssertionError(f"{headers} is let in")
        # A window that was opened without the token has none, though another one has.
        first = b.window()
        b.new_window(base)
        b.wait_text("#status", "The token is missing")
        b.close_window()
        b.switch(first)
        self.start("inspector")
        show_root(b, "hostile.json")
        b.wait_text("#keys", "<img src=x onerror=")
        assert b.js("return document.querySelectorAll('#keys img').length + (window.hit ? 1 : 0)") == 0
        b.click("#draw")
        b.wait("the drawing", "return document.querySelector('#graph img')?.naturalWidth > 0")
        assert not b.js("return window.hit")

    def story_contrast(self):
        """Texts have a contrast of 4.5 to their ground, fields and buttons one of 3 to theirs, in light and dark."""
        b = self.browser
        self.start("picker")
        parts = b.js("return [...document.querySelectorAll('[data-part]')].map(e => e.dataset.part)")
        for scheme in ("light", "dark"):
            b.scheme(scheme)
            for part in parts:
                self.start(part)
                time.sleep(0.4)
                faults = b.js(CONTRAST)
                assert not faults, (scheme, part, faults[:5])
        b.scheme("light")

    # Helpers

    def request(self, path, body, window=None, number=None, headers=None):
        fields = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.studio.port}",
                  "Authorization": f"Bearer {self.studio.token}"}
        if window:
            fields.update({"X-Window": window, "X-Request": str(number)})
        fields.update(headers or {})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.studio.port}{path}", data=json.dumps(body).encode(), headers=fields)
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def expected_errors(self):
        return self.browser.errors()


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
        for story in [name for name in dir(Stories) if name.startswith("story_")]:
            if wanted and story[6:] not in wanted:
                continue
            studio = Studio(os.path.abspath(arguments[0]), "shop.json", "hostile.json", directory=directory)
            browser = Browser()
            try:
                stories = Stories(studio, browser, screenshots)
                getattr(stories, story)()
                # A refused request is shown by the console, too: every other error is a fault of the page.
                faults = [error for error in browser.errors() if "Failed to load resource" not in error
                          and "net::ERR" not in error and story not in ("story_hostile", "story_many")]
                assert not faults, faults
                print(f"passed: {story[6:]}: {getattr(Stories, story).__doc__}", flush=True)
            except Exception:  # noqa: BLE001
                failures += 1
                print(f"FAILED: {story[6:]}: {getattr(Stories, story).__doc__}", flush=True)
                traceback.print_exc()
            finally:
                browser.quit()
                studio.stop()
    if failures:
        sys.exit(f"{failures} stories failed")


main()
