#!/usr/bin/python3
"""The viewer's page in Debian's Chromium, with WebGL in software: a recording, and a running player.

Compared are positions in the page's scene with the state that the player has written, not pixels.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from player_page import BINARIES, ERROR, PLACES, PLAYER, ROOT, LivePage, PlayerPage  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

# Where a body is on the screen, from the middle of the picture.
_ON_SCREEN = """
const [x, y, z] = nowait.source.scene.bodies.get(arguments[0]).now.position;
const m = nowait.camera.Matrix();
const at = [0, 1, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
const canvas = document.querySelector('canvas.picture');
return [at[0] / at[2] * canvas.clientWidth / 2, -at[1] / at[2] * canvas.clientHeight / 2];
"""
# The colours that the picture has: how many pixels differ from the corner's.
_DRAWN = """
const canvas = document.querySelector('canvas.picture');
nowait.stale = true;
nowait.Draw(performance.now());
const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
copy.drawImage(canvas, 0, 0);
const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
let drawn = 0;
for (let i = 0; i < data.length; i += 4) drawn += data[i] !== data[0] || data[i + 1] !== data[1] ? 1 : 0;
return drawn / (data.length / 4);
"""


# The brightness (0 .. 255) of the picture at points of the scene, with shadows or without.
_BRIGHT = """
const [shadows, points] = arguments;
if (nowait.shadows !== shadows) nowait.Shadows();
const canvas = document.querySelector('canvas.picture');
nowait.stale = true;
nowait.Draw(performance.now());
const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
copy.drawImage(canvas, 0, 0);
const m = nowait.camera.Matrix();
return points.map(([x, y, z]) => {
  const at = [0, 1, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
  const data = copy.getImageData(Math.round((at[0] / at[2] + 1) / 2 * canvas.width),
                                 Math.round((1 - at[1] / at[2]) / 2 * canvas.height), 1, 1).data;
  return (data[0] + data[1] + data[2]) / 3;
});
"""
# How much of the picture is darker without the lamps, and how much brighter; both pictures are of one moment.
_SHINES = """
const canvas = document.querySelector('canvas.picture');
const {scene} = nowait.source;
const light = () => {
  nowait.stale = true;
  nowait.Draw(performance.now());
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  return Array.from({length: data.length / 4}, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]);
};
const lit = light();
const lights = scene.lights;
scene.lights = [];
const unlit = light();
scene.lights = lights;
const part = (holds) => lit.filter((one, i) => holds(one - unlit[i])).length / lit.length;
return [part((more) => more > 3), part((more) => more < -3)];
"""
# Spans as the profile makes them: (lane, name, begin, end); name 0 is "wait".
_PATH = """
const spans = arguments[0].map(([lane, name, begin, end]) => ({lane, name, begin, end}));
nowait.timeline.names = ["wait", "update", "collide", "solve", "job"];
const frame = {begin: 0, end: 1000, step: 1, spans};
const {pieces, work, between} = nowait.timeline.PathOf(frame);
return [pieces.map(({lane, name, begin, end}) => [lane, name, begin, end]), work, between];
"""

# A frame of a millisecond: main waits for lock 7, and worker 1 steals twice.
_STEALS = """
const timeline = nowait.timeline;
timeline.names = ["solve", "steal", "steal pieces", "wait for body lock"];
const span = (lane, name, begin, end, about = null) => ({lane, name, begin: 1000 * begin, end: 1000 * end, about});
timeline.Clear();
timeline.Add({lanes: ["main", "worker 1"], names: timeline.names, frame: {begin: 0, end: 1e6, step: 1}, spans: [
  span(0, 0, 100, 800), span(0, 3, 200, 400, 7), span(1, 1, 50, 50, 0), span(1, 0, 60, 900), span(1, 2, 500, 500, 0)]});
timeline.HoldFrame();
"""

# A frame of a millisecond: main moves from core 0 to core 1 within "solve", and waits; worker 1 stays on core 9, and
# one of its spans tells no core. The colours are those of the canvas, at places of the spans.
_CORES = """
const timeline = nowait.timeline;
timeline.names = ["solve", "collide", "wait"];
const span = (lane, name, begin, end, beginCore, endCore) =>
    ({lane, name, begin: 1000 * begin, end: 1000 * end, about: null, beginCore, endCore});
timeline.Clear();
timeline.Add({lanes: ["main", "worker 1"], names: timeline.names, frame: {begin: 0, end: 1e6, step: 1}, spans: [
  span(0, 1, 0, 200, 0, 0), span(0, 0, 200, 600, 0, 1), span(0, 2, 600, 900, 1, 0), span(0, 1, 900, 1000, 0, 0),
  span(1, 1, 0, 500, 9, 9), span(1, 0, 500, 1000, -1, -1)]});
timeline.HoldFrame();
"""
# A frame of a millisecond, in which main has more spans than pixels: 300 of a microsecond that touch, 20 of three
# microseconds with two names in turn, and 20 with gaps of four microseconds. Returned are the places and widths, in
# microseconds, of the rectangles that have the first name's colour.
_NARROW = """
const timeline = nowait.timeline;
timeline.names = ["solve", "collide"];
const span = (name, begin, end) => ({lane: 0, name, begin: 1000 * begin, end: 1000 * end, about: null});
const many = (count, make) => Array.from({length: count}, (_, i) => make(i));
timeline.Clear();
timeline.Add({lanes: ["main"], names: timeline.names, frame: {begin: 0, end: 1e6, step: 1}, spans: [
  ...many(300, (i) => span(0, i, i + 1)), ...many(20, (i) => span(i % 2, 400 + 3 * i, 403 + 3 * i)),
  ...many(20, (i) => span(0, 500 + 6 * i, 502 + 6 * i))]});
const all = [];
const draws = CanvasRenderingContext2D.prototype.fillRect;
CanvasRenderingContext2D.prototype.fillRect = function(left, top, width, height) {
  if (this.fillStyle === "#0072b2") all.push([left, width]);
  draws.call(this, left, top, width, height);
};
timeline.HoldFrame();
CanvasRenderingContext2D.prototype.fillRect = draws;
const {x} = timeline.drawn;
return all.map(([left, width]) => [1e3 * (left - x(0)) / (x(1e6) - x(0)), 1e3 * width / (x(1e6) - x(0))]);
"""
_COLOUR_AT = """
const timeline = nowait.timeline;
const scale = devicePixelRatio || 1;
const paint = new OffscreenCanvas(timeline.canvas.width, timeline.canvas.height).getContext("2d", {willReadFrequently: true});
paint.drawImage(timeline.canvas, 0, 0);
return arguments[0].map(([lane, time]) => {
  const {top} = timeline.drawn.places[lane];
  const [r, g, b] = paint.getImageData(timeline.drawn.x(1000 * time) * scale, (top + 12) * scale, 1, 1).data;
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
});
"""


# A message's parts: numbers as bytes, and an event of them.
_EVENTS = """
const words = (kind, values) => values.flatMap((value) => {
  const view = new DataView(new ArrayBuffer(4));
  view[kind](0, value, true);
  return [...new Uint8Array(view.buffer)];
});
const u = (...values) => words("setUint32", values);
const f = (...values) => words("setFloat32", values);
const event = (name, bytes) => [...[...name].map((c) => c.charCodeAt(0)), ...u(bytes.length), ...bytes,
                                ...Array((8 - bytes.length % 8) % 8).fill(0)];
const greeting = event("LvHi", [...u(7), ...f(1 / 30, 1 / 512, 1 / 1448)]);
const scene = new nowait.source.scene.constructor();
"""
# Bodies 3 and 4 with hulls 0 and 1, and then another hull 0: the triangles that are drawn of each hull, whether hull 1
# has stayed what it was, and whether a copy of the scene draws the same.
_HULLS = _EVENTS + """
const body = (slot, hull) => [...u(slot, 1, 4, 1), ...f(hull, 0, 0), ...u(1)];
const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1];
const hull = (number, count, faces) => event("LvHu", [...u(number, count), ...f(...corners.slice(0, 3 * count)),
                                                      ...faces.flatMap((face) => [face.length, ...face])]);
