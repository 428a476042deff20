// The stream of events, one for all windows of this browser: a browser has no more than six connections to a server,
// and a stream keeps one. A shared worker has no leader: it lives as long as any of its windows.

/** The windows by their ports: a name, a run of the server, a token, and the last position. */
const windows = new Map();
let generation = 0;
let controller = null;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

onconnect = ({ ports: [port] }) => {
  let isLocked = false;
  port.onmessage = ({ data }) => {
    windows.set(port, data);
    read();
    if (isLocked) return;
    isLocked = true;
    // The page has the lock as long as it lives, however it ends.
    navigator.locks.request(data.lock, () => {
      windows.delete(port);
      read();
    });
  };
};

function tell(port, message) { port.postMessage({ ...message, window: windows.get(port).window }); }

function tellAll(message) { for (const port of windows.keys()) tell(port, message); }

/** Reads the events of all windows; called anew when there are other windows. */
async function read() {
  const mine = ++generation;
  controller?.abort();
  while (windows.size) {
    controller = new AbortController();
    const all = [...windows.values()];
    const { run, token } = all.at(-1);
    const query = new URLSearchParams({
      run, windows: all.map(({ window }) => window).join(","), after: Math.min(...all.map(({ position }) => position)),
    });
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`/events?${query}`, { headers, signal: controller.signal, cache: "no-store" });
      if (mine !== generation) return;
      if (response.ok) {
        tellAll({ state: "connected" });
        await readEvents(response, () => mine === generation);
      } else if (response.status !== 503) {
        // The windows are not open any more, or the token is another one: each page finds out.
        tellAll({ state: "gone" });
        windows.clear();
        return;
      }
    } catch { /* the server is gone, or the stream has been ended for another one */ }
    if (mine !== generation) return;
    tellAll({ state: "lost" });
    await pause(1000);
    if (mine !== generation) return;
  }
}

async function readEvents(response, isCurrent) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || !isCurrent()) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) deliver(block);
  }
}

function deliver(block) {
  const fields = Object.fromEntries(block.split("\n").map((line) => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)];
  }));
  const id = Number(fields.id);
  for (const [port, state] of windows) {
    const isMine = !fields.window || fields.window === state.window;
    if (fields.event === "lost" || fields.event === "gone") {
      if (isMine) tell(port, { state: "gone" });
    } else if (id > state.position) {
      state.position = id;
      tell(port, isMine && fields.event ? { id, event: fields.event, data: fields.data } : { id });
    }
  }
}
