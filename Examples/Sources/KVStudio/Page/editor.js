import { find, make, setText, sentences } from "./dom.js";
import { Draft } from "./draft.js";

const choices = {
  direction: ["oneWay", "twoWay", "once", "toSource"], initialSync: ["automatic", "fromSource", "fromTarget", "none"],
  trigger: ["onChange", "onCommit", "explicit"], validates: ["false", "true"], skipsEqual: ["true", "false"],
};
const labels = {
  key: "Key", direction: "Direction", pathToSource: "Path to the source", pathToTarget: "Path to the target",
  sourceKeyPath: "Key path of the source", targetKeyPath: "Key path of the target", transformerName: "Transformer",
  initialSync: "First value", trigger: "Trigger", validates: "Validates", nullPlaceholder: "Null placeholder",
  fallback: "Fallback", skipsEqual: "Skips equal values",
};
const paths = ["pathToSource", "sourceKeyPath", "pathToTarget", "targetKeyPath"];

/** The editor of binding definitions: shows the document of the program, and sends what the user edits. */
export class Editor {
  name = "editor";
  #connection;
  #state = null;
  #selected = null;
  #fields = {};
  /** Whether another window has removed the selected definition, while this one edits it. */
  #isRemoved = false;
  /** The unsaved document of the former run of the program. */
  #kept = null;

