// A quad tree on a sheet of paper, as in src/broadphase: insert a body at the root, move one by
// widening slot after slot up to the root, remove one, rebuild the changed nodes, and see the nodes
// that a query visits. Two threads may climb at once; a choice makes a climb stop early.

import {h, svg} from "../../models/kit/counterexample/page/dom.js";

const kSize = 100;
const kFanout = 4;
const kAxes = [0, 1];

const Empty = () => ({min: [Infinity, Infinity], max: [-Infinity, -Infinity]});
const Everywhere = () => ({min: [-Infinity, -Infinity], max: [Infinity, Infinity]});
const Centre = (box, axis) => (box.min[axis] + box.max[axis]) / 2;
const Extent = (box, axis) => box.max[axis] - box.min[axis];
const Overlap = (a, b) => kAxes.every((k) => a.min[k] <= b.max[k] && b.min[k] <= a.max[k]);

// Makes `box` contain `other`; whether it had to grow.
function Widen(box, other) {
  let grew = false;
  for (const k of kAxes) {
    if (other.min[k] < box.min[k]) { box.min[k] = other.min[k]; grew = true; }
    if (other.max[k] > box.max[k]) { box.max[k] = other.max[k]; grew = true; }
  }
  return grew;
}

const BoxAround = (x, y, r) => ({min: [x - r, y - r], max: [x + r, y + r]});

export class Tree {
  constructor() {
    this.bodies = [];    // {name, box, location: {node, slot}}
    this.nodes = [];     // {slots: [{child, box}], parent, changed}; null once they are given back
    this.climbs = [];    // moves that have not returned: {body, box, node}, node: the last one that was widened
    this.stops_early = false;
    this.root = this.NewNode();
  }

  NewNode() {
    const slots = Array.from({length: kFanout}, () => ({child: null, box: Empty()}));
    this.nodes.push({slots, parent: null, changed: false});
    return this.nodes.length - 1;
  }

  // At the root: into a free slot, or under a new root.
  Insert(name, box) {
    const body = {name, box, location: null};
    this.bodies.push(body);
    const root = this.nodes[this.root];
    const free = root.slots.findIndex((slot) => slot.child === null);
    const copy = structuredClone(box);
    if (free >= 0) {
      root.slots[free] = {child: {body}, box: copy};
      root.changed = true;
      body.location = {node: this.root, slot: free};
      return "the root had a free slot";
    }
    const above = this.NewNode();
    this.nodes[above].slots[0] = {child: {node: this.root}, box: Everywhere()};
    this.nodes[above].slots[1] = {child: {body}, box: copy};
    this.nodes[above].changed = true;
    this.root = above;
    body.location = {node: above, slot: 1};
    return "the root was full: a new root above it, with the old one in a slot that is everywhere";
  }

  // The body's own slot; the climb from there is for ClimbOn.
  Move(body, box) {
    body.box = box;
    const {node, slot} = body.location;
    if (!Widen(this.nodes[node].slots[slot].box, box)) return "its slot is wide enough: nothing to do";
    this.nodes[node].changed = true;
    if (this.nodes[node].parent !== null) this.climbs.push({body, box: structuredClone(box), node});
    return "its own slot is wider now";
  }

  // The climb of a body's move, if it has one.
  ClimbOf(body) {
    return this.climbs.find((climb) => climb.body === body);
  }

  ClimbOn(climb) {
    const at = this.nodes[climb.node].parent;
    const grew = Widen(this.nodes[at.node].slots[at.slot].box, climb.box);
    this.nodes[at.node].changed = true;
    climb.node = at.node;
    const ends = this.nodes[at.node].parent === null || (this.stops_early && !grew);
    if (ends) this.climbs.splice(this.climbs.indexOf(climb), 1);
    return `a slot above ${grew ? "is wider now" : "was wide enough"}${
      ends ? "; the climb ends" : ": on to the next"}`;
  }

  Remove(body) {
    const {node, slot} = body.location;
    this.nodes[node].slots[slot] = {child: null, box: Empty()};
    this.bodies.splice(this.bodies.indexOf(body), 1);
    for (let at = node; ; at = this.nodes[at].parent.node) {
      this.nodes[at].changed = true;
      if (this.nodes[at].parent === null) return "its box is inside out, its slot is free";
    }
  }

