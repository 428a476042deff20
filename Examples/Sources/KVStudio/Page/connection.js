// The connection of this window to the server: requests one after the other, and the stream of events.

import { isServer } from "./identity.js";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Waits until what the last answer has caused is done. */
const nextTask = () => new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); done(); };
  channel.port2.postMessage(null);
});

// The token stays in this window. A cookie would be sent to every port of this machine.
const given = new URLSearchParams(location.search).get("token");
if (given) sessionStorage.setItem("token", given);
const token = sessionStorage.getItem("token") ?? "";

export class Failure extends Error {
  constructor(status, sentence, answer = {}) {
    super(sentence);
    this.status = status;
    this.details = answer.details ?? [];
    this.answer = answer;
  }
}

export class Connection {
  #window = null;
  #run = null;
  #number = 0;
  #last = Promise.resolve();
  #handlers = new Map();
  #isOpening = false;
  #opened = null;
  #ready = new Promise((done) => { this.#opened = done; });
  /** Has the events of this window read from now on. */
  #stream = null;
  #lock = `kv-studio-${Math.random()}`;
  /** Whether there is no stream, and none is on its way. */
  #isLost = false;
  /** The last event that has been handled. */
  #position = 0;
  /** The events that wait for the answer to a request; null while there is none. */
  #waiting = null;
  /** Called at each event. */
  #arrived = () => {};

  /**
   * onState(state, sentence) says how the connection is. onOpen(parts, isNewRun) gets the whole state, also after a loss;
   * isNewRun says that the program has been started anew meanwhile.
   */
  constructor(onState, onOpen) {
    this.onState = onState;
    this.onOpen = onOpen;
  }

  on(event, handler) { this.#handlers.set(event, handler); }

  /** Opens the window, again and again until the server answers. */
  async open() {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#isLost = true;
    for (let wait = 250; ; wait = Math.min(wait * 2, 4000)) {
      try {
        const answer = await this.#fetch("/api/open", {});
        const isNewRun = this.#run !== null && this.#run !== answer.run;
        [this.#window, this.#run, this.#position, this.#number] = [answer.window, answer.run, answer.position, 0];
        if (this.#waiting) this.#waiting = [];
        [this.#isOpening, this.#isLost] = [false, false];
        this.#opened();
        this.onOpen(answer.parts, isNewRun);
        await this.#listen();
        return;
      } catch (error) {
        this.onState("lost", error.status || !(error instanceof Failure) ? error.message : "The server does not answer. Trying again…");
        await pause(wait);
      }
    }
  }

  // Events

  async #listen() {
    if (!this.#stream) await this.#makeStream();
    this.#stream({ window: this.#window, run: this.#run, token, position: this.#position, lock: this.#lock });
  }

  async #makeStream() {
    if (!window.SharedWorker) return this.#makeOwnStream();
    const worker = new SharedWorker("worker.js", { type: "module" });
    this.#stream = (state) => worker.port.postMessage(state);
    let isDecided = false;
    worker.port.onmessage = ({ data }) => { isDecided = true; this.#receive(data); };
    worker.onerror = async () => {
      // It could not be loaded.
      if (isDecided) return;
      isDecided = true;
      await this.#makeOwnStream();
      this.#listen();
    };
    await new Promise((held) => navigator.locks.request(this.#lock, () => { held(); return new Promise(() => {}); }));
  }

  /** A stream of this window alone: a few windows are possible then. */
  async #makeOwnStream() {
    const { EventStream } = await import("./stream.js");
    const stream = new EventStream();
    this.#stream = (state) => stream.set(this, state, (message) => this.#receive(message));
  }

  #receive(message) {
    if (message.window !== this.#window) return;
    if (message.state) {
      this.#isLost = message.state !== "connected";
      if (message.state === "connected") this.onState("connected", "Connected");
      else this.onState("lost", "The connection is lost. Trying again…");
      if (message.state === "gone") this.open();
    } else if (this.#waiting) {
      this.#waiting.push(message);
    } else {
      this.#handle(message);
    }
    this.#arrived();
  }

  #handle({ id, event, data }) {
    if (id <= this.#position) return;
    this.#position = id;
    if (event) this.#handlers.get(event)?.(JSON.parse(data));
  }

  /** Handles the events up to the position of an answer, which comes next. */
  async #reach(position) {
    const end = Date.now() + 1000;
    for (;;) {
      while (this.#waiting?.length && this.#waiting[0].id <= position) this.#handle(this.#waiting.shift());
      if (this.#position >= position || this.#isLost || Date.now() > end) return;
      await Promise.race([new Promise((done) => { this.#arrived = done; }), pause(end - Date.now())]);
    }
  }

  // Requests

  /**
   * Sends a request when those before it have been answered.
   *
   * Answers and events are handled in the order of the server: first the events that the answer includes, then the answer,
   * then later events.
   */
  post(part, action, body = {}) {
    const result = Promise.all([this.#ready, this.#last]).then(() => {
      this.#waiting = [];
      return this.#fetch(`/api/${part}/${action}`, body);
    });
    this.#last = result.catch(() => {}).then(nextTask).then(() => {
      const later = this.#waiting ?? [];
      this.#waiting = null;
      for (const message of later) this.#handle(message);
    });
    return result;
  }

  async text(path) {
    await this.#checkServer();
    const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Failure(response.status, (await response.json()).error);
    return response.text();
  }

  /** Without a connection, anybody may listen at the address. */
  async #checkServer() {
    if (!this.#isLost) return;
    const isKnown = await isServer(token).catch(() => null);
    if (isKnown === null) throw new Failure(0, "The server does not answer.");
    if (!isKnown) {
      throw new Failure(
        403, "A server without this window's token answers here, and is not sent it. Open the address that the server has printed.");
    }
  }

  async #fetch(path, body) {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const isOpen = path === "/api/open";
    if (!isOpen) {
      headers["X-Window"] = this.#window;
      headers["X-Request"] = String(++this.#number);
    }
    const sender = this.#window;
    let response;
    await this.#checkServer();
    try {
      response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    } catch {
      throw new Failure(0, "The server does not answer.");
    }
    let answer = {};
    try { answer = await response.json(); } catch { /* the answer was cut off */ }
    // After a loss, positions are those of another window.
    if (!isOpen && sender === this.#window) await this.#reach(Number(response.headers.get("X-Position")));
    if (response.ok) return answer;
    if (answer.closed === "window" && sender === this.#window) this.open();
    throw new Failure(response.status, answer.error ?? "The server has refused the request.", answer);
  }
}
