// The talk's three waits as a frame of four threads, with one lock for the physics world or without
// it. The reader sets how long things take. Below, the reader can open what their own run of
// `./nowait demo --json FILE` has measured.
import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";
import {Ends, Run, Waited} from "./one-lock.js";

const kFrame = 1000 / 30;  // ms, the frame of [rouwe2022]
const kThreads = ["game 1", "game 2", "streaming", "background"];
const kKinds = {
  work: ["own work", "var(--line)"], read: ["looks at the world", "var(--c1)"],
  write: ["changes the world", "var(--c3)"], wait: ["waits", "var(--bad)"],
};
const kSliders = [
  {name: "insert", words: "inserting a tile takes", from: 0, to: 10, step: 0.5, value: 7},
  {name: "move", words: "a game object's change takes", from: 0, to: 1, step: 0.05, value: 0.2},
  {name: "query", words: "the background query takes", from: 0, to: 50, step: 1, value: 12},
];
const kTurns = 12;  // of a game thread in a frame: a ray, a change, and work of its own

// Each thread's work. The two game threads are not in step.
function Frame({insert, move, query}) {
  const game = (first) => [{kind: "work", ms: first}, ...Array.from({length: kTurns}, () => [
    {kind: "read", ms: 0.3}, {kind: "work", ms: 0.5}, {kind: "write", ms: move},
    {kind: "work", ms: 0.4},
  ]).flat()];
  return [game(0.2), game(0.5), [{kind: "work", ms: 3}, {kind: "write", ms: insert}],
    [{kind: "work", ms: 5}, {kind: "read", ms: query}]];
}

