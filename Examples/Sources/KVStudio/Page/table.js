import { find, make, setText, sentences } from "./dom.js";
import { Fields } from "./fields.js";
import { RowCache } from "./rows.js";

const height = 32;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The table: draws the rows that are on the screen, and asks for those by index. */
export class Table {
  name = "table";
  #connection;
  #columns = [];
  #cache = new RowCache();
  #elements = new Map();
  #selected = new Set();
  #lead = null;
  #leadIndex = null;
  /** Where the keyboard moves to, until the row is there. */
  #target = null;
  #isLoading = false;
  #isEditable = true;
  /** The last step that can be undone or redone, as far as this window knows. */
  #revision = 0;
  /** The filter of the program; the box may have another one that is not sent. */
  #filter = "";
  /** The rows that were selected when the connection was lost; null for a new program, which has others. */
  #kept = [];
  #fields = new Fields({
    ask: (...request) => this.#ask(...request), follow: () => this.#findLead(true), focus: () => this.grid.focus(),
    note: (sentence) => setText(find("tableProblem"), sentence),
  });

  constructor(connection) {
    this.#connection = connection;
    connection.on("table.rows", (event) => this.#change(event));
    connection.on("table.cells", ({ rows }) => { rows.forEach((row) => this.#cache.update(row)); this.#draw(); });
    connection.on("table.selection", (state) => this.#showSelection(state));
    connection.on("table.summary", (state) => this.#showSummary(state));
    this.grid = find("grid");
    this.grid.addEventListener("scroll", () => this.#scroll(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.#scroll()).observe(this.grid);
    find("tableFilterForm").addEventListener("submit", (event) => { event.preventDefault(); this.#sendFilter(); });
    find("tableFilter").addEventListener("keydown", (event) => { if (event.key === "Escape") this.#dropFilter(); });
    find("tableGroup").addEventListener("change", (event) => this.#ask("group", { column: event.target.value }));
    find("tableAdd").addEventListener("click", () => this.#add());
    find("tableRemove").addEventListener("click", () => this.#ask("remove"));
    find("tableUndo").addEventListener("click", () => this.#undo("undo"));
    find("tableRedo").addEventListener("click", () => this.#undo("redo"));
    find("tableChange").addEventListener("click", () => this.#ask("change"));
    find("tableLive").addEventListener("click", () => {
      this.#ask("live", { isOn: find("tableLive").getAttribute("aria-pressed") !== "true" });
    });
    find("table").addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
      // What is typed has an undo of its own.
      if (event.target.id === "tableFilter" || event.target.matches("input") && this.#fields.isEdited) return;
      event.preventDefault();
      this.#undo(event.shiftKey ? "redo" : "undo");
    });
  }

  open(_, isNewRun) {
    this.#columns = [];
    this.#kept = isNewRun ? null : this.#kept && this.#fields.ids;
  }

  /** Shows the table, which the program makes at the first time. */
  async show() {
    if (this.#columns.length) return this.#scroll();
    this.grid.setAttribute("aria-busy", "true");
    try {
      const state = await this.#connection.post("table", "show");
      this.#columns = state.columns;
      this.#cache.reset(state.version, state.count);
      this.#makeHead(state.title);
      this.#fields.make(state.columns);
      for (const id of ["tableAdd", "tableChange", "tableLive"]) find(id).disabled = !state.isEditable;
      this.#isEditable = state.isEditable;
      this.#showSummary(state);
      [this.#lead, this.#leadIndex] = [null, null];
      if (this.#kept?.length) await this.#connection.post("table", "select", { mode: "these", ids: this.#kept });
      else this.#showSelection(state.selection);
      this.#kept = [];
      this.#fields.sendAgain();
      this.#layOut();
    } catch (error) { this.#refuse(error); }
    this.grid.removeAttribute("aria-busy");
  }

  hide() {}

  // The frame

  #makeHead(title) {
    setText(find("tableTitle"), title);
    this.grid.setAttribute("aria-label", title);
    this.grid.setAttribute("aria-colcount", String(this.#columns.length));
    this.grid.style.setProperty("--columns", String(this.#columns.length));
    find("gridHead").replaceChildren(...this.#columns.map((column, index) => {
      const button = make("button", { type: "button", title: "Sort; with Shift, sort by this column too" }, column.title);
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        this.#ask("sort", { column: column.key, adds: event.shiftKey });
      });
      return make("div", { role: "columnheader", "aria-colindex": String(index + 1) }, button);
    }));
    find("tableGroup").replaceChildren(
      make("option", { value: "" }, "(none)"),
      ...this.#columns.map((column) => make("option", { value: column.key }, column.title)));
    find("tableColumns").replaceChildren(...this.#columns.map((column) => make("code", {}, column.key)));
    for (const element of this.#elements.values()) element.remove();
    this.#elements.clear();
  }

  #showSummary(state) {
    if (!this.#columns.length) return;
    const number = new Intl.NumberFormat("en");
    setText(find("tableCount"), state.filter
      ? `${number.format(state.shown)} of ${number.format(state.total)} rows` : `${number.format(state.total)} rows`);
    for (const [index, header] of [...find("gridHead").children].entries()) {
      const column = this.#columns[index];
      const order = state.sort.find((each) => each.key === column.key);
      header.setAttribute("aria-sort", order ? (order.ascending ? "ascending" : "descending") : "none");
      const place = order && state.sort.length > 1 ? ` ${order.place}` : "";
      setText(header.firstChild, order ? `${column.title} ${order.ascending ? "▲" : "▼"}${place}` : column.title);
    }
    this.#revision = state.revision;
    // Not what its user is writing.
    if (find("tableFilter").value === this.#filter) find("tableFilter").value = state.filter;
    this.#filter = state.filter;
    find("tableGroup").value = state.group ?? "";
    this.grid.setAttribute("role", state.group === null ? "grid" : "treegrid");
    for (const [id, title] of [["tableUndo", state.undo], ["tableRedo", state.redo]]) {
      find(id).disabled = title === null;
      setText(find(id), title ?? (id === "tableUndo" ? "Undo" : "Redo"));
    }
    find("tableLive").setAttribute("aria-pressed", String(state.isLive));
  }

  // Rows

  #layOut() {
    this.grid.setAttribute("aria-rowcount", String(this.#cache.count + 1));
    find("gridRows").style.height = `${this.#cache.count * height}px`;
    this.#scroll();
  }

  #range() {
    const head = find("gridHead").offsetHeight;
    const first = Math.max(0, Math.floor(this.grid.scrollTop / height));
    return { first, count: Math.min(150, Math.ceil((this.grid.clientHeight - head) / height) + 1) };
  }

  /** Draws what is known, and asks for what is not: the newest range, when the last answer has arrived. */
  async #scroll() {
    if (find("table").hidden || !this.#columns.length) return;
    this.#draw();
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      for (;;) {
        const { first, count } = this.#range();
        if (this.#cache.has(first, count)) break;
        const start = Math.max(0, first - 20);
        const answer = await this.#connection.post("table", "rows", { first: start, count: Math.min(200, count + 40) });
        // An answer that is newer than the last event waits for the next one.
        if (!this.#cache.add(answer)) await pause(20);
        this.#draw();
      }
    } catch (error) {
      if (error.status) this.#refuse(error);
    }
    this.#isLoading = false;
  }

  #change(event) {
    if (!this.#columns.length) return;
    const { first } = this.#range();
    const { places: [top, lead], gone } = this.#cache.apply(event, [first, this.#leadIndex]);
    this.#leadIndex = lead === null || !this.#cache.count ? null : Math.min(lead, this.#cache.count - 1);
    // Rows that come or go above the screen do not move what is on it.
    if (this.grid.scrollTop > 0 && top !== null) this.grid.scrollTop += (top - first) * height;
    find("gridRows").classList.add("moving");
    setTimeout(() => find("gridRows").classList.remove("moving"), 250);
    this.#layOut();
    if (this.#lead !== null && (gone[1] || this.#leadIndex === null)) this.#findLead();
  }

  async #findLead(reveals = false) {
    const id = this.#lead;
    if (id === null) return;
    const { index } = await this.#connection.post("table", "find", { id }).catch(() => ({ index: null }));
    if (id !== this.#lead) return;
    if (index !== null) this.#leadIndex = index;
    // The row that has taken its place has the keyboard then.
    else if (this.#leadIndex !== null) this.#lead = null;
    if (reveals && index !== null) this.#reveal(index);
    this.#draw();
  }

  #reveal(index) {
    const head = find("gridHead").offsetHeight;
    const top = index * height;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    const bottom = top + height + head;
    if (bottom > this.grid.scrollTop + this.grid.clientHeight) this.grid.scrollTop = bottom - this.grid.clientHeight;
  }

  #draw() {
    const { first, count } = this.#range();
    if (this.#leadIndex !== null) this.#lead ??= this.#cache.row(this.#leadIndex)?.id ?? null;
    const wanted = new Map();
    for (let index = first; index < Math.min(first + count, this.#cache.count); index++) {
      const row = this.#cache.row(index);
      wanted.set(row ? row.id : `at ${index}`, { index, row });
    }
    for (const [key, element] of this.#elements) {
      if (!wanted.has(key)) { element.remove(); this.#elements.delete(key); }
    }
    // In the order of the screen, in which a screen reader reads them; only what is elsewhere is moved.
    let place = find("gridRows").firstChild;
    for (const [key, { index, row }] of wanted) {
      let element = this.#elements.get(key);
      if (!element) {
        element = make("div", { role: "row", className: "grid-row" });
        this.#elements.set(key, element);
      }
      // The one before it comes later.
      if (place && element === place.nextSibling) place = element;
      if (element === place) place = place.nextSibling;
      else find("gridRows").insertBefore(element, place);
      element.style.transform = `translateY(${index * height}px)`;
      element.setAttribute("aria-rowindex", String(index + 2));
      if (!row) { element.setAttribute("aria-busy", "true"); continue; }
      this.#fillRow(element, row, index);
    }
    const active = this.#elements.get(this.#lead);
    if (active) this.grid.setAttribute("aria-activedescendant", active.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  #fillRow(element, row, index) {
    element.id = `grid-row-${row.id}`;
    element.dataset.id = row.id;
    element.dataset.index = index;
    element.setAttribute("aria-selected", String(this.#selected.has(row.id)));
    element.classList.toggle("lead", row.id === this.#lead);
    element.classList.toggle("group", row.group !== undefined);
    if (row.group === undefined) element.removeAttribute("aria-expanded");
    else element.setAttribute("aria-expanded", String(!row.isCollapsed));
    const texts = row.group === undefined ? row.cells : [`${row.group} (${row.count})`];
    while (element.children.length > texts.length) element.lastChild.remove();
    while (element.children.length < texts.length) {
      element.append(make("div", { role: "gridcell", "aria-colindex": String(element.children.length + 1) }));
    }
    if (row.group !== undefined) element.firstChild.setAttribute("aria-colspan", String(this.#columns.length));
    texts.forEach((text, place) => setText(element.children[place], text));
  }

  // The selection

  #click(event) {
    const element = event.target.closest(".grid-row");
    if (!element?.dataset.id) return;
    const row = this.#cache.row(Number(element.dataset.index));
    // The triangle before the header of a group.
    if (row?.group !== undefined && event.offsetX < 24 && event.detail) return this.#collapse(row, !row.isCollapsed);
    const mode = event.shiftKey ? "extend" : event.ctrlKey || event.metaKey ? "toggle" : "only";
    this.#select(Number(element.dataset.id), Number(element.dataset.index), mode);
  }

  async #select(id, index, mode) {
    const former = [this.#lead, this.#leadIndex];
    [this.#lead, this.#leadIndex] = [id, index];
    if (!await this.#ask("select", { id, index, mode }) && this.#lead === id) [this.#lead, this.#leadIndex] = former;
    this.#draw();
  }

  async #key(event) {
    if (event.target !== this.grid) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / height) - 2);
    const at = this.#target ?? this.#leadIndex ?? -1;
    const last = this.#cache.count - 1;
    const targets = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last,
    };
    if (event.key in targets && last >= 0) {
      event.preventDefault();
      const index = Math.min(Math.max(targets[event.key], 0), last);
      this.#target = index;
      this.#reveal(index);
      for (let tries = 0; !this.#cache.row(index) && tries < 500; tries++) { this.#scroll(); await pause(10); }
      // Of keys that follow each other quickly, the last one selects.
      if (this.#target !== index) return;
      this.#target = null;
      const row = this.#cache.row(index);
      if (row) this.#select(row.id, index, event.shiftKey ? "extend" : "only");
    } else if (event.key === " " && this.#lead !== null) {
      event.preventDefault();
      this.#select(this.#lead, this.#leadIndex ?? 0, "toggle");
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const row = this.#cache.row(this.#leadIndex);
      if (row?.group === undefined) return;
      event.preventDefault();
      this.#collapse(row, event.key === "ArrowLeft");
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.#fields.focus(false);
    } else if (event.key === "Delete") {
      event.preventDefault();
      this.#ask("remove");
    } else if (event.key === "Escape") {
      this.#ask("select", { mode: "none" });
    }
  }

  #showSelection(state) {
    if (!this.#columns.length) return;
    this.#selected = new Set(state.ids);
    if (state.lead !== null && this.#lead !== state.lead) { this.#lead = state.lead; this.#leadIndex = null; this.#findLead(); }
    setText(find("tableSelected"),
      state.ids.length === 0 ? "No selection" : state.ids.length === 1 ? "1 row" : `${state.ids.length} rows`);
    find("tableRemove").disabled = state.ids.length === 0 || !this.#isEditable;
    this.#fields.show(state.ids, state.fields);
    this.#draw();
  }

  // Actions

  #collapse(row, isOn) { if (row.isCollapsed !== isOn) this.#ask("collapse", { id: row.id, isOn }); }

  async #add() {
    const answer = await this.#ask("add");
    if (!answer) return;
    this.#lead = answer.id;
    await this.#findLead(true);
    this.#fields.focus(true);
  }

  async #undo(action) {
    // A text that is being written is a step.
    await this.#fields.committed;
    await this.#ask(action, { revision: this.#revision });
  }

  #dropFilter() {
    find("tableFilter").value = this.#filter;
    find("tableFilter").removeAttribute("aria-invalid");
    setText(find("filterProblem"), "");
  }

  async #sendFilter() {
    find("tableFilter").removeAttribute("aria-invalid");
    setText(find("filterProblem"), "");
    try {
      await this.#connection.post("table", "filter", { text: find("tableFilter").value });
      this.grid.scrollTop = 0;
    } catch (error) {
      const input = find("tableFilter");
      input.setAttribute("aria-invalid", "true");
      setText(find("filterProblem"), sentences(error));
      const mark = error.details?.[1];
      if (mark) input.setSelectionRange(mark.length - 1, mark.length);
      input.focus();
    }
  }

  /** Asks the program for something, and shows why it refuses; the field that it refuses keeps the focus. */
  async #ask(action, body = {}, clears = true) {
    try {
      const answer = await this.#connection.post("table", action, body);
      if (clears) setText(find("tableProblem"), "");
      return answer;
    } catch (error) {
      // An edit that has been given up meanwhile is of no matter.
      if (action === "edit" && !this.#fields.has(body.column)) return null;
      this.#refuse(error);
      const { field, present } = error.answer ?? {};
      this.#fields.refuse(field ?? (action === "edit" && error.status ? body.column : undefined), present);
      return null;
    }
  }

  #refuse(error) { setText(find("tableProblem"), sentences(error)); }
}
