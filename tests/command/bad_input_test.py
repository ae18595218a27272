#!/usr/bin/env python3
"""The messages of ./nowait for bad input, and on a machine that lacks packages, Python or a recent CPU.

Nothing is built or installed.
"""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The command as a user without rights or as root, with a CPU that another file describes.
AS_USER = """import os, pathlib, sys
sys.path.insert(0, {tools!r})
os.geteuid = lambda: {user}
from nowait import command_line, machine
machine.CPUINFO = pathlib.Path({cpu!r})
sys.exit(command_line.main(sys.argv[1:]))
"""


def nowait(*arguments, path="/usr/bin:/bin", command=(ROOT / "nowait",)):
    return subprocess.run(
        [*command, *arguments],
        env={"PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
    )


class BadInput(unittest.TestCase):
    def assert_one_line(self, result, status, *words):
        self.assertEqual(status, result.returncode, result.stderr)
        self.assertEqual(1, result.stderr.count("\n"), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual("", result.stdout)

    def test_unknown_verb(self):
        self.assert_one_line(nowait("tset"), 2, 'unknown verb "tset"')

    def test_unknown_arguments(self):
        for verb in ("test", "gallery", "bench", "setup", "format", "help", "compile-commands"):
            with self.subTest(verb):
                self.assert_one_line(nowait(verb, "--no-such"), 2, verb, "--no-such")

    def test_unknown_configuration(self):
        self.assert_one_line(nowait("test", "--config", "asn"), 2, '"asn"', "asan", "tsan")
        self.assert_one_line(nowait("test", "--config"), 2, "needs a name")

    def test_stress_minutes(self):
        self.assert_one_line(nowait("test", "--stress-minutes"), 2, "needs a number")
        for minutes in "0", "601", "ten", "-1", "":
            self.assert_one_line(nowait("test", "--stress-minutes", minutes), 2, "1 .. 600")

    def test_soak_minutes(self):
        self.assert_one_line(nowait("test", "--soak-minutes"), 2, "needs a number")
        for minutes in "0", "601", "ten", "-1", "":
            self.assert_one_line(nowait("test", "--soak-minutes", minutes), 2, "1 .. 600")

    def test_fuzz(self):
        self.assert_one_line(nowait("test", "--fuzz-minutes"), 2, "needs a number")
        for minutes in "0", "601", "ten", "-1", "":
            self.assert_one_line(nowait("test", "--fuzz-minutes", minutes), 2, "1 .. 600")
        self.assert_one_line(nowait("test", "--fuzz-seed"), 2, "needs a number")
        for seed in "-1", "ten", "", "99999999999999999999":
            self.assert_one_line(nowait("test", "--fuzz-seed", seed, "--only", "jobs"), 2, "19 digits")
        self.assert_one_line(nowait("test", "--fuzz-seed", "1"), 2, "whose seed")
        self.assert_one_line(nowait("test", "--only", "jobs"), 2, "--fuzz-minutes")
        self.assert_one_line(nowait("test", "--a-third", "--quick"), 2, "not for --quick")
        self.assert_one_line(nowait("test", "--cache"), 2, "needs a folder")
        self.assert_one_line(nowait("test", "--cache", "/etc/passwd"), 2, '"/etc/passwd"')
        self.assert_one_line(nowait("test", "--cache", ""), 2, "is a folder")
        self.assert_one_line(nowait("test", "--a-third", "--fuzz-minutes", "1"), 2, "run alone")
        self.assert_one_line(nowait("test", "--fuzz-minutes", "1", "--only"), 2, "needs a name")
        self.assert_one_line(nowait("test", "--fuzz-minutes", "1", "--only", "jbs"), 2, '"jbs"', "jobs")
        self.assert_one_line(
            nowait("test", "--fuzz-minutes", "1", "--config", "shipped"), 2, '"shipped"', "tsan"
        )
        self.assert_one_line(nowait("test", "--fuzz-minutes", "1", "--quick"), 2, "alone")

    def test_a_flag_of_check_without_its_structure(self):
        self.assert_one_line(nowait("check", "--seed", "7"), 2, "--seed")

    def test_check_of_everything(self):
        self.assert_one_line(nowait("check", "--report", "out/check", "more"), 2, '"more"')
        self.assert_one_line(nowait("check", "--report", "--quick"), 2, '"--quick"')
        for place in ("/proc/no-such", "/dev/full", "nowait"):
            self.assert_one_line(nowait("check", "--report", place), 2, f"{place} cannot be written")
        self.assert_one_line(nowait("check", "--update-orders", "union_find"), 2, '"union_find"')
        self.assert_one_line(nowait("check", "--minimise"), 2, "--minimise")

    def test_gallery(self):
        self.assert_one_line(nowait("gallery", "/proc/no-such"), 2, "/proc/no-such")
        self.assert_one_line(nowait("gallery", "out/gallery", "more"), 2, '"more"')
        self.assert_one_line(nowait("gallery", "nowait"), 2, "nowait cannot be written")
        self.assert_one_line(nowait("gallery", "/dev/full"), 2, "/dev/full cannot be written")

    def test_show(self):
        # The messages of its program and of the gallery's for a bad file: models/gallery/bad_input_test.py.
        self.assert_one_line(nowait("show"), 2, "which counterexample?")

    def test_bench_cores(self):
        self.assert_one_line(nowait("bench", "cores", "--no-such"), 2, "bench cores", "--no-such")
        self.assert_one_line(nowait("bench", "cores", "--transfer"), 2, "--transfer needs a value")
        self.assert_one_line(nowait("bench", "cores", "--measured", "no/such"), 2, "there is no file 'no/such'")
        for flag in "--plot", "--json", "--keep":
            self.assert_one_line(nowait("bench", "cores", flag, "no/such/file"), 2, f"{flag}: 'no/such/file'")
            self.assert_one_line(nowait("bench", "cores", flag, ""), 2, f"{flag}: ''")

    def test_check_scaling(self):
        for rounds in ("0", "-1", "100"):
            self.assert_one_line(nowait("check", "--scaling", rounds), 2, "number of rounds")

    def test_check_reductions(self):
        for seconds in ("0", "3601", "ten", ""):
            self.assert_one_line(nowait("check", "--reductions", "--seconds", seconds), 2, "1 to 3600")
        self.assert_one_line(nowait("check", "--reductions", "--seconds"), 2, "needs a number")
        self.assert_one_line(nowait("check", "--reductions", "job_list"), 2, "job_list", "scenario")
        self.assert_one_line(nowait("check", "--reductions", "job_list", "3x3", "more"), 2, '"more"')
        self.assert_one_line(nowait("check", "--reductions", "job_list", "--jobs"), 2, "--jobs")

    def test_check_spin(self):
        self.assert_one_line(nowait("check", "--spin", "evnt_count"), 2, '"evnt_count"', "event_count")
        self.assert_one_line(nowait("check", "--spin", "event_count", "--run", "no-such"), 2, "no-such")
        self.assert_one_line(nowait("check", "--spin", "--no-such"), 2, "--no-such")
        self.assert_one_line(nowait("check", "--spin", "event_count", "--json", "/no/such"), 2, "/no/such")

    def test_learn(self):
        self.assert_one_line(nowait("learn", "--prot"), 2, "unknown argument")

    def test_help_lists_every_verb(self):
        result = nowait("help")
        self.assertEqual(0, result.returncode)
        for verb in ("demo", "test", "check", "gallery", "bench", "learn", "exercise", "compile-commands"):
            self.assertRegex(result.stdout, rf"\n  {verb} ")

    def test_every_verb_says_how_it_is_used(self):
        # Except demo, whose own program prints that, and is built for it.
        verbs = ("learn", "test", "check", "show", "gallery", "bench", "exercise", "compile-commands")
        for verb in (*verbs, "format", "setup"):
            with self.subTest(verb):
                result = nowait(verb, "--help")
                self.assertEqual((0, ""), (result.returncode, result.stderr))
                self.assertTrue(result.stdout.startswith(f"usage: ./nowait {verb}"), result.stdout)


class OtherMachine(unittest.TestCase):
    """With programs of our own before the real ones on PATH."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.calls = pathlib.Path(self.folder.name) / "calls"
        self.program("dpkg-query", "echo 'installed g++'")
        self.program("install", "exit 1")  # a policy that servers are not to be started
        self.program("systemctl", "exit 1")

    def program(self, name, body):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


    def nowait(self, *arguments, user=0, cpu="/proc/cpuinfo"):
        code = AS_USER.format(tools=str(ROOT / "tools"), user=user, cpu=cpu)
        return nowait(*arguments, path=f"{self.folder.name}:/usr/bin:/bin", command=("/usr/bin/python3", "-c", code))


class MissingPackages(OtherMachine):
    def run_setup(self, user=0):
        return self.nowait("setup", user=user)

    def test_without_root_or_sudo_the_line_to_hand_on_is_printed(self):
        self.program("sudo", "exit 1")
        self.program("apt-get", f"echo called >{self.calls}")
        result = self.run_setup(user=1000)
        self.assertEqual(1, result.returncode)
        self.assertEqual(1, result.stdout.count("\n"))
        self.assertTrue(result.stdout.startswith("apt-get update && apt-get install -y "))
        self.assertIn(" bazel-bootstrap ", result.stdout)
        self.assertNotIn(" g++ ", result.stdout)  # that one is installed
        self.assertFalse(self.calls.exists())

    def test_with_root_what_is_missing_is_installed(self):
        self.program("apt-get", f'echo "$@" >>{self.calls}')
        self.assertEqual(0, self.run_setup().returncode)
        update, install = self.calls.read_text(encoding="utf-8").splitlines()
        self.assertTrue(update.endswith(" update"))
        self.assertIn(" install -y ", install)
        self.assertIn(" catch2 ", install)
        self.assertNotIn(" g++ ", install)

    def test_with_sudo_it_is_used(self):
        self.program("sudo", f'[ "$1" = -n ] || {{ echo "$1" >>{self.calls}; "$@"; }}')
        self.program("apt-get", f'echo "$@" >>{self.calls}')
        self.assertEqual(0, self.run_setup(user=1000).returncode)
        self.assertIn(" install -y ", self.calls.read_text(encoding="utf-8"))

    def test_an_installation_that_fails_says_what_it_was(self):
        self.program("apt-get", "echo 'E: no network' >&2; exit 100")
        result = self.run_setup()
        self.assertEqual(1, result.returncode)
        self.assertIn("E: no network", result.stderr)
        self.assertIn("apt-get install", result.stdout)


class WithoutPython(OtherMachine):
    """The bootstrap, which looks for a Python that its apt-get of ours makes."""

    def setUp(self):
        super().setUp()
        self.python = pathlib.Path(self.folder.name) / "python3"
        self.checkout = pathlib.Path(self.folder.name) / "checkout"
        (self.checkout / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools/packages.txt", self.checkout / "tools")
        text = (ROOT / "nowait").read_text(encoding="utf-8")
        self.assertEqual(1, text.count("python=/usr/bin/python3\n"))
        (self.checkout / "nowait").write_text(text.replace("/usr/bin/python3", str(self.python)), encoding="utf-8")

    def run_it(self, *arguments):
        return nowait(*arguments, path=f"{self.folder.name}:/usr/bin:/bin", command=("sh", self.checkout / "nowait"))

    def install(self, result="exit 0"):
        """apt-get: notes its arguments, and makes a Python that says what it is called with."""
        self.program("apt-get", f'echo "$@" >>{self.calls}\n'
                                f"""printf '#!/bin/sh\\necho "$@"\\n' >{self.python}; chmod +x {self.python}; {result}""")

    def test_root_gets_it_and_the_command_goes_on(self):
        self.program("id", "echo 0")
        self.install()
        result = self.run_it("bench", "a b")
        self.assertEqual((0, f"{self.checkout}/tools/nowait bench a b\n", "nowait: installing: python3\n"),
                         (result.returncode, result.stdout, result.stderr))
        update, install = self.calls.read_text(encoding="utf-8").splitlines()
        self.assertTrue(update.endswith(" update"))
        self.assertTrue(install.endswith(" install -y --no-install-recommends python3"))
        self.assertIn(" -o DPkg::Lock::Timeout=300 ", install)

    def test_sudo_is_used(self):
        self.program("id", "echo 1000")
        self.program("sudo", f'[ "$1" = -n ] || {{ echo "sudo $1" >>{self.calls}; "$@"; }}')
        self.install()
        self.assertEqual(0, self.run_it("help").returncode)
        self.assertEqual(2, self.calls.read_text(encoding="utf-8").count("sudo env\n"))

    def test_without_root_or_sudo_the_line_for_everything_is_printed(self):
        self.program("id", "echo 1000")
        self.program("sudo", "exit 1")
        self.install()
        result = self.run_it("demo")
        self.assertEqual((1, 1), (result.returncode, result.stderr.count("\n")), result.stderr)
        self.assertIn("somebody who is must run", result.stderr)
        self.assertEqual(nowait("setup", "--print").stdout, result.stdout)
        self.assertFalse(self.calls.exists())

    def test_an_installation_that_fails_says_what_it_was(self):
        self.program("id", "echo 0")
        self.install("echo 'E: no network' >&2; exit 100")
        result = self.run_it("help")
        self.assertEqual(1, result.returncode)
        self.assertIn("E: no network", result.stderr)
        self.assertTrue(result.stdout.endswith(" python3\n"), result.stdout)

    def test_what_there_is_to_install_can_be_asked_without_it(self):
        self.install()
        result = self.run_it("setup", "--print")
        self.assertEqual((0, nowait("setup", "--print").stdout), (result.returncode, result.stdout))
        self.assertFalse(self.calls.exists())


class OldCpu(OtherMachine):
    def test_it_is_named_before_anything_is_installed_or_built(self):
        cpu = pathlib.Path(self.folder.name) / "cpuinfo"
        cpu.write_text("processor : 0\nflags : fpu sse sse2 avx\n", encoding="utf-8")
        for verb in ("demo", "test", "check", "gallery", "bench"):
            result = self.nowait(verb, cpu=str(cpu))
            self.assertEqual(1, result.returncode)
            self.assertEqual(1, result.stderr.count("\n"), result.stderr)
            self.assertIn("x86-64-v3", result.stderr)
            self.assertIn("lacks: avx2", result.stderr)


class Packages(unittest.TestCase):
    def test_the_list_is_well_formed_and_every_package_has_its_reason(self):
        text = (ROOT / "tools/packages.txt").read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("#"):
                continue
            package, need, reason = (field.strip() for field in line.split("|"))
            self.assertRegex(package, r"^[a-z0-9][a-z0-9+.-]+$")
            self.assertIn(need, ("build", "check", "bench", "crowd", "learn", "test"))
            self.assertGreater(len(reason), 10)


if __name__ == "__main__":
    os.chdir("/")  # ./nowait works from anywhere
    unittest.main()
