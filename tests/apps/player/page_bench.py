#!/usr/bin/python3
"""How long the page's own script takes a frame, and how large page and recording are.

    bazel build --config=opt //src/apps/player
    tests/apps/player/page_bench.py [--bodies 5000] [--seconds 4]

A recorded pile is looked at frame by frame in a headless Chromium. "read" is a message and the scene made of it, "draw"
the picture up to the calls of WebGL, and "text" a picture and a slice of the timeline and the figures, which the page
renews four times a second in as many frames.
Pixels are not drawn within these times: that is the graphics card's work, or another process's.
"""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "models/kit/counterexample/page"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

PLAYER = ROOT / ".bazel/bin/src/apps/player/player"
_TIMES = """
const parts = {read: [], draw: [], text: []};
const timed = (name, work) => {
  const begin = performance.now();
  work();
  parts[name].push(performance.now() - begin);
};
nowait.source.Pause(true);
nowait.Seek(0);
for (let frame = 1; frame <= nowait.source.last; ++frame) {
  timed("read", () => nowait.Seek(frame));
  timed("draw", () => { nowait.texted = performance.now(); nowait.Draw(nowait.texted); });
  if (frame % 8 !== 0) continue;
  // In slices, one a frame; each with the picture, as it is in the page.
  nowait.texted = -Infinity;
  do {
    nowait.stale = true;
    timed("text", () => nowait.Draw(performance.now()));
  } while (nowait.slices.length > 0);
}
return Object.entries(parts).map(([name, times]) => {
  const sorted = times.sort((a, b) => a - b);
  return [name, sorted[Math.floor(sorted.length / 2)], sorted[Math.floor(0.95 * sorted.length)]];
});
"""


class Page(Browser):
    flags = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")


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
    for name, median, late in page.driver.execute_script(_TIMES):
        print(f"{name:5} {median:6.2f} ms median, {late:6.2f} ms in the 95th percentile")


if __name__ == "__main__":
    main()
