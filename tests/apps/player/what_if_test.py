#!/usr/bin/python3
"""The critical path and the simulated times: the page's are the program's, for each frame of a recorded run; and the
spans of the timeline can be seen and read in both themes."""

import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from player_page import PLAYER, PlayerPage  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

# In the order of the program's names.
_NAMES = ["step", "work_ns", "between_ns", "pieces", "threads", "as_set_ns", "by_path_ns", "one_priority_ns",
          "longest_chain_ns", "steps", "recorded_steps"]
_FIGURES = """
const {timeline, source} = nowait;
source.Pause(true);
nowait.Seek(0);
timeline.Clear();
const rows = [];
for (let frame = 1; frame <= source.last; ++frame) {
  nowait.Seek(frame);
  const last = timeline.frames.at(-1);
  const graph = timeline.GraphOf(last);
  const {pieces, work, between} = timeline.PathOf(last);
  const {threads, set, path, one, chain} = timeline.whatIf.TimesOf(graph, timeline.lanes.length);
  const steps = graph.nodes.filter((node) => node.isStep);
  rows.push([last.step, work, between, pieces.length, threads, set, path, one, chain, steps.length,
             steps.filter((step) => !step.byTimes).length]);
}
return rows;
"""
# Four short tasks of the highest priority and a long one of the lowest, made in 10 milliseconds and run by two threads.
_STARVED = """
const {timeline} = nowait;
timeline.Clear();
const names = ["update", "task", "wait", "render"];
const span = (lane, name, begin, end, about = null) => ({lane, name, begin: 1e6 * begin, end: 1e6 * end, about});
const task = (number, priority) => ({lane: 0, time: 1e6 * number, task: number, parent: 1, dependency: null, kind: "work",
                                     priority, bound: false});
const group = {...task(1, 0), parent: null, kind: "empty"};
timeline.Add({lanes: ["main", "worker 1"], names, frame: {begin: 0, end: 55e6, step: 1}, spans: [
  span(0, 1, 10, 20, 2), span(1, 1, 10, 20, 3), span(0, 1, 20, 30, 4), span(1, 1, 20, 30, 5), span(1, 1, 30, 50, 6),
  span(0, 2, 10, 50, 1), span(0, 0, 0, 10), span(0, 3, 50, 55)],
  tasks: [group, task(2, 0), task(3, 0), task(4, 0), task(5, 0), task(6, 2)]});
timeline.HoldFrame();
"""
# A group that is made when the step that comes after it begins, on the same lane; then a long chain of groups, each
# behind the one before, and a task behind each of them.
_GROUPS = """
const {timeline} = nowait;
timeline.Clear();
const task = (number, time, dependency, kind = "work") => ({lane: 0, time, task: number, parent: null, dependency, kind,
                                                           priority: 0, bound: false});
const span = (lane, name, begin, end, about = null) => ({lane, name, begin, end, about});
const spans = [span(0, 0, 0, 10), span(0, 1, 20, 30, 2)];
const tasks = [task(1, 20, null, "empty"), task(2, 20, 1)];
for (let i = 1; i <= 20000; ++i) {
  tasks.push(task(2 * i + 1, 5, i > 1 ? 2 * i - 1 : null, "empty"), task(2 * i + 2, 6, 2 * i + 1));
  spans.push(span(1, 1, 40 + i, 41 + i, 2 * i + 2));
}
timeline.Add({lanes: ["main", "worker 1"], names: ["update", "task"], frame: {begin: 0, end: 21000, step: 1}, spans, tasks});
timeline.HoldFrame();
const graph = timeline.GraphOf(timeline.held.frame);
const {one, chain} = timeline.whatIf.TimesOf(graph, 2);
return [timeline.PathOf(timeline.held.frame).pieces.length, one, chain];
"""
# A span on each of eight cores and one on a core that is not known, side by side.
_ALL_CORES = """
const {timeline} = nowait;
timeline.Clear();
const spans = Array.from({length: 9}, (_, i) => ({lane: 0, name: 0, about: null, beginCore: i - 1, endCore: i - 1,
                                                 begin: 100 * i, end: 100 * i + 90}));
timeline.Add({lanes: ["main"], names: ["solve"], frame: {begin: 0, end: 900, step: 1}, spans, tasks: []});
timeline.HoldFrame();
timeline.ColourBy("core");
const scale = devicePixelRatio || 1;
const paint = new OffscreenCanvas(timeline.canvas.width, timeline.canvas.height).getContext("2d", {willReadFrequently: true});
paint.fillStyle = getComputedStyle(timeline.canvas).backgroundColor;
paint.fillRect(0, 0, 1, 1);
const paper = [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
paint.drawImage(timeline.canvas, 0, 0);
const {top} = timeline.drawn.places[0];
const at = (x, y) => [...paint.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data].slice(0, 3);
return [paper, spans.map(({begin}) => {
  const left = timeline.drawn.x(begin);
  const edge = at(left + 30, top);
  const fill = at(timeline.drawn.x(begin + 90) - 5, top + 3);
  const text = [];  // all colours around the words
  for (let x = left + 3; x < left + 40; x += 1 / scale) {
    for (let y = top + 3; y < top + 11; y += 1 / scale) text.push(at(x, y));
  }
  return {edge, fill, text};
})];
"""