const four = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
const six = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [4, 1, 2], [4, 2, 3], [4, 3, 1]];
const {picture} = nowait;
const drawn = (of) => {
  picture.UpdateMeshes(of);
  return [...picture.hulls].sort().map(([, batch]) => batch.vertices / 3);
};
scene.Read(new Uint8Array([...greeting, ...event("LvBo", [...body(3, 0), ...body(4, 1)]), ...hull(0, 4, four), ...hull(1, 4, four)]));
const before = drawn(scene);
const kept = picture.hulls.get(1);
scene.Read(new Uint8Array([...event("LvGo", u(3)), ...event("LvBo", body(3, 0)), ...hull(0, 5, six)]));
const after = drawn(scene);
const stays = picture.hulls.get(1) === kept;
const now = [...picture.hulls.values()];
drawn(scene.Copy());
return [before, after, stays, now.every((batch, i) => batch === [...picture.hulls.values()][i])];
"""
# Two events with a span each, of which the second one is about number 9 and has cores, and then one with no such lane:
# the spans of the first message, twice, and of the second one with what is wrong there.
_SPANS = _EVENTS + """
const time = [...u(1000, 0)];
scene.Read(new Uint8Array([...greeting, ...event("LvSp", [...time, 1, 4, 6, 5]), ...event("LvSp", [...time, 2, 11, 9, 4, 5, 1, 0])]));
const all = ({spans}) => spans.filter(() => true);
const [once, again] = [all(scene), all(scene)];
try {
  scene.Read(new Uint8Array(event("LvSp", [...time, 1, 4, 6, 5, 128, 32, 4, 6, 5])));
} catch (error) {
  return [once, again, all(scene), error.message];
}
"""


class Recorded(PlayerPage):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.folder.name)
        subprocess.run([PLAYER, "pile", "--headless", "--seconds", "2", "--bodies", "60", "--threads", "2",
                        "--structures", "--export", folder / "pile.html", "--state", folder / "pile.json"],
                       check=True, stdout=subprocess.DEVNULL)
        cls.state = json.loads((folder / "pile.json").read_text())
        cls.bodies = cls.state["bodies"]

    def start(self):
        self.driver.set_window_size(1400, 1000)
        self.visit(self.path("pile.html"))
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))

    def seek(self, frame):
        self.run_script("nowait.source.Pause(true); nowait.Seek(arguments[0])", frame)
        self.assertEqual(self.run_script("return nowait.source.at"), frame)
        self.draw()

    def test_the_end_is_the_state(self):
        self.start()
        self.assertEqual(self.text("h1"), "pile")
        self.seek(59)
        self.assert_places(self.bodies)
        asleep = [body["slot"] for body in self.bodies if body["asleep"]]
        drawn = self.run_script(
            "return [...nowait.source.scene.bodies.values()].filter((it) => it.asleep).map((it) => it.slot)")
        self.assertEqual(sorted(drawn), sorted(asleep))
        self.assertEqual(self.figure("frame"), "60")
        self.assertEqual(self.figure("bodies"), "65")
        self.assertEqual(self.figure("frames missed"), "0")
        self.assertGreater(self.run_script(_DRAWN), 0.05)

    def test_any_frame_is_the_same_from_any_side(self):
        self.start()
        for frame in (58, 20, 31, 0, 59):
            self.seek(frame)
            forwards = self.run_script(PLACES)
            self.run_script("nowait.source.recording.kept.length = 1")
            self.seek(0 if frame else 59)
            self.seek(frame)
            self.assertEqual(self.run_script(PLACES), forwards)

    def test_a_recording_ends_before_a_message_that_cannot_be_read(self):
        self.start()
        self.seek(30)
        there = self.run_script(PLACES)
        self.run_script("nowait.source.recording.messages[31] = new Uint8Array(4); nowait.Seek(59)")
        self.assertEqual(self.run_script("return [nowait.source.at, nowait.source.last]"), [30, 30])
        self.assertEqual(self.text(".notice"),
                         "The recording cannot be read beyond frame 30: a message ends within a header.")
        self.draw()
        self.assertEqual(self.run_script(PLACES), there)
        self.seek(3)

    def test_a_hull_takes_the_place_of_the_one_with_its_number_and_the_others_stay(self):
        self.start()
        self.assertEqual(self.run_script(_HULLS), [[4, 4], [6, 4], True, True])

    def test_the_spans_of_a_message_are_read_when_they_are_asked_for_and_wrong_ones_at_once(self):
        self.start()
        once, again, wrong, words = self.run_script(_SPANS)
        self.assertEqual(once, [
            {"lane": 1, "name": 1, "about": None, "beginCore": -1, "endCore": -1, "begin": 1003, "end": 1008},
            {"lane": 2, "name": 2, "about": 9, "beginCore": 3, "endCore": 4, "begin": 999, "end": 999}])
        self.assertEqual(again, once)
        self.assertEqual((wrong, words), ([], "a lane is 4096, the most is 4095"))

    def test_the_camera_stays_where_it_has_followed_a_body(self):
        self.start()
        self.seek(10)
        body = self.run_script("return [...nowait.source.scene.bodies.values()].find((it) => it.dynamic).slot")
        place = f"return nowait.source.scene.bodies.get({body}).now.position"
        self.run_script("nowait.PickBody(arguments[0]); nowait.Follow()", body)
        self.seek(20)
        there = self.run_script(place)
        self.assertEqual(self.run_script("return nowait.camera.target"), there)
        self.run_script("nowait.Follow()")
        self.seek(40)
        self.assertNotEqual(self.run_script(place), there)
        self.assertEqual(self.run_script("return nowait.camera.target"), there)

    def test_a_mesh_is_drawn_with_all_its_triangles(self):
        subprocess.run([PLAYER, "chute", "--headless", "--seconds", "1", "--bodies", "4", "--threads", "1",
                        "--export", self.path("chute.html")], check=True, stdout=subprocess.DEVNULL)
        self.driver.set_window_size(1400, 1000)
        self.visit(self.path("chute.html"))
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
        self.seek(0)
        meshes = self.run_script(
            "return [...nowait.source.scene.meshes.values()].map((it) => [it.vertices.length, it.corners.length])")
        self.assertEqual(meshes, [[3 * 129 * 8, 3 * 128 * 14]] * 2)
        drawn = self.run_script("return [...nowait.picture.meshes.values()].map((it) => [it.vertices, it.count])")
        self.assertEqual(drawn, [[3 * 128 * 14, 1]] * 2)

    def test_a_ground_is_drawn_with_its_holes(self):
        subprocess.run([PLAYER, "shaft", "--headless", "--seconds", "1", "--bodies", "4", "--threads", "1",
                        "--export", self.path("shaft.html")], check=True, stdout=subprocess.DEVNULL)
        self.visit(self.path("shaft.html"))
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
        self.seek(0)
        holes = self.run_script(
            "return [...nowait.source.scene.grounds.values()].map((it) => it.holes.reduce((sum, hole) => sum + hole))")
        self.assertEqual(holes, [4 * 4])
        drawn = self.run_script("return [...nowait.picture.grounds.values()].map((it) => [it.vertices, it.count])")
        self.assertEqual(drawn, [[6 * (32 * 32 - 4 * 4), 1]])

    def test_keys_and_buttons(self):
        self.start()
        self.seek(10)
        self.press(".")
        self.assertEqual(self.run_script("return nowait.source.at"), 11)
        self.one("button.step").click()
        self.assertEqual(self.run_script("return nowait.source.at"), 12)
        self.assertEqual(self.text("button.pause"), "Go on")
        self.run_script("document.activeElement.blur()")
        self.press("[")
        self.assertEqual(self.run_script("return nowait.source.speed"), 0.5)
        self.press("[", "[", "[")  # far from the end, on a slow machine as well
        self.press(Keys.SPACE)
        self.until(lambda: self.run_script("return nowait.source.at") > 12)
        self.press(Keys.SPACE)
        self.assertTrue(self.run_script("return nowait.source.paused"))
        self.press("c")
        self.until(lambda: "asleep" in self.text(".mode-legend"))
        before = self.run_script("return nowait.camera.yaw")
        self.press(Keys.ARROW_LEFT)
        self.assertNotEqual(self.run_script("return nowait.camera.yaw"), before)
        self.press("r")
        self.assertEqual(self.run_script("return nowait.source.at"), 0)

    def test_a_body_is_picked_by_the_pointer_and_by_its_number(self):
        self.start()
        self.seek(59)
        top = max(self.bodies, key=lambda body: body["position_m"][1])["slot"]
        x, y = self.run_script(_ON_SCREEN, top)
        ActionChains(self.driver).move_to_element_with_offset(self.one("canvas.picture"), round(x), round(y)).click().perform()
        self.assertTrue(self.text(".picked").startswith(f"Body {top}, generation"), self.text(".picked"))
        self.press(Keys.ESCAPE)
        self.assertEqual(self.text(".picked"), "")
        self.one("#number").send_keys("1", Keys.ENTER)
        self.assertIn("Body 1, generation", self.text(".picked"))
        self.assertIn("static", self.text(".picked"))

    def test_the_threads_have_lanes_and_the_same_as_text(self):
        self.start()
        self.seek(30)
        self.assertEqual(self.scene("lanes"), ["main", "worker 1"])
        self.assertGreater(self.run_script("return nowait.timeline.Seen().spans.length"), 0)
        # Of the spans in sight; on a busy machine those of the frame's begin may be out of it.
        self.assertIn("physics update", self.text(".timeline .legend"))
        self.one(".all summary").click()
        self.draw()
        self.assertIn("main: at work for", self.text(".all ul"))
        self.assertIn("Critical path of frame 31:", self.text(".all ul"))
        self.assertEqual(len(self.all(".all tbody tr")), 40)

    def test_boxes_and_links_are_those_of_the_engine(self):
        self.start()
        self.seek(59)
        self.assertEqual(self.run_script("return nowait.picture.boxes.length + nowait.picture.links.length"), 0)
        before = self.run_script(_DRAWN)
        self.press("b", "l")
        self.draw()
        self.assert_structures(self.state)
        self.assertGreater(len(self.state["links"]), 20)
        self.assertGreater(self.run_script(_DRAWN), before)  # edges of the floor's box in the sky
        text = self.text(".structures .sentences")
        boxes = len([box for box in self.state["tree"] if box["layer"] == 1])
        self.assertIn(f"tree dynamic: {boxes} boxes on ", text)
        self.assertIn("rebuilt twice in the last update; 0 staged bodies", text)
        self.assertIn(f"islands: {len(self.state['links'])} links by contact, 0 by joints", text)
        slot = self.state["links"][0][0]
        linked = sorted(a + b - slot for a, b in self.state["links"] if slot in (a, b))
        self.one("#number").send_keys(str(slot), Keys.ENTER)
        self.assertIn(f", linked by contact with {', '.join(map(str, linked))};", self.text(".picked"))
        self.run_script("document.activeElement.blur()")
        self.press(Keys.ESCAPE)
        self.picture("structures")
        for name, index, layer in (("all trees", 0, None), ("dynamic", 2, 1)):
            self.all(".controls select")[2].find_elements("tag name", "option")[index].click()
            self.all(".controls select")[3].find_elements("tag name", "option")[2].click()
            self.draw()
            there = {box["node"] for box in self.state["tree"]
                     if box["level"] == 1 and (layer is None or box["layer"] == layer)}
            self.assertEqual(set(self.run_script("return nowait.picture.boxes.map((it) => it.node)")), there, name)
        # Any frame is the same from any side, here too.
        seen = "return [[...nowait.source.scene.boxes.keys()].sort(), [...nowait.source.scene.links.keys()].sort()]"
        self.seek(40)
        forwards = self.run_script(seen)
        self.seek(59)
        self.seek(40)
        self.assertEqual(self.run_script(seen), forwards)
        self.run_script("document.activeElement.blur()")
        self.press("b", "l")
        self.draw()
        self.assertEqual(self.run_script("return nowait.picture.boxes.length + nowait.picture.links.length"), 0)
        self.assertFalse(self.one(".structures").is_displayed())

    def test_bodies_have_the_colour_of_the_thread_that_moved_them(self):
        self.start()
        self.seek(59)
        there = {body["slot"]: body["lane"] for body in self.bodies}
        self.assertEqual({lane for lane in there.values()} - {0, 1}, {None})  # the box of the pile stands
        seen = self.run_script("return [...nowait.source.scene.bodies.values()].map((it) => [it.slot, it.lane])")
        self.assertEqual({slot: None if lane < 0 else lane for slot, lane in seen}, there)
        self.press("c", "c", "c", "c")
        self.draw()
        self.assertIn("Blue: main. Yellow: worker 1.", self.text(".mode-legend"))
        self.picture("threads")
        moved, lane = next((slot, lane) for slot, lane in there.items() if lane is not None)
        self.one("#number").send_keys(str(moved), Keys.ENTER)
        self.assertIn(f"moved last by {('main', 'worker 1')[lane]}; body lock {moved % 32};", self.text(".picked"))

    def test_steals_and_waits_for_locks_are_marks_and_spans_of_their_own(self):
        self.start()
        self.seek(30)
        self.run_script(_STEALS)
        self.draw()
        self.one(".all summary").click()
        self.draw()
        text = self.text(".all ul")
        self.assertIn("main: at work for 0.5 of 1.0 ms, 0 waits for work, 1 for locks (200.0 \u00b5s), 0 steals", text)
        self.assertIn("worker 1: at work for 0.8 of 1.0 ms, 0 waits for work, 0 for locks (0.0 \u00b5s), 2 steals", text)
        for name in ("steal", "steal pieces", "wait for body lock"):
            self.assertIn(name, self.text(".timeline .legend"))
        lanes = self.one("canvas.lanes")
        self.driver.execute_script("arguments[0].focus()", lanes)
        lanes.send_keys("m")
        self.assertEqual(self.text(".span-words"), "steal on worker 1, from main")
        lanes.send_keys("m")
        self.assertEqual(self.text(".span-words"), "steal pieces on worker 1, from hand 0 of the loop")
        self.assertFalse(self.one("button.span").is_enabled())  # a moment has no inside
        self.picture("steals")
        x, y = self.run_script("""
            const timeline = nowait.timeline;
            return [timeline.drawn.x(timeline.held.begin + 300000) - timeline.canvas.clientWidth / 2,
                    timeline.drawn.places[0].top + 22 - timeline.canvas.clientHeight / 2];
        """)
        ActionChains(self.driver).move_to_element_with_offset(lanes, round(x), round(y)).click().perform()
        self.assertIn("wait for body lock on main, lock 7: 200.0 \u00b5s, inside solve", self.text(".span-words"))

    def test_spans_have_the_colour_of_their_core_and_black_where_they_moved(self):
        self.start()
        self.seek(30)
        at_work = "nowait.timeline.frames.at(-1).spans.filter((it) => it.begin < it.end && !nowait.timeline.IsWait(it.name))"
        cores = set(self.run_script(f"return {at_work}.flatMap((it) => [it.beginCore, it.endCore])"))
        self.assertLessEqual(cores, set(range(os.cpu_count())))
        self.assertNotEqual(cores, set())
        self.run_script(_CORES)
        places = [(0, 100), (0, 250), (0, 400), (0, 550), (1, 250), (1, 750)]
        blue, yellow, grey, black = "#0072b2", "#e69f00", "#8c9094", "#000000"
        self.assertEqual(self.run_script(_COLOUR_AT, places), [yellow, blue, blue, blue, yellow, blue])  # by name
        self.assertIn("solve", self.text(".timeline .legend"))
        self.assertFalse(self.one(".core-words").is_displayed())
        Select(self.one("select.span-colours")).select_by_value("core")
        self.assertEqual(self.run_script(_COLOUR_AT, places), [blue, blue, black, yellow, yellow, grey])
        self.assertEqual([item.text for item in self.all(".timeline .legend li")],
                         ["core not known", "core 0", "core 1", "core 9", "switched out"])
        self.assertIn("is not seen", self.text(".core-words"))
        self.picture("cores")
        self.one(".all summary").click()
        self.draw()
        text = self.text(".all ul")
        self.assertIn("0 steals; core 0 for 100 % of its spans; 2 moves to another core", text)
        self.assertIn("0 steals; core 9 for 100 % of its spans; 0 moves to another core", text)
        lanes = self.one("canvas.lanes")
        self.driver.execute_script("arguments[0].focus()", lanes)
        lanes.send_keys(Keys.ARROW_RIGHT, Keys.PAGE_UP, Keys.ARROW_RIGHT)
        self.assertEqual(self.text(".span-words"), "solve on main: 400.0 \u00b5s; 0 spans inside it; from core 0 to core 1: "
                         "switched out in it at least once")
        lanes.send_keys("k")
        self.assertEqual(self.one("select.span-colours").get_attribute("value"), "name")
        self.assertEqual(self.run_script(_COLOUR_AT, places)[0], yellow)

    def test_a_link_asks_for_a_frame_and_for_what_is_shown(self):
        self.driver.set_window_size(1400, 1000)
        started = "return Boolean(globalThis.nowait?.source?.scene.frame)"
        asked = """return [nowait.source.at, nowait.source.paused, nowait.mode,
                           ...nowait.structures.buttons.slice(0, 3).map((it) => it.getAttribute("aria-pressed"))]"""
        for address, seen in [("#frame=30&show=tree,links&colour=thread", [30, True, "thread", "true", "true", "false"]),
                              ("#show=links&frame=7", [7, True, "island", "false", "true", "false"]),
                              ("#frame=99999&show=roots&colour=__proto__", [59, True, "island", "false", "false", "false"])]:
            self.visit(self.path("pile.html"), address)
            self.until(lambda: self.run_script(started))
            self.assertEqual(self.run_script(asked), seen, address)

    def test_the_first_picture_has_characters_and_no_horizon(self):
        self.start()
        places = [[0, 1, 0], [4, 1, 2], [-30, 1, 5], [0, 0, 200]]  # two boxes, a fixed capsule, a large fixed box
        shown = self.run_script("""
            const [near, other, character, wide] = arguments[0];
            const bodies = [[near, true, 1, [1, 1, 1]], [other, true, 1, [1, 1, 1]], [character, false, 5, [0.3, 0.9, 0]],
                            [wide, false, 1, [300, 1, 300]]]
                .map(([position, dynamic, shape, size], slot) => [slot, {now: {position}, dynamic, shape, size}]);
            nowait.camera.Frame({bodies: new Map(bodies)});
            const m = nowait.camera.Matrix();
            return arguments[0].map(([x, y, z]) => {
              const [a, b, depth] = [0, 1, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
              return depth > 0 && Math.max(Math.abs(a), Math.abs(b)) < depth;
            });
        """, places)
        self.assertEqual(shown, [True, True, True, False])

    def test_a_pause_leaves_the_last_work_in_the_timeline(self):
        self.start()
        self.seek(30)
        names = """
            const {spans, frame} = nowait.timeline.Seen();
            return [frame.step, [...new Set(spans.map((span) => nowait.timeline.NameOf(span)))]];
        """
        self.run_script("""
            const timeline = nowait.timeline;
            const add = (step, at, name) => timeline.Add({lanes: ["main"], names: ["solve", "look"], frame: {begin: at, end: at + 1e6, step},
              spans: [{lane: 0, name, about: null, begin: at + 1000, end: at + 900000}]});
            timeline.Clear();
            add(1, 1e6, 0);
            add(2, 2e6, 0);
            for (let i = 0; i < 100; ++i) add(2, 3e6 + i * 1e6, 1);  // a paused program goes on sending
        """)
        self.assertEqual(self.run_script(names), [2, ["solve"]])
        self.run_script("nowait.timeline.HoldFrame()")
        self.assertEqual(self.run_script(names), [2, ["solve"]])

    def test_where_pictures_take_long_the_text_does_not_wait_for_them(self):
        self.start()
        self.seek(30)
        slices = self.run_script("""
            const left = [];
            nowait.source.Pause(true);
            nowait.Draw(1e6);
            for (const milliseconds of [17, 17, 99, 101]) {
              if (left.length === 0) nowait.slices = nowait.TextSlices();
              nowait.Draw(nowait.sliced + milliseconds);
              left.push(nowait.slices.length);
            }
            return [nowait.TextSlices().length, ...left];
        """)
        self.assertEqual(slices[1], slices[0] - 1)  # a slice a frame
        self.assertGreaterEqual(slices[2], slices[0] - 2)
        self.assertGreater(slices[3], 0)
        self.assertEqual(slices[4], 0)

    def test_narrow_spans_that_touch_are_one_rectangle_and_others_are_not(self):
        self.start()
        self.seek(30)
        rectangles = self.run_script(_NARROW)
        touching, *others = [(round(left), round(width)) for left, width in rectangles]
        self.assertEqual(touching, (0, 300))
        self.assertEqual(others, [(400 + 6 * i, 3) for i in range(10)] + [(500 + 6 * i, 2) for i in range(20)])
        blue, yellow = "#0072b2", "#e69f00"
        seen = self.run_script(_COLOUR_AT, [(0, 5), (0, 150), (0, 295), (0, 401.5), (0, 404.5), (0, 407.5), (0, 504.5), (0, 350)])
        self.assertEqual(seen[:6], [blue, blue, blue, blue, yellow, blue])
        self.assertEqual(seen[6], seen[7])  # the lane
        self.assertNotIn(seen[7], (blue, yellow))

    def test_locks_by_their_waits(self):
        self.start()
        self.seek(40)
        waits = "return [...nowait.source.scene.lockWaits].map(([lock, {waits, time}]) => [lock, waits, time]).sort()"
        forwards = self.run_script(waits)
        self.run_script("nowait.source.recording.kept.length = 1")
        self.seek(59)
        self.seek(40)
        self.assertEqual(self.run_script(waits), forwards)
        self.run_script("nowait.source.scene.lockWaits = new Map([[3, {waits: 1, time: 2000}], [8, {waits: 4, time: 9000}]]);"
                        "nowait.source.scene.mostLockWaits = 4; nowait.Mode('lock')")
        self.draw()
        self.assertIn("body locks: 32; 5 waits so far, 0.011 ms in all", self.text(".locks"))
        self.assertIn("most for lock 8: 4 waits, 0.009 ms", self.text(".locks"))
        cells = self.all(".cells li")
        self.assertEqual([cell.text for cell in cells], ["4" if i == 8 else "1" if i == 3 else "" for i in range(32)])
        colours = [cell.value_of_css_property("background-color") for cell in cells]
        self.assertEqual(len({colours[i] for i in (0, 3, 8)}), 3)
        # A body has the colour of its lock's cell.
        red = self.run_script("return nowait.source.scene.HeatOfLock(8)")
        self.assertEqual(red, 1)
        self.picture("locks")

    def test_a_recording_of_an_earlier_version_is_replayed(self):
        page = self.path("earlier.html")
        subprocess.run([PLAYER, "--from", ROOT / "tests/apps/player/version_2.recording", "--export", page],
                       check=True, stdout=subprocess.DEVNULL)
        self.driver.set_window_size(1400, 1000)
        self.visit(page)
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
        self.seek(29)
        self.assertEqual(self.figure("frame"), "30")
        self.assertEqual(self.scene("bodies.size"), 15)
        self.assertEqual(self.run_script("return nowait.timeline.frames.at(-1).spans.filter(() => true).map((it) => it.about)")[:1], [None])
        self.assertIn("physics update", self.run_script("return nowait.source.scene.names"))
        self.run_script("nowait.Mode('lock')")
        self.draw()
        self.assertIn("an earlier version", self.text(".locks"))
        self.run_script("nowait.Mode('thread')")
        self.draw()
        self.assertIn("No thread is known", self.text(".mode-legend"))
        self.run_script("nowait.timeline.HoldFrame(); nowait.timeline.ColourBy('core')")
        self.assertEqual(self.text(".timeline .legend"), "core not known")
        self.one(".all summary").click()
        self.draw()
        self.assertIn("its cores are not known", self.text(".all ul"))

    def test_shadows_fall_where_the_sun_says(self):
        self.start()
        self.seek(59)
        wall = max((body["position_m"] for body in self.bodies if body["position_m"][1] == 1.5), key=lambda at: at[0])
        edge = wall[0] + 0.5  # of the outer side of the wall; the sun is on the side of +x and +z
        self.run_script("nowait.camera.target = [0, 0, 0]; nowait.camera.pitch = 1.4; nowait.camera.distance = 40")
        inside, outside = [-edge - 0.8, 0, 0], [edge + 0.8, 0, 0]
        bare = self.run_script(_BRIGHT, False, [inside, outside])
        self.assertAlmostEqual(bare[0], bare[1], delta=1)
        shaded = self.run_script(_BRIGHT, True, [inside, outside])
        self.assertAlmostEqual(shaded[1], bare[1], delta=1)
        self.assertLess(shaded[0], 0.7 * bare[0])
        self.assertEqual(self.one("button.shadows").get_attribute("aria-pressed"), "true")
        self.picture("shadows")
        self.press("h")
        self.assertEqual(self.one("button.shadows").get_attribute("aria-pressed"), "false")

    def test_the_critical_path_is_a_chain_of_last_ends(self):
        self.start()
        # Thread 0 collides, waits for the job on thread 2, which began when the one on 1 had ended, and solves.
        spans = [(0, 1, 0, 1000), (0, 2, 100, 800), (0, 0, 200, 790), (0, 3, 800, 950),
                 (1, 4, 150, 400), (1, 4, 410, 500), (2, 4, 160, 390), (2, 4, 402, 780)]
        pieces, work, between = self.run_script(_PATH, spans)
        self.assertEqual(pieces, [[0, 1, 0, 100], [1, 4, 150, 400], [2, 4, 402, 780], [0, 2, 790, 800],
                                  [0, 3, 800, 950], [0, 1, 950, 1000]])
        self.assertEqual((work, between), (100 + 250 + 378 + 10 + 150 + 50, 50 + 2 + 10))
        # Work on one thread alone is its own path, and a wait is no part of it.
        pieces, work, between = self.run_script(_PATH, [(0, 1, 0, 900), (0, 0, 100, 300)])
        self.assertEqual((pieces, work, between), ([[0, 1, 0, 100], [0, 1, 300, 900]], 700, 200))
        self.assertEqual(self.run_script(_PATH, []), [[], 0, 0])

    def test_a_span_is_picked_and_zoomed_into(self):
        self.start()
        self.seek(30)
        self.one("button.frame").click()
        held = self.run_script("return nowait.timeline.held")
        frame = self.scene("frame")
        self.assertEqual([held["begin"], held["end"]], [frame["begin"], frame["end"]])
        lanes = self.one("canvas.lanes")
        self.driver.execute_script("arguments[0].focus()", lanes)
        lanes.send_keys(Keys.ARROW_DOWN)
        self.assertIn("physics update on main:", self.text(".span-words"))
        lanes.send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        self.assertIn("inside physics update", self.text(".span-words"))
        picked = self.run_script("const {begin, end, depth} = nowait.timeline.picked; return [begin, end, depth]")
        self.assertEqual(picked[2], 1)
        lanes.send_keys(Keys.ENTER)
        self.assertEqual(self.run_script("const {begin, end} = nowait.timeline.held; return [begin, end]"), picked[:2])
        rows = self.run_script("return nowait.timeline.drawn.places[0].rows")
        self.assertGreater(rows, 2)
        self.picture("span")
        lanes.send_keys(Keys.ESCAPE)
        self.assertEqual(self.run_script("return nowait.timeline.held.end"), frame["end"])
        lanes.send_keys(Keys.ESCAPE)
        self.assertIsNone(self.run_script("return nowait.timeline.held"))
        # The pointer: the middle of the outermost span.
        self.one("button.frame").click()
        x, y = self.run_script("""
            const timeline = nowait.timeline;
            const span = timeline.drawn.spans.find((one) => timeline.names[one.name] === "physics update");
            const {left, top, width, height} = timeline.PlaceOf(span);
            return [left + width / 2 - timeline.canvas.clientWidth / 2, top + height / 2 - timeline.canvas.clientHeight / 2];
        """)
        ActionChains(self.driver).move_to_element_with_offset(lanes, round(x), round(y)).click().perform()
        self.assertIn("physics update on main:", self.text(".span-words"))

    def test_a_phone_in_the_dark(self):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": 380, "height": 760, "deviceScaleFactor": 1, "mobile": True})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": "dark"},
                                                  {"name": "prefers-reduced-motion", "value": "reduce"}]})
        try:
            self.start()
            self.assertTrue(self.run_script("return nowait.source.paused"))
            self.seek(40)
            self.press("b", "l", "h")
            self.draw()
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 380)
            self.assertGreater(self.run_script(_DRAWN), 0.05)
            self.picture("phone")
            # The sky is the theme's, also when that changes.
            dark = self.run_script("return nowait.sky")
            self.assertEqual(dark, self.run_script("return nowait.Sky()"))
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
            self.until(lambda: self.run_script("nowait.stale = true; nowait.Draw(performance.now()); return nowait.sky") != dark)
            self.assertEqual(self.run_script("return nowait.sky"), self.run_script("return nowait.Sky()"))
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.start()
        self.seek(40)
        self.picture("desktop")

    def test_thirty_seconds_of_two_thousand_bodies_are_a_page_of_less_than_five_megabytes(self):
        page = self.path("long.html")
        self.addCleanup(page.unlink)
        subprocess.run([PLAYER, "pile", "--headless", "--bodies", "2000", "--seconds", "30", "--threads", "2",
                        "--export", page], check=True, stdout=subprocess.DEVNULL)
        self.assertLess(page.stat().st_size, 5e6)
        self.assertGreater(page.stat().st_size, 1e6)

    def test_damage_is_said_and_nothing_is_drawn(self):
        text = self.path("pile.html").read_text()
        begin = text.index('id="recording">') + len('id="recording">')
        broken = self.path("broken.html")
        broken.write_text(text[:begin] + "eJwDAAAAAAE=" + text[text.index("</script>", begin):])
        self.visit(broken)
        self.until(lambda: "cannot be read" in self.text(".notice"))


class Film(PlayerPage):
    def test_a_failing_test_of_a_world_leaves_a_page_that_opens_at_the_failure(self):
        run = subprocess.run([BINARIES / "tests/world/film_fails"], cwd=self.folder.name, text=True, check=False,
                             capture_output=True, env=dict(os.environ, TEST_UNDECLARED_OUTPUTS_DIR=self.folder.name))
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("CHECK( Get(*world, box).position.y > 4.0f )", run.stdout)
        file, frame = re.search(r"film of world 1: \S*/(film-1[.]html)#frame=(\d+)", run.stdout).groups()
        self.assertEqual(frame, "29")
        self.visit(self.path(file), f"#frame={frame}")
        self.until(lambda: self.run_script("return nowait?.source?.at === 29"))
        self.assertEqual([self.run_script("return nowait.source.last"), self.scene("name")], [29, "a box falls up"])
        height = self.scene("bodies.get(1).now.position[1]")
        self.assertAlmostEqual(height, float(re.search(r"([0-9.]+)f > 4.0f", run.stdout)[1]), delta=ERROR)


class Live(LivePage):
    def test_pause_step_throw_reset_and_the_end(self):
        self.start("pyramid", "--bodies", "30", "--state", str(self.path("live.json")))
        self.press(Keys.SPACE)
        self.until(lambda: self.scene("frame.paused"))
        # Messages go on, and nothing is drawn for them.
        self.run_script("""
            const {Draw} = nowait.picture;
            nowait.picture.Draw = function(...all) {
              globalThis.drawn = true;
              Draw.apply(this, all);
            };
        """)
        def nothing_is_drawn():
            number = self.run_script("globalThis.drawn = false; return nowait.source.scene.frame.number")
            self.until(lambda: self.scene("frame.number") > number + 3)
            return not self.run_script("return drawn")
        self.until(nothing_is_drawn)
        step = self.scene("frame.step")
        self.press(".")
        self.until(lambda: self.scene("frame.step") == step + 1)
        bodies = self.scene("frame.bodies")
        self.press("t")
        self.until(lambda: self.scene("frame.bodies") == bodies + 1)
        self.until(lambda: self.run_script("return drawn"))
        # A pyramid that has come to rest is woken by what is thrown, and is awake for longer than ten frames.
        for _ in range(20):
            step = self.scene("frame.step")
            self.run_script("nowait.Step(10)")
            self.until(lambda: self.scene("frame.step") == step + 10)
            if self.scene("frame.awake") > 3:
                break
        self.assertGreater(self.scene("frame.awake"), 3)
        self.press(Keys.SPACE)
        self.until(lambda: not self.scene("frame.paused"))
        self.press("[")
        self.until(lambda: self.scene("frame.speed") == 0.5)
        seed = self.one("input.seed")
        seed.clear()
        seed.send_keys("7")
        self.one("button.reset").click()
        self.until(lambda: self.run_script("return nowait.source.scene.frame.seed === 7n"))
        self.assertEqual(self.scene("frame.bodies"), bodies)
        self.run_script("document.activeElement.blur()")
        self.press("t", Keys.SPACE)
        self.until(lambda: self.scene("frame.paused"))
        output = self.end()
        self.assertIn("viewers 1", output)
        self.until(lambda: "has ended" in self.text(".notice"))
        self.run_script("nowait.stale = true; nowait.Draw(performance.now())")
        self.assert_places(json.loads(self.path("live.json").read_text())["bodies"])

    def test_the_picked_body_is_dragged_and_lifted(self):
        self.start("pyramid", "--bodies", "30")
        self.press(Keys.SPACE)
        self.until(lambda: self.scene("frame.paused"))
        top = self.run_script("""
            const bodies = [...nowait.source.scene.bodies.values()].filter((it) => it.dynamic);
            return bodies.reduce((a, b) => b.now.position[1] > a.now.position[1] ? b : a).slot;
        """)
        place = f"bodies.get({top}).now.position"
        self.press(Keys.SPACE)
        self.run_script("nowait.PickBody(arguments[0])", top)
        canvas = self.one("canvas.picture")
        x, y = self.run_script(_ON_SCREEN, top)
        yaw = self.run_script("return nowait.camera.yaw")
        height = self.scene(place)[1]
        # Up on the screen is up in the scene. The pointer leaves the canvas, and is released outside of it.
        ActionChains(self.driver).move_to_element_with_offset(canvas, round(x), round(y)).click_and_hold().perform()
        self.assertEqual(self.run_script("return nowait.pulled.body.slot"), top)
        up = round(canvas.size["height"] / 2 + y) + 15
        ActionChains(self.driver).move_by_offset(0, -30).perform()
        ActionChains(self.driver).move_by_offset(0, 30 - up).perform()
        self.until(lambda: self.scene(place)[1] > height + 0.4)
        self.assertEqual(self.run_script("return nowait.camera.yaw"), yaw)
        self.picture("dragged")
        ActionChains(self.driver).release().perform()
        self.until(lambda: self.run_script("return nowait.pulled === null"))
        # The keys do it as well; a reset lets go. Out of sight the page would not hear of the body.
        self.run_script("nowait.Zoom(3)")
        self.press("g")
        lifted = self.run_script("return nowait.pulled.place[1]")
        self.until(lambda: abs(self.scene(place)[1] - lifted) < 0.3)
        self.one("button.reset").click()
        self.until(lambda: self.run_script("return nowait.pulled === null"))
        # Beside the picked body the pointer turns the camera.
        ActionChains(self.driver).move_to_element_with_offset(canvas, -250, -120) \
            .click_and_hold().move_by_offset(50, 0).release().perform()
        self.assertNotEqual(self.run_script("return nowait.camera.yaw"), yaw)
        self.end()

    def test_staged_bodies_and_boxes_of_a_running_world(self):
        self.start("pile", "--bodies", "40", "--state", str(self.path("live.json")))
        self.press(Keys.SPACE, "b", "l")
        self.until(lambda: self.scene("frame.paused") and self.scene("boxes.size") > 0)
        staged = "trees.map((it) => it.staged)"
        self.assertEqual(self.scene(staged), [0, 0])
        self.one("button.reset").click()
        self.until(lambda: self.scene(staged)[1] == 40)  # no update has rebuilt the tree
        self.draw()
        self.assertRegex(self.text(".structures .sentences"), r"tree dynamic: .*; 40 staged bodies")
        self.run_script("document.activeElement.blur()")
        self.press(".")
        self.until(lambda: self.scene(staged) == [0, 0])
        self.press("t")
        self.until(lambda: self.scene("frame.bodies") == 46)
        self.end()
        self.until(lambda: "has ended" in self.text(".notice"))
        self.draw()
        self.assert_structures(json.loads(self.path("live.json").read_text()))

    def test_the_query_of_the_ray_by_which_a_body_is_picked(self):
        self.start("pyramid", "--bodies", "60")
        self.press(Keys.SPACE, "q", "b")
        self.until(lambda: self.scene("frame.paused") and self.scene("boxes.size") > 0)
        self.draw()
        self.assertIn("No ray is there yet", self.text(".structures .sentences"))
        body = self.run_script("return [...nowait.source.scene.bodies.values()].find((it) => it.dynamic).slot")
        x, y = self.run_script(_ON_SCREEN, body)
        ActionChains(self.driver).move_to_element_with_offset(self.one("canvas.picture"), round(x), round(y)).click().perform()
        self.until(lambda: self.scene("ray !== null"))
        self.draw()
        # The engine's hit is the page's pick, and what the query visits are boxes of the trees.
        hit, picked = self.run_script("return [nowait.source.scene.ray.hit, nowait.picked]")
        self.assertEqual(hit, picked)
        visits, boxes = self.run_script("""
            const key = ({low, high}) => [...low, ...high].join();
            return [nowait.source.scene.ray.visits.map(key), [...nowait.source.scene.boxes.values()].map(key)];
        """)
        self.assertGreater(len(visits), 3)
        self.assertEqual(set(visits) - set(boxes), set())
        self.assertLess(len(visits), len(boxes))
        drawn = self.run_script("return nowait.picture.rayLines.count")
        there = self.run_script("return nowait.source.scene.ray.visits.filter(({low, high}) => low[0] <= high[0] && high[0] < 3e6).length")
        self.assertEqual(drawn, 12 * there + 1)
        self.assertRegex(self.text(".structures .sentences"),
                         rf"ray: the query visits {len(visits)} nodes of the trees and looks at \d+ bod(y|ies); it hits body {hit} after")
        self.run_script("nowait.structures.Toggle(1); nowait.Turn(1.1, 0)")
        self.draw()
        self.picture("query")
        self.press("q")
        self.draw()
        self.assertEqual(self.run_script("return nowait.picture.rayLines.count"), 0)
        self.end()

    def test_what_is_out_of_sight_is_neither_sent_nor_drawn_and_comes_back(self):
        self.start("pile", "--bodies", "100", "--state", str(self.path("live.json")))
        count = "return [...nowait.source.scene.bodies.values()].filter((it) => it.inSight).length"
        self.until(lambda: self.run_script("return nowait.view") != "")
        there = self.run_script("return nowait.source.scene.bodies.size")
        self.run_script("nowait.PickBody([...nowait.source.scene.bodies.values()].find((it) => it.dynamic).slot)")
        self.run_script("nowait.camera.pitch = -1.5; nowait.camera.distance = 1; nowait.camera.target = [0, 90, 0]")  # the sky
        self.until(lambda: self.run_script(count) < 10)
        self.draw()
        self.assertEqual(self.run_script("return nowait.picture.places.size"), self.run_script(count))
        self.assertEqual(self.figure("bodies"), str(there))
        self.assertEqual(self.figure("in sight"), str(self.run_script(count)))
        self.assertIn("; out of sight;", self.text(".picked"))
        # The page's knowledge of them is old, until they come back.
        self.press(Keys.HOME)
        self.until(lambda: self.run_script(count) == there)
        self.end()
        self.until(lambda: "has ended" in self.text(".notice"))
        self.draw()
        self.assert_places(json.loads(self.path("live.json").read_text())["bodies"])

    def test_lamps_shine_where_they_are_in_sight(self):
        self.start("pile", "--bodies", "60", "--lamps", "6")
        self.until(lambda: self.scene("lights.length") == 6)
        self.draw()
        self.assertEqual(self.figure("lamps"), "6 of 6 shine on what is in sight")
        carriers = "scene.lights.map(({position: [x, y, z]}) => [...scene.bodies.values()].filter(({now}) => " \
                   "Math.hypot(now.position[0] - x, now.position[1] - y + 1, now.position[2] - z) < 0.01).length)"
        self.press(Keys.SPACE)
        self.until(lambda: self.scene("frame.paused"))
        self.assertEqual(self.run_script(f"const {{scene}} = nowait.source; return {carriers}"), [1] * 6)
        self.picture("lamps")
        # Their light is the picture's: without them much of it is darker, and little brighter, where a lamp is drawn.
        darker, brighter = self.run_script(_SHINES)
        self.assertGreater(darker, 0.01)
        self.assertLess(brighter, 0.1 * darker)
        self.run_script("nowait.camera.pitch = -1.5; nowait.camera.distance = 1; nowait.camera.target = [0, 90, 0]")  # the sky
        self.until(lambda: self.scene("lights.length") == 0)
        self.draw()
        self.assertEqual(self.figure("lamps"), "0 of 6 shine on what is in sight")
        self.press(Keys.HOME)
        self.until(lambda: self.scene("lights.length") == 6)
        self.end()

    def test_what_the_engine_never_sends_is_refused(self):
        """The page's reader has the limits of src/live/reader.cc: it neither hangs nor draws what is wrong."""
        self.start("pile", "--bodies", "1")
        self.until(lambda: self.scene("frame !== null"))

        def varint(number):
            return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])

        def event(name, content):
            return struct.pack("<4sI", name.encode(), len(content)) + content + bytes(-len(content) % 8)

        def ray(origin=0.0, fraction=1.0, hit=0, visits=b""):
            return event("LvRa", struct.pack("<7f", origin, 0, 0, 1, 1, 1, fraction) + varint(hit) + bytes(2) + visits)

        def span(lane=0, name=0, about=7, cores=(0, 65535)):
            numbers = b"".join(varint(number) for number in (lane, 4 * name + 3, about, *cores))
            return event("LvSp", bytes(8) + numbers + bytes([0, 1]))

        hello = event("LvHi", struct.pack("<I3f", 5, 1 / 30, 1 / 512, 1 / 1448))
        body = event("LvBo", struct.pack("<4I3fI", 0, 1, 0, 1, 1, 1, 1, 1))
        good = [event("LvBl", struct.pack("<I", 1024)), body + event("LvTh", b"\0" + varint(4096)), span(lane=4095), span(name=4095),
                ray(hit=2**21, visits=bytes(6 * 1024)), event("LvNm", struct.pack("<I", 4095))]
        bad = [event("LvBl", struct.pack("<I", locks)) for locks in (0, 1025, 4_000_000_000)]
        bad += [body + event("LvTh", b"\0" + lane) for lane in (varint(4097), bytes([128] * 200 + [1]))]
        bad += [span(lane=4096), span(name=4096), span(about=2**32), span(cores=(65536, 0)), span(cores=(0, 65536))]
        bad += [ray(origin=float("nan")), ray(fraction=1.5), ray(fraction=float("nan")), ray(hit=2**21 + 1),
                ray(visits=bytes(6 * 1025)), ray(visits=varint(2**33) + bytes(5))]
        bad += [body + event(name, gaps) for name, gaps in
                (("LvOu", b"\1"), ("LvOu", b"\0\0"), ("LvIn", b"\0"), ("LvOu", varint(2**33)))]
        light = struct.pack("<7f", 0, 1, 2, 7, 1, 0.5, 0)
        good += [event("LvLi", struct.pack("<I", 32) + 32 * light)]
        bad += [event("LvLi", struct.pack("<I", count) + lights) for count, lights in
                ((33, b""), (0, light), (2, light[:-1]), (1, light[:24] + struct.pack("<f", float("nan"))), (1, struct.pack("<7f", *3 * [0], -1, 0, 0, 0)))]
        good += [body + event("LvOu", b"\0") + event("LvIn", b"\0")]
        bad += [event(name, struct.pack("<I", 0xfffffffe)) for name in ("LvNm", "LvLn", "LvLy")]
        refused = self.run_script("""
            const Scene = nowait.source.scene.constructor;
            return arguments[0].map((bytes) => {
              try {
                new Scene().Read(new Uint8Array(bytes));
              } catch (error) {
                return error.message;
              }
              return null;
            });
        """, [list(hello + message) for message in good + bad])
        self.assertEqual([words for words in refused[:len(good)] if words], [])
        self.assertEqual([i for i, words in enumerate(refused[len(good):]) if not words], [])
        self.end()

    def test_the_state_is_the_same_with_a_viewer(self):
        scene = ("pile", "--bodies", "50")
        self.start(*scene)
        self.press(Keys.SPACE)
        self.until(lambda: self.scene("frame.paused"))
        self.press("b", "l")
        self.until(lambda: self.scene("boxes.size") > 0)
        # As many frames as of whole seconds, and at least some.
        step = self.scene("frame.step")
        seconds = step // 30 + 2
        self.run_script("nowait.Step(arguments[0])", 30 * seconds - step)
        self.until(lambda: self.scene("frame.step") == 30 * seconds)
        self.assertGreater(self.scene("links.size"), 0)
        output = self.end()
        self.assertIn("viewers 1", output)
        alone = subprocess.run([PLAYER, *scene, "--headless", "--seconds", str(seconds)],
                               capture_output=True, text=True, check=True).stdout
        find = r"state ([0-9a-f]{16})"
        self.assertEqual(re.search(find, output)[1], re.search(find, alone)[1])


if __name__ == "__main__":
    unittest.main()
