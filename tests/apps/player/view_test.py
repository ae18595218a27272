#!/usr/bin/python3
"""What the viewer's page says of a picked body and of the last frames, and its flights, in Debian's Chromium."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from player_page import ERROR, PLAYER, LivePage, PlayerPage  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

_CAMERA = "const {eye, target, forward, right} = nowait.camera; return [eye, target, forward, right]"
# The rectangles of a timeline with two frames of a millisecond each: (left, top, width, height) in the units of the canvas.
_COUNTERS = """
const timeline = nowait.timeline;
timeline.names = ["solve"];
timeline.Clear();
const add = (i, counts) => timeline.Add({lanes: ["main"], names: timeline.names,
  frame: {begin: 1e6 * i, end: 1e6 * i + 9e5, step: i + 1, ...counts},
  spans: [{lane: 0, name: 0, begin: 1e6 * i, end: 1e6 * i + 9e5, about: null}]});
add(0, {awake: 10, pairs: 0, contacts: 40});
add(1, {awake: 5, pairs: 0, contacts: 80});
timeline.window = 3;  // five milliseconds
const all = [];
const draws = CanvasRenderingContext2D.prototype.fillRect;
CanvasRenderingContext2D.prototype.fillRect = function(...place) {
  if (place[1] + place[3] < timeline.drawn.places[0].top - 2 && place[1] > 0) all.push(place);
  draws.apply(this, place);
};
timeline.Draw();
CanvasRenderingContext2D.prototype.fillRect = draws;
const {x, places} = timeline.drawn;
return [all, x(0), x(1e6), x(19e5), places[0].top, timeline.Sentences()];
"""


class Recorded(PlayerPage):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.folder.name)
        subprocess.run([PLAYER, "pile", "--headless", "--seconds", "1", "--bodies", "60", "--threads", "2",
                        "--structures", "--export", folder / "pile.html", "--state", folder / "pile.json"],
                       check=True, stdout=subprocess.DEVNULL)
        cls.state = json.loads((folder / "pile.json").read_text())

    def setUp(self):
        self.driver.set_window_size(1400, 1000)
        self.visit(self.path("pile.html"))
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
        self.run_script("nowait.source.Pause(true); nowait.Seek(29)")
        self.draw()

    def test_a_picked_body_says_which_nodes_of_its_tree_it_is_in(self):
        layers = self.scene("layers")
        some = 0
        for body in self.state["bodies"][::7]:
            layer = self.scene(f"bodies.get({body['slot']}).layer")
            boxes = [box for box in self.state["tree"] if box["layer"] == layer]

            def inside(box, by):
                sides = zip(body["position_m"], box["min_m"], box["max_m"])
                return all(low - by <= x <= high + by for x, low, high in sides)
            self.run_script("nowait.PickBody(arguments[0])", body["slot"])
            text = self.text(".picked")
            named = text.partition("within the boxes of nodes ")[2].partition(";")[0]
            nodes = [int(words.split(" ")[0]) for words in named.split(", ") if words]
            # At a border of a box the rounding of the places that were sent decides.
            sure = {box["node"] for box in boxes if inside(box, -ERROR)}
            may = {box["node"] for box in boxes if inside(box, ERROR)}
            self.assertTrue(sure <= set(nodes) <= may, (text, sure, may))
            level = {box["node"]: box["level"] for box in boxes}
            self.assertEqual([level[node] for node in nodes], sorted(level[node] for node in nodes))
            if nodes:
                self.assertIn(f"in the tree {layers[layer]} within", text)
                self.assertIn(f"{nodes[0]} (level {level[nodes[0]]})", text)
            some += len(nodes) > 1
        self.assertGreater(some, 3)

    def test_a_flight_turns_about_itself_and_goes_where_it_looks(self):
        def assert_near(one, other):
            for a, b in zip(one, other):
                self.assertAlmostEqual(a, b, places=5)

        def assert_along(step, way):
            """A step of positive length along a unit vector."""
            length = sum(x * x for x in step) ** 0.5
            self.assertGreater(length, 0.1)
            assert_near([x / length for x in step], way)

        def apart(a, b):
            return [y - x for x, y in zip(a, b)]
        eye, target, _, _ = self.run_script(_CAMERA)
        self.press(Keys.ARROW_LEFT)
        moved, same, _, _ = self.run_script(_CAMERA)
        assert_near(same, target)  # round the point
        self.assertNotEqual(moved, eye)
        self.press("v")
        self.assertEqual(self.one("button.flight").get_attribute("aria-pressed"), "true")
        eye, target, _, _ = self.run_script(_CAMERA)
        self.press(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
        turned, other, forward, right = self.run_script(_CAMERA)
        assert_near(turned, eye)
        self.assertNotEqual(other, target)
        self.press("w")
        ahead, _, _, _ = self.run_script(_CAMERA)
        assert_along(apart(eye, ahead), forward)
        self.press("d")
        beside, _, _, _ = self.run_script(_CAMERA)
        assert_along(apart(ahead, beside), right)
        self.press("e")
        above, _, _, _ = self.run_script(_CAMERA)
        assert_along(apart(beside, above), [0, 1, 0])
        for _ in range(60):
            self.press(Keys.ARROW_DOWN)  # beyond the lowest view round a point, and not upside down
        _, _, forward, _ = self.run_script(_CAMERA)
        self.assertGreater(forward[1], 0.9)
        self.press("v", "x", "w")
        eye, target, _, _ = self.run_script(_CAMERA)
        self.press(Keys.ARROW_RIGHT)
        assert_near(self.run_script(_CAMERA)[1], target)
        self.press(Keys.HOME)
        self.draw()
        self.picture("home")

    def test_a_flight_ends_where_a_body_is_followed_and_the_other_way_round(self):
        pressed = "return [nowait.camera.flies, nowait.following, nowait.controls.flight.getAttribute('aria-pressed')]"
        self.run_script("nowait.PickBody(arguments[0])", self.state["bodies"][-1]["slot"])
        for keys, flies, follows in (("v", True, False), ("f", False, True), ("v", True, False), ("v", False, False)):
            self.press(keys)
            self.assertEqual(self.run_script(pressed), [flies, follows, str(flies).lower()], keys)

    def test_counters_stand_above_the_lanes(self):
        rectangles, first, second, end, top, sentences = self.run_script(_COUNTERS)
        self.assertGreater(top, 40)
        self.assertEqual(len(rectangles), 6)
        heights = []
        for row in range(3):
            for place, begin, stop in zip(rectangles[2 * row:2 * row + 2], (first, second), (second, end)):
                left, up, width, height = place
                self.assertAlmostEqual(left, begin, places=3)
                self.assertAlmostEqual(left + width, stop, places=3)
                self.assertLess(up + height, top)
                heights.append(height)
        self.assertAlmostEqual(heights[0] - 1, 2 * (heights[1] - 1))  # 10 and 5 awake
        self.assertEqual(heights[2], heights[3])                      # no pairs: a line
        self.assertAlmostEqual(heights[5] - 1, 2 * (heights[4] - 1))  # 40 and 80 contacts
        self.assertIn("The last 2 frames: awake 5 to 10, pairs 0 to 0, contacts 40 to 80", sentences)


class Running(LivePage):
    def test_a_body_is_picked_without_structures_and_says_its_links_and_nodes(self):
        self.start("pile", "--bodies", "40", "--seed", "3")
        self.assertEqual(self.scene("boxes.size"), 0)
        dynamic = self.run_script(
            "return [...nowait.source.scene.bodies.values()].find((it) => it.dynamic).slot")
        self.run_script("nowait.PickBody(arguments[0])", dynamic)
        self.until(lambda: "in the tree dynamic within the boxes of nodes" in self.text(".picked"))
        self.assertEqual(self.run_script("return nowait.picture.boxes.length"), 0)  # they are not drawn
        self.end()


if __name__ == "__main__":
    unittest.main()