  // Changed nodes are taken apart, unchanged ones are taken whole; then split in the middle.
  Rebuild() {
    const items = [];
    const replaced = [];
    const Collect = (index) => {
      replaced.push(index);
      for (const {child} of this.nodes[index].slots) {
        if (child === null) continue;
        if (child.body) {
          items.push({child, box: structuredClone(child.body.box)});
        } else if (this.nodes[child.node].changed) {
          Collect(child.node);
        } else {
          const box = Empty();
          for (const slot of this.nodes[child.node].slots) if (slot.child) Widen(box, slot.box);
          items.push({child, box, kept: true});
        }
      }
    };
    if (!this.nodes[this.root].changed) return "nothing has changed";
    Collect(this.root);
    const built = items.length === 1 && items[0].child.node !== undefined ? items[0].child
        : {node: this.Build(items)};
    this.root = built.node;
    this.nodes[this.root].parent = null;
    for (const index of replaced) this.nodes[index] = null;
    const kept = items.filter((item) => item.kept).length;
    return `replaced ${replaced.length} nodes; ${kept} unchanged ones were taken whole`;
  }

  Build(items) {
    const index = this.NewNode();
    const groups = items.length < 2 ? [items] : Halves(items).flatMap((half) => (half.length < 2 ? [half] : Halves(half)));
    let slot = 0;
    for (const group of groups) {
      if (group.length === 0) continue;
      const child = group.length === 1 ? group[0].child : {node: this.Build(group)};
      const box = Empty();
      for (const item of group) Widen(box, item.box);
      this.nodes[index].slots[slot] = {child, box};
      const at = {node: index, slot: slot++};
      if (child.body) child.body.location = at;
      else this.nodes[child.node].parent = at;
    }
    return index;
  }

  // The bodies that a query finds, and the nodes that it visits.
  Query(box) {
    const found = [];
    const visited = new Set();
    const stack = [this.root];
    while (stack.length) {
      const index = stack.pop();
      visited.add(index);
      for (const slot of this.nodes[index].slots) {
        if (slot.child === null || !Overlap(slot.box, box)) continue;
        if (slot.child.body) found.push(slot.child.body);
        else stack.push(slot.child.node);
      }
    }
    return {found, visited};
  }

  Depth(index = this.root) {
    const below = this.nodes[index].slots.filter(({child}) => child && child.node !== undefined)
        .map(({child}) => this.Depth(child.node));
    return 1 + Math.max(0, ...below);
  }
}

// In the middle of the longest axis; if all lie on one side, half of them.
function Halves(items) {
  const hull = Empty();
  for (const item of items) Widen(hull, item.box);
  const axis = Extent(hull, 1) > Extent(hull, 0) ? 1 : 0;
  const lower = items.filter((item) => Centre(item.box, axis) < Centre(hull, axis));
  if (lower.length > 0 && lower.length < items.length) {
    return [lower, items.filter((item) => !lower.includes(item))];
  }
  const sorted = [...items].sort((a, b) => Centre(a.box, axis) - Centre(b.box, axis));
  const half = Math.ceil(items.length / 2);
  return [sorted.slice(0, half), sorted.slice(half)];
}

const kFirst = [[12, 14], [22, 30], [18, 72], [30, 84], [62, 18], [80, 26], [70, 40], [88, 60], [64, 74], [80, 88]];
// Three levels: the bodies 3 and 4 share a node, whose slot is below one of the root's.
const kDeep = [[10, 10], [10, 34], [22, 22], [34, 22], [34, 30], [70, 14], [88, 30], [14, 70], [30, 88], [66, 66], [88, 88]];
const kNext = [[46, 52], [8, 50], [92, 8], [50, 92], [40, 10], [94, 78], [52, 34], [34, 56]];
const kStep = 6;
const kThreads = 2;
const kClimbing = "First let each climb come to its end.";

const kStyle = `
.quad{border:1px solid var(--line);border-radius:.5rem;padding:.75rem;background:var(--soft);
  color:var(--ink);font-size:.9rem;line-height:1.4}
.quad .row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}
.quad button,.quad select{font:inherit;color:var(--ink);background:var(--paper);
  border:1px solid var(--accent);border-radius:.3rem;padding:.3rem .6rem}
.quad button[aria-disabled=true]{border-color:var(--line);opacity:.6}
.quad :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.quad .sheet{display:block;width:100%;max-width:30rem;height:auto;background:var(--paper);
  border:1px solid var(--line)}
.quad .two{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
.quad .said{min-height:2.8em;margin:.3rem 0}
.quad .bad{color:var(--bad);font-weight:bold}
.quad .good{color:var(--good)}
.quad ul.tree{list-style:none;padding-left:1rem;margin:0;border-left:1px solid var(--line)}
.quad ul.tree li{margin:.1rem 0}
`;
const kLevels = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];

