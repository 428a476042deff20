import { find, make, setText, sentences } from "./dom.js";
import { Draft } from "./draft.js";

const sliders = ["redSlider", "greenSlider", "blueSlider"];

/** The colour picker: shows what the controls of the program show, and sends what the user does. */
export class Picker {
  name = "picker";
  #connection;
  /** The newest value of each control that is still to be sent. */
  #waiting = new Map();
  #isSending = new Set();
  #hex;

  constructor(connection) {
    this.#connection = connection;
    connection.on("picker.controls", (controls) => this.#apply(controls));
    connection.on("picker.file", (state) => this.#showFile(state));
    for (const name of sliders) {
      const input = find(name);
      input.addEventListener("input", () => this.#send(name, input.valueAsNumber, "valueChanged"));
      input.addEventListener("change", () => this.#send(name, input.valueAsNumber, "committed"));
    }
    this.#hex = new Draft(find("hexField"), find("hexProblem"), async (text, base) => {
      const body = { control: "hexField", value: text, event: "committed", base };
      this.#applyOne("hexField", await this.#connection.post("picker", "event", body));
    });
    find("bindingFile").addEventListener("change", (event) => this.#use(event.target.value));
    find("unbind").addEventListener("click", () => this.#use(null));
    find("openFile").addEventListener("submit", (event) => {
      event.preventDefault();
      if (find("fileName").value) this.#use(find("fileName").value);
    });
  }

  show() {}
  hide() {}

  open(state) {
    this.#waiting.clear();
    this.#showFile(state);
    this.#apply(state.controls);
  }

  // What the program shows

  #apply(controls) {
    for (const [name, state] of Object.entries(controls)) {
      // While the user moves a slider, its own older values come back: they would make it jump.
      if (this.#waiting.has(name) || this.#isSending.has(name)) continue;
      this.#applyOne(name, state);
    }
  }

  #applyOne(name, state) {
    if (sliders.includes(name)) {
      const input = find(name);
      input.value = state.value;
      setText(input.nextElementSibling, state.value.toFixed(2));
      input.setAttribute("aria-valuetext", `${Math.round(state.value * 100)} percent`);
    } else if (name === "hexField") {
      const field = find("hexField");
      this.#hex.show(state.text ?? "");
      field.disabled = !state.isBound;
      field.setAttribute("aria-invalid", String(Boolean(state.problem)));
      if (!this.#hex.isRefused) setText(find("hexProblem"), state.problem ?? (state.isBound ? "" : "This file binds no hex field."));
    } else if (name === "colorDisplayView") {
      find("swatch").style.background = state.backgroundColor ?? "";
      find("swatch").setAttribute("aria-label", `The selected colour: ${state.backgroundColor ?? "none"}`);
    } else if (name === "titleLabel") {
      setText(find("titleLabel"), state.text ?? "—");
    }
  }

  #showFile(state) {
    const select = find("bindingFile");
    const names = state.file === null ? ["(not bound)", ...state.files] : state.files;
    select.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    select.value = state.file ?? "(not bound)";
    find("unbind").disabled = state.file === null;
    find("definitions").replaceChildren(...state.definitions.map((text) => make("li", {}, text)));
    setText(find("fileProblem"), "");
  }

  // What the user does

  /** Sends the newest value of a control; those that came while another was under way are left out. */
  async #send(name, value, event) {
    this.#waiting.set(name, { value, event });
    setText(find(name).nextElementSibling, value.toFixed(2));
    if (this.#isSending.has(name)) return;
    this.#isSending.add(name);
    let state = null;
    while (this.#waiting.has(name)) {
      const { value, event } = this.#waiting.get(name);
      this.#waiting.delete(name);
      try {
        state = await this.#connection.post("picker", "event", { control: name, value, event });
      } catch (error) {
        setText(find("fileProblem"), sentences(error));
      }
    }
    this.#isSending.delete(name);
    if (state) this.#applyOne(name, state);
  }

  async #use(file) {
    if (file === "(not bound)") file = null;
    const former = find("bindingFile").value;
    try {
      this.#showFile(await this.#connection.post("picker", "bindings", { file }));
    } catch (error) {
      find("bindingFile").value = former;
      setText(find("fileProblem"), sentences(error));
    }
  }
}
