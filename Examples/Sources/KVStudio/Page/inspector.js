import { find, make, setText, sentences } from "./dom.js";
import { Draft } from "./draft.js";

const lineLimit = 500;

/** The inspector: the objects that the program has registered. */
export class Inspector {
  name = "inspector";
  #connection;
  #root = null;
  #path = "";
  #lines = [];
  #leftOut = 0;
  #rows = new Map();
  #isTracing = false;

  constructor(connection) {
    this.#connection = connection;
    connection.on("inspector.shown", (state) => this.#render(state));
    connection.on("inspector.trace", (trace) => this.#addLines(trace));
    find("root").addEventListener("change", (event) => this.#go(event.target.value, ""));
    find("go").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go(this.#root, find("path").value.trim());
    });
    find("trace").addEventListener("click", () => this.#trace(!this.#isTracing));
    find("filter").addEventListener("input", () => this.#renderLines());
    find("clear").addEventListener("click", () => {
      this.#lines = [];
      this.#leftOut = 0;
      this.#renderLines();
    });
    find("draw").addEventListener("click", () => this.#draw());
  }

  open(state) {
    this.#showNames(state.names);
    if (!state.names.includes(this.#root)) [this.#root, this.#path] = [state.names[0] ?? null, ""];
  }

  show() {
    if (this.#root !== null) this.#go(this.#root, this.#path);
    if (this.#isTracing) this.#trace(true);
  }

  hide() { this.#connection.post("inspector", "show", { name: "" }).catch(() => {}); }

  #showNames(names) {
    const select = find("root");
    if ([...select.options].map((option) => option.value).join("\n") === names.join("\n")) return;
    select.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
  }

  async #go(name, path) {
    try {
      const state = await this.#connection.post("inspector", "show", { name, path });
      if (name !== this.#root) this.#clearGraph();
      [this.#root, this.#path] = [name, path];
      this.#rows.clear();
      const hadFocus = find("keys").contains(document.activeElement) || find("crumbs").contains(document.activeElement);
      find("keys").tBodies[0].replaceChildren();
      this.#render(state);
      find("path").value = path;
      // What had the focus is gone: it is now at the beginning of what is shown instead.
      if (hadFocus && document.activeElement === document.body) find("inspected").focus();
    } catch (error) {
      setText(find("inspectorProblem"), sentences(error));
    }
  }

  // The object

  #render(state) {
    if (state.name !== this.#root || state.path !== this.#path) return;
    setText(find("inspectorProblem"), state.fault ?? "");
    if (state.fault) return;
    this.#showNames(state.names);
    find("root").value = state.name;
    const count = state.count === null ? "" : state.count === 1 ? ", 1 element" : `, ${state.count} elements`;
    setText(find("inspected"), `${state.type}${count}${state.allowsEditing ? "" : " (read-only)"}`);
    this.#renderCrumbs(state);
    setText(find("plain"), state.kind === "plain" ? state.value ?? "nil" : "");
    find("keys").hidden = state.entries.length === 0;
    this.#renderEntries(state.entries);
    setText(find("more"), state.count > state.entries.length && state.entries.length
      ? `The first ${state.entries.length} of ${state.count}. A path such as ${state.path}[${state.count - 1}] leads to others.` : "");
    setText(find("left"), state.left ? `${state.left} further observers and bindings are not shown.` : "");
    this.#renderFacts("observations", "No observers.", state.observations, (fact) => [
      make("code", {}, fact.keyPath), ` [${fact.options}]${fact.owner ? ` of ${fact.owner}` : ""}`
        + `${fact.isPaused ? ", paused" : ""}`, make("div", { className: "note" }, fact.location)]);
    this.#renderFacts("bindings", "No bindings.", state.bindings, (fact) => [
      make("code", {}, fact.text), " ", make("span", { className: `state ${fact.state}` }, fact.state),
      ...(fact.fault ? [make("div", { className: "problem" }, fact.fault)] : []),
      make("div", { className: "note" }, fact.location)]);
  }

  #renderCrumbs(state) {
    const parts = state.path.match(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g) ?? [];
    let path = "";
    const links = [make("button", { className: "link", type: "button", onclick: () => this.#go(state.name, "") }, state.name)];
    for (const part of parts) {
      path += part.startsWith("[") || path === "" ? part : `.${part}`;
      const target = path;
      links.push(" › ", make("button", { className: "link", type: "button", onclick: () => this.#go(state.name, target) }, part));
    }
    const text = links.map((link) => link.textContent ?? link).join("");
    if (find("crumbs").textContent !== text) find("crumbs").replaceChildren(...links);
  }

  #renderEntries(entries) {
    const body = find("keys").tBodies[0];
    const names = new Set(entries.map((entry) => entry.name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.element.remove();
      this.#rows.delete(name);
    }
    for (const entry of entries) {
      const row = this.#rows.get(entry.name);
      // A row stays what it is while only its value changes, so that nobody loses the focus or what they type.
      const shape = JSON.stringify([entry.path, entry.type, entry.kind, entry.isReadOnly, entry.fault]);
      if (row && (row.shape === shape || row.draft?.isDirty)) {
        this.#update(row, entry);
        continue;
      }
      const hadFocus = row?.element.contains(document.activeElement);
      const { element, draft, text } = this.#row(entry);
      if (row) row.element.replaceWith(element); else body.append(element);
      if (hadFocus) element.querySelector("button, input")?.focus();
      this.#rows.set(entry.name, { shape, element, draft, text });
    }
  }

  #update(row, entry) {
    row.draft?.show(entry.value ?? "");
    if (row.text) {
      setText(row.text, entry.value ?? "nil");
      row.text.className = entry.value === null ? "nil" : "";
    }
  }

  #row(entry) {
    const canOpen = entry.kind !== "plain" && entry.value !== null;
    const open = () => this.#go(this.#root, entry.path);
    const name = canOpen
      ? make("button", { className: "link mono", type: "button", onclick: open }, entry.name)
      : make("code", {}, entry.name);
    const notes = [entry.canNotify ? "notifies" : "", entry.isReadOnly ? "read-only" : ""].filter(Boolean).join(", ");
    let value, draft = null, text = null;
    if (entry.fault) {
      value = make("td", { className: "problem" }, entry.fault);
    } else if (!entry.isReadOnly && entry.kind === "plain") {
      const problem = make("div", { className: "problem", role: "alert" });
      const input = make("input", { type: "text", placeholder: "nil", spellcheck: false });
      input.setAttribute("aria-label", `Value of ${entry.name}`);
      draft = new Draft(input, problem, (value, base) => this.#set(entry.path, value, base));
      draft.show(entry.value ?? "");
      value = make("td", {}, input, problem);
    } else {
      value = text = make("td", { className: entry.value === null ? "nil" : "" }, entry.value ?? "nil");
    }
    const element = make(
      "tr", {}, make("td", {}, name, make("div", { className: "note" }, notes)),
      make("td", { className: "type mono" }, entry.type), value);
    return { element, draft, text };
  }

  async #set(path, value, base) {
    this.#render(await this.#connection.post("inspector", "set", { name: this.#root, path, value, base }));
  }

  #renderFacts(id, empty, facts, content) {
    const text = JSON.stringify(facts);
    if (find(id).dataset.text === text) return;
    find(id).dataset.text = text;
    const items = facts.map((fact) => make("li", {}, ...content(fact)));
    find(id).replaceChildren(...(items.length ? items : [make("li", { className: "hint" }, empty)]));
  }

  // The trace

  async #trace(isOn) {
    try {
      await this.#connection.post("inspector", "trace", { isOn });
      this.#isTracing = isOn;
      find("trace").setAttribute("aria-pressed", String(isOn));
      setText(find("trace"), isOn ? "Pause the trace" : "Start the trace");
    } catch (error) {
      setText(find("inspectorProblem"), sentences(error));
    }
  }

  #addLines(trace) {
    if (!this.#isTracing) return;
    this.#lines.push(...trace.lines);
    this.#leftOut += trace.leftOut;
    if (this.#lines.length > lineLimit) {
      this.#leftOut += this.#lines.length - lineLimit;
      this.#lines = this.#lines.slice(-lineLimit);
    }
    this.#renderLines();
  }

  #renderLines() {
    const filter = find("filter").value.toLowerCase();
    const lines = this.#lines.filter((line) =>
      [line.root, line.topic, line.level, line.message, line.location].join(" ").toLowerCase().includes(filter));
    const list = find("lines");
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    list.replaceChildren(...lines.map((line) => make(
      "li", { className: line.level }, `${line.number} ${line.topic}: ${line.message} `,
      make("span", { className: "place" }, line.location ?? ""))));
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    setText(find("traceCount"), `${lines.length} of ${this.#lines.length}`
      + (this.#leftOut ? `, ${this.#leftOut} left out` : ""));
  }

  // The graph

  #clearGraph() {
    find("graph").replaceChildren();
    find("dot").hidden = true;
    setText(find("graphText").querySelector("pre"), "");
  }

  async #draw() {
    const name = this.#root;
    const get = (file) => this.#connection.text(`/api/inspector/graph.${file}?name=${encodeURIComponent(name)}`);
    try {
      const [svg, dot, text] = await Promise.all([get("svg"), get("dot"), get("txt")]);
      if (name !== this.#root) return;
      // As an image, a drawing runs no script, whatever it contains.
      const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: `The graph of ${name}` });
      find("graph").replaceChildren(image);
      find("dot").href = `data:text/plain,${encodeURIComponent(dot)}`;
      find("dot").hidden = false;
      setText(find("graphText").querySelector("pre"), text);
    } catch (error) {
      setText(find("inspectorProblem"), sentences(error));
    }
  }
}
