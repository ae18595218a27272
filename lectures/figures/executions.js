// The executions of a litmus test, one after another: which load reads which store, and in which order
// each atomic's stores are. Many plays are one execution; how many, stands below.
//
// Options: rows, the names of the tests to choose from, separated by spaces.
import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";
import {Line, RowNamed} from "./litmus-rows.js";
import {All, Happened, Start} from "./memory-machine.js";
import {ThreadName} from "./player.js";

const kRow = 64;
const kColumn = 280;
const kBox = {width: 220, height: 34};

// Where things stand: first values above, the threads below them side by side.
function Places(row, end) {
  const places = new Map();
  Object.keys(end.atomics).forEach((at, i) =>
    places.set(`first.${at}`, {x: 10 + i * 130, y: 8, width: 100, words: `${at} = 0`}));
  row.threads.forEach((ops, t) => ops.forEach((op, i) =>
    places.set(`${t}.${i}`, {x: 10 + t * kColumn, y: 8 + kRow * (i + 1) + 16, width: kBox.width,
      words: Line(op)})));
  return places;
}

// Down the gap between two columns, to one that stands below another box.
function Around(from, to) {
  const first = to.x < kColumn;
  const a = {x: from.x + from.width / 2, y: from.y + kBox.height};
  const b = {x: first ? to.x + to.width : to.x, y: to.y + 0.75 * kBox.height};
  const gap = first ? b.x + 30 : b.x - 30;
  return `M${a.x},${a.y} C${gap + 40},${a.y + 14} ${gap},${b.y} ${b.x},${b.y}`;
}

function Straight(from, to, bend) {
  const a = {x: from.x + from.width / 2, y: from.y + kBox.height};
  const b = {x: to.x + to.width / 2, y: to.y};
  if (from.y >= to.y) {  // to one beside it, or above
    a.y = from.y + kBox.height / 2;
    b.y = to.y + kBox.height / 2;
    a.x = from.x < to.x ? from.x + from.width : from.x;
    b.x = from.x < to.x ? to.x : to.x + to.width;
  }
  const middle = {x: (a.x + b.x) / 2 + bend, y: (a.y + b.y) / 2 - 0.7 * bend};
  return `M${a.x},${a.y} Q${middle.x},${middle.y} ${b.x},${b.y}`;
}

function Arrow(from, to, colour, dashed, bend) {
  const d = to.y - from.y > 1.5 * kRow ? Around(from, to) : Straight(from, to, bend);
  return svg("path", {d, fill: "none",
    stroke: colour, "stroke-width": dashed ? 1.5 : 2.5, "stroke-dasharray": dashed ? "5 4" : null,
    "marker-end": "url(#ex-head)"});
}

function Picture(row, end) {
  const places = Places(row, end);
  const place = (at, id) => places.get(id === "first" ? `first.${at}` : id);
  const boxes = [...places.values()].flatMap(({x, y, width, words}) => [
    svg("rect", {x, y, width, height: kBox.height, rx: 5, fill: "var(--paper)",
      stroke: "var(--ink)"}),
    svg("text", {x: x + width / 2, y: y + 22, "text-anchor": "middle", fill: "var(--ink)",
      "font-size": 13, "font-family": "monospace"}, words)]);
  const reads = Object.entries(end.reads).map(([id, store]) => {
    const [t, i] = id.split(".").map(Number);
    return Arrow(place(row.threads[t][i].at, store), places.get(id), "var(--c1)", false, 0);
  });
  const orders = Object.entries(end.atomics).flatMap(([at, stores]) => stores.slice(1).map(
    (store, i) => Arrow(place(at, stores[i].id), places.get(store.id), "var(--c2)", true, -30)));
  const rows = Math.max(...row.threads.map((ops) => ops.length));
  const width = Math.max(row.threads.length * kColumn, 300);
  const head = svg("marker", {id: "ex-head", viewBox: "0 0 10 10", refX: 9, refY: 5,
    markerWidth: 7, markerHeight: 7, orient: "auto"},
  svg("path", {d: "M0,0 L10,5 L0,10 z", fill: "var(--ink)"}));
  return svg("svg", {viewBox: `0 0 ${width} ${kRow * (rows + 1) + 20}`, "aria-hidden": "true",
    style: `min-width:${Math.min(width, 420)}px`}, svg("defs", {}, head), boxes, orders, reads);
}

// The execution in words, for a screen reader, and below the picture for every reader.
function Words(row, end) {
  const whose = (id) =>
    (id === "first" ? "the first value" : `${ThreadName(Number(id[0]))}'s store`);
  const reads = Object.entries(end.reads).sort().map(([id, store]) => {
    const [t, i] = id.split(".").map(Number);
    return `${ThreadName(t)}'s ${Line(row.threads[t][i])} reads ${whose(store)}`;
  });
  const orders = Object.entries(end.atomics).filter(([, stores]) => stores.length > 2).map(
    ([at, stores]) => `the stores of ${at} are in the order ` +
      stores.slice(1).map((store) => `${ThreadName(store.by)}'s ${store.value}`).join(", "));
  return [...reads, ...orders].join("; ");
}

class Figure {
  constructor(element, rows) {
    this.element = element;
    this.select = h("select", {onchange: () => this.Choose(this.select.value)},
      rows.map((row) => h("option", {value: row.name}, row.name)));
    const button = (name, words, by) => h("button", {type: "button", class: `ex-${name}`,
      onclick: () => this.Turn(by)}, words);
    this.picture = h("div", {class: "ex-picture"});
    this.live = h("p", {"aria-live": "polite", class: "ex-live"});
    element.append(h("style", {}, kStyle),
      h("div", {class: "ex-tools"}, h("label", {}, "test ", this.select),
        button("back", "one before", -1), button("on", "next execution", 1)),
      this.picture,
      h("p", {class: "ex-legend"}, h("span", {class: "ex-reads"}, "—"), " is read by, ",
        h("span", {class: "ex-order"}, "- -"), " comes directly before, in modification order"),
      this.live);
    this.Choose(rows[0].name);
  }

  Choose(name) {
    this.row = RowNamed(name);
    this.all = [...All(this.row, Start(this.row)).executions.values()];
    this.at = 0;
    this.Show();
  }

  Turn(by) {
    this.at = (this.at + by + this.all.length) % this.all.length;
    this.Show();
  }

  Show() {
    const {plays, end} = this.all[this.at];
    const total = this.all.reduce((sum, one) => sum + one.plays, 0);
    const asked = Happened(this.row, end);
    Replace(this.picture, Picture(this.row, end));
    this.live.textContent = `Execution ${this.at + 1} of ${this.all.length}, shown by ${plays} of ` +
      `the ${total} plays: ${Words(this.row, end)}.` +
      `${asked ? " This is what was asked about." : ""}`;
    this.element.dataset.state = JSON.stringify({row: this.row.name, execution: this.at,
      executions: this.all.length, plays, total, asked, registers: end.registers});
  }
}

const kStyle = `
.ex-tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.ex-picture{overflow-x:auto}
.ex-picture svg{width:100%;height:auto}
.ex-reads{color:var(--c1);font-weight:bold}
.ex-order{color:var(--c2);font-weight:bold}
`;

export function mount(element, options) {
  return new Figure(element, options.rows.split(/\s+/).map((name) => {
    const row = RowNamed(name);
    if (!row) throw new Error(`executions: there is no test ${name}`);
    return row;
  }));
}
