// A mass on a spring, stepped in three ways with 1/60 s: from the old velocity (explicit), to the new
// one (semi-implicit), and as src/dynamics/softness.h does (implicit).

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";

const kStep = 1 / 60;  // seconds
const kHertz = [1, 4, 15, 30, 60];
const kDamping = [0, 0.5, 1];
const kFar = 100;  // of the first deflection: further away a spring is lost
const kWays = [
  {name: "explicit", Step({x, v}, w, z) {
    return {x: x + kStep * v, v: v - kStep * (w * w * x + 2 * z * w * v)};
  }},
  {name: "semi-implicit", Step({x, v}, w, z) {
    const next = v - kStep * (w * w * x + 2 * z * w * v);
    return {x: x + kStep * next, v: next};
  }},
  {name: "soft constraint", Step({x, v}, w, z) {
    const a1 = 2 * z + kStep * w, a2 = kStep * w * a1, a3 = 1 / (1 + a2);
    const rate = w / a1, scale = a2 * a3;  // Softness::Of
    const next = v - scale * (v + rate * x);
    return {x: x + kStep * next, v: next};
  }},
];

const Lost = (one) => Math.abs(one.x) > kFar;

function Start(hertz, damping) {
  return {hertz, damping, steps: 0, springs: kWays.map(() => ({x: 1, v: 0}))};
}

function Advance(state, steps) {
  for (let i = 0; i < steps; ++i) {
    state.springs = state.springs.map((one, way) =>
        Lost(one) ? one : kWays[way].Step(one, 2 * Math.PI * state.hertz, state.damping));
    state.steps += 1;
  }
}

function Report(state) {
  return {hertz: state.hertz, damping: state.damping, steps: state.steps,
          at: state.springs.map((one) => Number(one.x.toPrecision(4))), lost: state.springs.map(Lost)};
}

// The three masses, each on a line of its own; beyond the edge an arrow.
function Picture(state) {
  const kHalf = 300, kRow = 60, kScale = 120;
  const rows = state.springs.flatMap((one, way) => {
    const y = kRow * (way + 0.6), far = Math.abs(one.x) * kScale > kHalf - 20;
    const x = far ? Math.sign(one.x) * (kHalf - 20) : one.x * kScale;
    return [
      svg("text", {x: 4 - kHalf, y: y - 18, "font-size": 14, fill: "var(--ink)"}, kWays[way].name),
      svg("line", {x1: -kHalf, x2: kHalf, y1: y, y2: y, stroke: "var(--line)"}),
      svg("line", {x1: 0, x2: x, y1: y, y2: y, stroke: "var(--accent)", "stroke-width": 3}),
      far ? svg("text", {x, y: y + 6, "text-anchor": "middle", "font-size": 20, fill: "var(--bad)"}, x < 0 ? "◀" : "▶")
          : svg("circle", {cx: x, cy: y, r: 9, fill: `var(--c${way + 1})`}),
    ];
  });
  return svg("svg", {viewBox: `${-kHalf} 0 ${2 * kHalf} ${3 * kRow}`, role: "img", style: "max-width: 40rem",
                     "aria-label": "three masses, each on a spring"},
      svg("line", {x1: 0, x2: 0, y1: 0, y2: 3 * kRow, stroke: "var(--soft)", "stroke-dasharray": "4 4"}), rows);
}

function Words(state) {
  const each = state.springs.map((one, way) =>
      Lost(one) ? `${kWays[way].name}: lost` : `${kWays[way].name}: ${one.x.toFixed(3)}`);
  return `After ${state.steps} steps, of the first deflection: ${each.join("; ")}.`;
}

export function mount(element) {
  const live = h("p", {"aria-live": "polite"});
  const picture = h("div", {});
  let state;
  const Show = () => {
    Replace(picture, Picture(state));
    live.textContent = Words(state);
    element.dataset.state = JSON.stringify(Report(state));
  };
  const Again = () => {
    state = Start(Number(hertz.value), Number(damping.value));
    Show();
  };
  const Choice = (values, chosen, unit) => h("select", {onchange: Again}, values.map((value) =>
      h("option", {value, selected: value === chosen}, `${value}${unit}`)));
  const hertz = Choice(kHertz, 15, " Hz"), damping = Choice(kDamping, 0, "");
  const Button = (words, steps) => h("button", {type: "button", "data-steps": steps, onclick: () => {
    Advance(state, steps);
    Show();
  }}, words);
  element.append(
      h("p", {}, Button("one step", 1), " ", Button("ten steps", 10), " ",
          h("button", {type: "button", onclick: Again}, "start again"), " ",
          h("label", {}, "frequency ", hertz), " ", h("label", {}, "damping ", damping)),
      picture, live);
  Again();
}
