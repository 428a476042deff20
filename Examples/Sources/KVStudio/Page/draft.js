import { setText, sentences } from "./dom.js";

/**
 * A text field whose user can be ahead of the program.
 *
 * While the user types, nothing overwrites the text. What is refused stays in the field, with the reason below it, until
 * it is accepted or Escape drops it. The value that the user was looking at is sent along, so that the server notices when
 * another window has changed it meanwhile; Return writes it nevertheless.
 */
export class Draft {
  #input;
  #problem;
  #send;
  /** What the program has. */
  #shown = "";
  /** What the program had when the user began to type; null if they have not. */
  #base = null;
  #isRefused = false;
  #isSending = false;
  /** What is on its way is of no matter to the field after a drop. */
  #drops = 0;

  /** send(text, base) returns a promise; it fails if the text is refused. */
  constructor(input, problem, send) {
    [this.#input, this.#problem, this.#send] = [input, problem, send];
    input.addEventListener("input", () => { this.#base ??= this.#shown; });
    input.addEventListener("change", () => this.#commit());
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#commit();
      if (event.key === "Escape" && this.isDirty) { event.preventDefault(); this.drop(); }
    });
    // No change event follows if the user has restored the text.
    input.addEventListener("blur", () => { if (!this.#isRefused && !this.#isSending) this.drop(); });
  }

  /** Whether the field has a text that the program has not. */
  get isDirty() { return this.#base !== null; }

  /** Whether the reason of a refusal stands below the field. */
  get isRefused() { return this.#isRefused; }

  /** Shows what the program has, unless the user is ahead. */
  show(text) {
    this.#shown = text;
    if (!this.isDirty && this.#input.value !== text) this.#input.value = text;
  }

  /** Takes what the program has. */
  drop() {
    if (this.#isRefused) setText(this.#problem, "");
    [this.#base, this.#isRefused, this.#isSending] = [null, false, false];
    this.#drops += 1;
    this.#input.value = this.#shown;
  }

  /** Keeps the text, and says why it is not accepted. */
  refuse(sentence) {
    this.#isRefused = true;
    setText(this.#problem, sentence);
  }

  async #commit() {
    if (!this.isDirty || this.#isSending) return;
    const text = this.#input.value;
    const drops = this.#drops;
    this.#isSending = true;
    try {
      await this.#send(text, this.#base);
      if (drops !== this.#drops) return;
      if (this.#input.value !== text) this.#base = this.#shown; else this.#base = null;
      if (this.#isRefused) setText(this.#problem, "");
      this.#isRefused = false;
      this.show(this.#shown);
    } catch (error) {
      if (drops !== this.#drops) return;
      this.refuse(sentences(error));
      // The user knows now what another window has written.
      if (error.status === 409) this.#base = this.#shown;
    }
    this.#isSending = false;
  }
}
