import { find, make } from "./dom.js";

/** The fields of the table: a text that is typed is an edit of the selected rows, and of no others. */
export class Fields {
  #table;
  #columns = [];
  /** The selected rows. */
  #ids = [];
  /** What the program has: a text or a marker. */
  #shown = new Map();
  /** What is typed, and what the field showed when its user began. */
  #edits = new Map();
  #isSending = false;
  /** The field whose text is being committed. */
  #committed = null;
  #commits = Promise.resolve();

  /** table: ask(action, body, clears), note(sentence), follow() and focus(). */
  constructor(table) {
    this.#table = table;
    find("tableFields").addEventListener("submit", (event) => event.preventDefault());
  }

  get ids() { return this.#ids; }
  get isEdited() { return this.#edits.size > 0; }
  has(key) { return this.#edits.has(key); }

  /** Resolves when no text is on its way to be written. */
  get committed() { return this.#commits; }

  /** Makes the fields, unless they are there: then texts and the focus stay. */
  make(columns) {
    const isSame = JSON.stringify(columns) === JSON.stringify(this.#columns);
    this.#columns = columns;
    if (isSame) return;
    find("tableFields").replaceChildren(...columns.map((column) => {
      const input = make("input", {
        type: "text", id: `cell-${column.key}`, autocomplete: "off", spellcheck: false, "aria-describedby": "tableProblem",
      });
      input.addEventListener("input", () => {
        const base = this.#edits.get(column.key)?.base ?? this.#shown.get(column.key);
        this.#edits.set(column.key, { text: input.value, base });
        this.#send(column.key);
      });
      input.addEventListener("change", () => this.#commit(column.key));
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") { event.preventDefault(); this.#commit(column.key); }
        if (event.key === "Escape") { event.preventDefault(); this.#discard(); }
      });
      return make("div", { className: "field" }, make("label", { htmlFor: input.id }, column.title), input);
    }));
  }

  /** Shows the values of the selected rows. Edits of other rows are given up, and named. */
  show(ids, fields) {
    const isElsewhere = String(ids) !== String(this.#ids);
    const lost = isElsewhere ? [...this.#edits] : [];
    this.#ids = ids;
    if (isElsewhere) this.#clear();
    for (const field of fields) {
      this.#shown.set(field.key, field.marker ?? field.text);
      const input = find(`cell-${field.key}`);
      if (!input) continue;
      input.disabled = !field.isEditable;
      input.placeholder = field.marker ?? "";
      input.dataset.marker = field.marker ?? "";
      if (!this.#edits.has(field.key)) input.value = field.text;
    }
    if (!lost.length) return;
    const texts = lost.map(([key, { text }]) => `${this.#columns.find((column) => column.key === key)?.title ?? key}: ${text}`);
    this.#table.note(`The edited row is not selected any more, and this was not written: ${texts.join("; ")}`);
    if (find("tableFields").contains(document.activeElement) || document.activeElement === document.body) this.#table.focus();
  }

  /** Tells the program of the edits again, after the connection was lost. */
  sendAgain() { for (const key of this.#edits.keys()) this.#send(key); }

  /** Marks the field of a refusal, and moves the focus there; a refusal of something else moves no focus. */
  refuse(key, present) {
    const input = key === undefined ? null : find(`cell-${key}`);
    if (!input) return;
    input.setAttribute("aria-invalid", "true");
    input.focus();
    // The user knows now what another window has written.
    const edit = this.#edits.get(key);
    if (edit && present !== undefined) edit.base = present;
  }

  focus(selects) {
    const input = find("tableFields").querySelector("input:enabled");
    input?.focus();
    if (selects) input?.select();
  }

  #clear() {
    this.#edits.clear();
    for (const input of find("tableFields").querySelectorAll("input")) input.removeAttribute("aria-invalid");
  }

  /** Lets the program know that there is an edit: the newest text, when the last one has arrived. */
  async #send(key) {
    if (this.#isSending) return;
    this.#isSending = true;
    let sent;
    while (this.#edits.has(key) && this.#edits.get(key).text !== sent && this.#committed !== key) {
      const { text, base } = this.#edits.get(key);
      sent = text;
      await this.#table.ask("edit", { column: key, text, base, commits: false }, false);
    }
    this.#isSending = false;
  }

  #commit(key) {
    this.#commits = this.#commits.then(() => this.#write(key));
  }

  async #write(key) {
    if (!this.#edits.has(key)) return;
    const { text, base } = this.#edits.get(key);
    this.#committed = key;
    const answer = await this.#table.ask("edit", { column: key, text, base, commits: true });
    this.#committed = null;
    if (!answer) return;
    const edit = this.#edits.get(key);
    if (edit?.text === text) this.#edits.delete(key); else if (edit) edit.base = this.#shown.get(key);
    find(`cell-${key}`).removeAttribute("aria-invalid");
    this.#table.follow();
  }

  async #discard() {
    this.#clear();
    await this.#table.ask("discard");
    this.#table.focus();
  }
}
