// GJK and EPA in the plane, step by step, on two convex polygons that the reader moves: on the left
// the polygons with the closest points, on the right their difference with the simplex. The steps
// are those of src/collision/gjk.cc and epa.cc, with edges in the place of faces.

import {h, svg} from "../../models/kit/counterexample/page/dom.js";

const kPrecision = 1e-9;
const kMaxSteps = 40;

const Sub = (p, q) => [p[0] - q[0], p[1] - q[1]];
const Times = (p, s) => [p[0] * s, p[1] * s];
const Plus = (p, q) => [p[0] + q[0], p[1] + q[1]];
const Dot = (p, q) => p[0] * q[0] + p[1] * q[1];
const Cross = (p, q) => p[0] * q[1] - p[1] * q[0];
const Length = (p) => Math.hypot(p[0], p[1]);

// The corner furthest in a direction; of equals the first.
function Support(corners, direction) {
  return corners.reduce((best, corner) => (Dot(corner, direction) > Dot(best, direction) ? corner : best));
}

// A point of the difference, and the corners that it comes from.
function SupportOfDifference(a, b, direction) {
  const of_a = Support(a, direction);
  const of_b = Support(b, Times(direction, -1));
  return {a: of_a, b: of_b, ab: Sub(of_a, of_b)};
}

// Counter-clockwise; points between two corners of a side are left out.
function Hull(points) {
  const sorted = [...points].sort((p, q) => p.ab[0] - q.ab[0] || p.ab[1] - q.ab[1]);
  const Chain = (list) => list.reduce((chain, p) => {
    const Turns = () => Cross(Sub(chain.at(-1).ab, chain.at(-2).ab), Sub(p.ab, chain.at(-1).ab)) > kPrecision;
    while (chain.length > 1 && !Turns()) chain.pop();
    chain.push(p);
    return chain;
  }, []);
  return [...Chain(sorted).slice(0, -1), ...Chain(sorted.reverse()).slice(0, -1)];
}

const Combine = (points, part) => points.reduce((sum, p) => Plus(sum, Times(p[part], p.weight)), [0, 0]);

// The point of a segment closest to the origin, as weights; an end that it does not need is dropped.
function OfSegment(p, q) {
  const along = Sub(q.ab, p.ab);
  const squared = Dot(along, along);
  const t = squared > 0 ? Math.min(1, Math.max(0, -Dot(p.ab, along) / squared)) : 0;
  return [{...p, weight: 1 - t}, {...q, weight: t}].filter(({weight}) => weight > 0);
}

// The part of two or three points that the closest point needs; null: the origin is inside.
function Reduce(points) {
  if (points.length === 2) return OfSegment(...points);
  const [p, q, r] = points;
  const area = Cross(Sub(q.ab, p.ab), Sub(r.ab, p.ab));
  const sides = [[p, q], [q, r], [r, p]];
  const inside = sides.every(([from, to]) => Cross(from.ab, to.ab) * area >= 0);
  if (inside && Math.abs(area) > kPrecision) return null;
  const Far = (kept) => Length(Combine(kept, "ab"));
  return sides.map((side) => OfSegment(...side)).reduce((best, kept) => (Far(kept) < Far(best) ? kept : best));
}

const Name = (point) => `(${point.map((v) => v.toFixed(1)).join(", ")})`;
const Words = (value) => value.toFixed(2);

// The view after each step. lower: no point of the difference is nearer to the origin.
export function Steps(a, b, between) {
  const frames = [];
  const Add = (frame) => frames.push({next: null, lower: 0, ended: false, overlap: false, polygon: null, edge: null, ...frame});
  let simplex = [{...SupportOfDifference(a, b, Length(between) > 0 ? between : [0, 1]), weight: 1}];
  let lower = 0;
  Add({kind: "begin", simplex, words: `The first point of the difference, in the direction from the middle of A to that of B: ${
    Name(simplex[0].ab)}.`});
  for (let step = 0; step < kMaxSteps; ++step) {
    const closest = Combine(simplex, "ab");
    const squared = Dot(closest, closest);
    if (squared <= kPrecision * kPrecision) return Expand(a, b, simplex, Add, frames);
    const next = SupportOfDifference(a, b, Times(closest, -1));
    const along = Dot(closest, next.ab);
    lower = Math.max(lower, along / Math.sqrt(squared));
    const known = simplex.some((p) => Length(Sub(p.ab, next.ab)) === 0);
    if (known || squared - along <= kPrecision * squared) {
      Add({kind: "end", simplex, next, lower, ended: true, words: `Asked towards the origin, the difference has no point nearer: ${
        Name(next.ab)} is as far as the closest point. The distance is ${Words(Math.sqrt(squared))}.`});
      return frames;
    }
    Add({kind: "ask", simplex, next, lower, words: `Asked towards the origin, the difference answers ${Name(next.ab)}. ${
      along > 0 ? `All of it lies beyond the dotted line, so the distance is between ${Words(lower)} and ${Words(Math.sqrt(squared))}.`
        : "The dotted line is behind the origin: so far nothing keeps the polygons apart."}`});
    const larger = [...simplex, next];
    const reduced = Reduce(larger);
    if (reduced === null) {
      Add({kind: "inside", simplex: larger.map((p) => ({...p, weight: 0})), lower, overlap: true,
        words: "The origin is in the triangle: the polygons overlap. EPA goes on from it."});
      return Expand(a, b, larger, Add, frames);
    }
    const dropped = larger.length - reduced.length;
    simplex = reduced;
    Add({kind: "keep", simplex, lower, words: `The closest point of the larger simplex is ${
      Length(Combine(simplex, "ab")).toFixed(2)} away. ${simplex.length} of its points ${simplex.length === 1 ? "makes" : "make"} it; ${
      dropped} ${dropped === 1 ? "is" : "are"} dropped.`});
  }
  return frames;
}

