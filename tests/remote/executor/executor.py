#!/usr/bin/python3
"""An executor of the Remote Execution API on loopback, for the tests alone.

usage: executor.py FOLDER PORT WORKERS

Serves on 127.0.0.1:PORT (0: any) until it is killed, and prints "ready PORT". All that it knows is in
FOLDER, so that another one can go on there. FOLDER/log has a line for each action that begins or
ended. It trusts its clients: an action may do what its user may.

The API's stubs are those of Debian's python3-buildstream, the only package that has them.
"""

import concurrent.futures
import pathlib
import sys

import grpc

from actions import Actions
from services import Capabilities, Contents, Execution, Results, Streams, bytestream_pb2_grpc, services
from store import Store

# Each operation that is waited for holds a thread.
THREADS = 200


def main(folder, port, workers):
    folder = pathlib.Path(folder)
    store = Store(folder / "store")
    log = open(folder / "log", "a", encoding="utf-8", buffering=1)  # a line at a time
    execution = Execution(store, Actions(store, folder), workers,
                          lambda what, digest: log.write(f"{what} {digest.hash}\n"))
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(THREADS), options=[("grpc.so_reuseport", 0)])
    services.add_CapabilitiesServicer_to_server(Capabilities(), server)
    services.add_ContentAddressableStorageServicer_to_server(Contents(store), server)
    services.add_ActionCacheServicer_to_server(Results(store), server)
    services.add_ExecutionServicer_to_server(execution, server)
    bytestream_pb2_grpc.add_ByteStreamServicer_to_server(Streams(store), server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    if bound == 0:
        sys.exit(f"executor: port {port} is taken")
    server.start()
    print(f"ready {bound}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
