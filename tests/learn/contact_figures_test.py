#!/usr/bin/env -S /usr/bin/python3 -B
"""Figures of contacts in a browser: a box on inner edges keeps its speed or loses it as its rule says, and a pile."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402

GRAVITY, STEP, SPEED = 9.8, 1 / 60, 1.0
EDGE = (2.0, 0.0)  # the inner edge of each surface
SURFACES = {"flat": [(0, 0), EDGE, (4, 0)], "ridge": [(0, -0.12), EDGE, (4, 0)], "valley": [(0, 0.12), EDGE, (4, 0.12)],
            "kerb": [(0, 0), EDGE, (2, 0.18), (4, 0.18)]}


def from_side(p, a, b):
    """How far the point is from the line between two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0, min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.dist(p, (a[0] + t * dx, a[1] + t * dy))


def from_box(p, box):
    """How far the point is from the box; zero inside."""
    sides = list(zip(box, box[1:] + box[:1]))
    if all((b[0] - a[0]) * (p[1] - a[1]) >= (b[1] - a[1]) * (p[0] - a[0]) for a, b in sides):
        return 0.0
    return min(from_side(p, a, b) for a, b in sides)


def beside(corners, at):
    """The points of the surface a centimetre from one of its corners, on each side."""
    i = min(range(len(corners)), key=lambda k: math.dist(corners[k], at))
    for other in corners[max(0, i - 1):i] + corners[i + 1:i + 2]:
        part = 0.01 / math.dist(other, at)
        yield tuple(p + (q - p) * part for p, q in zip(at, other))


class InnerEdges(Figure):
    def steps(self, surface, rule):
        """The state after each of 40 steps."""
        self.open(f"module=inner-edges&surface={surface}&rule={rule}")
        return self.driver.execute_script("""
            const figure = document.getElementById("figure"), step = figure.querySelector("[data-steps='1']");
            return Array.from({length: 40}, () => (step.click(), JSON.parse(figure.dataset.state)));""")

    def run_all(self, surface, rule):
        return self.steps(surface, rule)[-1]

    def test_ten_steps_are_ten_times_a_step(self):
        tenth = self.steps("ridge", "closest")[9]
        self.open("module=inner-edges&surface=ridge&rule=closest")
        self.first("[data-steps='10']").click()
        self.assertEqual(self.state(), tenth)

    def speed(self, state):
        return math.hypot(*state["velocity"])

    def uphill(self, state, along):
        return sum(p * q for p, q in zip(state["velocity"], along))

    def test_level_ground_stops_a_box_where_each_triangle_counts_by_itself(self):
        state = self.run_all("flat", "alone")
        self.assertLess(self.speed(state), 1e-3)
        self.assertAlmostEqual(state["front"], EDGE[0], 3)
        ghost = [one for one in state["contacts"] if one["part"] == "edge"]
        self.assertEqual([one["normal"] for one in ghost], [[-1, 0]])

    def test_level_ground_does_not_stop_a_box_where_inner_edges_do_not_count(self):
        for rule in ("active", "closest"):
            state = self.run_all("flat", rule)
            self.assertGreater(state["front"], EDGE[0])
            self.assertAlmostEqual(state["velocity"][0], SPEED, 6)
            self.assertAlmostEqual(state["velocity"][1], 0, 6)

    def test_a_ridge_is_an_active_edge_and_yet_in_nobodys_way(self):
        stopped = self.run_all("ridge", "active")
        along = (2 / math.hypot(2, 0.12), 0.12 / math.hypot(2, 0.12))
        self.assertLess(self.uphill(stopped, along), 0)  # it slides back
        self.assertLess(stopped["front"], EDGE[0])
        passed = self.run_all("ridge", "closest")
        self.assertGreater(passed["box"][1][0], EDGE[0] + 0.1)
        self.assertAlmostEqual(self.uphill(passed, along),
                               SPEED - GRAVITY * along[1] * 40 * STEP, 3)  # gravity alone brakes it

    def test_a_valley_has_contacts_on_faces_alone(self):
        for rule in ("active", "closest"):
            for state in self.steps("valley", rule):
                self.assertEqual({one["part"] for one in state["contacts"]} - {"face"}, set())
            self.assertGreater(state["velocity"][1], 0)  # up the other side

    def test_a_kerb_stops_a_box_whatever_counts(self):
        for rule in ("alone", "active", "closest"):
            state = self.run_all("kerb", rule)
            self.assertLess(self.speed(state), 1e-3)
            self.assertAlmostEqual(state["front"], EDGE[0], 2)
            self.assertIn([-1, 0], [one["normal"] for one in state["contacts"] if one["part"] == "face"])

    def test_the_last_rule_keeps_the_local_minima_of_the_distance(self):
        refused = 0
        for surface, corners in SURFACES.items():
            for state in self.steps(surface, "closest"):
                for one in state["contacts"]:
                    if one["part"] == "edge" and one["separation"] > 0:
                        for place in beside(corners, one["at"]):
                            self.assertGreaterEqual(from_box(place, state["box"]), one["separation"] - 1e-5)
                for one in state["refused"]:
                    if one["why"] == "has a way closer" and one["separation"] > 0:
                        refused += 1
                        self.assertLess(min(from_box(place, state["box"]) for place in beside(corners, one["at"])),
                                        one["separation"])
        self.assertGreater(refused, 0)


