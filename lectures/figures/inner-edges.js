// A box that slides over triangles, seen from the side: a triangle is a line there, and its edge a
// point. Three rules say which contacts count: each triangle by itself; only active edges
// (src/collision/mesh_edges.h); active edges from which no way along the surface leads closer
// (src/collision/mesh_features.h). The box does not turn and has no friction, and no body is deep.

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";

const kStep = 1 / 60;      // seconds
const kGravity = 9.8;
const kSpeed = 1;          // at the beginning, metres a second: less than kMargin a step
const kHalf = [0.4, 0.25];
const kStart = 1.34;       // of the box's middle, along the first triangle
const kPressed = 0.001;    // metres: as deep as the box lies in the ground
const kMargin = 0.02;      // metres: contacts that are still apart
const kPreference = 0.003; // a face is the way out when it separates less by no more than this
const kOfFace = 0.9999;    // a direction this near to a face's normal is that of the face
const kLevel = 1e-4;       // a way that leads closer by a smaller part of its length is level
const kSame = 1e-6;
const kPasses = 8;

// The corners of each surface from left to right; its front is above it.
const kSurfaces = {
  flat: {text: "level ground", corners: [[0, 0], [2, 0], [4, 0]]},
  ridge: {text: "up to a ridge", corners: [[0, -0.12], [2, 0], [4, 0]]},
  valley: {text: "down into a valley", corners: [[0, 0.12], [2, 0], [4, 0.12]]},
  kerb: {text: "a kerb", corners: [[0, 0], [2, 0], [2, 0.18], [4, 0.18]]},
};
const kRules = {
  alone: "each triangle by itself",
  active: "only active edges",
  closest: "active edges, and no way closer",
};

const Dot = (p, q) => p[0] * q[0] + p[1] * q[1];
const Sub = (p, q) => [p[0] - q[0], p[1] - q[1]];
const Plus = (p, q, t = 1) => [p[0] + q[0] * t, p[1] + q[1] * t];
const Unit = (p) => Plus([0, 0], p, 1 / Math.hypot(...p));
const Left = (p) => [-p[1], p[0]];
const Most = (points, way) => Math.max(...points.map((p) => Dot(p, way)));
const Least = (points, way) => Math.min(...points.map((p) => Dot(p, way)));

// An end of a triangle is an inner edge where another triangle goes on in the plane or upwards.
export function Triangles(corners) {
  const lines = corners.slice(1).map((to, i) => {
    const along = Unit(Sub(to, corners[i]));
    return {ends: [corners[i], to], along, normal: Left(along), active: [true, true]};
  });
  lines.slice(1).forEach((right, i) => {
    const bend = Dot(lines[i].normal, right.along);
    if (bend >= -kLevel) lines[i].active[1] = right.active[0] = false;
  });
  return lines;
}

const NearestOf = ([from, to], p) => {
  const way = Sub(to, from);
  return Plus(from, way, Math.min(1, Math.max(0, Dot(Sub(p, from), way) / Dot(way, way))));
};

// The shortest way between the box and one triangle, or the shortest way out.
function PairOf(box, {ends, normal}) {
  const ways = [normal, ...box.axes, ...box.axes.map((axis) => Plus([0, 0], axis, -1))];
  const apart = ways.map((way) => Least(box.corners, way) - Most(ends, way));
  const separation = Math.max(...apart), out = ways[apart.indexOf(separation)];
  if (separation <= 0) return {separation, out, on: [...ends].sort((p, q) => Dot(q, out) - Dot(p, out))[0]};
  const sides = box.corners.map((corner, i) => [corner, box.corners[(i + 1) % 4]]);
  const pairs = [...box.corners.map((p) => [NearestOf(ends, p), p]),
                 ...ends.flatMap((p) => sides.map((side) => [p, NearestOf(side, p)]))];
  const Length = ([p, q]) => Math.hypot(...Sub(q, p));
  const best = pairs.reduce((least, one) => (Length(one) < Length(least) ? one : least));
  return {separation: Length(best), out: Unit(Sub(best[1], best[0])), on: best[0]};
}

