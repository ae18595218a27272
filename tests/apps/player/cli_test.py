"""Runs the player as a person would, with small scenes, and checks its output and its files.

cli_test.py PLAYER
"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

PLAYER = os.path.abspath(sys.argv.pop(1))
TERRAIN = "assets/terrain/jacksboro.elevation"
SMALL = ["--headless", "--seconds", "1", "--bodies", "40"]


def run(*arguments):
    return subprocess.run(
        [PLAYER, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def state(output):
    return re.search(r"state ([0-9a-f]{16})", output)[1]


class Player(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def play(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refuse(self, code, words, *arguments):
        """The player must end with `code` and one line on stderr that has the words."""
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_every_scene_has_one_state_for_any_threads_and_with_a_recording(self):
        for scene in ("chute", "convex_vs_mesh", "course", "gears", "joint_grid", "machines", "pile", "pyramid", "ragdolls", "shaft",
                      "shapes", "terrain", "wall"):
            with self.subTest(scene):
                alone = self.play(scene, *SMALL, "--threads", "1")
                self.assertIn(f"{scene}: 30 frames", alone)
                recorded = self.play(scene, *SMALL, "--threads", "3", "--record", str(self.folder / "run"))
                self.assertEqual(state(alone), state(recorded))

    def test_a_recording_is_whole_and_is_exported(self):
        record, page, bodies = (self.folder / name for name in ("run", "page.html", "state.json"))
        output = self.play(*SMALL, "--record", str(record), "--state", str(bodies))
        self.assertIn(f"wrote {record}", output)
        self.assertNotIn("not in the recording", output)
        there = json.loads(bodies.read_text(encoding="utf-8"))
        self.assertEqual(there["state_hash"], state(output))
        self.assertEqual(len(there["bodies"]), 45)  # with the floor and four walls
        said = self.play("--from", str(record))
        self.assertIn("pile: 30 frames, 1.0 s", said)
        self.assertIn("45 bodies", said)
        self.play("--from", str(record), "--export", str(page))
        text = page.read_text(encoding="utf-8")
        self.assertIn("connect-src 'none'", text)
        self.assertIn("pile: 30 frames", text)  # for a reader without scripts
        self.assertIn("<title>pile</title>", text)

    def test_a_recording_of_a_large_island_has_all_spans_and_says_that(self):
        record = self.folder / "run"
        self.play("square_pyramid", "--headless", "--seconds", "1", "--threads", "2", "--record", str(record))
        self.assertIn("0 frames missed, 0 spans lost", self.play("--from", str(record)))

    def test_traces_are_compared(self):
        alone, together, other, longer = (str(self.folder / name) for name in ("a", "b", "c", "d"))
        scene = ["machines", *SMALL]
        self.play(*scene, "--threads", "1", "--trace", alone)
        self.play(*scene, "--threads", "4", "--trace", together)
        self.assertEqual(self.play("--compare", alone, together), "the same in all 30 frames\n")
        self.play(*scene, "--seed", "2", "--trace", other)
        done = run("--compare", alone, other)
        self.assertEqual(done.returncode, 1)
        # Body 0 is the floor.
        self.assertRegex(done.stdout, r"^frame 1: body 1 of generation 0 is the first of 40 that differ\n$")
        self.play("machines", "--headless", "--seconds", "2", "--bodies", "40", "--trace", longer)
        done = run("--compare", longer, alone)
        self.assertEqual(done.stdout, "one run has no frame 31; up to there they are the same\n")

    def test_a_trace_that_is_none_is_refused(self):
        trace, cut = (self.folder / name for name in ("trace", "cut"))
        self.play("pile", *SMALL, "--trace", str(trace))
        cut.write_bytes(trace.read_bytes()[:1000])
        record = str(self.folder / "run")
        self.play("pile", *SMALL, "--record", record)
        self.refuse(1, ["cut", "shorter"], "--compare", str(trace), str(cut))
        self.refuse(1, ["run", "blob"], "--compare", record, str(trace))
        self.refuse(1, ["nosuch"], "--compare", str(trace), str(self.folder / "nosuch"))
        self.refuse(2, ["--compare"], "--compare", str(trace))
        self.refuse(2, ["--compare runs nothing"], "--compare", str(trace), str(cut), "--trace", record)
        self.refuse(2, ["--from runs nothing"], "--from", record, "--trace", str(trace))
        self.refuse(2, ["same file"], "--trace", str(trace), "--record", str(trace))

    def test_a_saved_run_goes_on_as_if_it_had_not_ended(self):
        saved, again = str(self.folder / "saved.play"), str(self.folder / "again.play")
        for scene in ("chute", "course", "gears", "machines", "ragdolls", "shaft", "wall", "shapes"):
            with self.subTest(scene):
                size = ["--bodies", "40"]
                whole = self.play(scene, *size, "--seed", "3", "--headless", "--seconds", "2", "--threads", "1")
                self.play(scene, *size, "--seed", "3", "--headless", "--seconds", "1", "--save", saved)
                more = self.play("--load", saved, "--headless", "--seconds", "1", "--threads", "3", "--save", again)
                self.assertIn(f"{scene}: 30 frames", more)
                self.assertEqual(state(more), state(whole))
        # One second further from what was saved second.
        on = self.play("--load", again, "--headless", "--seconds", "1")
        self.assertEqual(state(on), state(self.play("shapes", *size, "--seed", "3", "--headless", "--seconds", "3")))

    def test_a_saved_run_has_its_shapes(self):
        """A run on a terrain goes on beside a file of other heights, on those that it was saved with."""
        saved, flat = self.folder / "saved.play", self.folder / "flat.elevation"
        heights = pathlib.Path(TERRAIN).read_bytes()
        rows, columns = struct.unpack_from("<II", heights, 12)
        level = heights[:60] + bytes(2 * rows * columns)
        flat.write_bytes(level + struct.pack("<I", zlib.crc32(level)))
        run = ["terrain", "--bodies", "40", "--headless", "--seconds"]
        whole = self.play(*run, "2")
        self.play(*run, "1", "--save", str(saved))
        on = ["--load", str(saved), "--headless", "--seconds", "1", "--terrain", str(flat)]
        self.assertEqual(state(self.play(*on)), state(whole))
        self.assertNotEqual(state(self.play(*run, "2", "--terrain", str(flat))), state(whole))

    def test_a_saved_run_that_is_none_is_refused(self):
        saved, cut, other = (self.folder / name for name in ("saved.play", "cut", "other"))
        self.play("pile", *SMALL, "--save", str(saved))
        whole = saved.read_bytes()
        cut.write_bytes(whole[:-16])
        self.refuse(1, ["cut", "shorter"], "--load", str(cut))
        cut.write_bytes(whole + bytes(16))
        self.refuse(1, ["cut", "follow"], "--load", str(cut))
        for place in (40, 100, len(whole) - 100):
            cut.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            self.refuse(1, ["cut", "damaged"], "--load", str(cut))
        self.play("pile", *SMALL, "--trace", str(other))
        self.refuse(1, ["other", "kind"], "--load", str(other))
        cut.write_bytes(b"")
        self.refuse(1, ["cut", "empty"], "--load", str(cut))
        self.refuse(1, ["nosuch"], "--load", str(self.folder / "nosuch"))
        for option in (["pile"], ["--bodies", "3"], ["--seed", "3"]):
            self.refuse(2, ["excludes --load"], "--load", str(saved), *option)
        self.refuse(2, ["same file"], "--load", str(saved), "--save", str(saved))
        self.refuse(2, ["neither"], "--load", str(saved), "--from", str(other))
        self.assertEqual(saved.read_bytes(), whole)

    def test_the_state_has_the_contacts(self):
        there = self.folder / "state.json"
        self.play("pyramid", *SMALL, "--state", str(there))
        said = json.loads(there.read_text(encoding="utf-8"))
        boxes = len(said["bodies"]) - 1
        below = [contact for contact in said["contacts"] if contact["a"] == 0]
        self.assertGreater(len(said["contacts"]), boxes)
        self.assertEqual(len(below), 25)  # the lowest of the five layers stands on the floor
        for contact in below:
            self.assertEqual(contact["sensor"], False)
            for point in contact["points"]:
                self.assertAlmostEqual(point["normal"][1], 1.0, places=5)
                self.assertLess(abs(point["separation_m"]), 0.02)

    def test_a_full_recording_is_kept(self):
        record = self.folder / "run"
        scene = ["pile", "--headless", "--seconds", "6", "--bodies", "400", "--structures"]
        output = self.play(*scene, "--record", str(record), "--record-mib", "1")
        ends, most = re.search(r"recording ends (\d+) frames before the run: capacity of recording reached \((\d+)\)", output).groups()
        self.assertEqual(int(most), 1 << 20)
        self.assertLessEqual(record.stat().st_size, 1 << 20)
        self.assertEqual(state(output), state(self.play(*scene)))
        said = self.play("--from", str(record))
        self.assertIn(f"pile: {180 - int(ends)} frames", said)

    def test_a_paced_run_ends_by_itself_and_by_an_interrupt(self):
        output = self.play("pyramid", "--seconds", "1", "--bodies", "30")
        self.assertRegex(output, r"page: http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}\n")
        self.assertEqual(state(output), state(self.play("pyramid", *SMALL[:3], "--bodies", "30")))
        with subprocess.Popen([PLAYER, "pyramid"], stdout=subprocess.PIPE, text=True) as child:
            child.stdout.readline()
            child.send_signal(signal.SIGINT)
            self.assertIn("viewers 0", child.stdout.read())
            self.assertEqual(child.wait(), 0)

    def test_another_program_is_recorded_and_goes_on(self):
        record, page = self.folder / "watched", self.folder / "watched.html"
        with subprocess.Popen([PLAYER, "pile", "--bodies", "40", "--threads", "2"], stdout=subprocess.PIPE, text=True) as child:
            address = child.stdout.readline().removeprefix("page: ").strip()
            said = self.play("--watch", address, "--seconds", "2", "--structures", "--record", str(record), "--export", str(page))
            messages = int(re.match(r"(\d+) messages, \d+ frames missed\n", said)[1])
            self.assertGreater(messages, 10)
            shown = self.play("--from", str(record))
            self.assertIn(f"pile: {messages} frames", shown)
            self.assertIn("45 bodies", shown)
            self.assertIn("<title>pile</title>", page.read_text(encoding="utf-8"))
            wrong = address[:-1] + ("1" if address[-1] == "0" else "0")
            self.refuse(1, ["invalid address", "refuses"], "--watch", wrong, "--record", str(record))
            # It ends with the program, and has what there was.
            with subprocess.Popen([PLAYER, "--watch", address, "--record", str(self.folder / "to the end")],
                                  stdout=subprocess.PIPE, text=True) as watcher:
                time.sleep(2)
                child.send_signal(signal.SIGINT)
                self.assertIn("viewers 2", child.stdout.read())
                self.assertIn(" messages, ", watcher.stdout.read())
            self.assertEqual([watcher.returncode, child.wait()], [0, 0])
        self.refuse(1, ["connection"], "--watch", address, "--record", str(record))
        for bad in ("x", "http://127.0.0.1/?token=a", "http://127.0.0.1:0/?token=a", "http://10.0.0.1:80/?token=a",
                    "http://127.0.0.1:70000/?token=a", "http://127.0.0.1:80/?token=", "http://127.0.0.1:80/?token=a%0d"):
            self.refuse(1, ["invalid address"], "--watch", bad, "--record", str(record))
        self.refuse(2, ["--watch"], "--watch", address)
        self.refuse(2, ["--watch"], "--watch", address, "--record", str(record), "--state", str(page))

    def test_bad_input(self):
        damaged = self.folder / "damaged"
        damaged.write_bytes(b"NOWAITBL" + bytes(60))
        empty = self.folder / "empty"
        empty.touch()
        page = str(self.folder / "page.html")
        self.refuse(2, ["no scene 'pyre'", "pyramid"], "pyre")
        self.refuse(2, ["--bodies", "'-1'"], "--bodies", "-1")
        self.refuse(2, ["--seconds", "3601"], "--seconds", "3601")
        self.refuse(2, ["--port", "65536"], "--port", "65536")
        self.refuse(2, ["--nosuch"], "--nosuch")
        self.refuse(2, ["no planted 'fire'", "convoy"], "--planted", "fire")
        self.refuse(2, ["two threads"], "--planted", "serial", "--threads", "1")
        self.refuse(2, ["--record-mib", "1025"], "--record-mib", "1025")
        self.refuse(2, ["same file"], "--record", page, "--export", page)
        self.refuse(2, ["--record", "is a folder"], "--record", str(self.folder))
        self.refuse(2, ["--from"], "--from", str(damaged), "--record", page)
        self.refuse(2, ["same file"], "--from", str(damaged), "--export", str(damaged))
        self.refuse(2, ["same file"], "terrain", "--terrain", str(damaged), "--record", str(damaged))
        self.refuse(1, [str(damaged), "byte"], "--from", str(damaged), "--export", page)
        self.refuse(1, [str(empty)], "--from", str(empty))
        self.refuse(1, ["no-such-file"], "--from", "no-such-file")
        self.refuse(1, ["no-such-file"], "terrain", "--terrain", "no-such-file")
        self.assertFalse(os.path.exists(page))


if __name__ == "__main__":
    unittest.main()