def contrast(one, other):
    """Of the Web Content Accessibility Guidelines."""
    def luminance(colour):
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


class WhatIf(PlayerPage):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path = cls.folder.name + "/"
        subprocess.run([PLAYER, "pile", "--headless", "--seconds", "2", "--bodies", "60", "--threads", "2", "--planted", "starved",
                        "--record", path + "run.recording"], check=True, stdout=subprocess.DEVNULL)
        told = subprocess.run([PLAYER, "--from", path + "run.recording"], check=True, capture_output=True, text=True)
        cls.told = told.stdout
        subprocess.run([PLAYER, "--from", path + "run.recording", "--export", path + "run.html", "--paths", path + "paths.json"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(path + "paths.json", encoding="utf-8") as file:
            cls.paths = json.load(file)

    def start(self):
        self.driver.set_window_size(1400, 1000)
        self.visit(self.path("run.html"))
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))

    def test_the_figures_are_those_of_the_program(self):
        self.start()
        rows = self.run_script(_FIGURES)
        self.assertEqual((self.paths["schema"], self.paths["version"]), ("nowait.frame_paths", 1))
        frames = {frame["step"]: frame for frame in self.paths["frames"]}
        self.assertGreaterEqual(len(rows), 50)
        for row in rows:
            self.assertEqual(dict(zip(_NAMES, row)), {name: frames[row[0]][name] for name in _NAMES})
        # The run has tasks whose dependencies are known, and nothing is shorter than what comes after each other.
        self.assertTrue(all(frame["recorded_steps"] > 20 for frame in frames.values() if frame["steps"] > 0))
        for frame in frames.values():
            for name in ("as_set_ns", "by_path_ns", "one_priority_ns"):
                self.assertGreaterEqual(frame[name], frame["longest_chain_ns"])
        longest = max(frames.values(), key=lambda frame: frame["length_ns"])
        self.assertIn(f"longest frame {longest['step']}, {longest['length_ns'] / 1e6:.2f} ms: critical path", self.told)
        self.assertIn(f"simulated on 2 threads: {longest['as_set_ns'] / 1e6:.2f} ms with the priorities as set", self.told)

    def test_a_starved_task_gains_by_the_path_on_so_many_threads(self):
        self.start()
        self.run_script(_STARVED)
        self.assertIn(": 55.00 ms with the priorities as they were set, 45.00 ms with priorities from the critical path, "
                      "55.00 ms with one priority for all; the longest chain takes 35.00 ms on any number of threads. "
                      "Records say what 6 of 7 steps came after", self.text(".simulated"))
        graph = "nowait.timeline.GraphOf(nowait.timeline.held.frame)"
        times = self.run_script(f"const {{set, path, one, chain}} = nowait.timeline.whatIf.TimesOf({graph}, 2); return [set, path, one, chain]")
        self.assertEqual(times, [55e6, 45e6, 55e6, 35e6])
        self.one(".all summary").click()
        self.run_script("nowait.figures.Show(nowait.source.scene, nowait.timeline, null)")
        self.assertIn("Simulated on 2 threads: 55.00 ms", self.text(".all ul"))
        Select(self.one("select.simulated-threads")).select_by_value("1")
        self.assertIn(": 75.00 ms with the priorities as they were set, 75.00 ms with", self.text(".simulated"))
        Select(self.one("select.simulated-threads")).select_by_value("8")
        self.run_script("nowait.figures.Show(nowait.source.scene, nowait.timeline, null)")
        self.assertIn("Simulated on 8 threads: 35.00 ms", self.text(".all ul"))

    def test_groups_in_a_circle_and_in_a_long_chain_do_not_hold_the_page(self):
        self.start()
        pieces, one, chain = self.run_script(_GROUPS)
        self.assertEqual((pieces, chain), (20001, 11))
        self.assertGreaterEqual(one, 10)

    def test_spans_are_seen_and_read_in_both_themes(self):
        self.start()
        try:
            for theme in ("light", "dark"):
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
                self.run_script("nowait.timeline.inks = null")
                paper, spans = self.run_script(_ALL_CORES)
                self.assertEqual(len(spans), 9)
                for number, span in enumerate(spans):
                    with self.subTest(theme=theme, core=number - 1):
                        self.assertGreaterEqual(max(contrast(span["fill"], paper), contrast(span["edge"], paper)), 3)
                        self.assertGreaterEqual(max(contrast(span["fill"], colour) for colour in span["text"]), 4.5)
                self.picture(f"all_cores_{theme}")
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


if __name__ == "__main__":
    unittest.main()
