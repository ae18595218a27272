"""The programs that the builder runs: pandoc, Graphviz, KaTeX, esbuild."""

import functools
import json
import pathlib
import re
import shutil
import subprocess

from nowait.learn.complaint import Complaint

HERE = pathlib.Path(__file__).resolve().parent
_PACKAGES = {"pandoc": "pandoc", "dot": "graphviz", "node": "katex", "esbuild": "esbuild"}
_DATA = {
    "/usr/share/javascript/katex/katex.min.css": "katex",
    "/usr/share/fonts/truetype/katex/KaTeX_Main-Regular.woff2": "fonts-katex",
    "/usr/share/nodejs/katex/dist/katex.js": "katex",
    "/usr/share/javascript/lunr/lunr.min.js": "libjs-lunr",
}


def check_all():
    """What is missing, in one line."""
    missing = [f"{package} ({tool})" for tool, package in _PACKAGES.items() if not shutil.which(tool)]
    missing += [f"{package} ({path})" for path, package in _DATA.items() if not pathlib.Path(path).is_file()]
    if missing:
        raise Complaint("learn", 0, "missing Debian packages: " + ", ".join(missing))


@functools.lru_cache(maxsize=4096)
def _run(command, given, cwd=None):
    done = subprocess.run(command, input=given.encode(), capture_output=True, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def pandoc_says(text, arguments, where):
    """What comes out, and what pandoc has to say about it."""
    status, out, err = _run(("pandoc", *arguments), text)
    if status != 0:
        found = re.search(r"line (\d+)", err)
        raise Complaint(where, int(found[1]) if found else 1, "pandoc: " + " ".join(err.split()))
    return out, " ".join(err.split())


def pandoc(text, arguments, where):
    out, said = pandoc_says(text, arguments, where)
    if said:
        raise Complaint(where, 1, f"pandoc: {said}")
    return out


_CUT = "<!--nowait: the next one-->"


def to_html(api, pieces, where):
    """The HTML of each list of blocks. One call for all of them: most of what pandoc takes is its start."""
    blocks = []
    for piece in pieces:
        blocks += [*piece, {"t": "RawBlock", "c": ["html", _CUT]}]
    document = {"pandoc-api-version": api, "meta": {}, "blocks": blocks}
    out = pandoc(json.dumps(document), ("-f", "json", "-t", "html5", "--wrap=preserve"), where)
    return [piece.strip() for piece in out.split(_CUT)[:-1]]


def dot(text, where, line):
    status, out, err = _run(("dot", "-Tsvg", "-Gbgcolor=transparent", "-Gfontname=Helvetica", "-Nfontname=Helvetica",
                             "-Efontname=Helvetica", "-Nfontsize=13", "-Efontsize=12", "-Nshape=box",
                             "-Nmargin=0.16,0.08"), text)
    if status != 0 or "rror" in err:
        raise Complaint(where, line, "dot: " + " ".join(err.split()))
    return out


def formulas(items):
    """For each (tex, display) KaTeX's HTML, or None and what is wrong."""
    if not items:
        return {}
    status, out, err = _run(("node", str(HERE / "formulas.js")), json.dumps(items))
    if status != 0:
        raise Complaint("learn", 0, "KaTeX: " + " ".join(err.split())[:300])
    return dict(zip(items, json.loads(out)))


def bundle(text, folder, where):
    """The modules that an entry module (as text) imports, and itself, as one classic script: file:// loads no other."""
    done = subprocess.run(["esbuild", "--bundle", "--format=iife", "--charset=utf8", "--log-level=error", "--color=false",
                           "--legal-comments=none"], input=text.encode(), capture_output=True, cwd=folder)
    if done.returncode != 0:
        said = done.stderr.decode()
        place = re.search(r"^\s+(\S+):(\d+):\d+:$", said, re.M)
        what = re.search(r"\[ERROR\] (.*)", said)
        raise Complaint(f"{where}/{place[1]}" if place else where, place[2] if place else 0,
                        "esbuild: " + (what[1] if what else " ".join(said.split())))
    return done.stdout.decode()
