"""A small checkout with a home of its own: the real command, flags and rules, and a few real shards.

Compiling the models takes minutes. So the shards here are those of two models whose programs have been
built already: all of a small one, and the scenarios of the job list with all their executions and searches.
Beside them a test is compiled and linked, which takes a second.
"""

import pathlib
import shutil
import socket
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

BUILD = """
load("//models:spin.bzl", "spin_model")

spin_model(
    name = "gate_spin",
    src = "gate.pml",
)

cc_library(
    name = "half",
    srcs = ["half.cc"],
    hdrs = ["half.h"],
)

cc_test(
    name = "half_watched",
    srcs = ["half_test.cc"],
    tags = ["model", "run", "watched"],
    deps = [":half"],
)

[sh_test(
    name = structure,
    srcs = ["program/" + structure],
    shard_count = 2,
    tags = ["model"],
) for structure in ["quota", "job_list"]]

[sh_test(
    name = name,
    srcs = ["//models:run.sh"],
    args = ["$(location program/quota)"] + args,
    data = ["program/quota", "quota.toml", "quota_orders.md"],
    shard_count = shards,
    tags = ["model"] + tags,
) for name, args, shards, tags in [
    ("quota_mutations", ["--mutate", "--notes=$(location quota.toml)"], 2, ["run"]),
    ("quota_orders", ["--minimise", "--notes=$(location quota.toml)", "--table=$(location quota_orders.md)"], 1,
     ["run"]),
    # Long enough to be interrupted.
    ("quota_long_watched", ["--search", "random:%d" % LONG], 8, ["run", "watched"]),
]]
"""
SOURCES = {
    "half.h": "int Half(int n);\n",
    "half.cc": '#include "models/probe/half.h"\nint Half(int n) { return n / 2; }\n',
    "gate.pml": """// A gate that is opened once.
//
// run: assertions holds
// run: assertions BUG_SHUT violated
bool open = false;
active proctype Keeper() {
#ifdef BUG_SHUT
  skip
#else
  open = true
#endif
}
active proctype Guest() {
  if
  :: open
  :: timeout -> assert(open)
  fi
}
""",
    "half_test.cc": '#include "models/probe/half.h"\nint main() { return Half(4) == 2 ? 0 : 1; }\n',
}
LONG = 250_000  # executions, all shards together


class Checkout:
    def __init__(self, *programs):
        self.folder = tempfile.TemporaryDirectory(prefix="nowait-remote-")
        self.home = pathlib.Path(self.folder.name) / "home"
        self.home.mkdir()
        self.root = pathlib.Path(self.folder.name) / "checkout"
        self.root.mkdir()
        for name in ("nowait", "WORKSPACE", "BUILD", ".bazelrc"):
            shutil.copy(ROOT / name, self.root)
        # A test that is itself ended cannot end its Bazel.
        with open(self.root / ".bazelrc", "a", encoding="utf-8") as settings:
            settings.write("startup --max_idle_secs=120\n")
        for name in ("third_party", "tools"):
            shutil.copytree(ROOT / name, self.root / name)
        probe = self.root / "models/probe"
        probe.mkdir(parents=True)
        (self.root / "models/kit").mkdir()
        (self.root / "models/kit/BUILD").touch()
        for name in ("BUILD", "run.sh", "spin.bzl"):
            shutil.copy(ROOT / "models" / name, self.root / "models")
        for name in ("quota.toml", "quota_orders.md"):
            shutil.copy(ROOT / "models/sync" / name, probe)
        (probe / "program").mkdir()
        for program in programs:
            shutil.copy(program, probe / "program")
        (probe / "BUILD").write_text(f"LONG = {LONG}\n{BUILD}", encoding="utf-8")
        for name, text in SOURCES.items():
            (probe / name).write_text(text, encoding="utf-8")

    def close(self):
        self.run("bazel", "shutdown")
        for path in self.home.rglob("*"):  # Bazel makes its outputs read-only
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        self.folder.cleanup()

    def settings(self, text):
        """The settings of the checkout's owner."""
        (self.root / ".bazelrc.user").write_text(text, encoding="utf-8")

    def start(self, *command):
        # HOME names the output base: the caller's Bazel never sees this one.
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "USER": "tester",
                       "LC_ALL": "C.UTF-8"}
        return subprocess.Popen(command, cwd=self.root, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *command):
        return self.wait(self.start(*command))

    def wait(self, process):
        output, _ = process.communicate(timeout=240)
        return process.returncode, output

    def check(self, *arguments):
        """./nowait check: (status, what it printed)."""
        return self.run("./nowait", "check", *arguments)

    def forget(self):
        """Everything that was built and checked here."""
        self.run("bazel", "clean")


def said(output):
    """The lines of ./nowait itself, without the one that says how many tests there are."""
    return [line for line in output.splitlines() if line.startswith("nowait: ") and " tests: " not in line]


def last_line(output):
    return output.splitlines()[-1]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]