  constructor(connection) {
    this.#connection = connection;
    connection.on("editor.state", (state) => this.#render(state));
    this.#makeFields();
    const list = find("definitionList");
    list.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) this.#select(Number(item.dataset.number));
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !this.#state) return;
      event.preventDefault();
      const next = this.#state.definitions[this.#index + step];
      if (next) this.#select(next.number);
    });
    for (const button of document.querySelectorAll("[data-action]")) {
      button.addEventListener("click", () => this.#change(button.dataset.action));
    }
    find("undo").addEventListener("click", () => this.#send("undo"));
    find("redo").addEventListener("click", () => this.#send("redo"));
    find("run").addEventListener("click", () => {
      this.#send("run", { isOn: find("run").getAttribute("aria-pressed") !== "true" });
    });
    find("openDocument").addEventListener("submit", (event) => {
      event.preventDefault();
      if (find("documentName").value) this.#open(find("documentName").value);
    });
    find("newDocument").addEventListener("click", () => this.#open(null));
    find("saveDocument").addEventListener("click", () => this.#save());
    find("definition").addEventListener("submit", (event) => event.preventDefault());
    find("confirmNo").addEventListener("click", () => this.#ask(null));
    find("restore").addEventListener("click", () => this.#restore());
    find("forget").addEventListener("click", () => this.#keep(null));
    window.addEventListener("beforeunload", (event) => { if (this.#state?.isUnsaved || this.#kept) event.preventDefault(); });
    find("editor").addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      document.activeElement.blur();
      this.#send(event.shiftKey ? "redo" : "undo");
    });
  }

  open(state, isNewRun) {
    if (isNewRun && this.#state?.isUnsaved) this.#keep(this.#state);
    else if (!this.#kept) find("documentName").value = state.file ?? "";
    this.#render(state);
  }

  show() {}
  hide() {}

  get #index() { return this.#state.definitions.findIndex((definition) => definition.number === this.#selected); }

  // What the program shows

  #makeFields() {
    for (const [name, label] of Object.entries(labels)) {
      const input = choices[name]
        ? make("select", { id: `field-${name}` }, ...choices[name].map((text) => make("option", { value: text }, text)))
        : make("input", { type: "text", id: `field-${name}`, autocomplete: "off", spellcheck: false });
      const problem = make("p", { className: "problem", id: `problem-${name}`, role: "alert" });
      input.setAttribute("aria-describedby", problem.id);
      if (paths.includes(name) || name === "transformerName") {
        input.setAttribute("list", "completions");
        input.addEventListener("focus", () => this.#complete(name));
        input.addEventListener("input", () => this.#complete(name));
      }
      const draft = new Draft(input, problem, (text, base) => this.#edit(name, text, base));
      this.#fields[name] = { input, problem, draft };
      const title = make("label", {}, label);
      title.htmlFor = input.id;
      find("fields").append(make("div", { className: "field" }, title, input, problem));
    }
  }

  #render(state) {
    this.#state = state;
    const wasRemoved = this.#isRemoved;
    this.#isRemoved = this.#index < 0 && this.#drafts.some((draft) => draft.isDirty);
    if (this.#index < 0 && !this.#isRemoved) this.#selected = state.definitions[0]?.number ?? null;
    if (this.#kept && same(this.#kept, state)) this.#keep(null);
    find("documentNames").replaceChildren(...state.files.map((name) => make("option", { value: name })));
    const count = state.definitions.length;
    const faults = state.faults.length ? `, ${state.faults.length} fault${state.faults.length === 1 ? "" : "s"}` : "";
    setText(find("documentState"), `${state.file ?? "New document"}${state.isUnsaved ? " (unsaved changes)" : ""}: `
      + `${count} definition${count === 1 ? "" : "s"}${faults}`
      + (state.isRunning ? (faults ? ". The colour picker follows when there is no fault" : ". The colour picker follows") : ""));
    for (const [id, title, can] of [["undo", state.undo, state.canUndo], ["redo", state.redo, state.canRedo]]) {
      setText(find(id), title);
      find(id).disabled = !can;
    }
    find("run").setAttribute("aria-pressed", String(state.isRunning));
    const last = count - 1;
    const can = { add: true, duplicate: this.#index >= 0, remove: this.#index >= 0, up: this.#index > 0, down: this.#index >= 0 && this.#index < last };
    for (const button of document.querySelectorAll("[data-action]")) button.disabled = !can[button.dataset.action];
    this.#renderList();
    this.#renderFields(wasRemoved);
  }

  get #drafts() { return Object.values(this.#fields).map(({ draft }) => draft); }

  #faults(index) { return this.#state.faults.filter((fault) => fault.index === index); }

  #renderList() {
    const arrows = { oneWay: "→", once: "→", twoWay: "⇄", toSource: "←" };
    const items = this.#state.definitions.map((definition, index) => {
      const text = (names) => names.map((name) => definition[name]).filter(Boolean).join(".") || "?";
      const faults = this.#faults(index).length;
      return make(
        "li", { id: `definition-${definition.number}`, role: "option", "data-number": definition.number,
          "aria-selected": String(definition.number === this.#selected) },
        make("span", { className: "mono" }, `${text(["pathToSource", "sourceKeyPath"])} ${arrows[definition.direction]} `
          + text(["pathToTarget", "targetKeyPath"])),
        ...(faults ? [make("div", { className: "fault" }, faults === 1 ? "1 fault" : `${faults} faults`)] : []));
    });
    find("definitionList").replaceChildren(...items);
    if (this.#selected) find("definitionList").setAttribute("aria-activedescendant", `definition-${this.#selected}`);
  }

  #renderFields(wasRemoved) {
    const index = this.#index;
    const definition = this.#state.definitions[index];
    const faults = definition ? this.#faults(index) : [];
    for (const [name, { input, problem, draft }] of Object.entries(this.#fields)) {
      if (this.#isRemoved) {
        if (draft.isDirty) draft.refuse("Another window has removed the definition. Undo brings it back; what you have typed is still here.");
        continue;
      }
      if (wasRemoved && draft.isDirty) draft.refuse("The definition is back. Return writes what you have typed, Escape drops it.");
      input.disabled = !definition;
      draft.show(definition?.[name] ?? "");
      if (draft.isRefused) continue;
      const messages = faults.filter((fault) => fault.entry === name)
        // The list of all transformers is what the field offers anyway.
        .map((fault) => fault.message.replace(/ Known transformers: .*/s, ""));
      setText(problem, messages.join("\n"));
      input.setAttribute("aria-invalid", String(messages.length > 0));
    }
    const others = this.#state.faults.filter((fault) => fault.index === null || !(fault.entry in labels));
    if (others.length) setText(find("editorProblem"), others.map((fault) => fault.message).join("\n"));
  }

  // What the user does

  #select(number) {
    document.activeElement.matches("#fields *") && document.activeElement.blur();
    for (const draft of this.#drafts) draft.drop();
    this.#selected = number;
    this.#render(this.#state);
  }

  async #send(action, body = {}) {
    try {
      const state = await this.#connection.post("editor", action, body);
      setText(find("editorProblem"), "");
      this.#ask(null);
      this.#render(state);
      return state;
    } catch (error) {
      setText(find("editorProblem"), sentences(error));
      return error;
    }
  }

  /** Sends the text of a field; fails if it is refused. */
  async #edit(field, text, base) {
    const number = this.#selected;
    try {
      this.#render(await this.#connection.post("editor", "edit", { number, field, text, base }));
      setText(find("editorProblem"), "");
    } catch (error) {
      // The field shows another definition meanwhile.
      if (number !== this.#selected) setText(find("editorProblem"), sentences(error));
      throw error;
    }
  }

  async #change(action) {
    const [number, index] = [this.#selected, this.#index];
    if (action === "up" || action === "down") {
      await this.#send("move", { number, to: index + (action === "up" ? -1 : 1) });
    } else if (action === "add" || action === "duplicate") {
      const known = new Set(this.#state.definitions.map((definition) => definition.number));
      const state = await this.#send(action, { number });
      const added = state.definitions?.find((definition) => !known.has(definition.number));
      if (added) this.#select(added.number);
      find("field-key").focus();
    } else {
      for (const draft of this.#drafts) draft.drop();
      await this.#send(action, { number });
      const next = this.#state.definitions[Math.min(index, this.#state.definitions.length - 1)];
      if (next) this.#select(next.number);
    }
  }

  /** Asks whether to do what a refused request has warned of; nothing if there is no question. */
  #ask(title, action, other = null) {
    find("confirm").hidden = title === null;
    if (title === null) return;
    setText(find("confirmYes"), title);
    find("confirmYes").onclick = action;
    find("confirmOther").hidden = other === null;
    find("confirmOther").onclick = other;
    find("confirmYes").focus();
  }

  async #open(file, discards = false) {
    const answer = await this.#send("open", { file, discards });
    if (answer.status === 409) return this.#ask("Discard the changes", () => this.#open(file, true));
    if (answer instanceof Error) return;
    find("documentName").value = file ?? "";
    setText(find("editorProblem"), answer.faultsInFile.join("\n"));
  }

  /** Saves under a name; the answer to a question is about the name, and the version of its file, that were asked about. */
  async #save(file = find("documentName").value, replaces = null) {
    const answer = await this.#send("save", { file, replaces });
    if (answer.status !== 409) return;
    const isOwn = file === this.#state.file;
    this.#ask(`Replace ${file}`, () => this.#save(file, answer.answer.version), isOwn ? () => this.#open(file, true) : null);
  }

  // After a new run of the program

  /** Offers an unsaved document of the former run of the program; null ends the offer. */
  #keep(state) {
    this.#kept = state;
    find("kept").hidden = state === null;
    if (!state) return;
    find("documentName").value = state.file ?? "";
    const count = state.definitions.length;
    setText(find("keptText"), "The program was started anew. This window still has the unsaved document of before, with "
      + `${count} definition${count === 1 ? "" : "s"}.`);
  }

  async #restore(discards = false) {
    const { file, definitions } = this.#kept;
    const answer = await this.#send("restore", { file, definitions, discards });
    if (answer.status === 409) return this.#ask("Discard the changes", () => this.#restore(true));
    if (!(answer instanceof Error)) this.#keep(null);
  }

  async #complete(field) {
    let texts = this.#state.transformers;
    if (field !== "transformerName") {
      try {
        const body = { number: this.#selected, field, text: this.#fields[field].input.value };
        ({ texts } = await this.#connection.post("editor", "complete", body));
      } catch { texts = []; }
    }
    find("completions").replaceChildren(...texts.map((text) => make("option", { value: text })));
  }
}

/** Whether two states have the same definitions. */
function same(first, second) {
  const texts = (state) => JSON.stringify(state.definitions.map((definition) => Object.keys(labels).map((name) => definition[name])));
  return texts(first) === texts(second);
}