// The side of the box that points against the triangle, cut to the part over it.
function OverFace(box, {ends, along, normal}, number) {
  const deepest = Least(box.corners, normal);
  const side = [...box.corners].sort((p, q) => Dot(p, normal) - Dot(q, normal)).slice(0, 2);
  const way = Sub(side[1], side[0]), run = Dot(way, along);
  const At = (end) => Math.min(1, Math.max(0, Math.abs(run) > kSame ? Dot(Sub(end, side[0]), along) / run : 0));
  const points = [...new Set(ends.map(At))].map((t) => Plus(side[0], way, t))
      .filter((p) => Dot(Sub(p, ends[0]), along) >= -kSame && Dot(Sub(p, ends[1]), along) <= kSame)
      .map((p) => ({at: p, normal, separation: Dot(Sub(p, ends[0]), normal), part: "face", triangle: number}))
      .filter(({separation}) => separation <= kMargin);
  return {points, has_deepest: points.some(({at}) => Dot(at, normal) <= deepest + kPreference)};
}

// Whether a triangle at this point leads closer to a body in the direction `out`.
const LeadsCloser = (lines, point, out) => lines.some(({ends: [from, to], along}) =>
  (Math.hypot(...Sub(from, point)) < kSame && Dot(out, along) > kLevel) ||
  (Math.hypot(...Sub(to, point)) < kSame && -Dot(out, along) > kLevel));

// The contacts that count, and those that do not.
export function Contacts(lines, box, rule) {
  const contacts = [], refused = [];
  const Add = (point) => {
    const same = contacts.some(({at, normal}) =>
      Math.hypot(...Sub(at, point.at)) < 1e-4 && Dot(normal, point.normal) > 0.999);
    (same ? refused : contacts).push(same ? {...point, why: "is there already"} : point);
  };
  lines.forEach((line, number) => {
    const {ends, normal, active} = line;
    const above = Least(box.corners, normal) - Dot(ends[0], normal);
    if (above > kMargin || Dot(Sub(box.middle, ends[0]), normal) < 0) return;
    if (rule !== "alone") {
      const beside = Math.max(...box.axes.flatMap((axis) => [axis, Plus([0, 0], axis, -1)])
          .map((way) => Least(box.corners, way) - Most(ends, way)));
      if (above >= beside - kPreference) {
        const {points, has_deepest} = OverFace(box, line, number);
        points.forEach(Add);
        if (has_deepest) return;
      }
    }
    const {separation, out, on} = PairOf(box, line);
    if (separation > kMargin) return;
    if (Dot(out, normal) > kOfFace) {
      OverFace(box, line, number).points.forEach(Add);
      return;
    }
    const which = ends.findIndex((end) => Math.hypot(...Sub(end, on)) < kSame);
    const point = {at: on, normal: out, separation, part: "edge", triangle: number};
    if (rule !== "alone" && !active[which]) refused.push({...point, why: "is at an inner edge"});
    else if (rule === "closest" && LeadsCloser(lines, on, out)) refused.push({...point, why: "has a way closer"});
    else Add(point);
  });
  return {contacts, refused};
}

function BoxAt(middle, axes) {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) =>
    Plus(Plus(middle, axes[0], x * kHalf[0]), axes[1], y * kHalf[1]));
  return {middle, axes, corners};
}

// Sequential impulses at the contacts; one that is apart may close its gap, and no more.
function Solve(velocity, contacts) {
  const sums = contacts.map(() => 0);
  for (let pass = 0; pass < kPasses; ++pass) {
    contacts.forEach(({normal, separation}, i) => {
      const wanted = Math.max(0, -separation - kPressed) - Math.max(0, separation);
      const sum = Math.max(0, sums[i] + wanted / kStep - Dot(velocity, normal));
      velocity = Plus(velocity, normal, sum - sums[i]);
      sums[i] = sum;
    });
  }
  return velocity;
}

const Digits = (value) => Number(value.toFixed(6));
const kWidth = [0.75, 3.35], kHeight = [-0.2, 0.85];  // metres, of the part that is drawn
const kPixels = 260;  // a metre

