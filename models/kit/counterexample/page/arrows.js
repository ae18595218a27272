// Arrows over the lanes: from each store to its reader (thick, red and marked when it was not the
// newest), and from each release to the acquire that it synchronises with (dashed, an open head).
//
// The arrows are also described in words, so they are hidden from screen readers.
import {svg} from "./dom.js";

const kHeads = {reads: "M0,0 L9,4.5 L0,9 Z", stale: "M0,0 L9,4.5 L0,9 Z",
                sync: "M1,1 L8,4.5 L1,8", path: "M0,0 L9,4.5 L0,9 Z", race: "M0,0 L9,4.5 L0,9 Z"};

const kWidthOfLetter = 7;
const kNumbers = 44;  // the width of their column

let pictures = 0;  // ids of markers are the page's, and a page has several pictures

export class Arrows {
  // over: the positioned element that contains the lanes' table.
  constructor(over, x, lanes) {
    this.x = x;
    this.lanes = lanes;
    this.over = over;
    this.id = `heads${pictures++}`;
    this.paths = svg("g");
    this.words = svg("svg", {class: "arrows words", "aria-hidden": "true"});
    this.picture = svg("svg", {class: "arrows", "aria-hidden": "true"},
      svg("defs", {}, Object.entries(kHeads).map(([kind, shape]) =>
        svg("marker", {id: `${this.id}-${kind}`, class: `head ${kind}`, markerWidth: 9,
                       markerHeight: 9, refX: 8, refY: 4.5, orient: "auto-start-reverse",
                       markerUnits: "userSpaceOnUse"}, svg("path", {d: shape})))),
      this.paths);
    over.append(this.picture, this.words);
  }

  // all: the arrows of every step up to now, not only of this one. path: edges that explain why a
  // store cannot be read.
  Draw(step, {all, asking = false, path = []}) {
    const origin = this.over.getBoundingClientRect();
    for (const layer of [this.picture, this.words]) {
      layer.setAttribute("width", this.over.clientWidth);
      layer.setAttribute("height", this.over.clientHeight);
    }
    const drawn = [];
    for (const edge of this.Edges(step, all, asking)) {
      drawn.push(...this.Edge(edge, origin, edge.from === step || edge.to === step));
    }
    for (const edge of path) {
      drawn.push(...this.Edge({...edge, kind: "path", words: edge.why}, origin, true));
    }
    this.paths.replaceChildren(...drawn.filter((it) => it.localName === "path"));
    this.words.replaceChildren(...drawn.filter((it) => it.localName === "text"));
  }

  Edges(step, all, asking) {
    const x = this.x;
    const edges = [];
    const wanted = (from, to) => to <= step && !(asking && to === step) &&
      (all || from === step || to === step);
    for (const event of x.events) {
      const from = event.read ? event.read.from : null;
      if (!event.read || event.object === null || !wanted(from, event.number)) continue;
      const stale = event.thread >= 0 && x.IsStale(event);
      // Of the other steps only the arrows that cross from thread to thread.
      const crosses = event.thread >= 0 && from !== null && x.Event(from).thread >= 0 &&
        x.Event(from).thread !== event.thread;
      if (event.number !== step && from !== step && !stale && !crosses) continue;
      edges.push({from, to: event.number, kind: stale ? "stale" : "reads",
                  words: `${stale ? "stale: " : ""}${event.read.value}`});
    }
    for (const edge of x.synchronises) {
      if (wanted(edge.from, edge.to)) edges.push({...edge, kind: "sync", words: "synchronises with"});
    }
    const broken = {"data race": "no order", "use after free": "freed"}[x.failure?.kind];
    if (broken && x.failure.events.length === 2) {
      const [from, to] = [...x.failure.events].sort((a, b) => a - b);
      if (to <= step) edges.push({from, to, kind: "race", words: broken});
    }
    return edges;
  }

  Edge({from, to, kind, words}, origin, now) {
    const a = this.Box(from, origin), b = this.Box(to, origin);
    if (!a || !b || a.same === b.same) return [];
    const shift = kind === "sync" ? 7 : kind === "race" ? -7 : 0;  // beside the arrow of the read
    const {d, end} = Route(a, b, shift);
    const classes = `arrow ${kind}${now ? " now" : ""}`;
    const line = svg("path", {class: classes, d, "data-from": from ?? "first", "data-to": to,
                              "marker-end": `url(#${this.id}-${kind})`,
                              "marker-start": kind === "race" ? `url(#${this.id}-${kind})` : null});
    if (!now && kind !== "race") return [line];
    // No arrows where they would cover the steps' numbers; the step itself says what it reads.
    if (end.anchor === "end" && end.x < kNumbers + words.length * kWidthOfLetter) return [line];
    return [line, svg("text", {class: `arrow-words ${kind}`, x: end.x, y: end.y + (kind === "sync" ? 14 : -6),
                               "text-anchor": end.anchor}, words)];
  }

  Box(number, origin) {
    const anchor = this.lanes.AnchorOf(number);
    if (!anchor || anchor.offsetParent === null) return null;
    const box = anchor.getBoundingClientRect();
    return {left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top,
            bottom: box.bottom - origin.top, middle: (box.top + box.bottom) / 2 - origin.top,
            same: anchor, spans: anchor.closest("td").classList.contains("all")};
  }
}

// The line, and where its words stand: before its end, in whose row no other lane has anything.
// From one box to another: side to side between lanes, a loop on the right within one, and from
// what spans the lanes down along the lane's edge.
function Route(a, b, shift) {
  if (a.spans && !b.spans) {
    const x = b.left - 13 + shift / 2;
    const y = Math.max(a.bottom, b.middle - 16);
    return {d: `M${x},${a.bottom} L${x},${y} Q${x},${b.middle} ${b.left},${b.middle}`,
            end: {x: x - 6, y: b.middle + 2, anchor: "end"}};
  }
  if (a.right <= b.left || b.right <= a.left) {
    const rightwards = a.right <= b.left;
    const x1 = rightwards ? a.right : a.left, x2 = rightwards ? b.left : b.right;
    const y1 = a.middle + shift, y2 = b.middle + shift;
    const bend = Math.max(8, Math.abs(x2 - x1) * 0.5) * (rightwards ? 1 : -1);
    return {d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`,
            end: {x: x2 + (rightwards ? -16 : 16), y: y2, anchor: rightwards ? "end" : "start"}};
  }
  const x = Math.max(a.right, b.right) + 4;
  const out = x + 26 + Math.min(30, Math.abs(b.middle - a.middle) / 12) + shift;
  return {d: `M${a.right},${a.middle + 4} C${out},${a.middle + 4} ${out},${b.middle - 4} ${b.right},${b.middle - 4}`,
          end: {x: b.right + 16, y: b.middle + 8, anchor: "start"}};
}
