// The stream of events, one for all windows of this browser: a browser has no more than six connections to a server,
// and a stream keeps one. A shared worker has no leader: it lives as long as any of its windows.

import { EventStream } from "./stream.js";

const stream = new EventStream();

onconnect = ({ ports: [port] }) => {
  let isLocked = false;
  port.onmessage = ({ data }) => {
    stream.set(port, data, (message) => port.postMessage(message));
    if (isLocked) return;
    isLocked = true;
    // The page has the lock as long as it lives, however it ends.
    navigator.locks.request(data.lock, () => stream.remove(port));
  };
};
