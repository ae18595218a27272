// The timeline: a lane for each thread, its spans over the last frames.

import {ColourOfName} from "./colours.js";
import {h, Replace} from "./dom.js";

const kFrames = 24;      // that are kept
const kRow = 26;         // pixels of a lane
const kLabel = 84;       // pixels of the lanes' names
const kWindows = [0.5, 1, 2, 5, 10, 20, 40, 100, 200, 400, 800];  // milliseconds that are seen

export class Timeline {
  constructor() {
    this.frames = [];  // {begin, end, spans}
    this.lanes = [];
    this.window = null;  // of kWindows; the first frame chooses it
    this.canvas = h("canvas", {class: "lanes", role: "img", "aria-label": "The threads' work, a lane a thread"});
    this.legend = h("ul", {class: "legend"});
    this.width = h("output", {});
    this.element = h("section", {class: "timeline", "aria-labelledby": "threads"},
        h("div", {class: "line"}, h("h2", {id: "threads"}, "Threads"),
          h("button", {type: "button", class: "small nearer", "aria-label": "A shorter time", onclick: () => this.Zoom(-1)}, "+"),
          h("button", {type: "button", class: "small farther", "aria-label": "A longer time", onclick: () => this.Zoom(1)}, "\u2212"),
          this.width, this.legend),
        this.canvas);
    this.named = [];
  }

  Zoom(by) {
    this.window = Math.max(0, Math.min(kWindows.length - 1, this.window + by));
    this.Draw();
  }

  Clear() { this.frames = []; }

  Add(scene) {
    this.lanes = scene.lanes;
    this.names = scene.names;
    this.frames.push({begin: scene.frame.begin, end: scene.frame.end, spans: scene.spans});
    if (this.frames.length > kFrames) this.frames.shift();
    if (this.window !== null) return;
    const work = (scene.frame.end - scene.frame.begin) / 1e6;
    this.window = Math.max(0, kWindows.findIndex((window) => window > 1.2 * work));
  }

  // The spans that are seen: {lane, name, begin, end}, the outer ones first.
  Seen() {
    if (this.frames.length === 0) return {spans: [], begin: 0, end: 1};
    const end = this.frames.at(-1).end;
    const begin = end - kWindows[this.window] * 1e6;
    const spans = this.frames.flatMap((frame) => frame.spans)
        .filter((span) => span.end > begin && span.begin < end)
        .sort((a, b) => a.begin - b.begin || b.end - a.end);
    return {spans, begin, end};
  }

  Draw() {
    const scale = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = Math.max(1, this.lanes.length) * kRow;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
    this.width.textContent = this.window === null ? "" : `${kWindows[this.window]} ms`;
    const paint = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    paint.scale(scale, scale);
    paint.font = "12px system-ui, sans-serif";
    paint.textBaseline = "middle";
    const {spans, begin, end} = this.Seen();
    const x = (time) => kLabel + (time - begin) / (end - begin) * (width - kLabel);
    this.lanes.forEach((lane, i) => {
      paint.fillStyle = style.color;
      paint.fillText(lane, 2, (i + 0.5) * kRow, kLabel - 8);
      paint.fillStyle = style.backgroundColor;
      paint.fillRect(kLabel, i * kRow + 1, width - kLabel, kRow - 2);
    });
    this.DrawSpans(paint, spans, x, width);
    paint.fillStyle = style.color;
    for (const frame of this.frames) {
      if (frame.begin >= begin) paint.fillRect(x(frame.begin), 0, 1, height);
    }
    this.Legend(spans);
  }

  DrawSpans(paint, spans, x, width) {
    const open = this.lanes.map(() => []);  // ends of the spans around the next one
    for (const span of spans) {
      const around = open[span.lane];
      if (!around) continue;
      while (around.length > 0 && around.at(-1) <= span.begin) around.pop();
      const inset = 2 + 3 * Math.min(around.length, 3);
      around.push(span.end);
      const left = Math.max(kLabel, x(span.begin));
      paint.fillStyle = ColourOfName(span.name);
      paint.globalAlpha = this.names[span.name] === "wait" ? 0.25 : 1;
      paint.fillRect(left, span.lane * kRow + inset, Math.max(1, Math.min(width, x(span.end)) - left), kRow - 2 * inset);
    }
    paint.globalAlpha = 1;
  }

  Legend(spans) {
    const named = [...new Set(spans.map((span) => span.name))].sort((a, b) => a - b);
    if (named.join() === this.named.join()) return;
    this.named = named;
    Replace(this.legend, named.map((name) => {
      const sample = h("span", {class: "sample"});
      sample.style.background = ColourOfName(name);
      return h("li", {}, sample, this.names[name] ?? `span ${name}`);
    }));
  }

  // The same as text: a sentence for each lane.
  Sentences() {
    const {spans, begin, end} = this.Seen();
    return this.lanes.map((lane, i) => {
      const own = spans.filter((span) => span.lane === i && this.names[span.name] !== "wait");
      let busy = 0;
      let until = begin;
      for (const span of own) {
        busy += Math.max(0, span.end - Math.max(until, span.begin));
        until = Math.max(until, span.end);
      }
      return `${lane}: at work for ${(busy / 1e6).toFixed(1)} of the last ${((end - begin) / 1e6).toFixed(0)} ms`;
    });
  }
}
