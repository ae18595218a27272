"""Makes the course's site: ./nowait learn."""

import argparse
import pathlib
import signal
import sys

sys.dont_write_bytecode = True

from complaint import Complaint  # noqa: E402
import serve  # noqa: E402
import site_files  # noqa: E402
import write  # noqa: E402


def _port(text):
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError
    return port


def _arguments(words):
    parser = argparse.ArgumentParser(prog="learn", allow_abbrev=False)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--gallery", type=pathlib.Path, help="the pages of ./nowait gallery")
    parser.add_argument("--port", type=_port, default=8000)
    parser.add_argument("--build", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--check", action="store_true", help="without --gallery its pages are not looked for")
    parser.add_argument("--try-port", type=_port, metavar="N", help="only whether it can be had")
    parser.add_argument("--try-build", type=pathlib.Path, metavar="DIR", help="only whether it may be written")
    arguments = parser.parse_args(words)
    alone = arguments.check or arguments.try_port is not None or arguments.try_build
    if not alone and not arguments.gallery:
        parser.error("--gallery is missing")
    return arguments


def _do(words):
    arguments = _arguments(words)
    root = arguments.root.absolute()

    def build():
        return site_files.build(root, arguments.gallery)

    if arguments.try_port is not None:
        serve.open_port(arguments.try_port)[0].server_close()
    elif arguments.try_build:
        write.check_target(arguments.try_build)
    elif arguments.check:
        files = build()
        print(f"{sum(name.endswith('.html') for name in files)} pages: nothing to complain of")
    elif arguments.build:
        write.check_target(arguments.build)
        write.write(build(), arguments.build)
        print(arguments.build / "index.html")
    else:
        serve.serve(*serve.open_port(arguments.port), root, build)


def main(words):
    """Exit status: 0, 1 and one line on stderr for what is wrong in the course, or 130 after Ctrl-C."""
    try:
        _do(words)
    except Complaint as complaint:
        print(complaint, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
