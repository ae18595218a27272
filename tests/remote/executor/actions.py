"""Runs one action of the Remote Execution API: its inputs in a folder of their own, nothing else."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api


class TimedOut(Exception):
    """The action ran longer than it was allowed to; its result so far is the argument."""


class Actions:
    def __init__(self, store, folder):
        """folder: where actions run, and where `running` says which process groups do."""
        self.store = store
        self.work = pathlib.Path(folder) / "work"
        self.running = pathlib.Path(folder) / "running"
        # Actions that a killed executor had begun are begun again, elsewhere.
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.rmtree(self.running, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.running.mkdir(parents=True)

    def run(self, action):
        command = self.store.message(api.Command, action.command_digest)
        with tempfile.TemporaryDirectory(dir=self.work) as root:
            root = pathlib.Path(root)
            self._lay_out(action.input_root_digest, root)
            here = root / command.working_directory
            for name in (*command.output_files, *command.output_directories):
                (here / name).parent.mkdir(parents=True, exist_ok=True)
            limit = action.timeout.seconds if action.HasField("timeout") else None
            code, stdout, stderr, timed_out = self._execute(command, here, limit)
            result = api.ActionResult(exit_code=code, stdout_digest=self.store.add(stdout),
                                      stderr_digest=self.store.add(stderr))
            self._collect(command, here, result)
        if timed_out:
            raise TimedOut(result)
        return result

    def _lay_out(self, digest, folder):
        directory = self.store.message(api.Directory, digest)
        for file in directory.files:
            path = folder / file.name
            path.write_bytes(self.store.get(file.digest))
            path.chmod(0o555 if file.is_executable else 0o444)
        for link in directory.symlinks:
            (folder / link.name).symlink_to(link.target)
        for child in directory.directories:
            (folder / child.name).mkdir()
            self._lay_out(child.digest, folder / child.name)

    def _execute(self, command, here, limit):
        environment = {variable.name: variable.value for variable in command.environment_variables}
        process = subprocess.Popen(list(command.arguments), cwd=here, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        note = self.running / str(process.pid)
        note.touch()
        try:
            stdout, stderr = process.communicate(timeout=limit)
            return process.returncode, stdout, stderr, False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            return process.returncode, stdout, stderr, True
        finally:
            note.unlink()

    def _collect(self, command, here, result):
        """The outputs that the action was to write and did write; the client complains about the missing ones."""
        for name in command.output_files:
            path = here / name
            if path.is_file():
                result.output_files.add(path=name, digest=self.store.add(path.read_bytes()),
                                        is_executable=os.access(path, os.X_OK))
        for name in command.output_directories:
            path = here / name
            if path.is_dir():
                tree = api.Tree()
                tree.root.CopyFrom(self._directory(path, tree))
                result.output_directories.add(path=name,
                                              tree_digest=self.store.add(tree.SerializeToString()))

    def _directory(self, folder, tree):
        directory = api.Directory()
        for path in sorted(folder.iterdir()):
            if path.is_symlink():
                directory.symlinks.add(name=path.name, target=os.readlink(path))
            elif path.is_dir():
                child = self._directory(path, tree)
                tree.children.append(child)
                directory.directories.add(name=path.name,
                                          digest=self.store.add(child.SerializeToString()))
            else:
                directory.files.add(name=path.name, digest=self.store.add(path.read_bytes()),
                                    is_executable=os.access(path, os.X_OK))
        return directory
