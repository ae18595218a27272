"""An executor's files: blobs by their digest, results by their action's, operations by name.

A file appears under its name whole or not at all, so an executor that is killed leaves nothing wrong:
what it stored is there for the next one that opens the same folder.
"""

import hashlib
import os
import pathlib
import tempfile

from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api


class Missing(Exception):
    """A blob that is not there; its digest is the argument."""


class Wrong(Exception):
    """Contents that do not match their digest."""


def digest_of(contents):
    return api.Digest(hash=hashlib.sha256(contents).hexdigest(), size_bytes=len(contents))


class Store:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("blobs", "results", "operations", "coming"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    # Blobs. The empty one is always there: clients need not send it.

    def blob_path(self, digest):
        return self.folder / "blobs" / digest.hash

    def has(self, digest):
        return digest.size_bytes == 0 or self.blob_path(digest).exists()

    def put(self, digest, contents):
        found = digest_of(contents)
        if found != digest:
            raise Wrong(f"{digest.hash}/{digest.size_bytes} was sent as {found.hash}/{found.size_bytes}")
        if not self.has(digest):
            self._write("blobs", digest.hash, contents)

    def add(self, contents):
        digest = digest_of(contents)
        self.put(digest, contents)
        return digest

    def get(self, digest):
        if digest.size_bytes == 0:
            return b""
        try:
            return self.blob_path(digest).read_bytes()
        except FileNotFoundError:
            raise Missing(digest) from None

    def message(self, kind, digest):
        """A blob that is a message of the API."""
        return kind.FromString(self.get(digest))

    # Results. One that names a blob which is gone does not count.

    def result(self, action):
        try:
            found = api.ActionResult.FromString((self.folder / "results" / action.hash).read_bytes())
        except FileNotFoundError:
            return None
        return found if all(self.has(digest) for digest in self._named_by(found)) else None

    def _named_by(self, result):
        yield from (file.digest for file in result.output_files)
        yield from (result.stdout_digest, result.stderr_digest)
        for directory in result.output_directories:
            yield directory.tree_digest
            if self.has(directory.tree_digest):
                tree = self.message(api.Tree, directory.tree_digest)
                for folder in (tree.root, *tree.children):
                    yield from (file.digest for file in folder.files)

    def set_result(self, action, result):
        self._write("results", action.hash, result.SerializeToString())

    # Operations: which action each is, for a client that asks again after a restart.

    def set_operation(self, name, action):
        self._write("operations", name, action.SerializeToString())

    def operation(self, name):
        try:
            return api.Digest.FromString((self.folder / "operations" / name).read_bytes())
        except FileNotFoundError:
            return None

    def _write(self, folder, name, contents):
        with tempfile.NamedTemporaryFile(dir=self.folder / "coming", delete=False) as file:
            file.write(contents)
        os.replace(file.name, self.folder / folder / name)