// EPA: the polygon around the origin grows at its closest edge.
function Expand(a, b, simplex, Add, frames) {
  const Ask = (direction) => SupportOfDifference(a, b, direction);
  let polygon = Hull([...simplex, ...(simplex.length < 3 ? [[1, 0], [-1, 0], [0, 1], [0, -1]].map(Ask) : [])]);
  for (let step = 0; step < kMaxSteps; ++step) {
    const edges = polygon.map((from, i) => {
      const to = polygon[(i + 1) % polygon.length];
      const along = Sub(to.ab, from.ab);
      const normal = Times([along[1], -along[0]], 1 / Length(along));
      return {from, to, normal, distance: Dot(normal, from.ab)};
    });
    const edge = edges.reduce((best, one) => (one.distance < best.distance ? one : best));
    const next = Ask(edge.normal);
    const beyond = Dot(edge.normal, next.ab) - edge.distance;
    const ended = beyond <= kPrecision * (1 + Length(next.ab));
    const foot = Times(edge.normal, edge.distance);
    const along = Sub(edge.to.ab, edge.from.ab);
    const t = Math.min(1, Math.max(0, Dot(Sub(foot, edge.from.ab), along) / Dot(along, along)));
    Add({kind: ended ? "end" : "expand", ended, overlap: true, polygon, edge, next, lower: 0,
      simplex: [{...edge.from, weight: 1 - t}, {...edge.to, weight: t}],
      words: ended
        ? `The difference ends at the closest edge: B leaves A by ${Words(Math.max(0, edge.distance))} along ${Name(edge.normal)}.`
        : `The closest edge is ${Words(edge.distance)} from the origin, and the difference has a point ${
          Words(beyond)} beyond it: ${Name(next.ab)}. The polygon grows by it.`});
    if (ended) return frames;
    polygon = Hull([...polygon, next]);
  }
  return frames;
}

const kWidth = 100;
const kHeight = 76;
const kStep = 3;
const kTurn = Math.PI / 12;
const Regular = (corners, radius) => Array.from({length: corners}, (_, i) => {
  const angle = (2 * Math.PI * i) / corners + 0.3;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});
const Box = (x, y) => [[x, y], [-x, y], [-x, -y], [x, -y]];
// [corners about the middle, middle] of A and B.
const kPairs = {
  corners: {text: "a pentagon and a triangle", shapes: [[Regular(5, 15), [28, 36]], [Regular(3, 13), [70, 44]]]},
  boxes: {text: "two boxes, side by side", shapes: [[Box(14, 10), [28, 38]], [Box(10, 14), [68, 38]]]},
  round: {text: "nearly a circle, and a needle", shapes: [[Regular(16, 15), [28, 36]], [Box(18, 0.6), [72, 40]]]},
};
const kNames = ["A", "B"];

const kStyle = `
.gjk{border:1px solid var(--line);border-radius:.5rem;padding:.75rem;background:var(--soft);
  color:var(--ink);font-size:.9rem;line-height:1.4}
.gjk .row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}
.gjk button,.gjk select{font:inherit;color:var(--ink);background:var(--paper);
  border:1px solid var(--accent);border-radius:.3rem;padding:.3rem .6rem;max-width:100%}
.gjk button[aria-disabled=true]{border-color:var(--line);opacity:.6}
.gjk :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.gjk .two{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
.gjk svg{display:block;width:100%;height:auto;background:var(--paper);border:1px solid var(--line)}
.gjk .shape{fill:var(--soft);fill-opacity:.6;stroke:var(--ink);stroke-width:.7;cursor:grab;touch-action:none}
.gjk .taken{stroke:var(--accent);stroke-width:1.4}
.gjk text{fill:var(--ink);font-size:5px;text-anchor:middle;pointer-events:none}
.gjk .wide text{font-size:8px}
.gjk .said{min-height:4.2em;margin:.3rem 0}
.gjk h4{margin:.2rem 0;font-size:1em}
.gjk ul{margin:.3rem 0;padding-left:1.2rem}
`;

