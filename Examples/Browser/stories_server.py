"""The server: it ends and returns, has many readers and slow ones, and others than the page try to use it."""

import http.server
import json
import socket
import threading
import time
import urllib.error

from stories import Stories, refuses, slide
from stories_programs import show_root

class ServerStories(Stories):
    @refuses("lost?")
    def story_restart(self):
        """A server that dies and returns: the page says so, and begins anew by itself."""
        b = self.browser
        self.start("picker")
        slide(b, "#redSlider", 0.9)
        b.wait("the model", "return document.querySelector('#hexField').value.startsWith('#E6')")
        self.studio.stop()
        b.wait_attribute("#status", "data-state", "lost")
        self.keep("lost", 700, 420)
        self.studio.start()
        b.wait_attribute("#status", "data-state", "connected")
        b.wait_value("#hexField", "#000000")
        slide(b, "#greenSlider", 1)
        b.wait_value("#hexField", "#00FF00")
        self.studio.stop()
        self.studio.token = "another-token-of-the-suite"
        self.studio.start()
        b.wait_text("#status", "Open the address that the server has printed")

    def story_order(self):
        """An answer that arrives behind a later event does not bring the older value back."""
        b = self.browser
        self.start("picker")
        other = self.request("/api/open", {})
        # The answers of this window take a second.
        b.js("const f = window.fetch; window.fetch = async (...a) => { const r = await f(...a); "
             "await new Promise(d => setTimeout(d, 1000)); return r; };")
        b.js("const s = document.querySelector('#redSlider'); s.value = 0.2; s.dispatchEvent(new Event('input'))")
        time.sleep(0.4)
        body = {"control": "redSlider", "value": 0.9, "event": "committed"}
        self.request("/api/picker/event", body, other["window"], 1)
        time.sleep(2.5)
        assert b.value("#redSlider") == "0.9", b.value("#redSlider")
        # The form of a person who is not selected any more is not filled by a late answer, nor sent for another one.
        b.press("#tab-people")
        b.wait("the cells", "return document.querySelectorAll('.cell').length > 5")
        b.press("#row-0")
        b.fill("#personName", "Alex Late")
        b.press("#row-2")
        b.wait("the answer", "return document.querySelector('#row-0 .name').textContent === 'Alex Late'")
        time.sleep(1.5)
        assert b.value("#personName") == b.text("#row-2 .name") != "Alex Late"
        b.js("document.querySelector('#list').dispatchEvent(new KeyboardEvent('keydown', {key: 'End'}))")
        assert b.js("return document.querySelector('#personName').disabled"), "the form has the person of another row"
        b.wait("the last row", "return document.querySelector('#personName').value === document.querySelector('#row-999 .name')?.textContent")

    def story_windows(self):
        """Nine windows share the stream of events, also when the first one is closed."""
        b = self.browser
        self.start("picker")
        handles = [b.window()]
        for _ in range(8):
            handles.append(self.open_window("picker"))
        slide(b, "#redSlider", 1)
        for handle in handles:
            b.switch(handle)
            b.wait_value("#hexField", "#FF0000")
        b.switch(handles[0])
        b.close_window()
        b.switch(handles[4])
        slide(b, "#greenSlider", 1)
        for handle in handles[1:]:
            b.switch(handle)
            b.wait_value("#hexField", "#FFFF00")
        for handle in handles[2:]:
            b.switch(handle)
            b.close_window()
        b.switch(handles[1])
        slide(b, "#blueSlider", 1)
        b.wait_value("#hexField", "#FFFFFF")

    def story_many(self):
        """More connections than the program has descriptors: those that send nothing make room."""
        b = self.browser
        self.start("picker")
        idle = [socket.create_connection(("127.0.0.1", self.studio.port)) for _ in range(100)]
        time.sleep(1)
        assert self.studio.process.poll() is None, "the server has ended"
        # They keep nobody out.
        slide(b, "#redSlider", 1)
        b.wait_value("#hexField", "#FF0000")
        assert self.request("/api/open", {})["window"]
        for connection in idle:
            connection.close()

    def story_slow_reader(self):
        """A reader that takes nothing is dropped, can resume or begin anew, and keeps nobody waiting."""
        b = self.browser
        self.start("people")
        answer = self.request("/api/open", {})
        fields = f"HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nAuthorization: Bearer {self.studio.token}\r\n\r\n"
        stream = f"GET /events?run={answer['run']}&windows={answer['window']}&after="
        sleeper = socket.socket()
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(("127.0.0.1", self.studio.port))
        sleeper.sendall(f"{stream}{answer['position']} {fields}".encode())
        b.wait("the cells", "return document.querySelectorAll('.cell').length > 5")
        # Each event has the whole document: together, more than the buffers of the system take, and than the list keeps.
        for number in range(1, 251):
            self.request("/api/editor/add", {}, answer["window"], number)
        start = time.time()
        self.request("/api/people/edit", {"row": 0, "key": "name", "value": "Alex Quick"}, answer["window"], 251)
        b.wait("the name", "return document.querySelector('#row-0 .name').textContent === 'Alex Quick'")
        assert time.time() - start < 3, "the page waits for another reader"
        # Ten seconds to take something.
        time.sleep(12)
        sleeper.settimeout(5)
        received = b""
        try:
            while chunk := sleeper.recv(1 << 16):
                received += chunk
        except ConnectionResetError:
            pass
        except TimeoutError:
            raise AssertionError("the reader that takes nothing is not dropped") from None
        assert b"event: editor.state" in received and len(received) < 2 << 20, "it has received everything"
        # A server that had only waited would go on now, and say what was lost.
        assert b"event: lost" not in received, "the reader has kept the server waiting"
        last = max(int(line[4:]) for line in received.split(b"\n")[:-1] if line.startswith(b"id: ") and line[4:].isdigit())
        again = socket.create_connection(("127.0.0.1", self.studio.port), timeout=10)
        again.sendall(f"{stream}{last} {fields}".encode())
        text = b""
        while b"event: lost" not in text:
            text += again.recv(1 << 16)
        again.close()

    @refuses("lost?", "identity 404")
    def story_impostor(self):
        """A program that listens on the port after the end of this one is not sent the token."""
        b = self.browser
        self.start("picker")
        heard = []

        class Impostor(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                heard.append(f"{self.path} {self.headers}")
                self.send_response(200 if len(heard) % 2 else 404)
                self.end_headers()
                self.wfile.write(b'{"proof": "00"}')

            do_POST = do_GET  # noqa: N815

            def log_message(self, *arguments):
                pass

        self.studio.stop()
        impostor = http.server.ThreadingHTTPServer(("127.0.0.1", self.studio.port), Impostor)
        threading.Thread(target=impostor.serve_forever, daemon=True).start()
        try:
            b.wait_text("#status", "is not sent it")
            slide(b, "#redSlider", 1)
            b.press("#unbind")
            b.press("#tab-table")
            time.sleep(2)
            assert len(heard) > 2 and all(line.startswith("/identity?nonce=") for line in heard), heard
            assert self.studio.token not in "".join(heard) and "Authorization" not in "".join(heard)
        finally:
            impostor.shutdown()
            impostor.server_close()
        self.studio.start()
        b.wait_text("#status", "Connected")

    @refuses("worker", "events 410", "lost?")
    def story_stream(self):
        """A browser without shared workers, or one that cannot load ours, reads the events in the page."""
        b = self.browser
        for script in ("delete window.SharedWorker;",
                       "const S = window.SharedWorker; window.SharedWorker = class extends S { constructor() { super('none.js', {type: 'module'}); } };"):
            b.before_load(script)
            self.start("picker")
            other = self.request("/api/open", {})["window"]
            self.request("/api/picker/event", {"control": "redSlider", "value": 1, "event": "committed"}, other, 1)
            b.wait_value("#hexField", "#FF0000")
            self.request("/api/picker/event", {"control": "redSlider", "value": 0, "event": "committed"}, other, 2)
            b.wait_value("#hexField", "#000000")
            self.studio.restart()
            b.wait_text("#status", "Connected")

    @refuses("api/open 403")
    def story_hostile(self):
        """Another site cannot use the server, nor learn the token, and no value becomes markup."""
        b = self.browser
        base = f"http://127.0.0.1:{self.studio.port}"
        self.start("picker")
        assert b.js("return document.cookie") == ""
        heard = []

        class Site(http.server.BaseHTTPRequestHandler):
            """A page on another port of this machine, which forbids nothing."""

            def do_GET(self):  # noqa: N802
                heard.append(self.path + str(self.headers))
                self.send_response(200)
                isImage = self.path.endswith(".svg")
                self.send_header("Content-Type", "image/svg+xml" if isImage else "text/html")
                self.end_headers()
                self.wfile.write(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' if isImage else b"<p>Hello")

            def log_message(self, *arguments):
                pass

        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        try:
            own = f"http://127.0.0.1:{site.server_port}"
            load = ("return new Promise(done => { const e = document.createElement(arguments[0]); e.onload = () => done('loaded'); "
                    "e.onerror = () => done('failed'); e.src = arguments[1]; document.body.append(e); })")
            get = ("return fetch(arguments[0], arguments[1]).then(async r => r.type + ' ' + r.status + ' ' + await r.text(), "
                   "() => 'failed')")
            # A link from the page names neither it nor the token.
            b.js("const a = document.createElement('a'); a.href = arguments[0]; document.body.append(a); a.click()", own)
            b.wait("the other page", "return document.body.textContent.includes('Hello')")
            assert all(word not in heard[0] for word in ("Referer", "Cookie", self.studio.token)), heard
            # The same calls succeed where they may.
            assert b.js(load, "img", f"{own}/a.svg") == "loaded" and b.js(get, f"{own}/a", {}).startswith("basic 200")
            for name, path in [("img", "icon.svg"), ("script", "studio.js"), ("script", f"?token={self.studio.token}")]:
                assert b.js(load, name, f"{base}/{path}") == "failed", path
            token = {"Authorization": f"Bearer {self.studio.token}"}
            for options in ({}, {"headers": token}, {"method": "POST", "body": "{}", "headers": token}, {"credentials": "include"}):
                for path in ("/", "/api/open", "/events"):
                    assert b.js(get, base + path, options) == "failed", (path, options)
            # What it cannot read has no effect either: of the 32 windows, the page's own is open, and no other one.
            for _ in range(3):
                b.js(get, f"{base}/api/open", {"method": "POST", "body": "{}", "mode": "no-cors", "credentials": "include"})
            b.js("const f = document.createElement('iframe'); f.src = arguments[0]; document.body.append(f)", self.studio.address)
            time.sleep(0.5)
            b.enter_frame(0)
            assert b.js("return document.querySelector('#status')") is None, "the page is shown in a frame of another site"
            b.enter_frame(None)
            for _ in range(31):
                assert self.request("/api/open", {})["window"]
            try:
                self.request("/api/open", {})
            except urllib.error.HTTPError as error:
                assert error.code == 503
            else:
                raise AssertionError("a request of another site has opened no window, and there are less than 32")
        finally:
            site.shutdown()
        assert all(own in error or "net::ERR" in error or "Framing" in error for error in b.errors())
        for headers in (
            {"Host": "rebound.example"}, {"Host": f"localhost:{self.studio.port}"}, {"Origin": own}, {"Authorization": "Bearer x"},
            {"Sec-Fetch-Site": "same-site"}, {"Authorization": "", "Cookie": f"kv-studio-{self.studio.port}={self.studio.token}"},
        ):
            try:
                self.request("/api/open", {}, headers=headers)
            except urllib.error.HTTPError as error:
                assert error.code == 403 and json.load(error)["error"].endswith("."), headers
            else:
                raise AssertionError(f"{headers} is let in")
        # A window that was opened without the token has none, though another one has.
        first = b.window()
        b.new_window(base)
        b.wait_text("#status", "The token is missing")
        self.close_window(first)
        self.studio.restart("hostile.json")
        self.start("inspector")
        show_root(b, "hostile.json")
        b.wait_text("#keys", "<img src=x onerror=")
        assert b.js("return document.querySelectorAll('#keys img').length + (window.hit ? 1 : 0)") == 0
        b.click("#draw")
        b.wait("the drawing", "return document.querySelector('#graph img')?.naturalWidth > 0")
        assert not b.js("return window.hit")
