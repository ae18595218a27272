"""Runs the terminal program as a person would: in a pseudoterminal, by its keys, and without a terminal.

terminal_test.py PROGRAM
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROWS, COLUMNS = 20, 60
TOO_LONG = 120  # seconds: for a machine that is busy
SMALL = ["pile", "--bodies", "30"]


class InTerminal:
    """The program with a terminal of its own, whose text is read all the time."""

    def __init__(self, *arguments):
        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.before = termios.tcgetattr(self.far)
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=self.far, stdout=self.far, stderr=subprocess.PIPE, start_new_session=True
        )
        self.text = ""

    def read(self, seconds=0.05):
        if select.select([self.near], [], [], seconds)[0]:
            self.text += os.read(self.near, 1 << 16).decode("utf-8", "replace")

    def press(self, keys):
        os.write(self.near, keys.encode())

    def wait_for(self, pattern, what):
        """Until the text has the pattern behind what was read before."""
        end = time.monotonic() + TOO_LONG
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end() :]
                return found
            self.read()
            if self.process.poll() is not None and not select.select([self.near], [], [], 0)[0]:
                break
        ended = self.process.poll()
        self.process.kill()
        self.process.wait()
        raise AssertionError(f"{what} has not come (exit code {ended}); the last text: {self.text[-300:]!r}; "
                             f"errors: {self.process.stderr.read().decode()}")

    def end(self):
        """Its exit code, its last text and its errors; the terminal's settings must be those of before."""
        end = time.monotonic() + TOO_LONG
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        if self.process.poll() is None:
            self.process.kill()
            raise AssertionError("the program has not ended")
        while select.select([self.near], [], [], 0.2)[0]:
            self.read()
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        after = termios.tcgetattr(self.far)
        os.close(self.near)
        os.close(self.far)
        if after != self.before:
            raise AssertionError(f"the terminal's settings are not those of before (exit code "
                                 f"{self.process.returncode}); errors: {errors}")
        return self.process.returncode, self.text, errors


