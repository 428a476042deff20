import { isServer } from "./identity.js";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Reads the events of some windows: of all windows of a browser in a shared worker, or of one in its page. */
export class EventStream {
  /** The windows: a name, a run of the server, a token, the last position, and how to tell it something. */
  #windows = new Map();
  #generation = 0;
  #controller = null;

  /** Reads the events of a window from now on. */
  set(key, state, tell) {
    this.#windows.set(key, { ...state, tell: (message) => tell({ ...message, window: state.window }) });
    this.#read();
  }

  remove(key) {
    this.#windows.delete(key);
    this.#read();
  }

  #tellAll(message) { for (const { tell } of this.#windows.values()) tell(message); }

  /** Reads the events of all windows; called anew when there are other windows. */
  async #read() {
    const mine = ++this.#generation;
    this.#controller?.abort();
    while (this.#windows.size) {
      this.#controller = new AbortController();
      const all = [...this.#windows.values()];
      const { run, token } = all.at(-1);
      const query = new URLSearchParams({
        run, windows: all.map(({ window }) => window).join(","), after: Math.min(...all.map(({ position }) => position)),
      });
      try {
        const isKnown = await isServer(token);
        if (mine !== this.#generation) return;
        const headers = { Authorization: `Bearer ${token}` };
        const options = { headers, signal: this.#controller.signal, cache: "no-store" };
        const response = isKnown ? await fetch(`/events?${query}`, options) : { status: 403 };
        if (mine !== this.#generation) return;
        if (response.ok) {
          this.#tellAll({ state: "connected" });
          await this.#readEvents(response, () => mine === this.#generation);
        } else if (response.status !== 503) {
          // The windows are not open any more, or the token is another one: each page finds out.
          this.#tellAll({ state: "gone" });
          this.#windows.clear();
          return;
        }
      } catch { /* the server is gone, or the stream has been ended for another one */ }
      if (mine !== this.#generation) return;
      this.#tellAll({ state: "lost" });
      await pause(1000);
      if (mine !== this.#generation) return;
    }
  }

  async #readEvents(response, isCurrent) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done || !isCurrent()) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) this.#deliver(block);
    }
  }

  #deliver(block) {
    const fields = Object.fromEntries(block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    }));
    const id = Number(fields.id);
    for (const state of this.#windows.values()) {
      const isMine = !fields.window || fields.window === state.window;
      if (fields.event === "lost" || fields.event === "gone") {
        if (isMine) state.tell({ state: "gone" });
      } else if (id > state.position) {
        state.position = id;
        state.tell(isMine && fields.event ? { id, event: fields.event, data: fields.data } : { id });
      }
    }
  }
}
