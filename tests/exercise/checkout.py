"""A checkout with a home and a Bazel of its own, whose checker need not be compiled.

It has the real commands, rules, structures and models; models/kit alone is headers and the libraries that this
checkout's Bazel has built from them (archives.bzl).
"""

import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("lectures", "models", "src", "third_party", "tools")
FILES = ("nowait", "WORKSPACE", "BUILD", ".bazelrc", ".bazelignore", ".gitignore")
KIT = """
load("//models:model.bzl", "model_headers")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "model",
    srcs = {archives},
    hdrs = glob(["**/*.h"]),
    linkopts = {flags},
    deps = ["//src/base:assert"],
)

cc_library(
    name = "main",
    deps = [":model"],
)

model_headers(deps = [":model"])
"""


class Checkout:
    def __init__(self, listing):
        self.folder = tempfile.TemporaryDirectory(prefix="nowait-exercise-")
        self.home = pathlib.Path(self.folder.name) / "home"
        self.home.mkdir()
        self.root = pathlib.Path(self.folder.name) / "checkout"
        for name in FOLDERS:
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__", "kit"))
        for name in FILES:
            shutil.copy(ROOT / name, self.root / name)
        # A test that is itself ended cannot end its Bazel.
        with open(self.root / ".bazelrc", "a", encoding="utf-8") as settings:
            settings.write("startup --max_idle_secs=120\n")
        for header in (ROOT / "models/kit").rglob("*.h"):
            place = self.root / header.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(header, place)
        self._kit(pathlib.Path(listing))
        self.git("init", "--quiet")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "as it stands")

    def _kit(self, listing):
        """The libraries are named in runfiles, from where the test begins."""
        archives, flags = [], []
        for line in listing.read_text(encoding="utf-8").splitlines():
            if line.startswith("flag "):
                flags.append(line.removeprefix("flag "))
                continue
            name = f"lib{len(archives):03}.a"
            shutil.copy(line, self.root / "models/kit" / name)
            archives.append(name)
        (self.root / "models/kit/BUILD").write_text(KIT.format(archives=archives, flags=flags), encoding="utf-8")

    def environment(self):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8"}

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=self.root,
                       env=self.environment(), check=True, capture_output=True)

    def run(self, *command, cwd=None):
        return subprocess.run(command, cwd=cwd or self.root, env=self.environment(), stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=280, check=False)

    def close(self):
        for place in (self.root, self.root / ".nowait/pristine"):
            if place.is_dir():
                self.run("bazel", "shutdown", cwd=place)
        for path in self.home.rglob("*"):  # Bazel makes its outputs read-only
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        self.folder.cleanup()
