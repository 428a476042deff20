#!/usr/bin/env python3
"""How long an edit of one row of 100,000 takes to reach a second window of `kv studio`.

Usage: latency.py PATH-TO-kv [--edits N]. Needs nothing but the standard library of Python; build kv with `-c release`.

One window edits the first column by which the table is sorted, so that the row moves each time; another one reads the
events. What is measured begins before the request is sent, and ends when the event has arrived with the row and its new
index. Beside it stands an empty round trip: a request that changes nothing, and its answer.
"""

import json
import os
import queue
import socket
import statistics
import sys
import threading
import time
import urllib.request

from driver import Studio


class Window:
    """A window without a browser."""

    def __init__(self, studio):
        self.studio, self.window, self.number = studio, None, 0
        answer = self.post("open")
        self.window, self.position, self.run = answer["window"], answer["position"], answer.get("run", "")

    def post(self, path, body=None):
        fields = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.studio.port}",
                  "Authorization": f"Bearer {self.studio.token}"}
        if self.window:
            self.number += 1
            fields.update({"X-Window": self.window, "X-Request": str(self.number)})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.studio.port}/api/{path}", data=json.dumps(body or {}).encode(), headers=fields)
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.load(response)

    def listen(self, events):
        """Puts each event of the rows into a queue, with the time of its arrival."""
        stream = socket.create_connection(("127.0.0.1", self.studio.port))
        names = f"window={self.window}&windows={self.window}&run={self.run}&after={self.position}"
        stream.sendall(
            (f"GET /events?{names} HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\n"
             f"Authorization: Bearer {self.studio.token}\r\n\r\n").encode())
        name = None
        for line in stream.makefile("r", encoding="utf8"):
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: ") and name == "table.rows":
                events.put((time.perf_counter(), json.loads(line[6:])))


def main():
    edits = int(sys.argv[sys.argv.index("--edits") + 1]) if "--edits" in sys.argv else 300
    studio = Studio(os.path.abspath(sys.argv[1]))
    try:
        first, second = Window(studio), Window(studio)
        state = first.post("table/show")
        second.post("table/show")
        first.post("table/sort", {"column": state["columns"][0]["key"], "adds": False})
        events = queue.Queue()
        threading.Thread(target=second.listen, args=(events,), daemon=True).start()
        count = state["count"]
        answer = first.post("table/rows", {"first": count // 2, "count": 1})
        while events.get(timeout=60)[1]["version"] < answer["version"]:
            pass
        row = answer["rows"][0]
        first.post("table/select", {"mode": "only", "id": row["id"], "index": count // 2})
        moves, answers, empty = [], [], []
        for number in range(edits + 20):
            begin = time.perf_counter()
            first.post("table/rows", {"first": 0, "count": 0})
            trip = time.perf_counter() - begin
            text = f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number * 7 % 26]}a latency {number}"
            begin = time.perf_counter()
            first.post("table/edit", {"column": state["columns"][0]["key"], "text": text, "commits": True})
            answer = time.perf_counter() - begin
            arrival, event = events.get(timeout=10)
            new = event["changes"][-1]
            assert new["kind"] == "insertion" and new["rows"][0]["cells"][0] == text, event
            if number >= 20:  # the first ones warm caches up
                moves.append(arrival - begin)
                answers.append(answer)
                empty.append(trip)
    finally:
        studio.stop()
    quantile = lambda times, part: sorted(times)[min(len(times) - 1, int(part * len(times)))] * 1000
    for name, times in [("empty round trip", empty), ("edit, until it is answered", answers),
                        ("edit, until the other window has the row", moves)]:
        print(f"{name:42} median {quantile(times, 0.5):6.2f} ms   99 % {quantile(times, 0.99):6.2f} ms")
    ratio = statistics.median(moves) / statistics.median(empty)
    print(f"{count} rows, {edits} edits: {ratio:.1f} empty round trips")
    if quantile(moves, 0.5) >= 50:
        sys.exit("the row is late: the median is not below 50 ms")


main()
