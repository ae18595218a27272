#!/usr/bin/env -S /usr/bin/python3 -B
"""The figure of the lecture on the narrow phase in a browser: its distances and depths against plain geometry."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.select import Select  # noqa: E402

PAIRS = ("corners", "boxes", "round")
LEFT, RIGHT, UP, DOWN = "\u2190", "\u2192", "\u2191", "\u2193"
EXACT = 1e-6


def sides(polygon):
    return list(zip(polygon, polygon[1:] + polygon[:1]))


def to_side(p, side):
    (x, y), (right, top) = side
    dx, dy = right - x, top - y
    t = max(0, min(1, ((p[0] - x) * dx + (p[1] - y) * dy) / (dx * dx + dy * dy)))
    return math.dist(p, (x + t * dx, y + t * dy))


def gap(a, b):
    """How far two convex polygons are apart; negative: the shortest way out. By every side and every corner."""
    most = -math.inf
    for polygon, other in ((a, b), (b, a)):
        for (x, y), (right, top) in sides(polygon):
            length = math.hypot(right - x, top - y)
            normal = ((top - y) / length, (x - right) / length)  # outwards of counter-clockwise corners
            most = max(most, min(normal[0] * (p - x) + normal[1] * (q - y) for p, q in other))
    if most <= 0:
        return most
    return min(to_side(p, side) for polygon, other in ((a, b), (b, a)) for p in polygon for side in sides(other))


class Gjk(Figure):
    def button(self, text):
        return next(one for one in self.all("button") if text in one.text)

    def play(self, *buttons):
        for text in buttons:
            self.button(text).click()

    def check(self):
        """At the end, what the figure says against all sides and corners."""
        state = self.state()
        self.assertTrue(state["ended"], state)
        expected = gap(state["a"], state["b"])
        if state["overlap"]:
            self.assertAlmostEqual(-state["depth"], expected, delta=EXACT)
        else:
            self.assertAlmostEqual(state["distance"], expected, delta=EXACT)
            self.assertAlmostEqual(math.dist(state["on_a"], state["on_b"]), expected, delta=EXACT)
            self.assertAlmostEqual(state["lower"], expected, delta=EXACT)
            for name in "ab":
                self.assertLess(min(to_side(state[f"on_{name}"], side) for side in sides(state[name])), EXACT)
        return state["overlap"]

    def test_at_the_end_stands_the_distance_or_the_depth(self):
        overlaps = 0
        for pair in PAIRS:
            with self.subTest(pair=pair):
                self.open(f"module=gjk&pair={pair}")
                self.button("To the end").click()
                self.check()
                for _ in range(14):  # B goes through A
                    self.play(LEFT, "Turn it")
                    overlaps += self.check()
        self.assertGreater(overlaps, 15)

    def test_each_step_comes_closer_and_the_bounds_hold(self):
        for pair in PAIRS:
            with self.subTest(pair=pair):
                self.open(f"module=gjk&pair={pair}")
                expected = gap(self.state()["a"], self.state()["b"])
                self.assertGreater(expected, 0)
                before = math.inf
                while not self.state()["ended"]:
                    state = self.state()
                    self.assertLessEqual(state["distance"], before + EXACT)
                    self.assertGreaterEqual(state["distance"], expected - EXACT)
                    self.assertLessEqual(state["lower"], expected + EXACT)
                    self.assertLessEqual(state["points"], 2, "of a triangle around no origin two points stay at most")
                    before = state["distance"]
                    self.button("Next step").click()
                    self.assertIn(f"Step {state['step'] + 2} of", self.first("[aria-live]").text)
                self.assertEqual(self.state()["step"] + 1, self.state()["steps"])

    def test_boxes_that_just_touch(self):
        self.open("module=gjk&pair=boxes")
        self.button("To the end").click()
        for _ in range(6):
            self.button(LEFT).click()
        state = self.state()
        self.assertEqual(gap(state["a"], state["b"]), -2)
        self.assertAlmostEqual(state["depth"], 2)
        self.drag(2, 0)
        self.assertLess(abs(gap(self.state()["a"], self.state()["b"])), 0.5)
        self.check()

    def drag(self, dx, dy):
        """B, by a mouse, so far in the picture's own units."""
        shape = self.all(".gjk .shape")[1]
        scale = self.driver.execute_script("return arguments[0].getScreenCTM().a", shape)
        actions = ActionChains(self.driver).move_to_element(shape).click_and_hold()
        actions.move_by_offset(round(dx * scale), round(-dy * scale)).release().perform()

    def test_a_polygon_is_dragged_and_the_answer_follows(self):
        self.open("module=gjk")
        self.button("To the end").click()
        before = self.state()["b"]
        self.drag(-12, 6)
        moved = [q - p for p, q in zip(before[0], self.state()["b"][0])]
        self.assertAlmostEqual(moved[0], -12, delta=0.5)
        self.assertAlmostEqual(moved[1], 6, delta=0.5)
        self.check()
        self.drag(-22, -10)
        self.assertTrue(self.check(), "the polygons overlap")

    def test_keys_alone(self):
        self.open("module=gjk")
        self.button("Next step").send_keys("n")
        self.assertEqual(self.state()["step"], 1)
        self.key("p")
        self.assertEqual(self.state()["step"], 0)
        self.key("e")
        self.assertTrue(self.state()["ended"])
        before = self.state()
        self.key(Keys.ARROW_LEFT, Keys.ARROW_UP, "t")
        self.assertNotEqual(self.state()["b"], before["b"])
        self.check()
        Select(self.all(".gjk select")[1]).select_by_visible_text("A")
        self.button("Turn it").send_keys(Keys.ARROW_RIGHT)
        self.assertNotEqual(self.state()["a"], before["a"])
        self.check()
        self.key("r")
        self.assertEqual(self.state()["a"], before["a"])

    def test_the_pictures_have_words(self):
        self.open("module=gjk")
        self.button("To the end").click()
        polygons, difference = (one.get_attribute("aria-label") for one in self.all(".gjk svg"))
        self.assertIn(f"{self.state()['distance']:.2f} apart", polygons)
        self.assertIn("a simplex of", difference)
        self.assertEqual(len(self.all(".gjk li")), self.state()["points"])


if __name__ == "__main__":
    unittest.main()
