"""The services of the Remote Execution API v2 that Bazel asks for, over a Store and Actions.

Source: the API's own comments, in remote_execution.proto and bytestream.proto.
"""

import concurrent.futures
import re
import threading
import uuid

import grpc
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as services
from buildstream._protos.build.bazel.semver import semver_pb2
from buildstream._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc
from buildstream._protos.google.longrunning import operations_pb2
from google.protobuf import any_pb2

from actions import TimedOut
from store import Missing, Wrong

CHUNK = 1 << 20
BLOB = re.compile(r"(?:.*/)?blobs/([0-9a-f]{64})/(\d+)(?:/.*)?")


class Capabilities(services.CapabilitiesServicer):
    def GetCapabilities(self, request, context):
        return api.ServerCapabilities(
            cache_capabilities=api.CacheCapabilities(
                digest_function=[api.SHA256], max_batch_total_size_bytes=CHUNK,
                action_cache_update_capabilities=api.ActionCacheUpdateCapabilities(update_enabled=True)),
            execution_capabilities=api.ExecutionCapabilities(digest_function=api.SHA256, exec_enabled=True),
            low_api_version=semver_pb2.SemVer(major=2), high_api_version=semver_pb2.SemVer(major=2))


class Contents(services.ContentAddressableStorageServicer):
    def __init__(self, store):
        self.store = store

    def FindMissingBlobs(self, request, context):
        return api.FindMissingBlobsResponse(
            missing_blob_digests=[digest for digest in request.blob_digests if not self.store.has(digest)])

    def BatchUpdateBlobs(self, request, context):
        response = api.BatchUpdateBlobsResponse()
        for blob in request.requests:
            one = response.responses.add(digest=blob.digest)
            try:
                self.store.put(blob.digest, blob.data)
            except Wrong as error:
                one.status.code, one.status.message = grpc.StatusCode.INVALID_ARGUMENT.value[0], str(error)
        return response


class Streams(bytestream_pb2_grpc.ByteStreamServicer):
    def __init__(self, store):
        self.store = store

    def _digest(self, name, context):
        match = BLOB.fullmatch(name)
        if not match:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"{name} names no blob")
        return api.Digest(hash=match[1], size_bytes=int(match[2]))

    def Read(self, request, context):
        try:
            contents = self.store.get(self._digest(request.resource_name, context))
        except Missing:
            context.abort(grpc.StatusCode.NOT_FOUND, request.resource_name)
        for begin in range(request.read_offset, len(contents), CHUNK):
            yield bytestream_pb2.ReadResponse(data=contents[begin:begin + CHUNK])

    def Write(self, requests, context):
        digest, contents = None, bytearray()
        for request in requests:
            digest = digest or self._digest(request.resource_name, context)
            if request.write_offset != len(contents):
                context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a part is missing")
            contents += request.data
        try:
            self.store.put(digest, bytes(contents))
        except Wrong as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        return bytestream_pb2.WriteResponse(committed_size=len(contents))

    def QueryWriteStatus(self, request, context):
        """Nothing is kept of a write that broke off: it begins again."""
        digest = self._digest(request.resource_name, context)
        complete = self.store.has(digest)
        return bytestream_pb2.QueryWriteStatusResponse(committed_size=digest.size_bytes if complete else 0,
                                                       complete=complete)


class Results(services.ActionCacheServicer):
    def __init__(self, store):
        self.store = store

    def GetActionResult(self, request, context):
        result = self.store.result(request.action_digest)
        if result is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "no result")
        return result

    def UpdateActionResult(self, request, context):
        self.store.set_result(request.action_digest, request.action_result)
        return request.action_result


class Execution(services.ExecutionServicer):
    """An operation is known by its name, also to an executor that was started after it began."""

    def __init__(self, store, actions, workers, log):
        self.store = store
        self.actions = actions
        self.log = log
        self.pool = concurrent.futures.ThreadPoolExecutor(workers)
        self.lock = threading.RLock()  # a future that is done already calls back at once
        self.under_way = {}  # by the action's hash: the future that has its response

    def Execute(self, request, context):
        name = uuid.uuid4().hex
        self.store.set_operation(name, request.action_digest)
        yield from self._follow(name, request.action_digest, request.skip_cache_lookup)

    def WaitExecution(self, request, context):
        action = self.store.operation(request.name)
        if action is None:
            context.abort(grpc.StatusCode.NOT_FOUND, f"no operation {request.name}")
        yield from self._follow(request.name, action, False)

    def _follow(self, name, digest, again):
        with self.lock:
            future = self.under_way.get(digest.hash)
            if future is None:
                future = self.under_way[digest.hash] = self.pool.submit(self._respond, digest, again)
                future.add_done_callback(lambda _: self._forget(digest))
        yield operations_pb2.Operation(name=name)
        response = any_pb2.Any()
        response.Pack(future.result())
        yield operations_pb2.Operation(name=name, done=True, response=response)

    def _forget(self, digest):
        with self.lock:
            del self.under_way[digest.hash]

    def _respond(self, digest, again):
        response = api.ExecuteResponse()
        try:
            action = self.store.message(api.Action, digest)
            known = None if again else self.store.result(digest)
            if known is not None:
                response.result.CopyFrom(known)
                response.cached_result = True
                return response
            self.log("begins", digest)
            response.result.CopyFrom(self.actions.run(action))
            # A failure may pass the next time.
            if response.result.exit_code == 0 and not action.do_not_cache:
                self.store.set_result(digest, response.result)
            self.log("ended", digest)
        except TimedOut as error:
            response.result.CopyFrom(error.args[0])
            response.status.code = grpc.StatusCode.DEADLINE_EXCEEDED.value[0]
            response.status.message = "the action took longer than it may"
        except Missing as error:
            response.status.code = grpc.StatusCode.FAILED_PRECONDITION.value[0]
            response.status.message = f"no blob {error.args[0].hash}"
        except OSError as error:
            response.status.code = grpc.StatusCode.INTERNAL.value[0]
            response.status.message = str(error)
        return response
