#!/usr/bin/env -S /usr/bin/python3 -B
"""Figures in a browser: streaming keeps the promises of src/streaming/residency.h, a spring those of softness.h."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402


class Residency(Figure):
    def go(self, way, times):
        """32 m each; the player begins in the middle of a tile of 256 m."""
        button = self.first(f"[data-way={way}]")
        for _ in range(times):
            button.click()
        return self.state()

    def test_one_that_stands_has_25_tiles_and_one_that_moves_28(self):
        self.open("module=residency")
        self.assertEqual((self.state()["wanted"], self.state()["there"]), (25, 25))
        self.assertEqual(self.go("east", 1)["wanted"], 28)

    def test_the_centre_follows_32_metres_across_the_border(self):
        self.open("module=residency")
        centre = self.state()["centre"]
        self.assertEqual(self.go("east", 5)["centre"], centre)  # 32 m beyond the border
        self.assertNotEqual(self.go("east", 1)["centre"], centre)
        self.assertNotEqual(self.go("west", 3)["centre"], centre)  # 32 m on the other side again
        self.assertEqual(self.go("west", 1)["centre"], centre)

    def test_to_and_fro_over_a_border_lets_nothing_go(self):
        self.open("module=residency")
        self.go("east", 5)
        before = self.state()["letGo"]
        for _ in range(4):
            self.go("west", 1)
            self.go("east", 1)
        self.assertEqual(self.state()["letGo"], before)

    def test_a_disk_that_is_fast_enough_keeps_the_promise_and_a_slow_one_does_not(self):
        for disk, kept in ((1, True), (4, False)):
            with self.subTest(disk=disk):
                self.open(f"module=residency&disk={disk}")
                self.assertEqual(all(self.go("east", 1)["ok"] for _ in range(18)), kept)


class SoftSpring(Figure):
    def choose(self, label, value):
        self.first(f"label:nth-of-type({label}) option[value='{value}']").click()

    def go(self, steps):
        self.first(f"[data-steps='{steps}']").click()
        return self.state()

    def test_only_the_soft_constraint_keeps_a_stiff_spring(self):
        self.open("module=soft-spring")
        self.choose(1, 30)  # beyond 1/pi of the steps' frequency, where the semi-implicit way ends
        for _ in range(10):
            state = self.go(10)
        self.assertEqual(state["lost"], [True, True, False])
        self.assertLess(abs(state["at"][2]), 1e-6)

    def test_a_slow_spring_swings(self):
        self.open("module=soft-spring")
        self.choose(1, 1)
        for _ in range(3):
            half = self.go(10)  # half a period
        for at in half["at"][1:]:
            self.assertLess(at, -0.6)
        self.assertEqual((half["steps"], half["lost"]), (30, [False] * 3))

    def test_a_step_is_that_of_softness(self):
        self.open("module=soft-spring")
        self.choose(2, 1)
        self.assertAlmostEqual(self.go(1)["at"][2], 1 - (0.5 * 3.14159265) ** 2 / (1 + 0.5 * 3.14159265) ** 2, 3)


if __name__ == "__main__":
    unittest.main()
