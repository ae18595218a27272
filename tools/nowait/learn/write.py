"""Puts a site into a folder: all of it, or nothing."""

import os
import pathlib
import shutil
import tempfile

from nowait.learn.complaint import Complaint
from nowait.learn.site_files import MARK


def check_target(out):
    """The folder may be made, or is one that was written by this program, or is empty."""
    out = pathlib.Path(out)
    if out.exists():
        if not out.is_dir():
            raise Complaint(out, 0, "is not a folder")
        if not (out / MARK).is_file() and any(out.iterdir()):
            raise Complaint(out, 0, "is not empty and not a site of the course; it stays as it is")
        writable = os.access(out.absolute().parent, os.W_OK)
    else:
        above = next(path for path in out.absolute().parents if path.exists())
        writable = above.is_dir() and os.access(above, os.W_OK)
    if not writable:
        raise Complaint(out, 0, "cannot be written")


def write(files, out):
    check_target(out)
    out = pathlib.Path(out).absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    made = pathlib.Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
    try:
        for name, content in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        made.chmod(0o755)
        if out.exists():
            old = pathlib.Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
            os.rename(out, old / "site")
            os.rename(made, out)
            shutil.rmtree(old)
        else:
            os.rename(made, out)
    except OSError as error:
        raise Complaint(out, 0, f"cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
