"""A living figure on a page of its own, in a browser: to be opened with options, clicked, and asked for its state."""

import functools
import http.server
import json
import pathlib
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]  # not the runfiles, where this file is a link
sys.path.insert(0, str(ROOT / "models/kit/counterexample/page"))
from browser import Browser  # noqa: E402

FIGURE = "/lectures/figures/figure.html"  # beside the modules, which is how the page names them
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<figure id="figure"></figure><script type="module">
const {module, ...options} = Object.fromEntries(new URLSearchParams(location.search));
const {mount} = await import(`./${module}.js`);
mount(document.getElementById("figure"), options);
</script>"""


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".html": "text/html"}

    def do_GET(self):
        if not self.path.startswith(FIGURE):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


@functools.cache
def _port():
    """Modules have to come from a server: Chromium loads none from disk. It ends with the program."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class Figure(Browser):
    def open(self, query):
        self.driver.get(f"http://127.0.0.1:{_port()}{FIGURE}?{query}")
        self.until(lambda: self.first("#figure").get_attribute("data-state"))

    def first(self, selector):
        return self.driver.find_element("css selector", selector)

    def state(self):
        return json.loads(self.first("#figure").get_attribute("data-state"))

    def step(self, words):
        """Presses the step whose label has these words."""
        found = [it for it in self.all(".pl-step") if words in it.get_attribute("aria-label")]
        self.assertEqual(len(found), 1, f"{words}: {len(found)} of them")
        found[0].click()

    def key(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)