export function mount(element, options) {
  let shapes;
  let taken = 1;
  let frames;
  let at = 0;
  const pair = h("select", {onchange: () => Restart()},
    Object.entries(kPairs).map(([value, {text}]) => h("option", {value}, text)));
  if (options.pair in kPairs) pair.value = options.pair;
  const thing = h("select", {onchange: () => { taken = Number(thing.value); Show(); }},
    kNames.map((name, i) => h("option", {value: String(i)}, name)));
  const Panel = (box, kind) => svg("svg", {viewBox: box, role: "img", class: kind});
  const world = Panel(`0 0 ${kWidth} ${kHeight}`, "narrow");
  const plane = Panel("-92 -57 150 114", "wide");
  const said = h("p", {class: "said", "aria-live": "polite"});
  const list = h("ul");

  const Placed = ({corners, angle, middle}) => corners.map(([x, y]) => Plus(middle,
    [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]));

  function Restart() {
    shapes = kPairs[pair.value].shapes.map(([corners, middle]) => ({corners, middle, angle: 0}));
    taken = 1;
    at = 0;
    Compute(false);
  }
  // A reader who has gone to the end stays there; elsewhere the steps begin anew.
  function Compute(stays) {
    frames = Steps(...shapes.map(Placed), Sub(shapes[1].middle, shapes[0].middle));
    at = stays ? frames.length - 1 : 0;
    Show();
  }
  const IsLast = () => at === frames.length - 1;
  function Go(dx, dy) {
    Put(Plus(shapes[taken].middle, [dx * kStep, dy * kStep]));
  }
  function Put(middle) {
    const last = IsLast();
    shapes[taken].middle = [Math.min(kWidth, Math.max(0, middle[0])), Math.min(kHeight, Math.max(0, middle[1]))];
    Compute(last);
  }
  function Turn() {
    const last = IsLast();
    shapes[taken].angle += kTurn;
    Compute(last);
  }
  function To(step) {
    at = Math.min(frames.length - 1, Math.max(0, step));
    Show();
  }

  const Down = (p) => [p[0], -p[1]];  // the y axis of a picture points down
  const Path = (points) => points.map((p) => p.map((v) => v.toFixed(3)).join(",")).join(" ");
  const Line = (from, to, more) => svg("line", {x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...more});
  const Dotted = (p, r, more) => svg("circle", {cx: p[0], cy: p[1], r, ...more});

  function World(frame, [on_a, on_b]) {
    const On = (p) => [p[0], kHeight - p[1]];
    const polygons = shapes.map((shape, i) => [
      svg("polygon", {points: Path(Placed(shape).map(On)), "data-shape": i, class: `shape ${i === taken ? "taken" : ""}`}),
      svg("text", {x: On(shape.middle)[0], y: On(shape.middle)[1] + 1.7}, kNames[i]),
    ]);
    const asked = frame.next ? [frame.next.a, frame.next.b].map((p) =>
      Dotted(On(p), 1.8, {fill: "none", stroke: "var(--c2)", "stroke-width": 0.8})) : [];
    const witnesses = frame.kind === "inside" ? [] : [
      Line(On(on_a), On(on_b), {stroke: "var(--c1)", "stroke-width": 0.9}),
      Dotted(On(on_a), 1.2, {fill: "var(--c1)"}), Dotted(On(on_b), 1.2, {fill: "var(--c1)"}),
    ];
    world.replaceChildren(...polygons.flat(), ...witnesses, ...asked);
  }

  function Plane(frame, closest) {
    const [a, b] = shapes.map(Placed);
    const all = Hull(a.flatMap((p) => b.map((q) => ({ab: Sub(p, q)}))));
    const parts = [svg("polygon", {points: Path(all.map(({ab}) => Down(ab))), fill: "var(--soft)",
      stroke: "var(--ink)", "stroke-opacity": 0.5, "stroke-width": 0.7})];
    const drawn = frame.polygon || frame.simplex;
    parts.push(svg("polygon", {points: Path(drawn.map(({ab}) => Down(ab))), fill: "var(--c3)", "fill-opacity": 0.25,
      stroke: "var(--c3)", "stroke-width": 1.4}));
    parts.push(drawn.map(({ab}) => Dotted(Down(ab), 2.2, {fill: "var(--c3)"})));
    if (frame.next) {
      const normal = frame.edge ? frame.edge.normal : Times(closest, 1 / Length(closest));
      const side = Times([-normal[1], normal[0]], 300);
      const w = frame.next.ab;
      parts.push(Line(Down(Sub(w, side)), Down(Plus(w, side)), {stroke: "var(--c2)", "stroke-dasharray": "2 2"}));
      parts.push(Dotted(Down(w), 3.2, {fill: "none", stroke: "var(--c2)", "stroke-width": 1.4}));
    }
    if (frame.kind !== "inside") {
      parts.push(Line([0, 0], Down(closest), {stroke: "var(--c1)", "stroke-width": 1.4}));
      parts.push(Dotted(Down(closest), 2.2, {fill: "var(--c1)"}));
    }
    parts.push(Line([-5, 0], [5, 0], {stroke: "var(--ink)"}), Line([0, -5], [0, 5], {stroke: "var(--ink)"}));
    parts.push(svg("text", {x: 8, y: -5}, "0"));
    plane.replaceChildren(...parts.flat());
  }

  function Show() {
    const frame = frames[at];
    const closest = Combine(frame.simplex, "ab");
    const witnesses = [Combine(frame.simplex, "a"), Combine(frame.simplex, "b")];
    const distance = Length(closest);
    World(frame, witnesses);
    Plane(frame, closest);
    const counted = `Step ${at + 1} of ${frames.length}.`;
    said.textContent = `${counted} ${frame.words}`;
    const apart = frame.overlap ? "they overlap"
      : `the closest points so far, ${Name(witnesses[0])} and ${Name(witnesses[1])}, are ${Words(distance)} apart`;
    world.setAttribute("aria-label", `Polygons A and B: ${apart}.`);
    plane.setAttribute("aria-label", `The difference of A and B, the origin, and ${
      frame.polygon ? `a polygon of ${frame.polygon.length} of its points` : `a simplex of ${frame.simplex.length} of its points`}.`);
    list.replaceChildren(...(frame.polygon || frame.simplex).map(({a, b, ab}) =>
      h("li", {}, `${Name(ab)} = ${Name(a)} of A less ${Name(b)} of B`)));
    back.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(IsLast()));
    thing.value = String(taken);
    element.dataset.state = JSON.stringify({
      pair: pair.value, taken: kNames[taken], a: Placed(shapes[0]), b: Placed(shapes[1]),
      step: at, steps: frames.length, kind: frame.kind, points: (frame.polygon || frame.simplex).length,
      distance, lower: frame.lower, ended: frame.ended, overlap: frame.overlap,
      depth: frame.overlap && frame.edge ? Math.max(0, frame.edge.distance) : 0,
      on_a: witnesses[0], on_b: witnesses[1],
    });
  }

  // Dragging: the picture stays while its parts are made anew, so it is what captures the pointer.
  let grip = null;
  const PlaceOf = (event) => {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(world.getScreenCTM().inverse());
    return [x, kHeight - y];
  };
  world.addEventListener("pointerdown", (event) => {
    const which = event.target.dataset.shape;
    if (which === undefined) return;
    taken = Number(which);
    grip = Sub(shapes[taken].middle, PlaceOf(event));
    world.setPointerCapture(event.pointerId);
    event.preventDefault();
    Show();
  });
  world.addEventListener("pointermove", (event) => { if (grip) Put(Plus(PlaceOf(event), grip)); });
  for (const name of ["pointerup", "pointercancel"]) world.addEventListener(name, () => { grip = null; });

  const Button = (text, act, label) => h("button", {type: "button", onclick: act, "aria-label": label}, text);
  const next = Button("Next step (n)", () => To(at + 1));
  const back = Button("One step back (p)", () => To(at - 1));
  const root = h("div", {class: "gjk", role: "group", "aria-label": "GJK on two polygons that you move"},
    h("style", {}, kStyle),
    h("div", {class: "row"}, next, back, Button("To the end (e)", () => To(frames.length - 1)),
      Button("Restart (r)", Restart), h("label", {}, "Polygons ", pair)),
    h("div", {class: "row"}, h("label", {}, "Take ", thing),
      Button("\u2190", () => Go(-1, 0), "move it left"), Button("\u2192", () => Go(1, 0), "move it right"),
      Button("\u2191", () => Go(0, 1), "move it up"), Button("\u2193", () => Go(0, -1), "move it down"),
      Button("Turn it (t)", Turn)),
    said,
    h("div", {class: "two"}, h("div", {}, h("h4", {}, "The polygons"), world),
      h("div", {}, h("h4", {}, "Their difference, A less B"), plane)),
    h("h4", {}, "Points that are kept"), list);
  const keys = {ArrowLeft: () => Go(-1, 0), ArrowRight: () => Go(1, 0), ArrowUp: () => Go(0, 1),
                ArrowDown: () => Go(0, -1), t: Turn, n: () => To(at + 1), p: () => To(at - 1),
                e: () => To(frames.length - 1), r: Restart};
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
