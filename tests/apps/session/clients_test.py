#!/usr/bin/env python3
"""usage: clients_test.py PROGRAM: people who edit one level, with lost connections, late joiners and a killed server."""

import http.client
import json
import os
import pathlib
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
TOKEN = "1a2b3c"
SECONDS = 30  # a step of a test takes a part of one


def until(holds, what):
    """Waits until holds() is true."""
    end = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"not within {SECONDS} s: {what}")
        time.sleep(0.02)


class Session(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "NOWAIT_SESSION_TOKEN": TOKEN}

    def start(self, *arguments):
        started = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def end():
            if started.poll() is None:
                started.kill()
            started.communicate()
        self.addCleanup(end)
        return started

    def serve(self, port=0, document=None):
        arguments = ["serve", "level.log", "--port", port, "--seconds", 100]
        if document is not None:
            (self.folder / "begin.json").write_text(json.dumps(document))
            arguments += ["--file", "begin.json"]
        server = self.start(*arguments)
        line = server.stdout.readline()
        self.assertIn("./nowait session join", line, line)
        self.port = int(line.split(" join ")[1].split()[0])
        return server

    def ask(self, method, target, body=None, token=TOKEN, **headers):
        """The status and the JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, target, body, {"Authorization": f"Bearer {token}", **headers})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def edit(self, base, author, document):
        return self.ask("POST", "/edit", json.dumps({"base": base, "author": author, "document": document}))

    def level(self):
        return self.ask("GET", "/document?after=0")[1]

    def run_once(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=60)

    def test_accepted_edits_survive_killed_servers(self):
        """Three people edit their own and common fields through three servers, each killed in the middle of it."""
        names = ("anna", "bert", "carl", "dora")
        begin = {"common": 0, **{name: [] for name in names}}
        server = self.serve(document=begin)
        accepted = {name: [] for name in names}
        conflicts = dict.fromkeys(accepted, 0)
        stop = threading.Event()

        def person(name, seed):
            chance = random.Random(seed)
            number = 0
            while not stop.is_set():
                try:
                    level = self.level()
                    document = level["document"]
                    number += 1
                    document[name].append({"id": number})
                    common = chance.random() < 0.3
                    if common:
                        document["common"] = f"{name} {number}"
                    status, answer = self.edit(level["revision"], name, document)
                    if status == 200:
                        accepted[name].append((number, answer["revision"]))
                    elif status == 409:
                        conflicts[name] += 1
                        self.assertEqual(["/common"], answer["conflicts"])
                        self.assertTrue(common)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.01)  # the server is dead

        people = [threading.Thread(target=person, args=(name, seed)) for seed, name in enumerate(names[:3])]
        for one in people:
            one.start()
        try:
            for _ in range(2):
                before = sum(map(len, accepted.values()))
                until(lambda: sum(map(len, accepted.values())) >= before + 25, "25 more edits")
                server.send_signal(signal.SIGKILL)
                server.wait()
                server = self.serve(self.port)
            until(lambda: sum(map(len, accepted.values())) >= 75, "75 edits")
            # Somebody goes away in the middle of a request, and somebody is late.
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as gone:
                gone.sendall(b"POST /edit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{")
            people.append(threading.Thread(target=person, args=("dora", 9)))
            people[-1].start()
            until(lambda: len(accepted["dora"]) >= 5, "edits of a late one")
        finally:
            stop.set()
            for one in people:
                one.join()
        server.send_signal(signal.SIGKILL)
        server.wait()
        history = self.run_once("history", "level.log").stdout.splitlines()
        last = json.loads(self.run_once("history", "level.log", "--revision", len(history)).stdout)
        for name, edits in accepted.items():
            self.assertGreater(len(edits), 0)
            there = {item["id"] for item in last[name]}
            for number, revision in edits:
                self.assertIn(number, there, f"an accepted edit of {name} is gone")
                self.assertLessEqual(revision, len(history))
        self.assertEqual("1 (begin)", history[0])

    def test_files_of_two_people(self):
        """Two files are kept the same; the second hears of a conflict, and its change is kept beside."""
        server = self.serve(document={"lamp": 1, "door": 1})
        anna = self.start("join", self.port, "anna.json", "--author", "anna", "--seconds", 100)
        bert = self.start("join", self.port, "bert.json", "--author", "bert", "--seconds", 100)
        files = {name: self.folder / f"{name}.json" for name in ("anna", "bert")}

        def shown(name):
            try:
                return json.loads(files[name].read_text())
            except (OSError, ValueError):
                return None
        until(lambda: shown("anna") == shown("bert") == {"lamp": 1, "door": 1}, "both files")
        files["anna"].write_text('{"lamp": 2, "door": 1}')
        files["bert"].write_text('{"lamp": 1, "door": 5}')
        until(lambda: shown("anna") == shown("bert") == {"lamp": 2, "door": 5}, "both changes in both files")
        # While bert's client is stopped, both change one field.
        bert.send_signal(signal.SIGSTOP)
        files["anna"].write_text('{"lamp": 3, "door": 5}')
        until(lambda: self.level()["document"] == {"lamp": 3, "door": 5}, "anna's change")
        files["bert"].write_text('{"lamp": 4, "door": 6}')
        bert.send_signal(signal.SIGCONT)
        until(lambda: shown("bert") == {"lamp": 3, "door": 5}, "the shared document in bert's file")
        self.assertEqual({"lamp": 4, "door": 6}, json.loads((self.folder / "bert.json.refused").read_text()))
        # The server is away for a while; the clients go on.
        server.send_signal(signal.SIGKILL)
        server.wait()
        files["anna"].write_text('{"lamp": 3, "door": 9}')
        server = self.serve(self.port)
        until(lambda: shown("bert") == {"lamp": 3, "door": 9}, "a change that was made while there was no server")
        for client in (anna, bert):
            client.send_signal(signal.SIGINT)
            self.assertEqual(0, client.wait(SECONDS))
        self.assertIn("conflict at /lamp; yours is in bert.json.refused", bert.stderr.read())
        server.send_signal(signal.SIGINT)
        self.assertEqual(0, server.wait(SECONDS))

    def limited(self, document):
        """A server whose files may have 1 MiB. With less ThreadSanitizer's runtime dies of SIGBUS before main: it fills a
        file of 512 KiB and maps it as the shadow of constants, without a look at how much was written."""
        (self.folder / "begin.json").write_text(json.dumps(document))
        server = subprocess.Popen([PROGRAM, "serve", "level.log", "--file", "begin.json", "--seconds", "100"],
                                  cwd=self.folder, env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server

    def test_full_disk(self):
        """A log that may not grow: edits are refused, and those before stay; with room again they are accepted."""
        limited = self.limited({"n": 0})
        self.port = int(limited.stdout.readline().split(" join ")[1].split()[0])
        self.assertEqual(200, self.edit(1, "anna", {"n": 1})[0])
        status, answer = self.edit(2, "anna", {"n": 2, "text": "x" * (1 << 20)})
        self.assertEqual(400, status)
        self.assertIn("log", answer["error"])
        self.assertEqual(200, self.edit(2, "anna", {"n": 3})[0])
        limited.kill()
        limited.wait()
        self.serve()
        self.assertEqual({"revision": 3, "document": {"n": 3}}, self.level())

    def test_no_room_for_the_first_document(self):
        """A session that cannot begin says why, and the next one begins with the same log."""
        out, error = self.limited({"text": "x" * (1 << 20)}).communicate(timeout=SECONDS)
        self.assertEqual("", out)
        self.assertEqual(1, error.count("\n"), error)
        self.assertIn("level.log", error)
        self.assertIn("File too large", error)
        self.serve(document={"n": 1})
        self.assertEqual({"revision": 1, "document": {"n": 1}}, self.level())

    def test_no_room_for_what_is_printed(self):
        """A client goes on when nobody can read its lines; a history that nobody can read is an error."""
        self.serve(document={"text": "x" * 100_000})
        with open("/dev/full", "wb") as full:
            client = subprocess.Popen([PROGRAM, "join", str(self.port), "no/file.json", "--author", "anna", "--seconds", "1"],
                                      cwd=self.folder, env=self.environment, stdout=full, stderr=full)
            self.addCleanup(client.kill)
            history = subprocess.run([PROGRAM, "history", "level.log", "--revision", "1"], cwd=self.folder,
                                     stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
            self.assertEqual((1, "session: standard output: cannot be written\n"), (history.returncode, history.stderr))
            self.assertEqual(0, client.wait(SECONDS))

    def test_lost_answer(self):
        """The answer to an accepted edit is lost; what somebody else makes of it meanwhile stays."""
        file = self.lose_answer({"lamp": 1, "door": 1}, '{"lamp": 2, "door": 7}')
        until(lambda: self.level()["document"]["door"] == 7, "anna's next edit")
        self.assertEqual({"lamp": 1, "door": 7}, self.level()["document"])
        until(lambda: json.loads(file.read_text()) == {"lamp": 1, "door": 7}, "bert's change in anna's file")
        self.assertFalse((self.folder / "anna.json.refused").exists())

    def test_lost_answer_and_a_conflict(self):
        """The next edit, which is in conflict with what somebody else has made, is kept beside."""
        file = self.lose_answer({"lamp": 1, "door": 5}, '{"lamp": 2, "door": 7}')
        until(lambda: json.loads(file.read_text()) == {"lamp": 1, "door": 5}, "the shared document in anna's file")
        self.assertEqual({"lamp": 2, "door": 7}, json.loads((self.folder / "anna.json.refused").read_text()))
        self.assertEqual({"revision": 3, "document": {"lamp": 1, "door": 5}}, self.level())

    def lose_answer(self, bert, then):
        """Anna's edit of the lamp is accepted, and the answer lost; bert edits; then `then` is saved as anna's file."""
        self.serve(document={"lamp": 1, "door": 1})
        lost = threading.Event()  # the answer to an edit was lost; nothing gets through then
        heard = threading.Event()
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def forward(asked):
            request = b""
            while b"\r\n\r\n" not in request:
                request += asked.recv(65536)
            head, _, body = request.partition(b"\r\n\r\n")
            lines = head.split(b"\r\n")
            length = sum(int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length"))
            while len(body) < length:
                body += asked.recv(65536)
            lines = [b"Host: 127.0.0.1:%d" % self.port if line.lower().startswith(b"host") else line for line in lines]
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as server:
                server.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
                answer = b""
                while part := server.recv(65536):
                    answer += part
            if request.startswith(b"POST") and not heard.is_set():
                lost.set()
                return
            asked.sendall(answer)

        def relay():
            while True:
                try:
                    asked, _ = listener.accept()
                except OSError:
                    return
                with asked:
                    if not lost.is_set() or heard.is_set():
                        forward(asked)
        threading.Thread(target=relay, daemon=True).start()

        file = self.folder / "anna.json"
        self.start("join", listener.getsockname()[1], "anna.json", "--author", "anna", "--seconds", 100)
        until(file.exists, "anna's file")
        file.write_text('{"lamp": 2, "door": 1}')
        until(lost.is_set, "a lost answer")
        level = self.level()
        self.assertEqual({"lamp": 2, "door": 1}, level["document"])
        self.assertEqual(200, self.edit(level["revision"], "bert", bert)[0])
        file.write_text(then)  # goes on top of the edit whose answer was lost
        heard.set()
        return file

    def test_each_refused_change_is_kept(self):
        self.serve(document={"lamp": 1})
        client = self.start("join", self.port, "anna.json", "--author", "anna", "--seconds", 100)
        file = self.folder / "anna.json"
        until(file.exists, "anna's file")
        for number, kept in ((10, "anna.json.refused"), (20, "anna.json.refused.2")):
            client.send_signal(signal.SIGSTOP)
            level = self.level()
            self.assertEqual(200, self.edit(level["revision"], "bert", {"lamp": number})[0])
            file.write_text(json.dumps({"lamp": -number}))
            client.send_signal(signal.SIGCONT)
            until(lambda: json.loads(file.read_text()) == {"lamp": number}, "the shared document")
            self.assertEqual({"lamp": -number}, json.loads((self.folder / kept).read_text()))

    def test_strangers_take_little(self):
        """Long bodies without the token, half requests and more connections than there is room for."""
        self.serve(document={"a": 1})
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as stranger:
            stranger.sendall(b"POST /edit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n")
            self.assertIn(b" 413 ", stranger.recv(65536).split(b"\r\n")[0])
        halves = [socket.create_connection(("127.0.0.1", self.port), timeout=10) for _ in range(80)]
        for half in halves:
            try:
                half.sendall(b"POST /edit HTTP/1.1\r\n")
            except OSError:
                pass  # one of those for which there was no room
        for half in halves:
            half.close()

        def is_there():
            try:
                return self.level() == {"revision": 1, "document": {"a": 1}}
            except (OSError, http.client.HTTPException):
                return False
        until(is_there, "an answer")

    def test_files_that_are_no_logs_are_left(self):
        (self.folder / "level.json").write_text('{"lamp": 1}\n')
        for arguments in (["history", "level.json"], ["serve", "level.json", "--file", "level.json"]):
            ended = self.run_once(*arguments)
            self.assertEqual(1, ended.returncode)
            self.assertIn("no log", ended.stderr)
            self.assertEqual('{"lamp": 1}\n', (self.folder / "level.json").read_text())
        self.assertIn("not found", self.run_once("history", "none").stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_a_log_has_one_server(self):
        self.serve(document={"a": 1})
        ended = self.run_once("serve", "level.log", "--seconds", 10)
        self.assertEqual(1, ended.returncode)
        self.assertIn("another session has it", ended.stderr)
        self.assertEqual({"revision": 1, "document": {"a": 1}}, self.level())

    def test_requests_that_are_refused(self):
        self.serve(document={"a": 1})
        good = json.dumps({"base": 1, "author": "anna", "document": {"a": 2}})
        for status, words, asked in (
                (403, "token", dict(method="GET", target="/document?after=0", token="another")),
                (403, "from there", dict(method="POST", target="/edit", body=good, Origin="http://evil.example")),
                (403, "from there", dict(method="GET", target="/document?after=0", Host="evil.example")),
                (404, "no such", dict(method="GET", target="/")),
                (404, "no such", dict(method="PUT", target="/edit", body=good)),
                (400, "after", dict(method="GET", target="/document?after=-1")),
                (400, "JSON", dict(method="POST", target="/edit", body="{")),
                (400, "levels", dict(method="POST", target="/edit", body="[" * 1000)),
                (400, "base", dict(method="POST", target="/edit", body=good.replace("1,", '"1",', 1))),
                (410, "base", dict(method="POST", target="/edit", body=good.replace("1,", "7,", 1))),
                (400, "author", dict(method="POST", target="/edit", body=good.replace("anna", "an na"))),
                (400, "document", dict(method="POST", target="/edit", body='{"base": 1, "author": "anna"}')),
        ):
            with self.subTest(words=words, **asked):
                answer = self.ask(**asked)
                self.assertEqual(status, answer[0], answer)
                self.assertIn(words, answer[1]["error"])
        self.assertEqual({"revision": 1, "document": {"a": 1}}, self.level())
        self.assertEqual((204, None), self.ask("GET", "/document?after=1"))

    def test_bad_arguments(self):
        for status, words, arguments in ((2, "LOG", ["serve"]), (2, "--port", ["serve", "log", "--port", "70000"]),
                                         (1, "log: document not found", ["serve", "log"]),
                                         (1, "none", ["serve", "log", "--file", "none"]),
                                         (1, "no/log: log not found", ["history", "no/log"]),
                                         (2, "--author", ["join", "80", "file"])):
            with self.subTest(arguments=arguments):
                ended = self.run_once(*arguments)
                self.assertEqual(status, ended.returncode, ended.stderr)
                self.assertEqual(1, ended.stderr.count("\n"), ended.stderr)
                self.assertIn(words, ended.stderr)


if __name__ == "__main__":
    unittest.main()