export function mount(element) {
  let tree;
  let added;
  let query;
  const thing = h("select", {onchange: () => Show("")});
  const scene = h("select", {onchange: () => Restart()},
    h("option", {value: "flat"}, "ten bodies"), h("option", {value: "deep"}, "eleven bodies in three levels"));
  const version = h("select", {onchange: () => Restart()},
    h("option", {value: "src"}, "the code as it is"),
    h("option", {value: "stops"}, "a climb that stops where a slot above is wide enough"));
  const sheet = h("div");
  const list = h("div");
  const said = h("p", {class: "said", "aria-live": "polite"});
  const verdict = h("p");

  const First = () => (scene.value === "deep" ? kDeep : kFirst);
  const Chosen = () => tree.bodies.find((body) => body.name === thing.value) || null;
  const Button = (text, act, label) =>
    h("button", {type: "button", onclick: act, "aria-label": label}, text);

  function Restart() {
    tree = new Tree();
    tree.stops_early = version.value === "stops";
    First().forEach(([x, y], i) => tree.Insert(String(i), BoxAround(x, y, 4)));
    tree.Rebuild();
    added = 0;
    query = BoxAround(56, 56, 9);
    Fill("1");
    Show(`${First().length} bodies, in a tree that was just built.`);
  }
  function Fill(name) {
    thing.replaceChildren(
        ...tree.bodies.map((body) => h("option", {value: body.name}, `body ${body.name}`)),
        h("option", {value: "query"}, "the query"));
    thing.value = name;
  }
  function Insert() {
    if (added === kNext.length) return Show("No more bodies: eight have been added.");
    const [x, y] = kNext[added++];
    const name = String(First().length + added - 1);
    const words = tree.Insert(name, BoxAround(x, y, 4));
    Fill(name);
    return Show(`Body ${name} inserted: ${words}.`);
  }
  function Remove() {
    const body = Chosen();
    if (!body) return Show("The query cannot be removed.");
    if (tree.climbs.length > 0) return Show(kClimbing);
    const words = tree.Remove(body);
    Fill("query");
    return Show(`Body ${body.name} removed: ${words}.`);
  }
  function Go(dx, dy) {
    const body = Chosen();
    const from = body ? body.box : query;
    const by = [dx * kStep, dy * kStep];
    if (kAxes.some((k) => from.min[k] + by[k] < 0 || from.max[k] + by[k] > kSize)) return Show("The sheet ends here.");
    const box = {min: from.min.map((v, k) => v + by[k]), max: from.max.map((v, k) => v + by[k])};
    if (!body) {
      query = box;
      return Show("The query has moved.");
    }
    if (tree.ClimbOf(body)) return Show("A body has one thread: first let its climb come to its end.");
    if (tree.climbs.length === kThreads) return Show("Both threads are climbing: first let one come to its end.");
    return Show(`Body ${body.name} moved: ${tree.Move(body, box)}.`);
  }
  // The climb of the chosen body; otherwise the one that began first.
  function Climb() {
    const on = tree.ClimbOf(Chosen()) || tree.climbs[0];
    if (!on) return Show("No thread is climbing.");
    return Show(`The climb from body ${on.body.name}: ${tree.ClimbOn(on)}.`);
  }
  function Rebuild() {
    if (tree.climbs.length > 0) return Show(kClimbing);
    return Show(`Rebuilt: ${tree.Rebuild()}.`);
  }

  // Boxes of the slots, from the root down; a slot that is everywhere is drawn as the sheet's rim.
  function Sheet(visited) {
    const boxes = [];
    const Draw = (index, level) => {
      for (const slot of tree.nodes[index].slots) {
        if (slot.child === null) continue;
        const [x, y] = slot.box.min.map((v) => Math.max(v, 0.5));
        const [right, top] = slot.box.max.map((v) => Math.min(v, kSize - 0.5));
        const wide = slot.child.body
            && kAxes.some((k) => Extent(slot.box, k) > Extent(slot.child.body.box, k) + 0.01);
        if (slot.child.node !== undefined || wide) {
          boxes.push(svg("rect", {x, y: kSize - top, width: right - x, height: top - y, fill: "none",
                                  stroke: kLevels[level % 6], "stroke-width": slot.child.body ? 0.5 : 0.9,
                                  "stroke-dasharray": slot.child.body ? "1 1" : `${4 - Math.min(level, 2)} 1`}));
        }
        if (slot.child.node !== undefined) Draw(slot.child.node, level + 1);
      }
    };
    Draw(tree.root, 0);
    const bodies = tree.bodies.map(({name, box}) => [
      svg("rect", {x: box.min[0], y: kSize - box.max[1], width: Extent(box, 0), height: Extent(box, 1),
                   fill: "var(--soft)", stroke: "var(--ink)", "stroke-width": name === thing.value ? 1.4 : 0.6}),
      svg("text", {x: Centre(box, 0), y: kSize - Centre(box, 1) + 1.8, "text-anchor": "middle",
                   "font-size": 5, fill: "var(--ink)"}, name),
    ]);
    const asked = svg("rect", {x: query.min[0], y: kSize - query.max[1], width: Extent(query, 0),
                               height: Extent(query, 1), fill: "var(--accent)", "fill-opacity": 0.25,
                               stroke: "var(--accent)", "stroke-width": thing.value === "query" ? 1.4 : 0.7});
    const label = `${tree.bodies.length} bodies; the query visits ${visited.size} nodes`;
    return svg("svg", {class: "sheet", viewBox: `0 0 ${kSize} ${kSize}`, role: "img", "aria-label": label},
               boxes, bodies, asked);
  }

  function List(index, visited) {
    const node = tree.nodes[index];
    const items = node.slots.map(({child}) => {
      if (child === null) return h("li", {}, "(free)");
      if (child.body) return h("li", {}, `body ${child.body.name}`);
      return h("li", {}, List(child.node, visited));
    });
    const words = `node ${index}${node.changed ? ", changed" : ""}${visited.has(index) ? ", visited" : ""}`;
    return h("div", {}, visited.has(index) ? h("b", {}, words) : words, h("ul", {class: "tree"}, items));
  }

  function Show(words) {
    const {found, visited} = tree.Query(query);
    const there = tree.bodies.filter((body) => Overlap(body.box, query));
    const missed = there.filter((body) => !found.includes(body));
    sheet.replaceChildren(Sheet(visited));
    list.replaceChildren(List(tree.root, visited));
    said.textContent = words;
    const lost = missed.filter((body) => !tree.ClimbOf(body));
    const climbers = tree.climbs.map(({body}) => body);
    const names = (bodies) => bodies.map(({name}) => name).join(", ") || "none";
    verdict.className = lost.length ? "bad" : "good";
    verdict.textContent = `Climbing: ${names(climbers)}. A query now visits ${visited.size} nodes of a tree ${
      tree.Depth()} deep and reports: ${names(found)}. In its box lie: ${names(there)}. ${
      missed.length === 0 ? "\u2713" : lost.length === 0 ? "\u2026 the move has not returned"
        : `\u2717 missed ${names(lost)}, whose move has returned`}`;
    climb.setAttribute("aria-disabled", String(climbers.length === 0));
    element.dataset.state = JSON.stringify({
      bodies: tree.bodies.length, depth: tree.Depth(), visited: visited.size,
      found: found.map(({name}) => name), missed: missed.map(({name}) => name), lost: lost.map(({name}) => name),
      climbing: climbers.length > 0, climbers: climbers.map(({name}) => name),
    });
  }

  const climb = Button("Climb one slot (c)", Climb);
  const root = h("div", {class: "quad", role: "group", "aria-label": "a quad tree that you change"},
    h("style", {}, kStyle),
    h("div", {class: "row"}, h("label", {}, "Take ", thing),
      Button("\u2190", () => Go(-1, 0), "move it left"), Button("\u2192", () => Go(1, 0), "move it right"),
      Button("\u2191", () => Go(0, 1), "move it up"), Button("\u2193", () => Go(0, -1), "move it down"), climb),
    h("div", {class: "row"}, Button("Insert a body (i)", Insert), Button("Remove it (x)", Remove),
      Button("Rebuild (b)", Rebuild), Button("Restart (r)", Restart),
      h("label", {}, "Begin with ", scene), h("label", {}, "Run ", version)),
    said, h("div", {class: "two"}, sheet, list), verdict);
  const keys = {ArrowLeft: () => Go(-1, 0), ArrowRight: () => Go(1, 0), ArrowUp: () => Go(0, 1),
                ArrowDown: () => Go(0, -1), c: Climb, i: Insert, x: Remove, b: Rebuild, r: Restart};
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (!(event.key in keys)) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  });
  element.append(root);
  Restart();
}