function Picture({lines, box, contacts, refused}) {
  const On = ([x, y]) => [(x - kWidth[0]) * kPixels, (kHeight[1] - y) * kPixels];
  const Path = (points) => points.map((p) => On(p).map((v) => v.toFixed(1)).join(",")).join(" ");
  const Arrow = ({at, normal, part}, counts) => {
    const tip = Plus(at, normal, 0.22), back = Plus(at, normal, 0.16), aside = Left(normal);
    const colour = !counts ? "var(--ink)" : part === "face" ? "var(--c1)" : "var(--bad)";
    const [x1, y1] = On(at), [x2, y2] = On(back);
    return svg("g", {opacity: counts ? 1 : 0.55},
        svg("line", {x1, y1, x2, y2, stroke: colour, "stroke-width": 4, "stroke-dasharray": counts ? null : "5 4"}),
        svg("polygon", {points: Path([tip, Plus(back, aside, 0.03), Plus(back, aside, -0.03)]), fill: colour}));
  };
  const edges = lines.flatMap(({ends, active}, i) => ends.map((end, k) => ({end, active: active[k]}))
      .filter((_, k) => k === 0 || i === lines.length - 1));
  return svg("svg", {viewBox: `0 0 ${(kWidth[1] - kWidth[0]) * kPixels} ${(kHeight[1] - kHeight[0]) * kPixels}`,
    role: "img", style: "display:block;width:100%;max-width:44rem;height:auto",
    "aria-label": `a box on ${lines.length} triangles, with ${contacts.length} contact points`},
  lines.map(({ends}, i) => svg("polyline", {points: Path(ends), fill: "none", stroke: `var(--c${i + 2})`, "stroke-width": 6})),
  svg("polygon", {points: Path(box.corners), fill: "var(--soft)", stroke: "var(--ink)", "stroke-width": 2}),
  edges.map(({end, active}) => svg("circle", {cx: On(end)[0], cy: On(end)[1], r: 8, stroke: "var(--ink)",
    "stroke-width": 3, fill: active ? "var(--ink)" : "var(--paper)"})),
  refused.map((one) => Arrow(one, false)), contacts.map((one) => Arrow(one, true)));
}

const Direction = ([x, y]) => (y > 0.7 ? "up" : x < -0.7 ? "against the motion" : "aslant");

function Words({steps, velocity, contacts, refused}) {
  const Count = (part) => contacts.filter((one) => one.part === part).length;
  const edges = contacts.filter(({part}) => part === "edge");
  const counted = [`Step ${steps}: ${Math.hypot(...velocity).toFixed(2)} m/s. `,
    `Contacts on faces: ${Count("face")}, at edges: ${edges.length}.`,
    edges.length ? ` The one at an edge points ${Direction(edges[0].normal)}.` : "",
    ...refused.map(({triangle, normal, why}) =>
      ` A point of triangle ${triangle + 1}, ${Direction(normal)}, does not count: it ${why}.`)];
  return counted.join("");
}

export function mount(element, options) {
  let state;
  const live = h("p", {"aria-live": "polite", style: "min-height:4.5em"});
  const picture = h("div", {});
  const Show = () => {
    const box = BoxAt(state.middle, state.axes);
    const found = Contacts(state.lines, box, rule.value);
    const view = {...state, box, ...found};
    Replace(picture, Picture(view));
    live.textContent = Words(view);
    const Plain = ({at, normal, separation, part, triangle}) =>
      ({at: at.map(Digits), normal: normal.map(Digits), separation: Digits(separation), part, triangle});
    element.dataset.state = JSON.stringify({
      surface: surface.value, rule: rule.value, steps: state.steps, middle: state.middle.map(Digits),
      velocity: state.velocity.map(Digits), box: box.corners.map((p) => p.map(Digits)), front: Digits(Most(box.corners, state.axes[0])),
      contacts: found.contacts.map(Plain), refused: found.refused.map((one) => ({...Plain(one), why: one.why})),
    });
  };
  const Again = () => {
    const lines = Triangles(kSurfaces[surface.value].corners);
    const {ends, along, normal} = lines[0];
    state = {lines, axes: [along, normal], steps: 0, velocity: Plus([0, 0], along, kSpeed),
             middle: Plus(Plus(ends[0], along, kStart), normal, kHalf[1] - kPressed)};
    Show();
  };
  const Go = (steps) => {
    for (let i = 0; i < steps; ++i) {
      const {contacts} = Contacts(state.lines, BoxAt(state.middle, state.axes), rule.value);
      state.velocity = Solve(Plus(state.velocity, [0, -kGravity], kStep), contacts);
      state.middle = Plus(state.middle, state.velocity, kStep);
      state.steps += 1;
    }
    Show();
  };
  const Choice = (items, chosen) => h("select", {onchange: () => Again()}, items.map(([value, text]) =>
    h("option", {value, selected: value === chosen}, text)));
  const surface = Choice(Object.entries(kSurfaces).map(([name, {text}]) => [name, text]), options.surface);
  const rule = Choice(Object.entries(kRules), options.rule);
  const Button = (words, act, steps) => h("button", {type: "button", "data-steps": steps, onclick: act}, words);
  element.append(
      h("p", {}, Button("one step", () => Go(1), 1), " ", Button("ten steps", () => Go(10), 10), " ",
          Button("start again", Again)),
      h("p", {}, h("label", {}, "surface ", surface), " ", h("label", {}, "rule ", rule)),
      picture, live);
  Again();
}
