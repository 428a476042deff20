import { find, make, setText, sentences } from "./dom.js";
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
  #edited = new Map();
  #isSending = false;
  /** The field whose text is being committed. */
  #committed = null;

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
    find("tableFilterForm").addEventListener("submit", (event) => { event.preventDefault(); this.#filter(); });
    find("tableGroup").addEventListener("change", (event) => this.#ask("group", { column: event.target.value }));
    find("tableAdd").addEventListener("click", () => this.#add());
    find("tableRemove").addEventListener("click", () => this.#ask("remove"));
    find("tableUndo").addEventListener("click", () => this.#ask("undo"));
    find("tableRedo").addEventListener("click", () => this.#ask("redo"));
    find("tableChange").addEventListener("click", () => this.#ask("change"));
    find("tableLive").addEventListener("click", () => {
      this.#ask("live", { isOn: find("tableLive").getAttribute("aria-pressed") !== "true" });
    });
    find("table").addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
      if (event.target.matches("input") && this.#edited.size > 0) return;
      event.preventDefault();
      this.#ask(event.shiftKey ? "redo" : "undo");
    });
    find("tableFields").addEventListener("submit", (event) => event.preventDefault());
  }

  open() { this.#columns = []; }

  /** Shows the table, which the program makes at the first time. */
  async show() {
    if (this.#columns.length) return this.#scroll();
    this.grid.setAttribute("aria-busy", "true");
    try {
      const state = await this.#connection.post("table", "show");
      this.#columns = state.columns;
      this.#edited.clear();
      this.#cache.reset(state.version, state.count);
      this.#makeHead(state.title);
      this.#makeFields();
      this.#showSummary(state);
      this.#showSelection(state.selection);
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
    if (document.activeElement !== find("tableFilter")) find("tableFilter").value = state.filter;
    find("tableGroup").value = state.group ?? "";
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
    const places = this.#cache.apply(event, [first, this.#leadIndex]);
    this.#leadIndex = places[1];
    // Rows that come or go above the screen do not move what is on it.
    if (this.grid.scrollTop > 0 && places[0] !== null) this.grid.scrollTop += (places[0] - first) * height;
    find("gridRows").classList.add("moving");
    setTimeout(() => find("gridRows").classList.remove("moving"), 250);
    this.#layOut();
    if (this.#lead !== null && this.#leadIndex === null) this.#findLead();
  }

  async #findLead(reveals = false) {
    const id = this.#lead;
    if (id === null) return;
    const { index } = await this.#connection.post("table", "find", { id }).catch(() => ({ index: null }));
    if (id !== this.#lead) return;
    this.#leadIndex = index;
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
    const wanted = new Map();
    for (let index = first; index < Math.min(first + count, this.#cache.count); index++) {
      const row = this.#cache.row(index);
      wanted.set(row ? row.id : `at ${index}`, { index, row });
    }
    for (const [key, element] of this.#elements) {
      if (!wanted.has(key)) { element.remove(); this.#elements.delete(key); }
    }
    for (const [key, { index, row }] of wanted) {
      let element = this.#elements.get(key);
      if (!element) {
        element = make("div", { role: "row", className: "grid-row" });
        this.#elements.set(key, element);
        find("gridRows").append(element);
      }
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
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      find("tableFields").querySelector("input:enabled")?.focus();
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
    if (this.#lead !== state.lead) { this.#lead = state.lead; this.#leadIndex = null; this.#findLead(); }
    setText(find("tableSelected"),
      state.ids.length === 0 ? "No selection" : state.ids.length === 1 ? "1 row" : `${state.ids.length} rows`);
    find("tableRemove").disabled = state.ids.length === 0;
    for (const field of state.fields) {
      const input = find(`cell-${field.key}`);
      if (!input) continue;
      input.disabled = !field.isEditable;
      input.placeholder = field.marker ?? "";
      input.dataset.marker = field.marker ?? "";
      if (!this.#edited.has(field.key)) input.value = field.text;
    }
    this.#draw();
  }

  // Edits

  #makeFields() {
    const fields = this.#columns.map((column) => {
      const input = make("input", {
        type: "text", id: `cell-${column.key}`, autocomplete: "off", spellcheck: false, "aria-describedby": "tableProblem",
      });
      input.addEventListener("input", () => { this.#edited.set(column.key, input.value); this.#send(column.key); });
      input.addEventListener("change", () => this.#commit(column.key));
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") { event.preventDefault(); this.#commit(column.key); }
        if (event.key === "Escape") { event.preventDefault(); this.#discard(); }
      });
      return make("div", { className: "field" }, make("label", { htmlFor: input.id }, column.title), input);
    });
    find("tableFields").replaceChildren(...fields);
  }

  /** Lets the program know that there is an edit: the newest text, when the last one has arrived. */
  async #send(key) {
    if (this.#isSending) return;
    this.#isSending = true;
    let sent;
    while (this.#edited.has(key) && this.#edited.get(key) !== sent && this.#committed !== key) {
      sent = this.#edited.get(key);
      await this.#ask("edit", { column: key, text: sent, commits: false }, false);
    }
    this.#isSending = false;
  }

  async #commit(key) {
    if (!this.#edited.has(key)) return;
    const text = this.#edited.get(key);
    this.#committed = key;
    const answer = await this.#ask("edit", { column: key, text, commits: true });
    this.#committed = null;
    if (!answer) return;
    if (this.#edited.get(key) === text) this.#edited.delete(key);
    find(`cell-${key}`).removeAttribute("aria-invalid");
    this.#findLead(true);
  }

  async #discard() {
    this.#edited.clear();
    for (const input of find("tableFields").querySelectorAll("input")) input.removeAttribute("aria-invalid");
    await this.#ask("discard");
    this.grid.focus();
  }

  async #add() {
    const answer = await this.#ask("add");
    if (!answer) return;
    this.#lead = answer.id;
    await this.#findLead(true);
    const field = find("tableFields").querySelector("input:enabled");
    field?.focus();
    field?.select();
  }

  async #filter() {
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

  /** Asks the program for something, and shows why it refuses; then an edited field keeps the focus. */
  async #ask(action, body = {}, clears = true) {
    try {
      const answer = await this.#connection.post("table", action, body);
      if (clears) setText(find("tableProblem"), "");
      return answer;
    } catch (error) {
      this.#refuse(error);
      const [key] = this.#edited.keys();
      if (key === undefined) return null;
      find(`cell-${key}`).setAttribute("aria-invalid", "true");
      find(`cell-${key}`).focus();
      return null;
    }
  }

  #refuse(error) { setText(find("tableProblem"), sentences(error)); }
}
