"""What grading is done with: the checkout as its last commit has it.

Where nothing that is compiled differs from the commit, the checkout is that. Where something does (a scenario that
was made easier, or honest work that goes on), the commit is unpacked below .nowait and graded with there: slower the
first time, since Bazel begins anew. The student's own files come from neither (repository.py).
"""

import pathlib
import shutil
import subprocess
import tempfile

from nowait.exercise.catalogue import Complaint

# The files that a grade can depend on.
GRADED = (".bazelignore", ".bazelrc", "BUILD", "WORKSPACE", "lectures", "models", "src", "tests", "third_party", "tools")
TEXT = ".md"  # nothing of it is compiled; the task is shown as it stands


def _git(root, *arguments, **settings):
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False, **settings)


def has_history(root):
    return shutil.which("git") is not None and (pathlib.Path(root) / ".git").exists()


def changed(root):
    """The files that a grade can depend on and that differ from the last commit."""
    done = _git(root, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", *GRADED, text=True)
    if done.returncode != 0:
        raise Complaint("git: " + (done.stderr.strip().splitlines() or ["status failed"])[0])
    paths = [entry[3:] for entry in done.stdout.split("\0") if entry]
    return [path for path in paths if not path.endswith(TEXT)]


def commit_of(root):
    done = _git(root, "rev-parse", "HEAD", text=True)
    if done.returncode != 0:
        raise Complaint("git: " + (done.stderr.strip().splitlines() or ["there is no commit"])[0])
    return done.stdout.strip()


def unpack(root):
    """The last commit below .nowait; made again only when it is another one."""
    commit = commit_of(root)
    copy = pathlib.Path(root) / ".nowait/pristine"
    stamp = copy / ".commit"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == commit:
        return copy
    copy.parent.mkdir(exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(dir=copy.parent, prefix="pristine."))
    try:
        archive = _git(root, "archive", commit)
        if archive.returncode != 0:
            raise Complaint("git: the commit cannot be unpacked")
        subprocess.run(["tar", "-x", "-C", str(scratch)], input=archive.stdout, check=True)
        (scratch / ".commit").write_text(commit, encoding="utf-8")
        shutil.rmtree(copy, ignore_errors=True)
        scratch.chmod(0o755)
        scratch.rename(copy)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return copy


def root_for_grading(root, say):
    """Where the checks are taken from."""
    if not has_history(root):
        say("this folder has no history of git: the checks are taken as they stand")
        return pathlib.Path(root)
    differing = changed(root)
    if not differing:
        return pathlib.Path(root)
    more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
    say(f"{differing[0]}{more} differ{'' if more else 's'} from the last commit: graded in a copy of the commit, "
        ".nowait/pristine; the first time takes minutes")
    return unpack(root)
