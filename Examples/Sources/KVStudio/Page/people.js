import { find, make, setText } from "./dom.js";
import { Draft } from "./draft.js";

const height = 64;

/** The list of people: the cells of the program, drawn where their rows are. */
export class People {
  name = "people";
  #connection;
  #cells = new Map();
  #count = 0;
  #first = 0;
  #selected = null;
  /** The row whose values the form has: that of the selection, as soon as a cell shows it. */
  #filled = null;
  #drafts = {};
  #isAsking = false;
  #isAskedAgain = false;

  constructor(connection) {
    this.#connection = connection;
    connection.on("people.cells", ({ cells }) => cells.forEach((cell) => this.#draw(cell)));
    connection.on("people.summary", (state) => this.#showSummary(state));
    this.list = find("list");
    this.list.addEventListener("scroll", () => this.#scroll(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.#move(event));
    this.list.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) this.#select(Number(cell.dataset.row));
    });
    find("work").addEventListener("click", () => {
      const isOn = find("work").getAttribute("aria-pressed") !== "true";
      connection.post("people", "work", { isOn }).then((state) => this.#showSummary(state), () => {});
    });
    find("person").addEventListener("submit", (event) => event.preventDefault());
    for (const [id, key] of [["personName", "name"], ["personProgress", "progress"]]) {
      this.#drafts[id] = new Draft(find(id), find("personProblem"), (text, base) => this.#edit(key, text, base));
    }
    new ResizeObserver(() => this.#scroll()).observe(this.list);
  }

  open(state) {
    this.#count = state.count;
    this.#cells.clear();
    find("rows").replaceChildren();
    find("rows").style.height = `${state.count * height}px`;
    this.#showSummary(state);
  }

  show() { this.#scroll(); }

  async hide() {
    // Cells that nobody sees need no values.
    await this.#connection.post("people", "scroll", { first: 0, count: 0 }).catch(() => {});
  }

  #showSummary(state) {
    find("work").setAttribute("aria-pressed", String(state.isWorking));
    setText(find("mean"), `${this.#count} people, ${state.mean} % done`);
  }

  // Cells

  async #scroll() {
    if (find("people").hidden) return;
    this.#isAskedAgain = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      const first = Math.max(0, Math.floor(this.list.scrollTop / height) - 2);
      const count = Math.min(60, Math.ceil(this.list.clientHeight / height) + 5);
      try {
        const { cells } = await this.#connection.post("people", "scroll", { first, count });
        cells.forEach((cell) => this.#draw(cell));
        setText(find("cellCount"), `${cells.length} cells show them`);
      } catch { /* the status says so; the next scroll or the next window asks again */ }
    }
    this.#isAsking = false;
  }

  #draw(state) {
    let cell = this.#cells.get(state.cell);
    if (!cell) {
      const parts = {
        square: make("span", { className: "square" }), name: make("div", { className: "name" }),
        team: make("div", { className: "team" }), bar: make("progress", { max: 1 }),
        text: make("div", { className: "text" }),
      };
      const element = make(
        "div", { className: "cell", role: "option" }, parts.square, make("div", {}, parts.name, parts.team),
        make("div", {}, parts.bar, parts.text));
      cell = { element, parts };
      this.#cells.set(state.cell, cell);
      find("rows").append(element);
    }
    const { element, parts } = cell;
    element.hidden = state.row === null;
    if (state.row === null) return element.removeAttribute("id");
    element.id = `row-${state.row}`;
    element.dataset.row = state.row;
    element.setAttribute("aria-posinset", String(state.row + 1));
    element.setAttribute("aria-setsize", String(this.#count));
    element.setAttribute("aria-selected", String(state.row === this.#selected));
    element.style.transform = `translateY(${state.row * height}px)`;
    parts.square.style.backgroundColor = state.color;
    setText(parts.name, state.name);
    setText(parts.team, state.team);
    parts.bar.value = state.fraction;
    parts.bar.setAttribute("aria-label", state.progress);
    setText(parts.text, state.progress);
    if (state.row === this.#selected) this.#fill();
  }

  // The selection

  #move(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / height) - 1);
    const at = this.#selected ?? -1;
    const rows = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.#count - 1,
    };
    if (!(event.key in rows)) return;
    event.preventDefault();
    this.#select(Math.min(Math.max(rows[event.key], 0), this.#count - 1));
  }

  #select(row) {
    this.#selected = row;
    this.list.setAttribute("aria-activedescendant", `row-${row}`);
    const top = row * height;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    if (top + height > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top + height - this.list.clientHeight;
    }
    for (const { element } of this.#cells.values()) {
      element.setAttribute("aria-selected", String(Number(element.dataset.row) === row));
    }
    this.#fill();
    this.#scroll();
  }

  #fill() {
    if (this.#filled !== this.#selected) {
      for (const [id, draft] of Object.entries(this.#drafts)) {
        draft.drop();
        find(id).disabled = true;
      }
      setText(find("personProblem"), "");
      this.#filled = null;
    }
    const cell = [...this.#cells.values()].find((cell) => cell.element.id === `row-${this.#selected}`);
    if (!cell) return;
    this.#filled = this.#selected;
    find("nobody").hidden = true;
    this.#showPerson(cell.parts.name.textContent, Math.round(cell.parts.bar.value * 100));
    for (const id of Object.keys(this.#drafts)) find(id).disabled = false;
  }

  #showPerson(name, progress) {
    this.#drafts.personName.show(name);
    this.#drafts.personProgress.show(String(progress));
  }

  async #edit(key, text, base) {
    const row = this.#filled;
    const value = key === "name" ? text : text.trim() === "" ? null : Number(text);
    const state = await this.#connection.post("people", "edit", { row, key, value, base });
    if (row === this.#filled) this.#showPerson(state.name, state.progress);
  }
}
