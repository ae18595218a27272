#!/usr/bin/env python3
"""What the headers refuse at compile time, they refuse in words that say what to write instead."""

import pathlib
import subprocess
import unittest

HEADER = "#include <nowait_check/as_std.h>\nnamespace checked {\nnamespace std = nowait::check::as_std;\n}\n"


def complaints(compiler, text):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", pathlib.Path("check/include"), "-"]
    return subprocess.run(command, input=HEADER + text, capture_output=True, text=True).stderr


CASES = {
    "struct Two { void* a; void* b; };\ncheck::atomic<Two> two;":
        "T has more than 8 bytes, which the checker cannot hold; use indices of 32 bits with a tag",
    "struct Padded { char c; int i; };\ncheck::atomic<Padded> padded;":
        "give the padding a member",
    "#include <string>\ncheck::atomic<std::string> text;":
        "T has to be trivially copyable, as for std::atomic<T>; keep a pointer",
    "void Wait(check::condition_variable& changed, std::unique_lock<check::mutex>& lock) {\n"
    "  changed.wait_for(lock, 1);\n}":
        "no time passes under the checker; write wait(lock, predicate)",
    "void Detach(check::thread& thread) { thread.detach(); }":
        "use of deleted function 'void nowait::check::thread::detach()'",
    "namespace checked { std::recursive_mutex mutex; }":
        "use of deleted function 'nowait::check::as_std::use_check_mutex_instead::",
    "namespace checked { void Sleep() { std::this_thread::sleep_for(1); } }":
        "use of deleted function 'void nowait::check::as_std::this_thread::sleep_for(",
    "namespace checked { void* Grow(void* block) { return std::realloc(block, 2); } }":
        "use of deleted function 'void* nowait::check::as_std::realloc(",
    "namespace checked { std::once_flag once; }":
        "use of deleted function 'nowait::check::as_std::use_check_atomic_and_wait_instead::",
    "#include <semaphore>\nnamespace checked { void Take() { std::counting_semaphore<3> three(1); } }":
        "nowait::check::as_std::use_check_atomic_and_wait_instead::use_check_atomic_and_wait_instead(int)",
    "#include <barrier>\nnamespace checked { void Meet() { std::barrier<> all(2.0); } }":
        "nowait::check::as_std::use_check_atomic_and_wait_instead::use_check_atomic_and_wait_instead(double)",
    "#include <future>\nnamespace checked { void Run() { std::async([] {}); } }":
        "use of deleted function 'void nowait::check::as_std::async(",
    "void Copy(check::atomic<int>& a, check::atomic<int>& b) { a = b; }":
        "no match for 'operator='",
    "void Add(check::atomic<bool>& a) { a.fetch_add(1); }":
        "no matching function for call to 'nowait::check::atomic<bool>::fetch_add(int)'",
}


class CompileErrors(unittest.TestCase):
    def test_each(self):
        # All in one translation unit: most of the time goes to the headers.
        said = complaints("g++", "\n".join(CASES)).replace("‘", "'").replace("’", "'")
        for program, words in CASES.items():
            with self.subTest(program):
                self.assertIn(words, said)

    def test_what_is_right_compiles(self):
        self.assertEqual("", complaints("g++", "void Add(check::atomic<int>& a) { a += 1; }"))


if __name__ == "__main__":
    unittest.main()