class Terminal(unittest.TestCase):
    def quit(self, terminal):
        terminal.press("q")
        code, text, errors = terminal.end()
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("\x1b[?25h", text)  # the cursor is back
        self.assertIn("\x1b[?1049l", text)  # and the first page
        return re.search(r"pile: (\d+) frames.*?(\d+) painted, (\d+) given up", text, re.S)

    def test_pictures_come_until_q(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"\x1b\[\?1049h", "the second page")
        for _ in range(3):
            terminal.wait_for(r"\x1b\[H.*?\u2580", "a picture")
        terminal.wait_for(rf"\x1b\[{ROWS};1Hpile  \d+ awake", "the line below")
        frames, painted, _ = map(int, self.quit(terminal).groups())
        self.assertGreaterEqual(frames, 3)
        self.assertGreaterEqual(painted, 3)

    def test_a_scene_stands_and_goes_on_by_keys(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press(" ")
        terminal.wait_for(r"pile, standing", "the line of a scene that stands")
        # While it stands, each key that moves the camera makes a picture, and no key makes no frame.
        for arrow in ("\x1b[C", "\x1b[A", "+", "x"):
            terminal.press(arrow)
            terminal.wait_for(r"pile, standing", f"a picture after {arrow!r}")
        terminal.press("s")
        terminal.wait_for(r"pile, standing", "a picture after a step")
        terminal.press(" ")
        terminal.wait_for(r"pile  \d+ awake", "the line of a scene that goes on")
        self.quit(terminal)

    def test_it_ends_while_the_scene_stands(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press(" ")
        terminal.wait_for(r"pile, standing", "the line of a scene that stands")
        self.quit(terminal)

    def test_balls_are_thrown_and_bodies_wake(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press("tttw")
        for _ in range(10):
            terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press("q")
        code, text, errors = terminal.end()
        self.assertEqual((code, errors), (0, ""))
        thrown, not_thrown = map(int, re.search(r"balls +(\d+) thrown; for (\d+) there", text).groups())
        self.assertEqual(thrown + not_thrown, 3)
        self.assertGreaterEqual(thrown, 1)

    def test_a_flood_of_keys_ends_nothing(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press(" ")
        terminal.wait_for(r"pile, standing", "the line of a scene that stands")
        # More than the pool has tasks, in pieces that the terminal has room for.
        for _ in range(30):
            terminal.press("t+-" * 200)
            for _ in range(3):
                terminal.read()
        terminal.press(" ")
        terminal.wait_for(r"pile  \d+ awake", "the line of a scene that goes on")
        terminal.press("q")
        code, text, errors = terminal.end()
        self.assertEqual((code, errors), (0, ""))
        thrown, not_thrown = map(int, re.search(r"balls +(\d+) thrown; for (\d+) there", text).groups())
        self.assertEqual(thrown + not_thrown, 6000)

    def test_keys_come_while_a_step_begins_a_picture(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        # It stands and goes on, time after time: each change looks anew, after the picture before.
        end = time.monotonic() + 2
        while time.monotonic() < end:
            terminal.press("  ")
            terminal.read(0.001)
            terminal.text = terminal.text[-4000:]
        terminal.wait_for(r"pile  \d+ awake", "the line of a scene that goes on")
        self.quit(terminal)

    def test_a_picture_has_the_size_of_a_terminal_that_changes_while_the_scene_stands(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        terminal.press(" ")
        terminal.wait_for(r"pile, standing", "the line of a scene that stands")
        fcntl.ioctl(terminal.far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS + 3, COLUMNS, 0, 0))
        terminal.wait_for(rf"\x1b\[{ROWS + 3};1Hpile, standing", "a picture of the new size")
        self.quit(terminal)

    def test_a_signal_ends_it_although_the_terminal_takes_no_text(self):
        terminal = InTerminal(*SMALL)
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        time.sleep(1)  # nobody reads; its buffer is full after a picture
        terminal.process.send_signal(signal.SIGTERM)
        self.assertEqual(terminal.process.wait(TOO_LONG), 1)
        self.assertEqual(terminal.end()[2], "")

    def test_signals_end_it_in_good_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for keys in ("", " "):  # while it runs, and while it stands
                terminal = InTerminal(*SMALL)
                terminal.wait_for(r"pile  \d+ awake", "the line below")
                terminal.press(keys)
                terminal.wait_for(r"awake", "a picture")
                terminal.process.send_signal(number)
                code, text, errors = terminal.end()
                self.assertEqual((code, errors), (0, ""))
                self.assertIn("\x1b[?1049l", text)

    def test_a_number_of_frames_ends_it(self):
        terminal = InTerminal(*SMALL, "--frames", "5", "--painter")
        code, text, errors = terminal.end()
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("pile: 5 frames", text)

    def test_a_terminal_that_takes_no_text_for_a_while_ends_nothing(self):
        terminal = InTerminal(*SMALL, "--threads", "3", "--frames", "60")
        terminal.wait_for(r"pile  \d+ awake", "the line below")
        time.sleep(2)  # nobody reads; its buffer is full after a picture
        code, text, errors = terminal.end()
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("pile: 60 frames", text)

    def test_pictures_come_although_each_step_lasts_longer_than_a_frame(self):
        terminal = InTerminal("pile", "--bodies", "2500", "--threads", "1")
        for _ in range(3):
            terminal.wait_for(r"pile  \d+ awake", "the line below")
        self.quit(terminal)

    def run_without(self, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    def test_without_a_terminal_it_prints_the_last_picture(self):
        done = self.run_without(*SMALL, "--frames", "5", "--columns", "30", "--rows", "10")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.split("\n")
        self.assertTrue(lines[10].startswith("pile: 5 frames, "), done.stdout)
        self.assertTrue(all(len(line) <= 30 for line in lines[:10]), done.stdout)
        self.assertNotIn("\x1b", done.stdout)

    def test_bad_arguments(self):
        for words, arguments in (
            ("--frames is needed where no terminal shows the scene", ["pile"]),
            ("--painter needs --threads of two or more", ["--frames", "1", "--threads", "1", "--painter"]),
            ("there is no scene 'pill'", ["pill", "--frames", "1"]),
            ("--columns", ["--columns", "1", "--frames", "1"]),
            ("--rows", ["--rows", "0", "--frames", "1"]),
            ("--threads", ["--threads", "0", "--frames", "1"]),
        ):
            done = self.run_without(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertTrue(done.stderr.startswith("terminal: "), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        done = self.run_without("terrain", "--frames", "1", "--terrain", "/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_an_output_that_is_full_is_said(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [PROGRAM, *SMALL, "--frames", "1"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                text=True, check=False,
            )
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "terminal: the output cannot be written\n")


if __name__ == "__main__":
    unittest.main()
