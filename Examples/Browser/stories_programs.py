"""The colour picker, the people, the inspector, and what all parts of the page have in common."""

import time

from stories import Stories, connected, refuses, slide

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


def show_root(browser, name):
    browser.wait(f"the object {name}", "return [...document.querySelector('#root').options].some(o => o.value === arguments[0])",
                 name)
    browser.choose("#root", name)


class ProgramStories(Stories):
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
        self.open_window("picker")
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
        self.close_window(first)
        b.fill("#hexField", "lilac", "Enter")
        b.wait_text("#hexProblem", '"lilac" is not a colour')
        assert b.value("#redSlider") == "0.5"
        b.fill("#hexField", "#D2691E", "Enter")
        b.wait_text("#titleLabel", "Dark")
        assert b.text("#hexProblem") == ""
        self.keep("picker")
        self.keep("phone", 390, 844, "dark")

    @refuses("api/picker/bindings 422", "api/picker/bindings 403")
    def story_files(self):
        """The original format binds what it did; a file with faults is refused with each of them."""
        b = self.browser
        self.start("picker")
        b.choose("#bindingFile", "package:ColorPicker.ilabs-bindings")
        b.wait_count("#definitions li", 5)
        b.wait("no hex field", "return document.querySelector('#hexField').disabled")
        slide(b, "#greenSlider", 1)
        b.wait("the swatch", "return document.querySelector('#swatch').style.background.includes(', 255,')")
        b.fill("#fileName", "faulty.json", "Enter")
        b.wait_text("#fileProblem", "faulty.json has 1 fault")
        b.wait_text("#fileProblem", 'Did you mean "red"?')
        b.fill("#fileName", "../secret.json", "Enter")
        b.wait_text("#fileProblem", "not below the directory")
        b.click("#unbind")
        b.wait_count("#definitions li", 0)
        b.choose("#bindingFile", "package:ColorPicker.json")
        b.wait_count("#definitions li", 6)

    @refuses("api/people/edit 422")
    def story_people(self):
        """A few cells show a thousand people: they are used again, follow their person, and can be edited."""
        b = self.browser
        self.start("people")
        b.wait("the cells", "return document.querySelector('#row-0 .name')?.textContent === 'Alex Rawss'")
        for top in [0, 1000, 20000, 63000, 500]:
            b.scroll("#list", top)
            b.wait(f"the rows at {top}", "return document.querySelector(`#row-${Math.ceil(arguments[0] / 64)} .text`)", top)
        rows = b.js("return [...document.querySelectorAll('.cell:not([hidden])')].map(c => [+c.dataset.row, "
                    "c.querySelector('.text').textContent, c.querySelector('progress').value])")
        for number, text, fraction in rows:
            assert text == f"In progress: {number * 37 % 101} %" and abs(fraction - number * 37 % 101 / 100) < 1e-9, text
        assert b.js("return document.querySelectorAll('.cell').length") <= 25
        b.scroll("#list", 0)
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
        b.wait_attribute("#work", "aria-pressed", "false")

    @refuses("api/inspector/set 422", "api/inspector/show 422")
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
        b.wait_count("#lines li", 0)
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
        b.focus("#tab-picker")
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
        self.check_names("")

    def story_phone(self):
        """No part is wider than a phone, and each can be used in the dark."""
        b = self.browser
        b.resize(390, 844)
        b.scheme("dark")
        for part in ("picker", "editor", "people", "table", "outline", "inspector"):
            self.start(part)
            time.sleep(0.5)
            width = b.js("return document.documentElement.scrollWidth")
            assert width <= 390, f"{part} is {width} wide"
            assert b.js("return getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)", part
        b.scheme("light")

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
