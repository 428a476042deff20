"""The table."""

import json
import os
import time
from itertools import count
from random import Random

from stories import Stories, connected, refuses

class TableStories(Stories):
    def start_table(self, *files):
        """Opens a document, or the survey, which is shown if no document has a list."""
        self.studio.restart(*files)
        self.start("table")
        self.wait_table()

    def other_table(self):
        """Shows the table in a window without a page, and returns a function for its requests."""
        window, numbers = self.request("/api/open", {})["window"], count(1)

        def ask(action, **body):
            return self.request(f"/api/table/{action}", body, window, next(numbers))

        ask("show")
        return ask

    def wait_table(self):
        self.browser.wait("the rows", "return document.querySelectorAll('.grid-row[data-id]').length > 2")

    def wait_row(self, index, name=None):
        """Waits until a row is on the screen, with a text in its first column."""
        self.browser.wait(
            f"row {index}: {name}",
            "const c = document.querySelector(`.grid-row[data-index='${arguments[0]}'][data-id] > div`); "
            "return c && (arguments[1] === null || c.textContent === arguments[1])", index, name)

    def wait_cell(self, text):
        self.browser.wait(f"a cell {text}", "return [...document.querySelectorAll('.grid-row > div')].some(c => c.textContent === arguments[0])",
                          text)

    def select_row(self, index):
        self.wait_row(index)
        self.browser.press(f".grid-row[data-index='{index}']")
        self.browser.wait_attribute(f".grid-row[data-index='{index}']", "aria-selected", "true")

    def type_note(self, text):
        """Types a text into a field, and does not commit it."""
        self.browser.focus("#cell-note", selects=True)
        self.browser.keys(text)

    def rows(self):
        return self.browser.js(
            "return [...document.querySelectorAll('.grid-row[data-id]')].sort((a, b) => a.dataset.index - b.dataset.index)"
            ".map(r => [+r.dataset.index, [...r.children].map(c => c.textContent)])")

    def cell(self, key):
        return self.browser.value(f"#cell-{key}")

    @refuses("api/table/filter 422", "api/table/edit 422", "api/table/select 422")
    def story_table(self):
        """100,000 rows: scrolled, sorted, filtered, grouped, edited, undone, and changed by the program."""
        b = self.browser
        self.start_table()
        b.wait_text("#tableCount", "100,000 rows")
        assert b.js("return document.querySelector('#grid').getAttribute('aria-rowcount')") == "100001"
        for top in (0, 320, 1600000, 3199000, 64000):
            b.scroll("#grid", top)
            b.wait(f"the rows at {top}", "return document.querySelector(`.grid-row[data-index='${Math.ceil(arguments[0] / 32)}']`)",
                   top)
        assert b.js("return document.querySelectorAll('.grid-row').length") < 60
        head = "#gridHead div:nth-child({}) button"
        b.click(head.format(3))
        b.wait_attribute("#gridHead :nth-child(3)", "aria-sort", "ascending")
        b.press(head.format(1), shift=True)
        b.wait_text(head.format(1), "Name ▲ 2")
        b.scroll("#grid", 0)
        b.wait("ancient languages", "return document.querySelector('.grid-row[data-index=\"0\"] :nth-child(3)')?.textContent === 'Ancient'")
        # A filter with a fault, with one that reads too much, and a good one.
        b.fill("#tableFilter", "speakers > AND", "Enter")
        b.wait_text("#filterProblem", "expected an expression")
        assert b.text("#filterProblem").splitlines()[1:] == ["speakers > AND", " " * 11 + "^"], b.text("#filterProblem")
        assert b.js("return [document.activeElement.id, document.activeElement.selectionStart]") == ["tableFilter", 11]
        nested = "TRUEPREDICATE"
        for number in range(6):
            nested = "SUBQUERY({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, $x%d, %s)[SIZE] > 0" % (number, nested)
        b.js("document.querySelector('#tableFilter').value = arguments[0]", nested)
        b.press("#tableFilterForm button")
        b.wait_text("#filterProblem", "it uses SUBQUERY")
        b.fill("#tableFilter", "nam == 'x'", "Enter")
        b.wait_text("#filterProblem", 'Did you mean "name"?')
        b.fill("#tableFilter", "speakers > 1000000 AND name BEGINSWITH 'B'", "Enter")
        b.wait_text("#tableCount", " of 100,000 rows")
        assert b.text("#filterProblem") == ""
        for _, cells in self.rows():
            assert cells[0].startswith("B") and int(cells[4]) > 1000000, cells
        b.choose("#tableGroup", "year")
        b.wait("the groups", "return document.querySelector('.grid-row.group')?.textContent.startsWith('Year: ')")
        groups = [cells[0] for _, cells in self.rows() if len(cells) == 1]
        b.wait_text("#tableFields .field:nth-child(1)", "Name")
        # A group collapses, by the triangle or by the keyboard.
        second = len(self.rows())
        b.click(".grid-row[data-index='0']")
        b.focus("#grid")
        shown = b.text("#tableCount")
        b.keys("Left")
        b.wait_attribute(".grid-row[data-index='0']", "aria-expanded", "false")
        b.wait("the next group", "return document.querySelector('.grid-row[data-index=\"1\"]')?.classList.contains('group')")
        assert b.text("#tableCount") == shown and second > 2
        b.keys("Right")
        b.wait("its rows", "return document.querySelector('.grid-row[data-index=\"1\"][data-id]')?.classList.contains('group') === false")
        b.keys("Escape")
        b.wait_text("#tableSelected", "No selection")
        # Selection and markers.
        field = "return document.querySelector('#cell-name').placeholder"
        assert b.js(field) == "No selection"
        b.click(".grid-row[data-index='1']")
        b.wait("the name", "return document.querySelector('#cell-name').value")
        name = self.cell("name")
        b.press(".grid-row[data-index='4']", shift=True)
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
        b.wait_focus("cell-year")
        b.click(".grid-row[data-index='3']")
        b.wait_focus("cell-year")
        time.sleep(0.3)
        assert self.cell("year") == "1700" and self.cell("name") == name and "1700" in b.text("#tableProblem")
        # What is refused for another reason leaves the focus where it is.
        b.focus("#tableGroup")
        b.js("const f = window.fetch; window.fetch = (...a) => { if (!String(a[0]).endsWith('group')) return f(...a); "
             "window.fetch = f; return Promise.reject(new TypeError('no network')); }")
        b.choose("#tableGroup", "status")
        b.wait_text("#tableProblem", "does not answer")
        assert b.js("return document.activeElement.id") == "tableGroup"
        b.fill("#cell-year", "2099")
        b.wait_text("#tableUndo", "Undo Change year")
        b.wait("a group at the end", "return [...document.querySelectorAll('.grid-row.group')].some(r => r.textContent === 'Year: 2099 (1)')")
        assert b.text("#tableProblem") == ""
        self.keep("table", 1100, 800)
        b.click("#tableUndo")
        b.wait_text("#tableRedo", "Redo Change year")
        b.wait("the year", "return document.querySelector('#cell-year').value !== '2099'")
        b.fill("#cell-note", "<b>bold</b>")
        self.wait_cell("<b>bold</b>")
        assert b.js("return document.querySelectorAll('.grid-row b').length") == 0
        # Removal, insertion, and changes by the program.
        b.click("#tableRemove")
        b.wait_text("#tableCount", "of 99,999 rows")
        b.click("#tableUndo")
        b.wait_text("#tableCount", "of 100,000 rows")
        b.choose("#tableGroup", "")
        b.wait("no groups", "return !document.querySelector('.grid-row.group')")
        b.click("#tableAdd")
        b.wait("the row, though the filter hid it", "return document.querySelector('#cell-name').value === 'New row'")
        b.wait_text("#tableCount", "100,001 rows")
        b.click("#tableChange")
        b.wait_text("#tableCount", "100,002 rows")
        before = b.text("#tableCount")
        b.click("#tableLive")
        b.wait_attribute("#tableLive", "aria-pressed", "true")
        b.wait("another number", "return document.querySelector('#tableCount').textContent !== arguments[0]", before)
        time.sleep(2)
        b.click("#tableLive")
        b.wait_attribute("#tableLive", "aria-pressed", "false")

    def story_table_windows(self):
        """An edit in one window moves the row in another one, which keeps its place."""
        b = self.browser
        self.start_table()
        b.click("#gridHead div:nth-child(1) button")
        b.wait_attribute("#gridHead :nth-child(1)", "aria-sort", "ascending")
        first = b.window()
        second = self.open_window("table")
        self.wait_row(0)
        assert b.js("return document.querySelector('#gridHead :nth-child(1)').getAttribute('aria-sort')") == "ascending"
        before = self.rows()
        b.switch(first)
        self.wait_row(2)
        assert self.rows()[:8] == before[:8]
        b.click(".grid-row[data-index='2']")
        b.wait_value("#cell-name", before[2][1][0])
        b.fill("#cell-name", "!! first of all", "Enter")
        self.wait_row(0, "!! first of all")
        b.wait_attribute(".grid-row[data-index=\"0\"]", "aria-selected", "true")
        b.switch(second)
        self.wait_row(0, "!! first of all")
        after = self.rows()
        assert [row[1] for row in after[1:3]] == [row[1] for row in before[:2]] and after[3] == before[3]
        assert b.js("return document.querySelectorAll('[aria-selected=true].grid-row').length") == 0
        # Its place: rows that come above the screen do not move what is on it.
        b.scroll("#grid", 640000)
        self.wait_row(20003)
        shown = [row[1] for row in self.rows()]
        b.switch(first)
        b.click("#tableUndo")
        self.wait_row(2, before[2][1][0])
        b.wait_value("#cell-name", before[2][1][0])
        b.wait_text("#tableRedo", "Redo Change name")
        b.fill("#cell-name", "zzz last", "Enter")
        b.wait_text("#tableUndo", "Undo Change name")
        b.wait("the row is followed", "return document.querySelector('#grid').scrollTop > 3000000")
        place = b.wait("the row", "return document.querySelector('.grid-row[aria-selected=true]')?.dataset.index")
        b.switch(second)
        b.wait("the place", "return document.querySelector('#grid').scrollTop === 640000 - 32")
        assert [row[1] for row in self.rows()][:10] == shown[:10]
        # A value that moves nothing is drawn where it is.
        b.scroll("#grid", 32 * int(place))
        self.wait_cell("zzz last")
        b.switch(first)
        b.fill("#cell-note", "seen by both", "Enter")
        b.switch(second)
        self.wait_cell("seen by both")
        self.close_window(first)

    @refuses("api/table/edit 422")
    def story_table_keyboard(self):
        """The keyboard alone sorts, selects, edits and gives up, removes and undoes."""
        b = self.browser
        self.start_table()
        focus = "return document.activeElement.id || document.activeElement.textContent"
        b.focus("#tab-table")
        b.keys("Tab")
        assert b.js(focus) == "tableFilter", b.js(focus)
        b.keys("name BEGINSWITH 'Z'", "Enter")
        b.wait_text("#tableCount", " of 100,000 rows")
        b.focus("#grid")
        b.keys("Tab")
        assert b.js(focus) == "Name", b.js(focus)
        b.keys("Enter")
        b.wait_text("#gridHead :nth-child(1)", "▲")
        b.keys("Enter")
        b.wait_text("#gridHead :nth-child(1)", "▼")
        b.focus("#grid")
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
        b.wait_focus("cell-name")
        b.wait_value("#cell-name", name)
        b.js("document.activeElement.select()")
        b.keys(" ", "Enter")
        b.wait_text("#tableProblem", "Name cannot be empty")
        assert b.js(focus) == "cell-name" and b.js("return document.activeElement.getAttribute('aria-invalid')") == "true"
        b.keys("Escape")
        b.wait_value("#cell-name", name)
        b.wait_focus("grid")
        # Neither Escape nor Delete takes the keyboard elsewhere.
        b.keys("Down", "Down")
        b.wait("row 2", f"{active} === '2'")
        b.wait_text("#tableSelected", "1 row")
        b.keys("Escape")
        b.wait_text("#tableSelected", "No selection")
        assert b.js(active) == "2"
        b.keys("Down")
        b.wait("row 3", f"{active} === '3'")
        b.wait_value("#cell-name", self.rows()[3][1][0])
        following = self.rows()[4][1][0]
        b.keys("Delete")
        b.wait_text("#tableUndo", "Undo Remove row")
        b.wait("the row in its place", f"{active} === '3'")
        assert self.rows()[3][1][0] == following
        b.keys("Up")
        b.wait("row 2", f"{active} === '2'")
        b.control("z")
        b.wait_text("#tableRedo", "Redo Remove row")
        self.check_names("#table")

    @refuses("api/table/edit 409", "api/table/edit 422?")
    def story_table_conflicts(self):
        """What another window has written is not overwritten unasked; a text of a row that is removed is written to no other."""
        b = self.browser
        self.start_table()
        self.select_row(0)
        first = b.window()
        second = self.open_window("table")
        self.select_row(0)
        b.switch(first)
        self.type_note("mine")
        b.switch(second)
        b.fill("#cell-note", "theirs", "Enter")
        self.wait_cell("theirs")
        b.switch(first)
        self.wait_cell("theirs")
        b.keys("Tab")
        b.wait_text("#tableProblem", 'changed to "theirs" meanwhile')
        b.wait_focus("cell-note")
        assert self.cell("note") == "mine", "what was typed is gone"
        b.keys("Enter")
        self.wait_cell("mine")
        b.switch(second)
        b.wait_value("#cell-note", "mine")
        b.switch(first)
        self.type_note("lost words")
        b.switch(second)
        b.press("#tableRemove")
        b.wait_text("#tableCount", "99,999 rows")
        b.switch(first)
        b.wait_text("#tableProblem", "this was not written: Note: lost words")
        b.wait_focus("grid")
        self.select_row(0)
        assert self.cell("note") != "lost words"
        b.focus("#cell-note")
        b.keys("Enter", "Tab")
        # The step that the button names is sent along: one that this window has not seen is not undone.
        b.js("const f = window.fetch; window.bodies = []; window.fetch = (...a) => { window.bodies.push(a[1]?.body); return f(...a); }")
        b.press("#tableUndo")
        b.wait_text("#tableCount", "100,000 rows")
        b.wait("the step", "return window.bodies.some(body => body && JSON.parse(body).revision > 0)")
        assert not b.js("return [...document.querySelectorAll('.grid-row > div')].some(c => c.textContent === 'lost words')")
        b.switch(second)
        self.close_window(first)

    @refuses("lost?")
    def story_table_lost(self):
        """A text that is typed survives the loss of the window; after a new start of the program, it is named."""
        b = self.browser
        self.start_table()
        self.select_row(2)
        self.type_note("kept words")
        former = b.js("return document.activeElement")
        b.js("const f = window.fetch; window.fetch = (...a) => { if (!String(a[0]).endsWith('change')) return f(...a); window.fetch = f; "
             "return Promise.resolve(new Response(JSON.stringify({error: 'closed', closed: 'window'}), {status: 410})); }; "
             "window.note = document.querySelector('#cell-note')")
        b.press("#tableChange")
        b.wait("the former window's selection", "return !window.note.disabled && document.querySelector('#status').dataset.state === 'connected' "
               "&& document.querySelector('#tableSelected').textContent === '1 row'")
        time.sleep(0.5)
        assert former and b.js("return window.note.isConnected && document.activeElement === window.note"), "the focus is lost"
        assert self.cell("note") == "kept words"
        b.keys("!", "Enter")
        self.wait_cell("kept words!")
        b.wait_text("#tableUndo", "Undo Change note")
        self.type_note("other words")
        self.studio.stop()
        b.wait_attribute("#status", "data-state", "lost")
        self.studio.start()
        connected(b)
        b.wait_text("#tableProblem", "this was not written: Note: other words")
        assert self.cell("note") == "" and b.text("#tableSelected") == "No selection"

    def story_table_box(self):
        """The box of the filter belongs to its user until it is sent; Ctrl-Z in it undoes its own text."""
        b = self.browser
        self.start_table()
        self.select_row(1)
        b.fill("#cell-note", "one", "Enter")
        b.wait_text("#tableUndo", "Undo Change note")
        b.fill("#tableFilter", "name BEG")
        b.press("#tableAdd")
        b.wait_text("#tableCount", "100,001 rows")
        b.wait_focus("cell-name")
        assert b.value("#tableFilter") == "name BEG", "what is written is gone"
        b.focus("#tableFilter")
        b.control("z")
        time.sleep(0.5)
        assert b.text("#tableUndo") == "Undo Add row", b.text("#tableUndo")
        b.keys("x", "Escape")
        assert b.value("#tableFilter") == ""
        b.fill("#tableFilter", "note == 'one'", "Enter")
        b.wait_text("#tableCount", "1 of 100,001 rows")
        # A new row lifts the filter, and the box says so.
        b.press("#tableAdd")
        b.wait_value("#tableFilter", "")

    def story_table_read_only(self):
        """The table of a document is as read-only as the inspector says."""
        b = self.browser
        with open(os.path.join(self.studio.directory, "list.json"), "w", encoding="utf8") as file:
            json.dump([{"name": name} for name in ("a", "b", "c")], file)
        for options, isDisabled in ((["list.json"], True), (["list.json", "--allow-edits"], False)):
            self.start_table(*options)
            self.select_row(1)
            buttons = "return ['tableAdd', 'tableRemove', 'tableChange', 'tableLive', 'cell-name'].map(i => document.getElementById(i).disabled)"
            b.wait("the field", "return document.querySelector('#cell-name').value === 'b'")
            assert b.js(buttons) == [isDisabled] * 5, options

    def story_table_place(self):
        """Rows that are removed at the upper edge of the screen and above it do not move the others."""
        b = self.browser
        self.start_table()
        b.scroll("#grid", 640000)
        self.wait_row(20010)
        before = [cells for _, cells in self.rows() if cells]
        ask = self.other_table()
        rows = ask("rows", first=19998, count=3)["rows"]
        ask("select", mode="only", id=rows[0]["id"], index=19998)
        ask("select", mode="extend", id=rows[2]["id"], index=20000)
        ask("remove")
        b.wait("the place", "return document.querySelector('#grid').scrollTop === 32 * 19998")
        self.wait_row(20008)
        assert [cells for _, cells in self.rows()][:8] == before[1:9]

    def story_table_follow(self):
        """The page has the rows of the program after any changes of another window, in the order of the screen."""
        b = self.browser
        self.start_table()
        ask = self.other_table()
        ask("filter", text="year == 2020")
        ask("sort", column="name", adds=False)
        random = Random(5)
        top = 3200
        for step in range(60):
            if step % 20 == 0:
                ask("group", column=("", "status", "note")[step // 20])
                b.scroll("#grid", 0 if step == 20 else top)
            answer = ask("rows", first=max(0, top // 32 - 5), count=40)
            group = next((row for row in answer["rows"] if "group" in row), None)
            if group and step % 3 == 0:
                ask("collapse", id=group["id"], isOn=not group["isCollapsed"])
                answer = ask("rows", first=max(0, top // 32 - 5), count=40)
            row = random.choice([row for row in answer["rows"] if "cells" in row] or [{"id": 0}])
            action = random.choice(["edit", "edit", "remove", "undo", "change", "change"])
            if action in ("edit", "remove") and row["id"]:
                ask("select", mode="only", id=row["id"])
                body = {"column": random.choice(["name", "status"]), "text": random.choice(["!!", "Mid", "zz", "Living"]), "commits": True}
                ask(action, **(body if action == "edit" else {}))
            elif action in ("undo", "change"):
                ask(action)
            if step % 5 < 4:
                continue
            b.wait("the page", "return document.querySelector('#grid').ariaRowCount === String(arguments[0] + 1)", ask("rows", first=0, count=0)["count"])
            b.wait("all rows", "return !document.querySelector('.grid-row[aria-busy=true]:not([data-id])')")
            deadline = time.monotonic() + 5  # an edit moves rows and keeps their number, and nothing says that it has come
            while True:
                shown = self.rows()
                first = shown[0][0]
                rows = ask("rows", first=first, count=len(shown))["rows"]
                expected = [[first + place, row.get("cells") or [f"{row['group']} ({row['count']})"]] for place, row in enumerate(rows)]
                if shown == expected or time.monotonic() > deadline:
                    break
                time.sleep(0.1)
            assert shown == expected, (step, [pair for pair in zip(shown, expected) if pair[0] != pair[1]][:3])
            order = b.js("return [...document.querySelectorAll('.grid-row')].map(r => +r.dataset.index)")
            assert order == sorted(order), f"the order of the document is not that of the screen: {order}"