def shared(one, other):
    """Whether two contacts share a ball."""
    return bool({one["a"], one["b"]} & {other["a"], other["b"]} - {-1})


def first_free(contacts):
    colours = []
    for i, one in enumerate(contacts):
        taken = {colours[k] for k in range(i) if shared(one, contacts[k])}
        colours.append(next(colour for colour in range(6) if colour not in taken))
    return colours


def one_after_the_other(contacts, order, balls=10):
    """The velocities after a pass in this order."""
    velocities = [[0, -GRAVITY / 60] for _ in range(balls)]
    for i in order:
        a, b, normal = (contacts[i][name] for name in ("a", "b", "normal"))
        below = velocities[a] if a >= 0 else [0, 0]
        approach = sum((p - q) * n for p, q, n in zip(below, velocities[b], normal))
        change = max(0, approach) / (2 if a >= 0 else 1)
        velocities[b] = [v + change * n for v, n in zip(velocities[b], normal)]
        if a >= 0:
            velocities[a] = [v - change * n for v, n in zip(velocities[a], normal)]
    return velocities


class ContactColours(Figure):
    def press(self, selector, times=1):
        for _ in range(times):
            self.first(selector).click()
        return self.state()

    def assert_close(self, found, expected):
        for ball, (one, other) in enumerate(zip(found, expected, strict=True)):
            self.assertLess(math.dist(one, other), 1e-12, ball)

    def test_the_first_free_colours_share_no_ball(self):
        self.open("module=contact-colours")
        state = self.press("[data-act=all]")
        self.assertEqual(state["colours"], first_free(state["contacts"]))
        self.assertEqual(state["conflicts"], [])
        count = len(state["contacts"])
        self.press("[data-act=again]")
        self.assertEqual(self.press("[data-act=free]", count)["colours"], state["colours"])

    def test_a_pass_by_colours_is_one_after_the_other_in_another_order(self):
        self.open("module=contact-colours")
        self.press("[data-act=all]")
        state = self.press("[data-passes='1']")
        contacts, colours = state["contacts"], state["colours"]
        self.assert_close(state["plain"], one_after_the_other(contacts, range(len(contacts))))
        order = sorted(range(len(contacts)), key=lambda i: colours[i])
        self.assertNotEqual(order, list(range(len(contacts))))
        self.assert_close(state["by_colours"], one_after_the_other(contacts, order))
        self.assertTrue(state["same"])

    def test_both_orders_come_to_rest(self):
        self.open("module=contact-colours")
        self.press("[data-act=all]")
        state = self.press("[data-passes='10']", 10)
        for approach in state["approach"]:
            self.assertLess(approach, 1e-3)
        self.assertLess(state["lost"], 1e-12)
        self.assertTrue(state["same"])

    def test_a_colour_that_has_a_ball_twice_loses_what_was_written(self):
        self.open("module=contact-colours")
        state = self.press("[data-colour='2']", 6)  # four with the ground, then two of ball 0 and its neighbours
        contacts = state["contacts"]
        expected = [i for i in range(6) if any(shared(contacts[i], contacts[k]) for k in range(6) if k != i)]
        self.assertEqual(state["conflicts"], expected)
        self.assertTrue(expected)
        state = self.press("[data-passes='1']")
        self.assertGreater(state["lost"], 0.01)
        self.assertFalse(state["same"])

    def test_contacts_without_a_colour_are_solved_in_turn(self):
        self.open("module=contact-colours")
        state = self.press("[data-passes='1']")
        self.assertEqual(state["by_colours"], state["plain"])

    def test_a_contact_is_taken_by_a_click(self):
        self.open("module=contact-colours")
        self.first("[data-contact='7']").click()
        self.assertEqual(self.state()["chosen"], 7)
        self.assertEqual(self.press("[data-colour='1']")["colours"][7], 1)


if __name__ == "__main__":
    unittest.main()
