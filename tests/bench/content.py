#!/usr/bin/env python3
"""usage: content.py SESSION MERGE [--objects N] [--edits N]: one level in a git repository and in a session.

The level is made from a seed: objects with an id, a kind, a place, a rotation and properties. The repository has the
merge program as its driver. Each step is done several times; the table has the medians.
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

TOKEN = "bench"
SEED = 1


def make_level(objects):
    chance = random.Random(SEED)
    numbers = lambda count, most: [round(chance.uniform(-most, most), 3) for _ in range(count)]
    return {"name": "valley", "objects": [
        {"id": f"object-{i}", "kind": chance.choice(("rock", "tree", "lamp", "door")), "place": numbers(3, 500),
         "rotation": numbers(4, 1), "mass": round(chance.uniform(1, 100), 2), "friction": 0.7} for i in range(objects)]}


def text_of(level):
    return json.dumps(level, indent=2) + "\n"


class Repository:
    """A working copy, whose every change is committed."""

    def __init__(self, folder, merge, level):
        self._folder = folder
        self._file = folder / "level.json"
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "anna")
        self.git("config", "user.email", "anna@example.com")
        self.git("config", "merge.json.driver", f"'{merge}' %O %A %B --out %A")
        (folder / ".gitattributes").write_text("*.json merge=json\n")
        self._file.write_text(text_of(level))
        self.git("add", ".")
        self.git("commit", "-q", "-m", "begin")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self._folder, check=True, capture_output=True, text=True).stdout

    def load(self):
        return json.loads(self._file.read_text())

    def edit(self, level, number):
        self._file.write_text(text_of(level))
        self.git("commit", "-q", "-a", "-m", f"edit {number}")

    def merge(self, ours, theirs, number):
        """Two people's changes of one revision, joined."""
        self.git("checkout", "-q", "-b", f"side-{number}")
        self.edit(theirs, number)
        self.git("checkout", "-q", "main")
        self.edit(ours, number)
        begin = time.perf_counter()
        self.git("merge", "-q", "-m", "joined", f"side-{number}")
        return time.perf_counter() - begin

    def history(self):
        return len(self.git("log", "--first-parent", "--format=%an", "main").splitlines())

    def bytes(self):
        self.git("gc", "-q")
        return sum(file.stat().st_size for file in (self._folder / ".git" / "objects").rglob("*") if file.is_file())


class Session:
    """A server whose document is changed in place, as a database's."""

    def __init__(self, folder, program, level):
        self._folder, self._program = folder, program
        (folder / "begin.json").write_text(text_of(level))
        self._server = subprocess.Popen([program, "serve", "log", "--file", "begin.json"], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, env={**os.environ, "NOWAIT_SESSION_TOKEN": TOKEN})
        self._port = int(self._server.stdout.readline().split(" join ")[1].split()[0])
        self._revision = 1

    def _ask(self, method, target, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request(method, target, body, {"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        found = json.loads(answer.read())
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"content: the session answers {answer.status}")
        return found

    def load(self):
        found = self._ask("GET", "/document?after=0")
        self._revision = found["revision"]
        return found["document"]

    def _submit(self, base, author, level):
        return self._ask("POST", "/edit", json.dumps({"base": base, "author": author, "document": level}))["revision"]

    def edit(self, level, _number):
        self._revision = self._submit(self._revision, "anna", level)

    def merge(self, ours, theirs, _number):
        base = self._revision
        self._submit(base, "bert", theirs)
        begin = time.perf_counter()
        self._revision = self._submit(base, "anna", ours)
        return time.perf_counter() - begin

    def end(self):
        self._server.terminate()
        self._server.wait()
        self._server.stdout.close()

    def history(self):
        ended = subprocess.run([self._program, "history", "log"], cwd=self._folder, check=True, capture_output=True, text=True)
        return len(ended.stdout.splitlines())

    def bytes(self):
        return (self._folder / "log").stat().st_size


def timed(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def measure(store, edits):
    """Milliseconds of a load, an edit and a merge."""
    chance = random.Random(SEED + 1)
    loads, changes, merges = [], [], []
    for number in range(edits):
        taken, level = timed(store.load)
        loads.append(taken)
        one = level["objects"][chance.randrange(len(level["objects"]))]
        one["mass"] = number + 1000
        taken, _ = timed(lambda: store.edit(level, number))
        changes.append(taken)
    for number in range(edits // 5):
        ours, theirs = store.load(), store.load()
        # The same object, different fields: a merge of lines would join them, or not, by their distance.
        ours["objects"][number]["kind"] = f"kind {number}"
        theirs["objects"][number]["place"][0] += 1
        merges.append(store.merge(ours, theirs, number))
        joined = store.load()["objects"][number]
        if joined["kind"] != f"kind {number}" or joined["place"] != theirs["objects"][number]["place"]:
            raise SystemExit("content: a merge has lost an edit")
    return [1000 * statistics.median(times) for times in (loads, changes, merges)]


def main():
    parser = argparse.ArgumentParser(prog="content", description=__doc__)
    parser.add_argument("session", type=pathlib.Path)
    parser.add_argument("merge", type=pathlib.Path)
    parser.add_argument("--objects", type=int, default=2000)
    parser.add_argument("--edits", type=int, default=50)
    options = parser.parse_args()
    level = make_level(options.objects)
    with tempfile.TemporaryDirectory() as name:
        folders = [pathlib.Path(name) / kind for kind in ("repository", "session")]
        for folder in folders:
            folder.mkdir()
        repository = Repository(folders[0], options.merge.resolve(), level)
        session = Session(folders[1], str(options.session.resolve()), level)
        try:
            of_repository = measure(repository, options.edits)
            of_session = measure(session, options.edits)
        finally:
            session.end()
        rows = list(zip(("load", "edit", "merge"), of_repository, of_session))
        histories = [timed(store.history) for store in (repository, session)]
        rows.append(("history", *(1000 * taken for taken, _ in histories)))
        print(f"{options.objects} objects, {len(text_of(level)) / 1e3:.0f} kB; {options.edits} edits, seed {SEED}")
        print(f"{'':8} {'repository':>12} {'session':>12}")
        for words, first, second in rows:
            print(f"{words:8} {first:9.1f} ms {second:9.1f} ms")
        print(f"{'on disk':8} {repository.bytes() / 1e3:9.0f} kB {session.bytes() / 1e3:9.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
