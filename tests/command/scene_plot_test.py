#!/usr/bin/env python3
"""bench contention, mix, islands, game and scenes: their pictures, and their message for an unusable path."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import scene_plot  # noqa: E402


def times(mean):
    return {"mean_us": mean, "p99_us": 2 * mean, "max_us": 3 * mean}


def variant(name, locks, wait):
    return {"name": name, "body_locks": locks, "wait": times(wait), "load": times(7.0),
            "queries_per_second": 1e8 / (wait + 10)}


CONTENTION = {
    "schema": "nowait.bench-contention", "threads": 2,
    "variants": [variant("one lock", 0, 512.0), variant("32 body locks", 32, 0.0),
                 variant("1 body lock", 1, 64.0), variant("Bullet, one lock", 0, 1024.0)],
}
MIX = {
    "schema": "nowait.bench-mix", "cpus": 2,
    "results": [{"who": who, "threads": threads, "ray_casts_per_second": 1000.0 * threads}
                for who in ("ours", "one lock") for threads in (1, 2, 4)],
}
ISLANDS = {
    "schema": "nowait.bench-islands", "contacts": 300, "mean_find_steps": 0.75, "flood_fill_us": 500.0,
    "serial_us": 80.0, "find_histogram": [50, 25, 25] + [0] * 29,
}

GAME = {
    "schema": "nowait.bench-game", "threads": 2,
    "results": [{"who": who, "update_us": length, "contention": contention, "threads": threads,
                 "updates_per_second": 1e6 * threads / (1 + length + contention)}
                for who in ("revisions", "exclusive", "one lock", "a lock an object", "copy all")
                for length in (0, 1) for contention in (0, 50, 100) for threads in (1, 2)],
}
SCENES = {
    "schema": "nowait.bench-scenes",
    "scenes": [{"scene": name, "ratios": [{"peer": peer, "threads": threads, "speed_ratio": 2.0, "counts": threads == 1}
                                          for peer in ("Bullet", "ODE") for threads in (1, 2)]}
               for name in ("large_pyramid", "ragdolls")],
    "sizes": [{"bodies": bodies, "threads": threads, "body_us": 1.5 / threads}
              for threads in (1, 2) for bodies in (880, 10780)],
}
ALONE = {"schema": "nowait.bench-scenes", "scenes": [{"scene": "ragdolls", "ratios": []}], "sizes": []}


class ScenePlot(unittest.TestCase):
    def test_the_lines_by_number_of_locks(self):
        self.assertEqual([locks for locks, _ in scene_plot.body_locks(CONTENTION)], [1, 32])

    def test_pictures_with_names_and_without_a_date(self):
        for report, words in ((CONTENTION, ("before:", "after:", "512", "1,024", "99th percentile", "one lock round the tree")),
                              (MIX, ("ours", "one lock", "millions of ray casts a second")),
                              (ISLANDS, ("Loops of find, 0.75 on average", "µs for 300 contacts")),
                              (GAME, ("Updates of 1 µs, 2 threads", "copy all", "a lock an object")),
                              (SCENES, ("ragdolls", "Bullet, 1 thread", "ODE, 2 threads", "Time of a body in a step")),
                              (ALONE, ("ragdolls",))):
            drawn = scene_plot.draw(report)
            self.assertEqual(drawn, scene_plot.draw(report))
            for word in words:
                self.assertIn(f">{word}<", drawn)
            self.assertNotIn("dc:date", drawn)


class SceneProgram(unittest.TestCase):
    def run_scene(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tests/bench/scene.py", *arguments], check=False,
                              capture_output=True, text=True)

    def test_a_plot_that_cannot_be_written(self):
        for arguments in (("--plot", "/no/such/x.svg"), ("--plot=/",), ("--plot",)):
            result = self.run_scene("/bin/true", *arguments)
            self.assertEqual((2, 1), (result.returncode, result.stderr.count("\n")))
            self.assertIn("--plot", result.stderr)

    def test_the_program_has_the_last_word(self):
        self.assertEqual(1, self.run_scene("/bin/false", "--plot", "unused.svg").returncode)


if __name__ == "__main__":
    unittest.main()
