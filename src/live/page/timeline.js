// The timeline: a lane for each thread, and in it a row for each level of spans. It shows the last
// milliseconds, or it stands still on one frame or one span.

import {Change, ChangeText} from "./change.js";
import {ChannelsOf, ColourOfLane, ColourOfName, ContrastOf} from "./colours.js";
import {CounterSentence, CountersOf, DrawCounters, HeightOfCounters} from "./counters.js";
import {CoreLegend, CoreSentence, CoresOf, CoreWords, kCoreHint} from "./cores.js";
import {CriticalPath} from "./critical_path.js";
import {h, Replace} from "./dom.js";
import {DrawPath, DrawSpans} from "./lane_picture.js";
import {AboutWords, DrawMark, IsLockWait, IsMark, IsSteal, OriginOf} from "./marks.js";
import {IsWaiting, NestSpans, WorkPieces} from "./spans.js";
import {kMostTexts} from "./message_spans.js";
import {WhatIf} from "./what_if.js";
import {Finished, WorkGraphInSteps} from "./work_graph.js";

const kFrames = 24;      // that are kept
const kRow = 15;         // pixels of a level of spans
const kMostRows = 6;     // of a lane; deeper spans are drawn in the last one
const kGap = 7;          // pixels between lanes
const kMarksApart = 6;   // pixels; nearer ones are drawn as one
const kLabel = 84;       // pixels of the lanes' names
const kContrast = 3;     // of a span's colour and the lane's, at least; otherwise the span has a rim
const kWindows = [0.5, 1, 2, 5, 10, 20, 40, 100, 200, 400, 800];  // milliseconds that are seen
const kTimelineKeys = "Arrows go to the span before and behind, around and inside; M to the next mark; K colours by core or by name; Enter zooms; Escape goes back";

const Ms = (nanoseconds) => nanoseconds >= 1e6 ? `${(nanoseconds / 1e6).toFixed(2)} ms` : `${(nanoseconds / 1e3).toFixed(1)} \u00b5s`;

