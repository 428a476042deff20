import { find, make, setText, sentences } from "./dom.js";
import { Draft } from "./draft.js";

/** The outline: a tree of which the program sends what is expanded, and then what has changed, by index path. */
export class Outline {
  name = "outline";
  #connection;
  /** The rows that are drawn, by their numbers: what the program has sent, and the element. */
  #rows = new Map();
  #selected = null;
  /** What the program has selected; this window is ahead while its requests are on their way. */
  #known = null;
  #waiting = 0;
  #isShown = false;
  #isEditable = false;
  /** The last step that can be undone or redone, as far as this window knows. */
  #revision = 0;
  /** The last request. */
  #last = Promise.resolve();
  #drafts = {};
  /** Whether the tree gets the focus when an edit has been accepted. */
  #returns = false;

  constructor(connection) {
    this.#connection = connection;
    connection.on("outline.changes", ({ changes }) => this.#apply(changes));
    connection.on("outline.selection", ({ id }) => { this.#known = id; this.#follow(); });
    connection.on("outline.summary", (state) => this.#showSummary(state));
    this.tree = find("outlineTree");
    this.tree.addEventListener("keydown", (event) => this.#key(event));
    this.tree.addEventListener("click", (event) => this.#click(event));
    this.tree.addEventListener("dblclick", (event) => { if (!event.target.closest(".toggle")) this.#edit(); });
    find("outlineAdd").addEventListener("click", () => this.#add(false));
    find("outlineAddInside").addEventListener("click", () => this.#add(true));
    find("outlineRemove").addEventListener("click", () => this.#act("remove"));
    find("outlineUndo").addEventListener("click", () => this.#undo("undo"));
    find("outlineRedo").addEventListener("click", () => this.#undo("redo"));
    for (const button of document.querySelectorAll("[data-move]")) {
      button.addEventListener("click", () => this.#act("move", { to: button.dataset.move }));
    }
    find("outlineFields").addEventListener("submit", (event) => event.preventDefault());
    for (const [field, input, problem] of [
      ["name", find("outlineName"), find("outlineNameProblem")], ["value", find("outlineValue"), find("outlineValueProblem")],
    ]) {
      // Before the draft sends the text, and after it has dropped it.
      input.addEventListener("keydown", (event) => { this.#returns = event.key === "Enter"; });
      const draft = new Draft(input, problem, (text, base) => this.#send(field, text, base));
      this.#drafts[field] = draft;
      input.addEventListener("keydown", (event) => {
        if (event.key === "Escape" || event.key === "Enter" && !draft.isDirty) this.#focus();
      });
    }
    find("outline").addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
      // What is typed has an undo of its own.
      if (event.target.matches("input") && Object.values(this.#drafts).some((draft) => draft.isDirty)) return;
      event.preventDefault();
      this.#undo(event.shiftKey ? "redo" : "undo");
    });
  }

  open() { this.#isShown = false; }

  /** Shows the outline, which the program makes at the first time. */
  async show() {
    if (this.#isShown) return;
    this.tree.setAttribute("aria-busy", "true");
    try {
      const state = await this.#connection.post("outline", "show");
      this.#isShown = true;
      this.#isEditable = state.isEditable;
      this.#rows.clear();
      this.tree.replaceChildren(...state.rows.map((row) => this.#make(row, 1)));
      this.#showSummary(state);
      this.#follow();
    } catch (error) { this.#refuse(error); }
    this.tree.removeAttribute("aria-busy");
  }

  hide() {}

  #showSummary(state) {
    this.#revision = state.revision;
    for (const [id, title, text] of [["outlineUndo", state.undo, "Undo"], ["outlineRedo", state.redo, "Redo"]]) {
      find(id).disabled = title === null;
      setText(find(id), title ?? text);
    }
  }

  // Rows

  #make(row, level) {
    const element = make(
      "li", { role: "treeitem", id: `outline-${row.id}`, tabIndex: -1, "aria-level": String(level), "aria-selected": "false" },
      make("div", { className: "outline-row" }, make("span", { className: "toggle", "aria-hidden": "true" }),
        make("span", { className: "label" }), make("span", { className: "value" })));
    element.dataset.id = row.id;
    this.#rows.set(row.id, { row, element });
    this.#fill(row);
    if (row.children) this.#makeChildren(element, row.children);
    return element;
  }

  #makeChildren(element, rows) {
    this.#removeChildren(element);
    const level = Number(element.getAttribute("aria-level")) + 1;
    element.append(make("ul", { role: "group" }, ...rows.map((row) => this.#make(row, level))));
    element.setAttribute("aria-expanded", "true");
    this.#number(element);
  }

  #removeChildren(element) {
    for (const item of element.querySelectorAll("[role=treeitem]")) this.#rows.delete(Number(item.dataset.id));
    group(element)?.remove();
    if (element.hasAttribute("aria-expanded")) element.setAttribute("aria-expanded", "false");
  }

  #remove(element) {
    this.#removeChildren(element);
    this.#rows.delete(Number(element.dataset.id));
    element.remove();
  }

  /** Shows what the program has sent of a row. */
  #fill(row) {
    const known = this.#rows.get(row.id);
    if (!known) return;
    const { element } = known;
    known.row = row;
    if (row.kind === "scalar") element.removeAttribute("aria-expanded");
    else element.setAttribute("aria-expanded", String(group(element) !== null));
    const names = { object: ["member", "members"], array: ["element", "elements"] }[row.kind];
    setText(element.querySelector(".value"), names ? `${row.count} ${names[row.count === 1 ? 0 : 1]}` : row.text);
    this.#title(element, row);
  }

  /** The label is the name of a member, and the index of an element. */
  #title(element, row) {
    const label = row.isMember ? row.name : String([...element.parentElement?.children ?? []].indexOf(element));
    setText(element.querySelector(".label"), label);
    element.setAttribute("aria-label", `${label || "without a name"}: ${element.querySelector(".value").textContent}`);
  }

  /** Labels the elements of an array anew. */
  #number(element) {
    for (const [index, item] of [...group(element)?.children ?? []].entries()) {
      const known = this.#rows.get(Number(item.dataset.id));
      if (known.row.isMember) return;
      const text = String(index);
      if (item.querySelector(".label").textContent !== text) this.#title(item, known.row);
    }
  }

  /** Returns the element at an index path. */
  #at(path) {
    return path.reduce((element, index) => (element === this.tree ? element : group(element)).children[index], this.tree);
  }

  #apply(changes) {
    if (!this.#isShown) return;
    const hadFocus = this.tree.contains(document.activeElement);
    for (const change of changes) {
      switch (change.kind) {
        case "removal":
          for (const path of change.paths.reverse()) this.#remove(this.#at(path));
          this.#number(this.#at(change.paths[0].slice(0, -1)));
          break;
        case "insertion":
          for (const row of change.rows) {
            const parent = this.#at(row.path.slice(0, -1));
            const list = group(parent);
            list.insertBefore(this.#make(row, row.path.length), list.children[row.path.at(-1)] ?? null);
            this.#number(parent);
          }
          break;
        case "children": this.#makeChildren(this.#at(change.path), change.rows); break;
        case "collapse": this.#removeChildren(this.#at(change.path)); break;
        case "row": this.#fill(change.row); break;
      }
    }
    this.#mark(this.#selected, hadFocus && !this.tree.contains(document.activeElement));
  }

  // The selection

  /** Shows what the program has selected, unless this window is ahead. */
  #follow() {
    if (this.#waiting === 0) this.#mark(this.#known, this.tree.contains(document.activeElement));
  }

  /** Shows a row as the selected one, which is the only one that Tab leads to. */
  #mark(id, movesFocus) {
    if (id !== this.#selected) for (const draft of Object.values(this.#drafts)) draft.drop();
    const former = this.tree.querySelectorAll("[aria-selected=true], [tabindex='0']");
    this.#selected = id;
    const known = this.#rows.get(id);
    for (const element of former) {
      if (element === known?.element) continue;
      element.setAttribute("aria-selected", "false");
      element.tabIndex = -1;
    }
    known?.element.setAttribute("aria-selected", "true");
    const entry = known?.element ?? this.tree.firstElementChild;
    if (entry) entry.tabIndex = 0;
    if (movesFocus) this.#focus();
    this.#showFields(known?.row);
  }

  #showFields(row) {
    this.#drafts.name.show(row?.isMember ? row.name : "");
    this.#drafts.value.show(row?.text ?? "");
    find("outlineName").disabled = !row?.canRename;
    find("outlineValue").disabled = !row?.canEdit;
    for (const button of document.querySelectorAll("[data-move]")) button.disabled = !row?.canMove;
    find("outlineRemove").disabled = !row?.canMove;
    find("outlineAdd").disabled = !row || !this.#isEditable;
    find("outlineAddInside").disabled = !row || !this.#isEditable || row.kind === "scalar";
  }

  #focus() {
    const element = this.#rows.get(this.#selected)?.element ?? this.tree.firstElementChild;
    element?.focus({ preventScroll: true });
    element?.querySelector(".outline-row").scrollIntoView({ block: "nearest" });
  }

  async #select(element) {
    if (!element) return;
    const id = Number(element.dataset.id);
    if (document.activeElement.matches("#outlineFields input")) document.activeElement.blur();
    this.#mark(id, true);
    this.#waiting += 1;
    await this.#ask("select", { id });
    this.#waiting -= 1;
    this.#follow();
  }

  #click(event) {
    const element = event.target.closest("[role=treeitem]");
    if (!element) return;
    if (event.target.closest(".toggle") && element.hasAttribute("aria-expanded")) this.#expand(element);
    else this.#select(element);
  }

  // Keys

  #key(event) {
    const element = event.target.closest("[role=treeitem]");
    if (!element || event.ctrlKey || event.metaKey) return;
    const moves = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };
    const items = [...this.tree.querySelectorAll("[role=treeitem]")];
    const index = items.indexOf(element);
    const isExpanded = element.getAttribute("aria-expanded");
    const actions = {
      ArrowDown: () => this.#select(items[index + 1]), ArrowUp: () => this.#select(items[index - 1]),
      Home: () => this.#select(items[0]), End: () => this.#select(items.at(-1)),
      ArrowRight: () => {
        if (isExpanded === "false") this.#expand(element);
        else if (isExpanded === "true") this.#select(group(element).firstElementChild);
      },
      ArrowLeft: () => {
        if (isExpanded === "true") this.#expand(element);
        else this.#select(element.parentElement.closest("[role=treeitem]"));
      },
      Enter: () => this.#edit(), F2: () => this.#open("outlineName"), Delete: () => this.#act("remove"),
      Insert: () => this.#add(event.shiftKey),
    };
    if (event.altKey) {
      if (!(event.key in moves)) return;
      event.preventDefault();
      if (this.#isEditable) this.#act("move", { to: moves[event.key] });
    } else if (event.key in actions) {
      event.preventDefault();
      if (this.#isEditable || !["Delete", "Insert"].includes(event.key)) actions[event.key]();
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      const start = event.key.toLowerCase();
      const label = (item) => item.querySelector(".label").textContent.toLowerCase();
      this.#select([...items.slice(index + 1), ...items.slice(0, index)].find((item) => label(item).startsWith(start)));
    }
  }

  // Actions

  #expand(element) {
    const isOn = element.getAttribute("aria-expanded") === "false";
    return this.#ask("expand", { id: Number(element.dataset.id), isOn });
  }

  /** Leads to the value of a scalar, and to the name of another one. */
  #edit() {
    const row = this.#rows.get(this.#selected)?.row;
    this.#open(row?.canEdit ? "outlineValue" : "outlineName");
  }

  #open(input) {
    if (find(input).disabled) return;
    find(input).focus();
    find(input).select();
  }

  async #add(isInside) {
    const answer = await this.#act("add", { isInside });
    if (!answer) return;
    const row = this.#rows.get(this.#selected)?.row;
    this.#open(row?.canRename ? "outlineName" : "outlineValue");
  }

  #act(action, body = {}) { return this.#ask(action, { id: this.#selected, ...body }); }

  #undo(action) {
    // A text that is being written is a step.
    if (document.activeElement.matches("#outlineFields input")) document.activeElement.blur();
    return this.#ask(action, {});
  }

  /** Sends the text of a field; fails if it is refused. */
  async #send(field, text, base) {
    const [id, returns] = [this.#selected, this.#returns];
    this.#returns = false;
    try {
      await this.#post("edit", { id, field, text, base });
      setText(find("outlineProblem"), "");
      if (returns && id === this.#selected) this.#focus();
    } catch (error) {
      // The field shows another value meanwhile.
      if (id !== this.#selected) this.#refuse(error);
      throw error;
    }
  }

  /** Sends a request after the last one: what is undone is the step that its answer has shown. */
  #post(action, body) {
    const result = this.#last.then(() => {
      const isStep = action === "undo" || action === "redo";
      return this.#connection.post("outline", action, isStep ? { revision: this.#revision } : body);
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /** Asks the program for something, and shows why it refuses, until something else is done. */
  async #ask(action, body) {
    try {
      const answer = await this.#post(action, body);
      if (action !== "select") setText(find("outlineProblem"), "");
      return answer;
    } catch (error) {
      this.#refuse(error);
      return null;
    }
  }

  #refuse(error) { setText(find("outlineProblem"), sentences(error)); }
}

/** The list of the children of an element; null if it is not expanded. */
const group = (element) => element.querySelector(":scope > [role=group]");
