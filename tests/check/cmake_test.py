#!/usr/bin/env python3
"""The library as its users get it: built and installed with CMake, and used by a project that knows only that."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path.cwd()  # of the runfiles
PROJECT = ROOT / "tests/check/project"


def run(*command, **kwargs):
    return subprocess.run(command, capture_output=True, text=True, **kwargs)


def done(*command, **kwargs):
    ran = run(*command, **kwargs)
    if ran.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


class CMake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = pathlib.Path(cls.scratch.name)
        cls.prefix = cls.home / "prefix"
        quick = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1 -Wall -Wextra -Werror"]
        library = cls.home / "library"
        done("cmake", *quick, f"-DCMAKE_INSTALL_PREFIX={cls.prefix}", "-S", ROOT / "check", "-B", library)
        done("cmake", "--build", library, "-j2")
        done("cmake", "--install", library)
        # The runfiles are links into the source: of the installed package nothing leads back there.
        cls.project = cls.home / "project"
        done("cp", "-rL", PROJECT, cls.project)
        cls.built = cls.home / "built"
        done("cmake", *quick, f"-DCMAKE_PREFIX_PATH={cls.prefix}", "-S", cls.project, "-B", cls.built)
        done("cmake", "--build", cls.built, "-j2")

    def check(self, variant):
        pages = self.home / variant
        ran = run(self.built / variant, env={**os.environ, "NOWAIT_CHECK_PAGES": str(pages)})
        return ran, pages

    def test_the_right_stack_passes(self):
        ran, pages = self.check("right")
        self.assertRegex(ran.stdout, r"^stack: all \d+ executions examined")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        self.assertFalse(pages.exists())

    def test_the_planted_defect_is_found_and_its_page_written(self):
        ran, pages = self.check("planted")
        self.assertEqual(1, ran.returncode, ran.stderr)
        self.assertIn("stack: FAILED: data race", ran.stdout)
        page = (pages / "stack.html").read_text()
        self.assertIn("nodes[i].value = i + 1;", page)  # the line of the project's source
        record = json.loads((pages / "stack.json").read_text())
        self.assertEqual("data race", record["execution"]["failure"]["kind"])
        # Made again, it is the same.
        again, _ = self.check("planted")
        self.assertEqual(ran.stdout, again.stdout)
        self.assertEqual(page, (pages / "stack.html").read_text())

    def test_plain_memory_is_watched_on_demand(self):
        ran, _ = self.check("watched")
        self.assertEqual(1, ran.returncode, ran.stderr)
        self.assertIn("stack: FAILED: unregistered memory", ran.stdout)
        self.assertIn("a data race on plain memory", ran.stdout)

    def test_the_adapter_for_googletest(self):
        ran, _ = self.check("with_googletest")
        self.assertEqual(1, ran.returncode, ran.stderr)
        self.assertIn("[       OK ] Adapter.PassesWhereEveryExecutionDoes", ran.stdout)
        self.assertIn("[  FAILED  ] Adapter.FailsWhereOneDoesNot", ran.stdout)
        self.assertIn("FAILED: data race", ran.stdout)

    def test_pkg_config_knows_it(self):
        flags = done(
            "pkg-config", "--cflags", "--libs", "nowait_check",
            env={**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")},
        ).split()
        program = self.home / "by_pkg_config"
        source = ROOT / "tests/check/first_program.cc"
        done("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", source, *flags, "-o", program)
        self.assertEqual("program: all 2 executions examined\n", done(program))

    def test_the_installed_headers_name_no_file_of_the_repository(self):
        headers = sorted(self.prefix.glob("include/nowait_check/*.h"))
        self.assertGreater(len(headers), 5)
        for header in headers:
            for included in re.findall(r'#include "([^"]*)"', header.read_text()):
                self.assertTrue((self.prefix / "include" / included).exists(), f"{header.name}: {included}")


if __name__ == "__main__":
    unittest.main()