export class Timeline {
  constructor() {
    this.frames = [];  // {begin, end, ended, step, spans, marks, tasks, counters}; ended: when the last of its spans did
    this.coloursLanes = false;  // whether a lane has the colour that bodies have which it moved
    this.byCore = false;        // whether a span has the colour of its core, or of its name
    this.lanes = [];
    this.names = [];
    this.window = null;  // of kWindows; the first frame chooses it
    this.held = null;    // {frame, begin, end, outer}: what it stands still on; outer: where Escape goes
    this.picked = null;  // a node of the spans that are seen, or a mark
    this.canvas = h("canvas", {class: "lanes", role: "application", tabindex: 0,
                               "aria-label": `The threads' work, a lane a thread. ${kTimelineKeys}`,
                               onpointerdown: (event) => this.Press(event), ondblclick: () => this.ZoomToPicked(),
                               onkeydown: (event) => this.Key(event)});
    this.preparing = null;  // steps of it
    this.prepared = null;  // what is seen, before it is drawn
    this.drawn = null;     // what the canvas shows: {spans, marks, width, places, x}; places: of lanes, {top, rows}
    this.inks = null;      // the canvas's colours; null: to be asked for
    this.room = 0;         // the canvas's width in pixels of the page; 0: to be asked for
    new ResizeObserver(() => this.OnResize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.inks = null; });
    this.legend = h("ul", {class: "legend"});
    this.colours = h("select", {class: "span-colours", "aria-label": "Colours of spans", onchange: () => this.ColourBy(this.colours.value)},
        ["name", "core"].map((what) => h("option", {value: what}, `by ${what}`)));
    this.width = h("output", {});
    const button = (name, words, label, click) =>
      h("button", {type: "button", class: `small ${name}`, "aria-label": label, onclick: click}, words);
    this.frame = button("frame", "Frame", "Stand still on the last frame", () => this.HoldFrame());
    this.span = button("span", "Zoom in", "Zoom to the span that is picked", () => this.ZoomToPicked());
    this.out = button("out", "Back", "Zoom out", () => this.Out());
    this.detail = h("p", {class: "hint span-words", role: "status"});
    this.whatIf = new WhatIf(() => this.Draw());
    this.path = h("p", {class: "hint path"});
    this.element = h("section", {class: "timeline", "aria-labelledby": "threads"},
        h("div", {class: "line"}, h("h2", {id: "threads"}, "Threads"),
          button("nearer", "+", "A shorter time", () => this.Zoom(-1)),
          button("farther", "\u2212", "A longer time", () => this.Zoom(1)),
          this.frame, this.span, this.out, this.colours, this.width, this.legend),
        this.canvas, this.detail, this.path, this.whatIf.element, this.hint = h("p", {class: "hint core-words", hidden: true}, kCoreHint),
        h("p", {class: "hint"}, "Above the lanes: counts of the frames. Line below the lanes: the critical path of the frame. Before each piece of work stands, of all that " +
          "it came after, the piece that ended last, or the last one of its thread where that was at work until later. Tasks, lists of jobs and waits for them tell what they came after; where nothing " +
          "does, it is the piece that ended last before, on any thread. Hatched: a wait; in both directions: for a lock. " +
          "Triangle: the thread took work that another one had; a line leads to the lane of that one where it is known. " +
          "Simulated: each step of work lasts as long as it did, and a free thread begins the most urgent one that is ready; " +
          "loops and lists keep their parts."));
    this.listed = "";  // what the legend shows
  }

  // what: "name" or "core".
  ColourBy(what) {
    this.byCore = what === "core";
    this.colours.value = what;
    this.hint.hidden = !this.byCore;
    this.Draw();
  }

  Zoom(by) {
    this.held = null;
    this.window = Math.max(0, Math.min(kWindows.length - 1, this.window + by));
    this.Draw();
  }

  Clear() {
    this.frames = [];
    this.held = this.picked = null;
  }

  Add(scene) {
    this.lanes = scene.lanes;
    this.names = scene.names;
    const {begin, end, step} = scene.frame;
    if (this.frames.length > 0 && begin < this.frames.at(-1).begin) this.Clear();  // a recording went back
    // A paused program goes on sending. What it computed last stays.
    if (this.frames.at(-1)?.step === step) return;
    const frame = {begin, end, ended: end, step, spans: scene.spans, marks: [], tasks: scene.tasks ?? [], counters: CountersOf(scene.frame)};
    scene.spans.forEach((span) => {
      if (IsMark(span)) frame.marks.push({...span});
      frame.ended = Math.max(frame.ended, span.end);
    });
    this.frames.push(frame);
    if (this.frames.length > kFrames) this.frames.shift();
    if (this.window !== null) return;
    const work = (end - begin) / 1e6;
    this.window = Math.max(0, kWindows.findIndex((window) => window > 1.2 * work));
  }

  IsWait(name) { return IsWaiting(this.names[name] ?? ""); }

  // --- What it stands still on.
  HoldFrame() {
    const frame = this.held?.frame ?? this.frames.at(-1);
    if (frame) this.Hold({frame, begin: frame.begin, end: frame.end, outer: null});
  }
  ZoomToPicked() {
    if (!this.picked || IsMark(this.picked)) return;
    const {begin, end} = this.picked;
    const frame = this.held?.frame ?? this.frames.findLast((one) => one.begin < end) ?? this.frames.at(-1);
    this.Hold({frame, begin, end, outer: this.held});
  }
  Out() {
    if (this.held?.outer) this.Hold(this.held.outer);
    else this.Hold(null);
  }
  Hold(what) {
    this.held = what;
    this.Draw();
  }

  // The spans that are seen, nested, the outer ones first; a span that is longer than the view has no
  // parent there.
  Seen() { return Finished(this.SeenInSteps()); }
  *SeenInSteps() {
    if (this.frames.length === 0) return {spans: [], marks: [], begin: 0, end: 1, frame: null};
    const frame = this.held?.frame ?? this.frames.at(-1);
    const end = this.held?.end ?? this.frames.at(-1).end;
    const begin = this.held?.begin ?? end - kWindows[this.window] * 1e6;
    // A span is in the message of the frame in which it ended, and those around it are seen where it is.
    const frames = (this.frames.includes(frame) ? this.frames : [frame]).filter((one) => one.ended > begin);
    const spans = frames.flatMap((one) => one.spans.filter((span) => !IsMark(span) && span.end > begin && span.begin < end));
    yield;
    const marks = frames.flatMap((one) => one.marks.filter((mark) => mark.begin >= begin && mark.begin < end))
        .sort((a, b) => a.begin - b.begin);
    return {spans: NestSpans(spans), marks, begin, end, frame};
  }

  // A span is in the message of the frame in which it ended; a task may have been made in an earlier one.
  GraphOf(frame) {
    if (!frame.graph) frame.graph = Finished(frame.making ?? this.GraphInSteps(frame));
    frame.making = null;
    return frame.graph;
  }
  *GraphInSteps(frame) {
    const earlier = this.frames.filter((one) => one.begin < frame.begin);
    const tasks = [...earlier, frame].flatMap((one) => one.tasks ?? []);
    return yield* WorkGraphInSteps(frame.spans, tasks, (span) => this.NameOf(span), frame.begin, frame.end);
  }
  PathOf(frame) { return frame.path ??= CriticalPath(this.GraphOf(frame)); }

  // --- Drawing. A size or a colour that is asked for behind a change of the page makes the browser lay it out at once:
  // they are asked for where they may have changed.
  OnResize() {
    const before = this.room;
    this.room = this.canvas.clientWidth;
    if (this.room > 0 && before !== this.room && this.frames.length > 0) this.Draw();
  }
  Inks() {
    const {color, backgroundColor} = getComputedStyle(this.canvas);
    this.rims = new Map();  // by colour: whether it is too near to that of the lanes
    return {color, backgroundColor};
  }
  HasRim(colour) {
    if (!this.rims.has(colour)) {
      const paper = this.inks.backgroundColor.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
      this.rims.set(colour, ContrastOf(ChannelsOf(colour), paper) < kContrast);
    }
    return this.rims.get(colour);
  }

  // In steps, of which each leaves room for the picture in its frame.
  // Returns whether there is more to do.
  Prepare() {
    this.preparing ??= this.SeenInSteps();
    const {done, value} = this.preparing.next();
    if (!done) return true;
    [this.prepared, this.preparing] = [value, null];
    return false;
  }
  // Likewise.
  PrepareGraph() {
    const frame = this.prepared?.frame;
    if (!frame || frame.graph) return false;
    frame.making ??= this.GraphInSteps(frame);
    const {done, value} = frame.making.next();
    if (done) frame.graph = value;
    return !done;
  }
  PreparePath() {
    if (this.prepared?.frame) this.PathOf(this.prepared.frame);
  }
  PrepareTimes(priorities) {
    if (this.prepared?.frame) this.whatIf.Prepare(this.GraphOf(this.prepared.frame), this.lanes.length, priorities);
  }
  DrawPrepared() {
    if (this.prepared) this.Paint(this.prepared);  // otherwise it has been drawn since
  }
  SayPrepared() {
    if (this.prepared) this.Say(this.prepared);
    this.prepared = null;
  }
  Draw() {
    this.prepared = null;
    const seen = this.Seen();
    this.Paint(seen);
    this.Say(seen);
  }

  Paint({spans, marks, begin, end, frame}) {
    const {places, height} = this.Lay(spans);
    const scale = devicePixelRatio || 1;
    const width = this.room ||= this.canvas.clientWidth;
    const inks = this.inks ??= this.Inks();
    Change(this.canvas.style, "height", `${height}px`);
    Change(this.canvas, "width", Math.max(1, Math.round(width * scale)));
    Change(this.canvas, "height", Math.max(1, Math.round(height * scale)));
    ChangeText(this.width, this.window === null ? "" :
      this.held ? `frame ${this.held.frame.step}, ${Ms(end - begin)}` : `${kWindows[this.window]} ms`);
    Change(this.span, "disabled", this.picked === null || IsMark(this.picked));
    Change(this.out, "disabled", this.held === null);
    const x = (time) => kLabel + (time - begin) / (end - begin) * (width - kLabel);
    this.drawn = {spans, marks, width, places, x};
    const paint = this.canvas.getContext("2d");
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, width, height);
    paint.font = "11px system-ui, sans-serif";
    paint.textBaseline = "middle";
    const picked = this.Same(spans);
    const ofLane = this.lanes.map(() => []);
    for (const span of spans) ofLane[span.lane]?.push(span);
    this.lanes.forEach((lane, i) => {
      const {top, rows} = places[i];
      paint.fillStyle = inks.color;
      const indent = this.coloursLanes ? 12 : 0;
      paint.fillText(lane, 2 + indent, top + kRow / 2, kLabel - 8 - indent);
      if (this.coloursLanes) {
        paint.fillStyle = ColourOfLane(i);
        paint.fillRect(2, top + 3, 9, 9);
      }
      paint.fillStyle = inks.backgroundColor;
      paint.fillRect(kLabel, top - 2, width - kLabel, rows * kRow + 4);
      DrawSpans(paint, this, ofLane[i], picked);
    });
    DrawCounters(paint, this.frames, {x, begin, end, top: 2, left: kLabel, right: width, ink: inks.color});
    paint.fillStyle = inks.color;
    for (const one of this.frames) {
      if (one.begin >= begin && one.begin < end) paint.fillRect(x(one.begin), 0, 1, height);
    }
    if (frame) {
      const bottom = ({lane}) => places[lane] ? places[lane].top + places[lane].rows * kRow + 1 : 0;
      DrawPath(paint, this.PathOf(frame), {begin, end, x, bottom, left: kLabel, right: width});
    }
    this.DrawMarks(paint);
  }

  DrawMarks(paint) {
    const {marks, places, x} = this.drawn;
    const last = [];  // by lane: where the last mark is
    for (const mark of marks) {
      const place = places[mark.lane];
      const at = x(mark.begin);
      if (!place || (at - last[mark.lane] < kMarksApart && mark !== this.picked)) continue;
      last[mark.lane] = at;
      const origin = places[OriginOf(this.NameOf(mark), mark)]?.top ?? null;
      DrawMark(paint, at, place.top, origin, this.inks.color, this.inks.backgroundColor, mark === this.picked);
    }
  }

  Say({spans, marks, frame}) {
    this.Legend(spans, marks);
    this.Words(frame);
  }

  // Where each lane is: as many rows as it has levels.
  Lay(spans) {
    const rows = this.lanes.map(() => 1);
    for (const span of spans) {
      if (rows[span.lane] !== undefined) rows[span.lane] = Math.max(rows[span.lane], Math.min(kMostRows, span.depth + 1));
    }
    let top = 4 + HeightOfCounters(this.frames);
    const places = rows.map((count) => {
      const place = {top, rows: count};
      top += count * kRow + kGap;
      return place;
    });
    return {places, height: Math.max(1, top)};
  }

  RowOf(span) { return Math.min(kMostRows - 1, span.depth); }

  // {left, top, width, height} of a span, on the canvas.
  PlaceOf(span) {
    const {places, width, x} = this.drawn;
    const place = places[span.lane];
    if (!place) return null;
    const left = Math.max(kLabel, x(span.begin));
    const right = Math.max(left + 1, Math.min(width, x(span.end)));
    return {left, top: place.top + this.RowOf(span) * kRow, width: right - left, height: kRow - 1};
  }

  Legend(spans, marks) {
    const named = new Map();
    for (const span of [...spans, ...marks]) named.set(span.name, IsMark(span));
    const names = [...named].sort((a, b) => a[0] - b[0]);
    const cores = this.byCore ? CoresOf([...spans, ...marks]) : null;
    const list = JSON.stringify([names, cores]);
    if (list === this.listed) return;
    this.listed = list;
    Replace(this.legend, cores ? CoreLegend(cores) : names.map(([name, isMark]) => {
      if (isMark) return h("li", {}, h("span", {class: "sample mark"}, "\u25bc"), this.NameOf({name}));
      const hatched = IsLockWait(this.NameOf({name})) ? " crossed" : this.IsWait(name) ? " hatched" : "";
      const sample = h("span", {class: `sample${hatched}`});
      if (!this.IsWait(name)) sample.style.background = ColourOfName(name);
      return h("li", {}, sample, this.NameOf({name}));
    }));
  }

  NameOf(span) { return this.names[span.name] ?? `span ${span.name}`; }

  // --- Picking a span.
  Press(event) {
    const mark = this.drawn?.marks.find((one) => {
      const top = this.drawn.places[one.lane]?.top ?? -Infinity;
      return Math.abs(event.offsetX - this.drawn.x(one.begin)) <= 4 && event.offsetY >= top - 3 && event.offsetY < top + kRow / 2;
    });
    if (mark) return this.PickSpan(mark);
    const hit = this.drawn?.spans.findLast((span) => {
      const place = this.PlaceOf(span);
      return place && event.offsetX >= place.left - 1 && event.offsetX <= place.left + place.width + 1 &&
        event.offsetY >= place.top && event.offsetY < place.top + kRow;
    });
    this.PickSpan(hit ?? null);
  }

  PickSpan(span) {
    if (span && !this.held) {
      // It would scroll away: the view stands still where it is.
      const {begin, end, frame} = this.Seen();
      this.held = {frame: this.frames.findLast((one) => one.begin < span.end) ?? frame, begin, end, outer: null};
    }
    this.picked = span;
    this.Draw();
  }

  // The node that is picked, among the nodes of another call of Seen.
  Same(spans) {
    const picked = this.picked;
    return picked && spans.find((span) => span.lane === picked.lane && span.begin === picked.begin &&
                                span.end === picked.end && span.name === picked.name);
  }

  // The next mark in time behind what is picked, then the first one.
  PickMark() {
    const marks = this.Seen().marks;
    const next = marks.find((mark) => this.picked && mark.begin > this.picked.begin) ?? marks[0];
    if (next) this.PickSpan(next);
  }

  Key(event) {
    const spans = this.Seen().spans;
    const at = this.Same(spans) ?? null;
    const first = spans.find((span) => !this.IsWait(span.name)) ?? spans[0] ?? null;
    const beside = (by) => {
      if (!at) return first;
      const row = spans.filter((span) => span.lane === at.lane && span.depth === at.depth);
      return row[row.indexOf(at) + by] ?? at;
    };
    const lane = (by) => spans.find((span) => span.lane === (at?.lane ?? 0) + by) ?? at ?? first;
    const actions = {
      "ArrowLeft": () => this.PickSpan(beside(-1)), "ArrowRight": () => this.PickSpan(beside(1)),
      "ArrowUp": () => this.PickSpan(at?.parent ?? at ?? first),
      "ArrowDown": () => this.PickSpan(at ? at.children[0] ?? at : first),
      "PageUp": () => this.PickSpan(lane(-1)), "PageDown": () => this.PickSpan(lane(1)),
      "m": () => this.PickMark(), "k": () => this.ColourBy(this.byCore ? "name" : "core"), "Enter": () => this.ZoomToPicked(), "Escape": () => this.Out(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  // --- The same as text.
  Words(frame) {
    const span = this.picked;
    const around = [];
    for (let outer = span?.parent; outer; outer = outer.parent) around.push(this.NameOf(outer));
    const about = span ? AboutWords(this.NameOf(span), span.about, this.lanes) : "";
    const where = span ? `${this.NameOf(span)} on ${this.lanes[span.lane]}${about === "" ? "" : `, ${about}`}` : "";
    const detail = !span || IsMark(span) ? where : `${where}: ${Ms(span.end - span.begin)}` +
      `${around.length > 0 ? `, inside ${around.join(", inside ")}` : ""}; ${span.children.length} ${span.children.length === 1 ? "span" : "spans"} inside it; ${CoreWords(span)}`;
    ChangeText(this.detail, detail);
    ChangeText(this.path, frame ? this.PathSentence(frame) : "");
    this.whatIf.Show(frame ? this.GraphOf(frame) : null, this.lanes.length);
  }

  PathSentence(frame) {
    const {pieces, work, between} = this.PathOf(frame);
    const sums = new Map();  // by lane and name
    for (const {lane, name, begin, end} of pieces) {
      const key = lane * kMostTexts + name;
      const sum = sums.get(key);
      if (sum) sum.time += end - begin;
      else sums.set(key, {lane, name, time: end - begin});
    }
    const most = [...sums.values()].sort((a, b) => b.time - a.time).slice(0, 4)
        .map((sum) => `${this.NameOf(sum)} (${this.lanes[sum.lane]}) ${Ms(sum.time)}`);
    return `Critical path of frame ${frame.step}: ${Ms(work)} of work and ${Ms(between)} between its pieces, of ` +
      `${Ms(frame.end - frame.begin)}${most.length > 0 ? `; most of it: ${most.join(", ")}` : ""}`;
  }

  // A sentence for each lane, the path's, and what the frame would have taken.
  Sentences() {
    const {spans, marks, begin, end, frame} = this.Seen();
    const pieces = WorkPieces(spans, (name) => this.IsWait(name), begin, end);
    const of = (list, lane) => list.filter((one) => one.lane === lane);
    const lanes = this.lanes.map((lane, i) => {
      const busy = pieces.filter((piece) => piece.lane === i).reduce((sum, piece) => sum + piece.end - piece.begin, 0);
      const waits = spans.filter((span) => span.lane === i && this.IsWait(span.name));
      const locks = waits.filter((span) => IsLockWait(this.NameOf(span)));
      const locked = locks.reduce((sum, span) => sum + span.end - span.begin, 0);
      const steals = marks.filter((mark) => mark.lane === i && IsSteal(this.NameOf(mark))).length;
      return `${lane}: at work for ${(busy / 1e6).toFixed(1)} of ${this.held ? "" : "the last "}${((end - begin) / 1e6).toFixed(1)} ms, ` +
        `${waits.length - locks.length} waits for work, ${locks.length} for locks (${Ms(locked)}), ${steals} steals; ` +
        CoreSentence(of(spans, i), of(marks, i), (name) => this.IsWait(name));
    });
    if (HeightOfCounters(this.frames) > 0) lanes.push(CounterSentence(this.frames));
    return frame ? [...lanes, this.PathSentence(frame), this.whatIf.Sentence(this.GraphOf(frame), this.lanes.length)] : lanes;
  }
}
