// The connection of this window to the server: requests one after the other, and the stream of events.

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class Failure extends Error {
  constructor(status, sentence, details = []) {
    super(sentence);
    this.status = status;
    this.details = details;
  }
}

export class Connection {
  #window = null;
  #number = 0;
  #last = Promise.resolve();
  #source = null;
  #handlers = new Map();
  #isOpening = false;
  #opened = null;
  #ready = new Promise((done) => { this.#opened = done; });

  /** onState(state, sentence) says how the connection is; onOpen(parts) gets the whole state, also after a loss. */
  constructor(onState, onOpen) {
    this.onState = onState;
    this.onOpen = onOpen;
  }

  on(event, handler) { this.#handlers.set(event, handler); }

  /** Opens the window, again and again until the server answers. */
  async open() {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#source?.close();
    for (let wait = 250; ; wait = Math.min(wait * 2, 4000)) {
      try {
        const answer = await this.#fetch("/api/open", {});
        this.#window = answer.window;
        this.#number = 0;
        this.#isOpening = false;
        this.#opened();
        this.onOpen(answer.parts);
        this.#listen(answer.position);
        return;
      } catch (error) {
        this.onState("lost", error.status ? error.message : "The server does not answer. Trying again…");
        await pause(wait);
      }
    }
  }

  #listen(position) {
    const source = new EventSource(`/events?window=${encodeURIComponent(this.#window)}&after=${position}`);
    this.#source = source;
    source.onopen = () => this.onState("connected", "Connected");
    source.onerror = () => {
      if (source !== this.#source) return;
      this.onState("lost", "The connection is lost. Trying again…");
      // A browser connects again by itself, unless the server has refused: then the window is gone.
      if (source.readyState === EventSource.CLOSED) this.open();
    };
    source.addEventListener("lost", () => this.open());
    for (const [name, handler] of this.#handlers) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  }

  /** Sends a request when those before it have been answered. */
  post(part, action, body = {}) {
    const result = Promise.all([this.#ready, this.#last]).then(() => this.#fetch(`/api/${part}/${action}`, body));
    this.#last = result.catch(() => {});
    return result;
  }

  async text(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Failure(response.status, (await response.json()).error);
    return response.text();
  }

  async #fetch(path, body) {
    const headers = { "Content-Type": "application/json" };
    if (this.#window && path !== "/api/open") {
      headers["X-Window"] = this.#window;
      headers["X-Request"] = String(++this.#number);
    }
    let response;
    try {
      response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    } catch {
      throw new Failure(0, "The server does not answer.");
    }
    let answer = {};
    try { answer = await response.json(); } catch { /* the answer was cut off */ }
    if (response.ok) return answer;
    if (response.status === 410) this.open();
    throw new Failure(response.status, answer.error ?? "The server has refused the request.", answer.details);
  }
}
