"""Serves the site on loopback from memory, and makes it anew when a file of the course changes."""

import http.server
import json
import mimetypes
import threading
import time

from nowait.learn.complaint import Complaint
from nowait.learn.site_files import MADE

_WATCHED = ("lectures", "tools/nowait/learn", "src", "models", "tests")
# Asks now and then whether there is something newer; says what is wrong with what was saved.
_ASK = """<script>
(() => {
  let seen = %d;
  setInterval(async () => {
    try {
      const {version, wrong} = await (await fetch("/.nowait-version")).json();
      document.querySelector(".nowait-wrong")?.remove();
      if (wrong) {
        const box = document.createElement("p");
        box.className = "nowait-wrong";
        box.setAttribute("role", "alert");
        box.textContent = wrong;
        document.body.append(box);
      } else if (version !== seen) {
        location.reload();
      }
    } catch { /* the server was stopped */ }
  }, 1000);
})();
</script>
"""


class _State:
    def __init__(self, files):
        self.files, self.version, self.wrong = files, 1, None


def _handler(state):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(True)

        def do_HEAD(self):
            self.answer(False)

        def answer(self, with_body):
            path = self.path.split("?")[0].split("#")[0].lstrip("/") or "index.html"
            files, version, wrong = state.files, state.version, state.wrong
            if path == ".nowait-version":
                status, kind = 200, "application/json"
                body = json.dumps({"version": version, "wrong": wrong}).encode()
            elif path in files and not path.startswith("."):
                content = files[path]
                status, kind = 200, mimetypes.guess_type(path)[0] or "application/octet-stream"
                body = content if isinstance(content, bytes) else content.encode()
                if kind.startswith("text/") or kind.endswith("javascript"):
                    kind += "; charset=utf-8"
                if path.endswith(".html") and not path.startswith(MADE):
                    body = body.replace(b"</body>", (_ASK % version).encode() + b"</body>")
            else:
                status, kind, body = 404, "text/plain; charset=utf-8", b"The course has no such page.\n"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, *_):
            pass
    return Handler


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a browser that went away


def _stamp(root):
    """What changes when a file of the course does."""
    stamps = []
    for folder in _WATCHED:
        for path in sorted((root / folder).rglob("*")):
            if "__pycache__" in path.parts:
                continue
            try:
                stat = path.stat()
            except OSError:
                continue
            stamps.append((str(path), stat.st_mtime_ns, stat.st_size))
    return hash(tuple(stamps))


def _watch(root, state, build, stop):
    seen = _stamp(root)
    while not stop.wait(0.5):
        now = _stamp(root)
        if now == seen:
            continue
        seen = now
        try:
            state.files, state.wrong = build(), None
            state.version += 1
            print(f"learn: made anew, {time.strftime('%H:%M:%S')}", flush=True)
        except Complaint as complaint:
            state.wrong = str(complaint)
            print(f"learn: {complaint}", flush=True)


def open_port(port):
    """A server that answers nothing yet; so that a port in use is known before anything is built."""
    state = _State({})
    try:
        return _Server(("127.0.0.1", port), _handler(state)), state
    except OSError as error:
        raise Complaint("learn", 0, f"port {port} cannot be had: {error.strerror.lower()}; try --port N") from None


def serve(server, state, root, build):
    state.files = build()
    stop = threading.Event()
    watcher = threading.Thread(target=_watch, args=(root, state, build, stop), daemon=True)
    watcher.start()
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    print("learn: Ctrl-C ends it; exercises run in a terminal of their own: ./nowait exercise 1", flush=True)
    try:
        server.serve_forever(poll_interval=0.2)
    finally:
        stop.set()
        server.server_close()