// A wait is hatched, too: never by colour alone.
function Picture(spans, end, room) {
  const width = Math.max(320, Math.min(720, room)), left = 90, row = 34;
  const x = (ms) => left + (ms / end) * (width - left - 10);
  const bars = spans.flatMap((thread, t) => thread.filter((span) => span.to > span.from)
    .map((span) => svg("rect", {
      x: x(span.from), width: Math.max(x(span.to) - x(span.from), 0.5), y: 6 + t * row, height: 22,
      fill: span.kind === "wait" ? "url(#tw-hatch)" : kKinds[span.kind][1],
    })));
  const names = kThreads.map((name, t) =>
    svg("text", {x: 0, y: 22 + t * row, fill: "var(--ink)", "font-size": 14}, name));
  const bottom = 6 + kThreads.length * row;
  const mark = svg("line", {x1: x(kFrame), x2: x(kFrame), y1: 0, y2: bottom, stroke: "var(--ink)",
    "stroke-dasharray": "4 3"});
  const label = svg("text", {x: x(kFrame) - 4, y: bottom + 14, fill: "var(--ink)", "font-size": 13,
    "text-anchor": "end"}, "frame of 33.3 ms");
  const hatch = svg("pattern", {id: "tw-hatch", width: 6, height: 6,
    patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
  svg("rect", {width: 6, height: 6, fill: "var(--paper)"}),
  svg("rect", {width: 3, height: 6, fill: "var(--bad)"}));
  return svg("svg", {viewBox: `0 0 ${width} ${bottom + 20}`, role: "img",
    "aria-label": "what each thread does in the frame; the table below says how long each waits"},
  svg("defs", {}, hatch), bars, names, mark, label);
}

function Legend() {
  return h("p", {class: "tw-legend"}, Object.entries(kKinds).map(([kind, [words, colour]]) =>
    h("span", {}, h("span", {class: `tw-key tw-${kind}`, style: `--key:${colour}`}), words)));
}

function Row(cells, tag = "td") {
  return h("tr", {}, cells.map((cell, i) => h(i === 0 ? "th" : tag, {}, cell)));
}

// The three waits in a report of the demo (docs/demo-json.md), or why there are none.
function Measured(text) {
  let run;
  try {
    run = JSON.parse(text);
  } catch {
    return {error: "This is no JSON."};
  }
  if (!run || run.schema !== "nowait.demo" || run.version !== 1) {
    return {error: "This is no report of ./nowait demo --json."};
  }
  if (!run.background || run.frames === 0) {
    return {error: "This run had no game threads: leave out --game-threads 0."};
  }
  const sum = (of) => run.game.reduce((total, game) => total + of(game), 0);
  const waited = sum((game) => run.locks[game.name].waited_ms);
  const passes = run.background.passes;
  const frames = passes === 0 ? "no pass ended" :
    `each over ${(run.background.frames_of_passes / passes).toFixed(1)} frames`;
  return {rows: [
    ["streaming", `${sum((game) => game.added)} bodies added in batches, ` +
      `${sum((game) => game.removed)} removed; put off ${sum((game) => game.deferred)} times`],
    ["game update", `${sum((game) => run.locks[game.name].taken)} body locks taken, ` +
      `${sum((game) => run.locks[game.name].contended)} waited for, ` +
      `${(waited / run.frames).toFixed(4)} ms a frame in all`],
    ["background", `${passes} queries of all the ground, ${frames}; ` +
      `waited ${run.locks.background.waited_ms.toFixed(3)} ms in all`],
  ]};
}

class Figure {
  constructor(element) {
    this.element = element;
    this.locked = h("input", {type: "checkbox", class: "tw-lock", checked: true,
      onchange: () => this.Show()});
    this.sliders = kSliders.map((slider) => this.Slider(slider));
    this.picture = h("div", {class: "tw-picture"});
    this.table = h("table", {class: "tw-table"});
    this.live = h("p", {"aria-live": "polite", class: "tw-live"});
    this.measured = h("div", {class: "tw-measured", "aria-live": "polite"});
    this.file = h("input", {type: "file", accept: ".json", class: "tw-file",
      // The same file again, after another run: a change, too.
      onclick: () => { this.file.value = ""; }, onchange: () => this.Open()});
    element.append(h("style", {}, kStyle),
      h("div", {class: "tw-tools"}, h("label", {}, this.locked, " one lock for the whole world"),
        this.sliders.map(({label}) => label)),
      this.picture, Legend(), this.live, this.table,
      h("p", {class: "tw-own"}, h("label", {}, "your own run, written by ",
        h("code", {class: "no-break"}, "./nowait demo --json FILE"), ": ", this.file)),
      this.measured);
    this.Show();
  }

  Slider({name, words, from, to, step, value}) {
    const shown = h("output", {}, "");
    const input = h("input", {type: "range", min: from, max: to, step, value,
      class: `tw-${name}`, oninput: () => this.Show()});
    return {name, input, shown, label: h("label", {}, `${words} `, input, " ", shown)};
  }

  Show() {
    const values = {};
    for (const {name, input, shown} of this.sliders) {
      values[name] = Number(input.value);
      shown.textContent = `${values[name]} ms`;
    }
    const spans = Run(Frame(values), this.locked.checked);
    const alone = Run(Frame(values), false);
    const waited = spans.map(Waited);
    const game = Math.max(Ends(spans[0]), Ends(spans[1]));
    const end = Math.max(kFrame, ...spans.map(Ends)) * 1.02;
    Replace(this.picture, Picture(spans, end, this.element.clientWidth));
    Replace(this.table, Row(["thread", "ends after, ms", "waited, ms"], "th"),
      spans.map((thread, t) => Row([kThreads[t], Ends(thread).toFixed(1), waited[t].toFixed(1)])));
    const unhindered = Math.max(Ends(alone[0]), Ends(alone[1]));
    this.live.textContent = `The game update ends after ${game.toFixed(1)} ms; without waiting ` +
      `it would be ${unhindered.toFixed(1)} ms.`;
    this.element.dataset.state = JSON.stringify({locked: this.locked.checked, ...values,
      waited: waited.map((ms) => Number(ms.toFixed(3))), game: Number(game.toFixed(3))});
  }

  async Open() {
    if (this.file.files.length === 0) return;
    const {error, rows} = Measured(await this.file.files[0].text());
    Replace(this.measured, error ? h("p", {}, error) :
      h("table", {class: "tw-table"}, rows.map((row) => Row(row))));
  }
}

const kStyle = `
.tw-live,.tw-file{margin:.5rem 0}
.tw-own{margin-top:1rem}
.tw-tools{display:flex;flex-direction:column;gap:.4rem}
.tw-tools input[type=range]{vertical-align:middle;width:min(14rem,50vw)}
.tw-picture svg{width:100%;height:auto}
.tw-legend{display:flex;flex-wrap:wrap;gap:.3rem 1rem}
.tw-key{display:inline-block;width:1.1em;height:.8em;margin-right:.35em;background:var(--key)}
.tw-wait{background:repeating-linear-gradient(45deg,var(--key) 0 2px,var(--paper) 2px 5px)}
.tw-table th{text-align:left;padding-right:1rem}
`;

export function mount(element) {
  return new Figure(element);
}
