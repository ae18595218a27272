#!/usr/bin/env -S /usr/bin/python3 -B
"""The watcher of programs: its waits, the programs that it stops, and its words on their ends."""

import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait import interruptions, processes, progress  # noqa: E402
from nowait.errors import Failure  # noqa: E402

# A program that reports its beginning, and saves something when a signal stops it.
SLOW = 'trap "echo saved >$0.saved; exit 8" TERM; echo begun >$0; while :; do sleep 0.02; done'
FOREGROUND = """import sys
sys.path.insert(0, {tools!r})
from nowait import errors, processes
sys.exit(errors.status_of(lambda _: processes.run(["sh", "-c", {slow!r}, {begun!r}]).status, []))
"""


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.begun = pathlib.Path(folder.name) / "begun"
        self.saved = pathlib.Path(folder.name) / "begun.saved"

    def until_begun(self):
        pause = threading.Event()
        while not self.begun.exists():
            pause.wait(0.01)

    def test_status_and_output(self):
        ended = processes.run(["sh", "-c", "echo out; echo err >&2; exit 3"], capture=True)
        self.assertEqual((3, 3, "out\nerr\n"), (ended.status, ended.exit_status, ended.output))

    def test_a_signal_is_what_a_shell_makes_of_it(self):
        self.assertEqual(128 + 11, processes.run(["sh", "-c", "kill -SEGV $$"]).exit_status)

    def test_what_is_not_there_is_named(self):
        with self.assertRaises(Failure) as failure:
            processes.run(["no-such-program"])
        self.assertEqual("no-such-program is missing", str(failure.exception))

    def test_time_is_up(self):
        ended = processes.run_alone(["sh", "-c", "echo first; exec sleep 100"], seconds=0.1)
        self.assertEqual((None, "first\n"), (ended.status, ended.output))

    def test_ticks_go_on_while_it_runs(self):
        ticks = []

        def tick():
            ticks.append(None)
            self.begun.touch()

        processes.run(["sh", "-c", f"while [ ! -e {self.begun} ]; do sleep 0.02; done"], tick=tick)
        self.assertNotEqual([], ticks)

    def test_an_exception_kills_what_runs_alone_with_its_processes(self):
        def tick():
            raise ValueError

        with self.assertRaises(ValueError):
            processes.run_alone(["sh", "-c", f"{SLOW} & wait", self.begun], tick=tick)
        self.assertFalse(self.saved.exists())

    def interrupt(self, number):
        code = FOREGROUND.format(tools=str(ROOT / "tools"), slow=SLOW, begun=str(self.begun))
        process = subprocess.Popen(["/usr/bin/python3", "-B", "-c", code], stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.until_begun()
        process.send_signal(number)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return process.returncode, err

    def test_a_signal_ends_the_program_first_which_may_save(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.assertEqual((128 + number, ""), self.interrupt(number))
                self.assertTrue(self.saved.exists())
                self.saved.unlink()
                self.begun.unlink()


class Held(unittest.TestCase):
    def setUp(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        interruptions.install()

    def test_what_comes_while_a_program_is_started_comes_after_it(self):
        for number, exception in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, interruptions.Stopped)):
            done = []
            with self.assertRaises(exception):
                with interruptions.held() as release:
                    signal.raise_signal(number)
                    done.append("started")
                    release()
                    done.append("waited")
            self.assertEqual(["started"], done)
            with self.assertRaises(exception):
                signal.raise_signal(number)

    def test_the_end_of_the_block_releases_too(self):
        with self.assertRaises(KeyboardInterrupt):
            with interruptions.held():
                signal.raise_signal(signal.SIGINT)

    def test_a_thread_holds_nothing(self):
        def hold():
            with interruptions.held():
                holding.set()
                over.wait()

        holding, over = threading.Event(), threading.Event()
        thread = threading.Thread(target=hold)
        thread.start()
        holding.wait()
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        over.set()
        thread.join()


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Lines(unittest.TestCase):
    def test_on_a_terminal_it_is_written_over_and_cleared(self):
        out = Terminal()
        line = progress.Line(60, out)
        line.show(lambda: "a" * 1000)
        line.show(lambda: "too soon")
        line.clear()
        line.clear()
        self.assertEqual("\r\033[K" + "a" * progress.WIDTH + "\r\033[K", out.getvalue())

    def test_elsewhere_it_is_a_line_now_and_then_or_none(self):
        out = io.StringIO()
        line = progress.Line(60, out)
        line.show(lambda: "first")
        line.show(lambda: "too soon")
        line.clear()
        self.assertEqual("first\n", out.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as err, progress.waiting_for("something") as tick:
            tick()
        self.assertEqual("", err.getvalue())


if __name__ == "__main__":
    unittest.main()
