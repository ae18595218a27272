#!/usr/bin/python3
"""How long the page's own script takes a frame, and how large page and recording are.

    bazel build --config=opt //src/apps/player
    tests/apps/player/page_bench.py [--bodies 5000] [--seconds 4]

A recorded pile is looked at frame by frame in a headless Chromium. "read" is a message and the scene made of it, "draw"
the picture up to the calls of WebGL, and "text" a picture and a slice of the timeline and the figures, which the page
renews four times a second at most, a slice a frame. "frame" is all of it: a message, a picture, and in most frames a slice.
Pixels are not drawn: that is the graphics card's work, or another process's. The recording is looked
at several times, and a frame's time is the median of the passes: in a single one another program may have had the core.
"least" is the frame's time in the fastest pass, without the collections of garbage that some passes have.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "models/kit/counterexample/page"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

PLAYER = ROOT / ".bazel/bin/src/apps/player/player"
# A pass over the recording: for each frame the milliseconds of the message and of the picture, and the number of the slice
# of the text that came with the picture, or -1.
_PASS = """
const every = 8;  // frames, from one text to the next one, if that has no more slices
const rows = [];
nowait.source.Pause(true);
nowait.Seek(0);
nowait.texted = Infinity;
nowait.slices = [];
let begun = 0;  // with the frame
let slice = -1;
for (let frame = 1; frame <= nowait.source.last; ++frame) {
  const begin = performance.now();
  nowait.Seek(frame);
  const read = performance.now();
  if (nowait.slices.length === 0 && frame - begun >= every) {
    [nowait.slices, begun, slice] = [nowait.TextSlices(), frame, -1];
  }
  slice = nowait.slices.length > 0 ? slice + 1 : -1;
  nowait.stale = true;
  nowait.Draw(read);
  rows.push([read - begin, performance.now() - read, slice]);
}
return rows;
"""
_PASSES = 9
# The calls that make the software renderer work, which then keeps the page's thread waiting.
_NO_PIXELS = """
for (const name of ["drawArrays", "drawArraysInstanced", "clear"]) WebGL2RenderingContext.prototype[name] = () => {};
nowait.source.Pause(true);
"""


class Page(Browser):
    flags = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")


def measure(page):
    """The times by part, each a list: of a frame, the median of the passes; "least": the fastest one, of all parts."""
    page.driver.execute_script(_NO_PIXELS)
    passes = [page.driver.execute_script(_PASS) for _ in range(_PASSES)]
    times = {"read": [], "draw": [], "text": [], "frame": [], "least": []}
    for rows in zip(*passes):
        read, draw, whole = (statistics.median(of(row) for row in rows)
                             for of in (lambda row: row[0], lambda row: row[1], lambda row: row[0] + row[1]))
        times["read"].append(read)
        times["draw" if rows[0][2] < 0 else "text"].append(draw)
        times["frame"].append(whole)
        times["least"].append(min(row[0] + row[1] for row in rows))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=4)
    options = parser.parse_args()
    Page.setUpClass()
    file = pathlib.Path(Page.folder.name) / "bench.html"
    subprocess.run([PLAYER, "pile", "--headless", "--bodies", str(options.bodies), "--seconds", str(options.seconds),
                    "--threads", str(min(2, os.cpu_count())), "--export", file], check=True, stdout=subprocess.DEVNULL)
    page = Page()
    page.driver.set_window_size(1400, 1000)
    page.visit(file)
    page.until(lambda: page.driver.execute_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
    text = file.read_text()
    recording = text.index("</script>", text.index('id="recording">')) - text.index('id="recording">')
    print(f"{options.bodies} bodies, {options.seconds} s: page {len(text) - recording} bytes, recording {recording} bytes")
    for name, times in measure(page).items():
        times.sort()
        print(f"{name:5} {times[len(times) // 2]:6.2f} ms median, {times[len(times) * 95 // 100]:6.2f} ms in the 95th percentile")


if __name__ == "__main__":
    main()
