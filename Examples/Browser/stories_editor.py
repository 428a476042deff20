"""The editor of bindings: nothing that is typed is lost, and no file is replaced unasked."""

import json
import os
import signal
import time

from stories import Stories, refuses, slide

class EditorStories(Stories):
    @refuses("api/editor/open 409", "api/editor/save 403", "api/editor/save 409")
    def story_editor(self):
        """Definitions are opened, edited, undone, run in the colour picker and saved; nothing is lost unasked."""
        b = self.browser
        self.start("editor")
        self.open_definitions()
        b.click("#run")
        b.wait_attribute("#run", "aria-pressed", "true")
        first = b.window()
        second = self.open_window("picker")
        slide(b, "#redSlider", 0.25)
        b.wait_value("#hexField", "#400000")
        b.switch(first)
        b.wait_value("#field-sourceKeyPath", "red")
        b.focus("#field-sourceKeyPath")
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
        b.wait_count("#definitionList li", 7)
        b.wait_focus("field-key")
        b.fill("#field-key", "green")
        b.wait_text("#definitionList li:nth-child(3)", "1 fault")
        b.click('[data-action="down"]')
        b.wait("the move", "return document.querySelectorAll('#definitionList li')[2].getAttribute('aria-selected') === 'true'")
        b.click('[data-action="remove"]')
        b.wait_count("#definitionList li", 6)
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
        assert not self.warns_before_leaving()
        b.fill("#field-fallback", "0.25")
        b.wait_text("#documentState", "unsaved changes")
        assert self.warns_before_leaving()
        b.click("#undo")
        b.wait("the saved state", "return !document.querySelector('#documentState').textContent.includes('unsaved')")
        b.switch(second)
        self.close_window(first)

    @refuses("lost?")
    def story_unsaved(self):
        """A new run of the program: the window offers the unsaved document that it still has, and the program warns."""
        b = self.browser
        self.start("editor")
        self.open_definitions()
        b.fill("#field-fallback", "0.375")
        b.wait_text("#documentState", "unsaved changes")
        self.studio.process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert "unsaved changes. Press Ctrl-C again" in self.studio.error_text()
        assert self.studio.process.poll() is None
        self.studio.process.send_signal(signal.SIGINT)
        assert self.studio.process.wait(timeout=60) == 0
        b.wait_attribute("#status", "data-state", "lost")
        self.studio.start()
        b.wait_text("#keptText", "still has the unsaved document of before, with 6 definitions")
        assert b.js("return document.querySelectorAll('#definitionList li').length") == 1
        assert self.warns_before_leaving()
        b.click("#restore")
        b.wait_count("#definitionList li", 6)
        b.wait_value("#field-fallback", "0.375")
        b.wait_text("#documentState", "unsaved changes")
        assert b.js("return document.querySelector('#kept').hidden")
        b.click("#undo")
        b.wait_value("#field-fallback", "")
        self.studio.process.send_signal(signal.SIGINT)
        assert self.studio.process.wait(timeout=60) == 0, "nothing is unsaved"

    @refuses("api/editor/save 409")
    def story_replace(self):
        """The answer to a question is about the file that was asked about; a change on disk is noticed."""
        b = self.browser
        path = lambda name: os.path.join(self.studio.directory, name)  # noqa: E731
        for name in ("asked.json", "other.json"):
            with open(path(name), "w", encoding="utf8") as file:
                file.write('{"kept": true}')
        self.start("editor")
        self.open_definitions()
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

    @refuses("api/editor/edit 409", "api/editor/edit 410")
    def story_conflicts(self):
        """What is typed stays, whatever other windows do meanwhile, and overwrites nothing unasked."""
        b = self.browser
        self.start("editor")
        self.open_definitions()
        first = b.window()
        second = self.open_window("editor")
        b.switch(first)
        b.focus("#field-fallback", selects=True)
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
        b.focus("#field-fallback")
        b.keys("Enter")
        b.wait("no problem", "return !document.querySelector('#problem-fallback').textContent")
        b.switch(second)
        b.wait_value("#field-fallback", "0.5")
        # A definition that another window removes.
        b.switch(first)
        b.focus("#field-key", selects=True)
        b.keys("mine")
        b.switch(second)
        b.click('[data-action="remove"]')
        b.wait_count("#definitionList li", 5)
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
        b.press("#tab-picker")
        b.focus("#hexField", selects=True)
        before = b.value("#hexField")
        b.keys("#00", "Escape", "Tab")
        b.switch(second)
        b.press("#tab-picker")
        b.fill("#hexField", "#123456", "Enter")
        b.switch(first)
        b.wait_value("#hexField", "#123456")
        assert before != "#123456"
        b.focus("#hexField", selects=True)
        b.js("const e = document.activeElement; e.value = 'x'; e.dispatchEvent(new Event('input')); e.value = '#123456'")
        b.keys("Tab")
        b.switch(second)
        b.fill("#hexField", "#654321", "Enter")
        b.switch(first)
        b.wait_value("#hexField", "#654321")
        b.switch(second)
        self.close_window(first)
