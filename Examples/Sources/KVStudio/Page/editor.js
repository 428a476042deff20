import { find, make, setText, sentences } from "./dom.js";

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
    find("run").addEventListener("click", () => this.#send("run", { isOn: !this.#state.isRunning }));
    find("openDocument").addEventListener("submit", (event) => {
      event.preventDefault();
      if (find("documentName").value) this.#open(find("documentName").value);
    });
    find("newDocument").addEventListener("click", () => this.#open(null));
    find("saveDocument").addEventListener("click", () => this.#save());
    find("definition").addEventListener("submit", (event) => event.preventDefault());
    find("confirmNo").addEventListener("click", () => this.#ask(null));
    window.addEventListener("beforeunload", (event) => { if (this.#state?.isUnsaved) event.preventDefault(); });
    find("editor").addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      document.activeElement.blur();
      this.#send(event.shiftKey ? "redo" : "undo");
    });
  }

  open(state) {
    find("documentName").value = state.file ?? "";
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
      input.addEventListener("change", () => this.#edit(name, input.value));
      this.#fields[name] = { input, problem };
      const title = make("label", {}, label);
      title.htmlFor = input.id;
      find("fields").append(make("div", { className: "field" }, title, input, problem));
    }
  }

  #render(state) {
    this.#state = state;
    if (this.#index < 0) this.#selected = state.definitions[0]?.number ?? null;
    find("documentNames").replaceChildren(...state.files.map((name) => make("option", { value: name })));
    const count = state.definitions.length;
    const faults = state.faults.length ? `, ${state.faults.length} fault${state.faults.length === 1 ? "" : "s"}` : "";
    setText(find("documentState"), `${state.file ?? "New document"}${state.isUnsaved ? " (unsaved changes)" : ""}: `
      + `${count} definition${count === 1 ? "" : "s"}${faults}`);
    for (const [id, title, can] of [["undo", state.undo, state.canUndo], ["redo", state.redo, state.canRedo]]) {
      setText(find(id), title);
      find(id).disabled = !can;
    }
    find("run").setAttribute("aria-pressed", String(state.isRunning));
    const last = count - 1;
    const can = { add: true, duplicate: count > 0, remove: count > 0, up: this.#index > 0, down: this.#index >= 0 && this.#index < last };
    for (const button of document.querySelectorAll("[data-action]")) button.disabled = !can[button.dataset.action];
    this.#renderList();
    this.#renderFields();
  }

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

  #renderFields() {
    const index = this.#index;
    const definition = this.#state.definitions[index];
    const faults = definition ? this.#faults(index) : [];
    for (const [name, { input, problem }] of Object.entries(this.#fields)) {
      input.disabled = !definition;
      if (!input.matches(":focus") || input.dataset.number !== String(this.#selected)) input.value = definition?.[name] ?? "";
      input.dataset.number = this.#selected;
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
    this.#selected = number;
    document.activeElement.matches("#fields *") && document.activeElement.blur();
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

  #edit(field, text) {
    if (this.#selected !== null) this.#send("edit", { number: this.#selected, field, text });
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
      await this.#send(action, { number });
      const next = this.#state.definitions[Math.min(index, this.#state.definitions.length - 1)];
      if (next) this.#select(next.number);
    }
  }

  /** Asks whether to do what a refused request has warned of; nothing if there is no question. */
  #ask(title, action) {
    find("confirm").hidden = title === null;
    if (title === null) return;
    setText(find("confirmYes"), title);
    find("confirmYes").onclick = action;
    find("confirmYes").focus();
  }

  async #open(file, discards = false) {
    const answer = await this.#send("open", { file, discards });
    if (answer.status === 409) return this.#ask("Discard the changes", () => this.#open(file, true));
    if (answer instanceof Error) return;
    find("documentName").value = file ?? "";
    setText(find("editorProblem"), answer.faultsInFile.join("\n"));
  }

  async #save(replaces = false) {
    const answer = await this.#send("save", { file: find("documentName").value, replaces });
    if (answer.status === 409) this.#ask("Replace the file", () => this.#save(true));
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
