// One step of the physics update as jobs on threads: Begin, Collide beside the rebuild, Finalise, Solve,
// Finish (src/world/physics_update.h). A row of balls on a line, in floats, so that the order in which
// contacts are solved shows in the last bits: the hash is of the velocities after the step.

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";

const kBalls = 16;
const kPieces = 8;
// Rows of touching balls: islands. No ball of one touches one of another.
const kIslands = [[0, 1, 2, 3, 4, 5, 6], [7, 8, 9, 10], [11, 12, 13], [14, 15]];
const kIterations = 2;

function Random(seed) {
  let state = seed >>> 0;
  return () => {  // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Free threads take jobs in the order of the list, as from a job list.
function Deal(jobs, threads, start) {
  const free = new Array(threads).fill(start);
  return jobs.map(({name, time, ...more}) => {
    const thread = free.indexOf(Math.min(...free));
    const begin = free[thread];
    free[thread] += time;
    return {name, thread, begin, end: free[thread], ...more};
  });
}
const EndOf = (jobs) => Math.max(...jobs.map((job) => job.end));

export function Step({threads, seed, sorted}) {
  const random = Random(seed);
  const time = () => 6 + Math.floor(random() * 30);
  const one = (name, start, length) => ({name, thread: 0, begin: start, end: start + length});
  const bars = [one("begin", 0, 5)];

  // Collide: the rebuild, the longest job, first; then the pieces, each with its balls.
  const perPiece = kBalls / kPieces;
  const pieces = new Array(kPieces).fill(0).map((_, i) => ({
    name: `piece ${i}`, time: time(),
    balls: new Array(perPiece).fill(0).map((__, k) => i * perPiece + k),
  }));
  const collide = Deal([{name: "rebuild", time: 45, balls: []}, ...pieces], threads, bars[0].end);
  bars.push(...collide);
  // The piece that finishes first has found its contacts first.
  const found = [...collide].sort((a, b) => a.end - b.end || a.thread - b.thread)
    .flatMap(({balls}) => balls)
    .filter((ball) => kIslands.some((island) => island.includes(ball) && island.includes(ball + 1)))
    .map((ball) => [ball, ball + 1]);
  const contacts = sorted ? [...found].sort((a, b) => a[0] - b[0]) : found;
  bars.push(one("finalise", EndOf(collide), 9));

  // Solve: large islands first; those that share nothing at once.
  const solve = Deal(kIslands.map((balls, i) => ({name: `island ${i}`, time: 6 + 5 * balls.length})), threads,
    bars.at(-1).end);
  bars.push(...solve, one("finish", EndOf(solve), 5));
  return {bars, found, contacts, hash: Hash(Solve(contacts))};
}

// Sequential impulses without restitution: two that approach get the same velocity, by their masses.
function Solve(contacts) {
  const f = Math.fround;
  const velocity = new Float32Array(kBalls).map((_, i) => f(9.7 - 1.13 * i + 0.37 * ((i * 7) % 5)));
  const inverse = new Float32Array(kBalls).map((_, i) => f(1 / (1 + (i % 4))));
  for (let i = 0; i < kIterations; ++i) {
    for (const [a, b] of contacts) {
      const approach = f(velocity[a] - velocity[b]);
      if (approach <= 0) continue;
      const impulse = f(approach / f(inverse[a] + inverse[b]));
      velocity[a] = f(velocity[a] - f(impulse * inverse[a]));
      velocity[b] = f(velocity[b] + f(impulse * inverse[b]));
    }
  }
  return velocity;
}

// FNV-1a over the bytes, of 32 bits.
function Hash(velocity) {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(velocity.buffer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

const kRow = 34;
const kLabel = 62;
const kWidth = 640;

function Draw({bars}, threads) {
  const end = EndOf(bars);
  const x = (time) => kLabel + (time / end) * (kWidth - kLabel - 4);
  const kind = (name) => name.split(" ")[0];
  const letter = {begin: "B", rebuild: "R", piece: "", finalise: "F", island: "i", finish: "E"};
  return svg("svg", {viewBox: `0 0 ${kWidth} ${threads * kRow + 8}`, role: "img", class: "pu-bars",
    "aria-label": `${bars.length} jobs on ${threads} threads`},
  [...new Array(threads).keys()].map((t) =>
    svg("text", {x: 0, y: t * kRow + 24, class: "pu-name"}, `thread ${t}`)),
  bars.map(({name, thread, begin, end: last}) => svg("g", {class: `pu-bar pu-${kind(name)}`},
    svg("rect", {x: x(begin) + 0.5, y: thread * kRow + 4, height: 28, rx: 3,
      width: Math.max(2, x(last) - x(begin) - 1)}, svg("title", {}, name)),
    svg("text", {x: (x(begin) + x(last)) / 2, y: thread * kRow + 23},
      `${letter[kind(name)]}${name.split(" ")[1] || ""}`))));
}

export function mount(element, options) {
  let threads = Math.min(4, Math.max(1, Number(options.threads) || 2));
  let seed = 3;  // with two threads found in another order than sorted
  let sorted = options.sorted !== "no";
  let seen = [];
  const tools = h("div", {class: "pu-tools"});
  const picture = h("div",
    {class: "pu-scroll", tabindex: 0, role: "group", "aria-label": "jobs on threads"});
  const live = h("p", {"aria-live": "polite", class: "pu-live"});
  const list = h("div", {class: "pu-list"});

  const show = () => {
    const step = Step({threads, seed, sorted});
    seen.push({threads, seed, sorted, hash: step.hash});
    const button = (name, words, act) =>
      h("button", {type: "button", "data-key": name, class: `pu-${name}`, onclick: act}, words);
    Replace(tools,
      h("span", {}, "threads "),
      [1, 2, 3, 4].map((n) => h("button", {type: "button", "data-key": `t${n}`, class: `pu-threads-${n}`,
        "aria-pressed": String(n === threads), onclick: () => { threads = n; show(); }}, String(n))),
      button("again", "run again, with other delays", () => { ++seed; show(); }),
      button("sort", sorted ? "leave the sorting out" : "sort the contacts by pair",
        () => { sorted = !sorted; seen = []; show(); }));
    Replace(picture, Draw(step, threads));
    const hashes = new Set(seen.map((one) => one.hash));
    live.className = `pu-live ${hashes.size > 1 ? "pu-bad" : "pu-good"}`;
    live.textContent = `${hashes.size > 1 ? "✗" : "✓"} Hash ${step.hash}, with ${threads} ` +
      `${threads === 1 ? "thread" : "threads"}. ${seen.length} ${seen.length === 1 ? "run" : "runs"} ` +
      `${sorted ? "with" : "without"} sorting gave ${hashes.size} ${hashes.size === 1 ? "hash" : "hashes"}.`;
    const pairs = (contacts) => contacts.map(([a, b]) => `${a}-${b}`).join(" ");
    Replace(list,
      h("p", {}, "Found, in this order: ", h("code", {}, pairs(step.found))),
      h("p", {}, "Solved, in this order: ", h("code", {}, pairs(step.contacts))));
    element.dataset.state = JSON.stringify({threads, seed, sorted, hash: step.hash, runs: seen.length,
      hashes: hashes.size, jobs: step.bars.length});
  };
  element.append(h("style", {}, kStyle), tools, picture, live, list);
  show();
}

const kStyle = `
.pu-tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-bottom:.5rem}
.pu-tools [aria-pressed=true]{outline:2px solid var(--accent);font-weight:bold}
.pu-scroll{overflow-x:auto}
.pu-bars{width:100%;min-width:32rem}
.pu-bars text{font-size:13px;fill:var(--ink)}
.pu-bar text{text-anchor:middle}
.pu-bar rect{fill:var(--soft);stroke:var(--line);stroke-width:1.5}
.pu-piece rect{stroke:var(--c1);stroke-width:2.5}
.pu-rebuild rect{stroke:var(--c2);stroke-width:2.5}
.pu-island rect{stroke:var(--c3);stroke-width:2.5}
.pu-finalise rect,.pu-begin rect,.pu-finish rect{stroke:var(--ink)}
.pu-list code{overflow-wrap:anywhere}
.pu-good{color:var(--good);font-weight:bold}
.pu-bad{color:var(--bad);font-weight:bold}
`;
