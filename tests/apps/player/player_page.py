"""The viewer's page in Debian's Chromium, with WebGL in software: the common part of its tests."""

import json
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[0]).absolute().parents[3]  # of the runfiles, or of the checkout
sys.path.insert(0, str(ROOT / "models/kit/counterexample/page"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

BINARIES = ROOT if (ROOT / "src/apps/player/player").exists() else ROOT / ".bazel/bin"
PLAYER = BINARIES / "src/apps/player/player"
ERROR = 1 / 1024 + 1e-4  # metres, of a position that was sent

# Every body that is drawn: its slot and its place.
PLACES = "return [...nowait.picture.places].map(([slot, place]) => [slot, ...place])"
# Where a place is in the picture: x and y from -depth to depth are in it.
_IN_PICTURE = """
const [x, y, z] = arguments[0];
const m = nowait.camera.Matrix();
return [0, 1, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
"""
# The numbers on the graphics processor: the hull of the twelve segments of each box, and the ends of each link.
_SEGMENTS = """
const {boxes, boxLines, links, linkLines} = nowait.picture;
const size = 12;  // numbers of a segment, of which the first six are its ends
const ends = (list, i) => [...list.numbers.subarray(i * size, i * size + 6)];
const hull = (box) => {
  const points = Array.from({length: 12}, (_, edge) => ends(boxLines, 12 * box + edge))
      .flatMap((both) => [both.slice(0, 3), both.slice(3)]);
  const all = (choose) => [0, 1, 2].map((axis) => choose(...points.map((point) => point[axis])));
  return [...all(Math.min), ...all(Math.max)];
};
// Different segments along one axis each.
const edges = (box) => new Set(Array.from({length: 12}, (_, edge) => ends(boxLines, 12 * box + edge))
    .filter((both) => [0, 1, 2].filter((axis) => both[axis] !== both[axis + 3]).length === 1).map(String)).size;
return [boxLines.count, boxes.map((_, i) => hull(i)), boxes.map((_, i) => edges(i)),
        linkLines.count, links.map((_, i) => ends(linkLines, i))];
"""


class PlayerPage(Browser):
    flags = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
    harmless = ("GPU stall due to ReadPixels",)  # of a screenshot, and of a look at the pixels

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def scene(self, words):
        return self.run_script(f"return nowait.source.scene.{words}")

    def picture(self, name):
        """A screenshot for people, among what Bazel keeps of a test."""
        if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
            self.driver.save_screenshot(f"{folder}/{name}.png")

    def assert_places(self, bodies):
        """The bodies in sight are drawn where they are; the middle of the others is not in the picture."""
        places = {slot: place for slot, *place in self.run_script(PLACES)}
        known = self.run_script("return [...nowait.source.scene.bodies.values()].map((it) => [it.slot, it.inSight])")
        self.assertEqual(sorted(slot for slot, _ in known), sorted(body["slot"] for body in bodies))
        self.assertEqual(sorted(places), sorted(slot for slot, in_sight in known if in_sight))
        for body in bodies:
            if body["slot"] not in places:
                x, y, depth = self.run_script(_IN_PICTURE, body["position_m"])
                self.assertTrue(depth < 0 or max(abs(x), abs(y)) > depth, f"body {body['slot']}")
                continue
            for drawn, there in zip(places[body["slot"]], body["position_m"]):
                self.assertAlmostEqual(drawn, there, delta=ERROR, msg=f"body {body['slot']}")

    def draw(self):
        """The picture, and all slices of the text."""
        self.run_script("""
            nowait.texted = -Infinity;
            nowait.stale = true;
            do { nowait.Draw(performance.now()); } while (nowait.slices.length > 0);
        """)

    def assert_structures(self, state):
        """The boxes and links that the picture has are those of the state."""
        segments, hulls, edges, lines, ends = self.run_script(_SEGMENTS)
        self.assertEqual([segments, lines], [12 * len(state["tree"]), len(state["links"])])
        self.assertEqual(edges, [12] * len(state["tree"]))
        boxes = {box[0]: box[1:] + hull for box, hull in zip(self.run_script(
            "return nowait.picture.boxes.map((it) => [it.node, it.layer, it.level])"), hulls)}
        self.assertEqual(sorted(boxes), sorted(box["node"] for box in state["tree"]))
        for box in state["tree"]:
            drawn = boxes[box["node"]]
            self.assertEqual(drawn[:2], [box["layer"], box["level"]])
            for seen, there in zip(drawn[2:], box["min_m"] + box["max_m"]):
                self.assertAlmostEqual(seen, there, delta=ERROR, msg=f"node {box['node']}")
        links = self.run_script("return nowait.picture.links.map((it) => [it.a, it.b])")
        self.assertEqual(sorted(links), sorted(state["links"]))
        place = {body["slot"]: body["position_m"] for body in state["bodies"]}
        for (a, b), drawn in zip(links, ends):
            for seen, there in zip(drawn, place[a] + place[b]):
                self.assertAlmostEqual(seen, there, delta=ERROR, msg=f"link of {a} and {b}")

    def figure(self, name):
        return self.run_script("return document.querySelector(`[data-figure='${arguments[0]}']`).textContent", name)


class LivePage(PlayerPage):
    window = (700, 800)  # pixels are dear without a graphics card, and a running scene draws all the time

    def start(self, *arguments):
        """A player, and the page on it; the page has its first frame."""
        self.player = subprocess.Popen([PLAYER, "--threads", "2", *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.player.stdout.close)
        self.addCleanup(self.player.wait)
        self.addCleanup(self.player.kill)
        # First of all: a page without its program complains, in the next test's time.
        self.addCleanup(self.driver.get, "about:blank")
        self.address = self.player.stdout.readline().removeprefix("page: ").strip()
        self.driver.set_window_size(*self.window)
        self.driver.get(self.address)
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))

    def end(self):
        self.player.send_signal(signal.SIGINT)
        return self.player.stdout.read()
