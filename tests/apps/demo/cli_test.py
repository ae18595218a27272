"""Runs the demo as a person would, with small settings, and checks its output and its files.

cli_test.py DEMO
"""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

DEMO = os.path.abspath(sys.argv.pop(1))
ASSET = "assets/terrain/jacksboro.elevation"
SMALL = ["--frames", "30", "--bodies", "60"]


def run(*arguments):
    return subprocess.run(
        [DEMO, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def results(self, *arguments):
        done = run("--pictures", "", "--json", self.path("demo.json"), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("demo.json"), encoding="utf-8") as file:
            return json.load(file)

    def refuse(self, code, words, *arguments):
        """The demo must end with `code` and one line on stderr that has the words."""
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_the_hash_is_the_same_for_every_number_of_threads(self):
        hashes = set()
        for threads in ("1", "2", "3", "4", "8"):
            results = self.results(
                "--threads", threads, "--game-threads", "0", "--frames", "45", "--bodies", "150", "--figures", "5"
            )
            self.assertRegex(results["state_hash"], "^[0-9a-f]{16}$")
            hashes.add((results["state_hash"], results["events"]["checksum"]))
            self.assertGreater(results["events"]["contacts_began"], 0)
            self.assertEqual(results["events"]["lost"], 0)
        self.assertEqual(len(hashes), 1, hashes)

    def test_the_herd_is_the_same_for_every_number_of_threads(self):
        found = set()
        for threads in ("1", "2", "5"):
            results = self.results(
                "--threads", threads, "--game-threads", "0", "--riders", "300", *SMALL
            )
            herd = results["herd"]
            self.assertEqual((herd["riders"], herd["mounted"]), (300, 300))
            # Of 150 pairs, in each frame every sixteenth one.
            self.assertEqual(herd["swaps"], sum((i + f) % 16 == 0 for f in range(30) for i in range(150)))
            self.assertEqual(results["events"]["horses_swapped"], herd["swaps"])
            self.assertEqual(herd["looks"], sum((i + f) % 16 == 1 for f in range(30) for i in range(1, 150)))
            self.assertEqual(herd["whole"], herd["looks"])
            self.assertEqual(herd["commits"], 30 * 2 * 300 + herd["swaps"] + herd["looks"])
            self.assertGreater(herd["crossings"], 0)
            found.add((herd["checksum"], herd["crossings"], results["events"]["checksum"]))
        self.assertEqual(len(found), 1, found)

    def test_the_seed_changes_the_scene(self):
        arguments = ["--game-threads", "0", *SMALL]
        self.assertNotEqual(
            self.results("--seed", "1", *arguments)["state_hash"],
            self.results("--seed", "2", *arguments)["state_hash"],
        )

    def test_bodies_come_to_rest(self):
        # Loosely strewn bodies have nothing to wait for but themselves.
        results = self.results("--game-threads", "0", "--frames", "600", "--bodies", "40")
        self.assertGreaterEqual(results["asleep"], 0.95 * results["bodies"])

    def test_json_has_what_is_documented(self):
        results = self.results("--game-threads", "3", "--threads", "2", *SMALL)
        self.assertEqual(results["schema"], "nowait.demo")
        self.assertEqual(results["version"], 1)
        self.assertEqual((results["threads"], results["game_threads"]), (2, 3))
        self.assertEqual((results["frames"], results["frames_asked"]), (30, 30))
        self.assertFalse(results["interrupted"])
        self.assertEqual(results["bodies"], 60)
        self.assertLessEqual(results["asleep"], 60)
        self.assertGreater(results["game_bodies"], 0)
        self.assertAlmostEqual(results["terrain"]["latitude"], 36.59, places=2)
        self.assertAlmostEqual(results["terrain"]["longitude"], -84.16, places=2)
        phases = results["phases"]
        self.assertEqual(
            list(phases),
            ["game_update", "begin", "collide", "finalise", "solve", "finish", "physics_update"]
            + ["frame"],
        )
        for times in phases.values():
            self.assertLessEqual(times["mean_ms"], times["max_ms"])
            self.assertLessEqual(times["p99_ms"], times["max_ms"])
        finds = results["union_find"]
        self.assertEqual(len(finds["find_histogram"]), 32)
        self.assertEqual(sum(finds["find_histogram"]), finds["finds"])
        self.assertEqual(
            list(results["locks"]), ["physics update", "game 1", "game 2", "game 3", "background"]
        )
        for game in results["game"]:
            self.assertGreater(game["rays"], 0)
            self.assertGreater(game["ray_hits"], 0)
            # An insertion that was put off comes some frames later.
            self.assertEqual(game["moved"] % 12, 0)
            self.assertGreaterEqual(game["moved"], 12 * (30 - game["deferred"]))
            self.assertLessEqual(game["moved"], 12 * 30)
            self.assertGreaterEqual(game["added"], 8 * (4 - game["deferred"]))
            self.assertLessEqual(game["added"], 8 * 5)
        self.assertIn("passes", results["background"])

    def test_game_threads_remove_what_they_add(self):
        results = self.results("--game-threads", "1", "--frames", "90", "--bodies", "20")
        (game,) = results["game"]
        # In frame 0 the movers come, from then on crates every 6 frames that stay for 60.
        self.assertGreaterEqual(game["added"], 8 * (14 - game["deferred"]))
        self.assertLessEqual(game["added"], 8 * 14)
        self.assertGreaterEqual(game["removed"], 8 * (4 - game["deferred"]))
        self.assertLessEqual(game["removed"], 8 * 4)
        self.assertEqual(results["game_bodies"], 12 + game["added"] - game["removed"])

    def test_events_are_saved_and_replayed(self):
        done = run("--pictures", "", "--json", self.path("demo.json"), "--events", self.path("events"),
                   "--game-threads", "2", "--frames", "90", "--bodies", "60")  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("demo.json"), encoding="utf-8") as file:
            results = json.load(file)
        events = results["events"]
        self.assertEqual(events["rays_hit"], sum(game["ray_hits"] for game in results["game"]))
        self.assertGreater(events["batches_added"], events["batches_removed"])
        self.assertGreater(events["batches_removed"], 0)
        self.assertGreater(events["contacts_began"], events["contacts_ended"])
        self.assertEqual((events["unknown"], events["lost"]), (0, 0))
        # No update of the object that all threads write is lost.
        objects = results["objects"]
        self.assertEqual(objects["score"], events["rays_hit"])
        self.assertEqual(objects["score_updates"], 2 * 90)
        moved = sum(game["moved"] for game in results["game"])
        self.assertEqual(objects["commits"], moved + 2 * 90)
        self.assertEqual(objects["views"], 2 * 12 * 90)
        # The file gives the same summary as the frames while they ran.
        live = done.stdout[done.stdout.index("\nEvents\n") : done.stdout.index("\nState\n")]
        self.assertIn(events["checksum"], live)
        replayed = run("--replay", self.path("events"))
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertEqual(replayed.stdout.strip(), live.strip())
        # A file that is damaged is refused with the place.
        with open(self.path("events"), "rb") as file:
            sound = file.read()
        with open(self.path("short"), "wb") as file:
            file.write(sound[:-1])
        self.refuse(1, ["short", f"byte {len(sound) - 1}", "shorter"], "--replay", self.path("short"))
        with open(self.path("flipped"), "wb") as file:
            file.write(sound[:-20] + bytes([sound[-20] ^ 1]) + sound[-19:])
        self.refuse(1, ["flipped", "byte", "checksum"], "--replay", self.path("flipped"))
        self.refuse(1, ["missing", "not found"], "--replay", self.path("missing"))

    def test_the_trace_has_a_named_lane_a_thread(self):
        self.results("--game-threads", "2", "--threads", "3", "--trace", self.path("trace"), *SMALL)
        with open(self.path("trace"), encoding="utf-8") as file:
            trace = json.load(file)
        self.assertEqual(trace["otherData"]["lost"], 0)
        events = trace["traceEvents"]
        lanes = [e["args"]["name"] for e in events if e["name"] == "thread_name"]
        self.assertEqual(
            lanes, ["main", "worker 1", "worker 2", "game 1", "game 2", "background"]
        )
        spans = {e["name"] for e in events if e["ph"] == "X"}
        for name in ("physics update", "collide", "solve", "rebuild tree", "narrow phase"):
            self.assertIn(name, spans)
        updates = [e for e in events if e["name"] == "physics update"]
        self.assertEqual(len(updates), 30)

    def test_pictures_are_well_formed(self):
        done = run("--pictures", self.path("new/folder"), "--game-threads", "1", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = ["terrain-busiest.svg", "terrain.svg", "timeline.svg"]
        self.assertEqual(sorted(os.listdir(self.path("new/folder"))), names)
        for name in names:
            root = xml.parse(os.path.join(self.path("new/folder"), name)).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertGreater(sum(1 for _ in root.iter()), 30)

    def test_the_table_has_its_sections(self):
        done = run("--pictures", "", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        for title in ("Bodies", "Time a frame", "Union-find", "Body locks", "Game threads", "Game objects", "Events", "hash"):
            self.assertIn(title, done.stdout)

    def test_the_table_says_of_the_game_threads_what_json_says(self):
        done = run("--pictures", "", "--json", self.path("demo.json"), "--game-threads", "2", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = iter(done.stdout.splitlines())
        self.assertIn("Game threads", lines)
        table = [re.split(" {2,}", next(lines).strip()) for _ in range(3)]
        with open(self.path("demo.json"), encoding="utf-8") as file:
            games = json.load(file)["game"]
        keys = ["rays", "ray_hits", "moved", "added", "removed", "deferred"]
        self.assertEqual(table[0], ["rays", "hits", "moved", "added", "removed", "put off"])
        for row, game in zip(table[1:], games, strict=True):
            self.assertEqual(row, [game["name"], *(f"{game[key]:,}" for key in keys)])

    def test_an_interrupt_ends_the_run_with_what_there_is(self):
        with subprocess.Popen(
            [DEMO, "--frames", "100000", "--bodies", "2000", "--pictures", ""]
            + ["--json", self.path("demo.json")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            process.stderr.readline()  # the first line of progress: it runs
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", output)
        with open(self.path("demo.json"), encoding="utf-8") as file:
            self.assertTrue(json.load(file)["interrupted"])

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--threads", "--game-threads", "--riders", "--frames", "--bodies", "--seed", "--json"):
            self.assertIn(option, done.stdout)

    def test_mistakes_on_the_command_line(self):
        self.refuse(2, ["--fast"], "--fast")
        self.refuse(2, ["left"], "left")
        for value in ("0", "257", "-1", "two", "1.5", "99999999999999999999"):
            self.refuse(2, ["--threads", value, "1 to 256"], "--threads", value)
        self.refuse(2, ["--game-threads", "0 to 64"], "--game-threads", "65")
        self.refuse(2, ["--frames", "1 to 100000"], "--frames", "0")
        self.refuse(2, ["--riders", "0 to 100000"], "--riders", "100001")
        self.refuse(2, ["--bodies", "1 to 20000"], "--bodies", "20001")
        for value in ("x", str(2**64), "010"):
            self.refuse(2, ["--seed", value], "--seed", value)
        self.refuse(2, ["--json"], "--json")

    def test_places_that_cannot_be_written(self):
        missing = self.path("missing/file")
        for option in ("--json", "--trace", "--events"):
            self.refuse(1, [option, missing, "No such file"], "--pictures", "", option, missing)
            self.refuse(1, [option, "is a folder"], "--pictures", "", option, self.folder)
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        self.refuse(1, ["--pictures", "file"], "--pictures", self.path("file/pictures"))
        same = self.path("same")
        self.refuse(1, ["same file"], "--pictures", "", "--json", same, "--trace", same)
        self.refuse(1, ["same file"], "--pictures", "", "--events", same, "--json", same)
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        for option in ("--json", "--trace"):
            self.refuse(1, [option, "not an ordinary file"], "--pictures", "", option, fifo)
        self.assertEqual(sorted(os.listdir(self.folder)), ["fifo", "file"])
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_bad_terrain(self):
        with open(ASSET, "rb") as file:
            sound = file.read()
        middle = len(sound) // 2
        damaged = {
            "short": (sound[:-1], "shorter than its header says"),
            "header": (sound[:20], "cut off in its header"),
            "long": (sound + b"x", "longer than its header says"),
            "flipped": (
                sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :],
                "checksum",
            ),
            "version": (sound[:8] + b"\2" + sound[9:], "version"),
            "absurd": (sound[:12] + b"\xff\xff\xff\xff" + sound[16:], "rows or columns"),
            "other": (b"GIF89a" + sound, "does not begin"),
            "empty": (b"", "does not begin"),
        }
        for name, (content, words) in damaged.items():
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.refuse(1, [self.path(name), words], "--terrain", self.path(name))
        self.refuse(1, [self.path("none"), "not found"], "--terrain", self.path("none"))
        self.refuse(1, [self.folder, "Is a directory"], "--terrain", self.folder)


if __name__ == "__main__":
    unittest.main()
