// The union-find of src/islands/union_find.h, linked by two hands: each operation on a link is one
// step, those of Find with its halving too. Two of its choices are versions that lose a union. Each
// step sees the newest value.

import {h, svg} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";
import {ThreadName} from "./player.js";

const kHands = ["left hand", "right hand"];

// Which unions each hand makes.
const kTasks = {
  talk: {elements: 3, unions: [[[1, 2]], [[0, 2]]]},
  chain: {elements: 5, unions: [[[3, 4], [1, 2]], [[2, 4], [0, 3]]]},
  same: {elements: 4, unions: [[[2, 3], [0, 3]], [[1, 3], [0, 2]]]},
};

function Start({task, version}) {
  const {elements, unions} = kTasks[task];
  return {
    task,
    version,
    links: [...new Array(elements).keys()],
    upwards: false,
    returned: [],  // unions that have returned
    hands: unions.map((todo) => Begin({todo, at: "low"})),
  };
}

function Begin(hand) {
  if (hand.todo.length === 0) {
    hand.at = "end";
    return hand;
  }
  [hand.low, hand.high] = hand.todo[0];
  hand.at = "low";
  return hand;
}

const Pair = (hand) => hand.todo[0];
const Compressed = (hand) => Pair(hand)[hand.second ? 1 : 0];

// A hand's way, in the words of the source.
function Lines({task, version}, t) {
  const minimum = version === "src";
  const plain = version === "stores";
  const Short = (end, i) => (minimum ? [
    {at: `look${end}`, code: `AtomicMin: links_[${i}].load(relaxed)`},
    {at: `lower${end}`, code: `AtomicMin: links_[${i}].compare_exchange(seen, low, relaxed)`},
  ] : [{at: `look${end}`, code: `links_[${i}].store(low, relaxed)`}]);
  const Search = (i, then) => [
    {at: i, code: `${i} = Find(${i}): link = links_[${i}].load(relaxed)${then}`},
    {at: `${i}Next`, code: `Find: next = links_[link].load(relaxed)`},
    {at: `${i}Halve`, code: plain ? `Find: links_[${i}].store(next)`
                                  : `Find: links_[${i}].compare_exchange(link, next, relaxed)`},
  ];
  const unions = kTasks[task].unions[t].map(([a, b]) => `Union(${a}, ${b})`).join(", then ");
  return [
    {at: "unions", code: `// ${unions}`},
    ...Search("low", ""), ...Search("high", ", and at the end: if (low > high) swap"),
    {at: "link", code: plain ? "links_[high].store(low)"
                             : "links_[high].compare_exchange(high, low, relaxed)"},
    ...Short("A", "a"), ...Short("B", "b"),
  ];
}

function At(state, t) {
  const hand = state.hands[t];
  if (hand.at === "end") return null;
  return hand.at === "look" || hand.at === "lower" ? hand.at + (hand.second ? "B" : "A") : hand.at;
}

function Compress(hand) {
  hand.at = "look";
  hand.second = false;
}

// After the link of one of the two elements has been lowered, or was low enough.
function Lowered(state, hand) {
  if (!hand.second) {
    hand.second = true;
    hand.at = "look";
    return "";
  }
  const [a, b] = hand.todo.shift();
  state.returned.push([a, b]);
  Begin(hand);
  return `; Union(${a}, ${b}) returns`;
}

function Write(state, i, to) {
  state.links[i] = to;
  if (to > i) state.upwards = true;
}

// One search has come to a root, hand[end].
function Found(state, hand, end) {
  const root = hand[end];
  delete hand.seen;
  if (end === "low") {
    hand.at = "high";
    return `${root} is a root`;
  }
  if (hand.low === hand.high) {
    Compress(hand);
    return `${root} is the root of both: nothing to link`;
  }
  if (hand.low > hand.high) [hand.low, hand.high] = [hand.high, hand.low];
  hand.at = "link";
  return `${root} is a root; ${hand.high} is to link to ${hand.low}`;
}

// The steps of Find for hand[end], which halves the path that it follows.
const Search = (end) => ({
  [end](state, hand) {
    const link = state.links[hand[end]];
    if (link === hand[end]) return Found(state, hand, end);
    hand.seen = link;
    hand.at = `${end}Next`;
    return `${hand[end]} links to ${link}`;
  },
  [`${end}Next`](state, hand) {
    const next = state.links[hand.seen];
    if (next === hand.seen) {
      hand[end] = next;
      return Found(state, hand, end);
    }
    hand.next = next;
    hand.at = `${end}Halve`;
    return `${hand.seen} links to ${next}: ${hand[end]} may link there directly`;
  },
  [`${end}Halve`](state, hand) {
    const from = hand[end];
    const {seen, next} = hand;
    delete hand.seen;
    delete hand.next;
    hand[end] = next;
    hand.at = end;
    if (state.links[from] !== seen && state.version !== "stores") {
      return `${from} links to ${state.links[from]} by now: left alone, goes on at ${next}`;
    }
    Write(state, from, next);
    return `linked ${from} to ${next}, goes on there`;
  },
});

const kSteps = {
  ...Search("low"), ...Search("high"),
  link(state, hand) {
    const found = state.links[hand.high];
    if (found !== hand.high && state.version !== "stores") {
      hand.at = "low";
      return `${hand.high} is no root any more, it links to ${found}: looks again, from where it is`;
    }
    Write(state, hand.high, hand.low);
    Compress(hand);
    return found === hand.high ? `linked ${hand.high} to ${hand.low}`
        : `linked ${hand.high} to ${hand.low}, over its link to ${found}`;
  },
  look(state, hand) {
    const i = Compressed(hand);
    const found = state.links[i];
    if (state.version !== "src") {
      Write(state, i, hand.low);
      return `stored ${hand.low} over ${found}${Lowered(state, hand)}`;
    }
    if (hand.low < found) {
      hand.at = "lower";
      hand.seen = found;
      return `${i} links to ${found}, which is above ${hand.low}`;
    }
    return `${i} links to ${found}: low enough${Lowered(state, hand)}`;
  },
  lower(state, hand) {
    const i = Compressed(hand);
    if (state.links[i] === hand.seen) {
      Write(state, i, hand.low);
      return `lowered the link of ${i} to ${hand.low}${Lowered(state, hand)}`;
    }
    hand.seen = state.links[i];
    if (hand.low < hand.seen) return `found ${hand.seen} instead: tries again`;
    return `found ${hand.seen} instead, which is low enough${Lowered(state, hand)}`;
  },
};

const Step = (state, t) => kSteps[state.hands[t].at](state, state.hands[t]);

// The lowest element that each one leads to. Links that a defect turned into a circle lead nowhere.
function Roots(links) {
  return links.map((_, start) => {
    let i = start;
    for (let n = 0; n <= links.length && links[i] !== i; ++n) i = links[i];
    return i;
  });
}

// The lowest element of each one's set, when these unions are made one after another.
function Partition(count, unions) {
  const set = [...new Array(count).keys()];
  for (const [a, b] of unions) {
    const [low, high] = set[a] < set[b] ? [set[a], set[b]] : [set[b], set[a]];
    set.forEach((it, i) => { if (it === high) set[i] = low; });
  }
  return set;
}

const kGap = 76;

function Picture(state) {
  const width = kGap * state.links.length;
  const X = (i) => kGap * i + kGap / 2;
  const arrows = state.links.map((link, i) => {
    if (link === i) return null;
    const rise = 18 + 14 * Math.abs(i - link);
    const d = `M ${X(i)} 78 C ${X(i)} ${78 - rise}, ${X(link)} ${78 - rise}, ${X(link) + 5} 76`;
    return svg("path", {d, fill: "none", stroke: "var(--accent)", "stroke-width": 2.5,
                        "marker-end": "url(#union-find-arrow)"});
  });
  const circles = state.links.map((link, i) => [
    svg("circle", {cx: X(i), cy: 98, r: 19, fill: "var(--paper)", stroke: "var(--ink)",
                   "stroke-width": link === i ? 4 : 1.5}),
    svg("text", {x: X(i), y: 104, "text-anchor": "middle", fill: "var(--ink)"}, String(i)),
  ]);
  const marks = state.hands.flatMap((hand, t) => {
    if (hand.at === "end") return [];
    return [["low", hand.low], ["high", hand.high]].map(([name, i]) => svg("text", {
      x: X(i) + (name === "low" ? -2 : 2), y: 134 + 34 * t + (name === "low" ? 0 : 15),
      "text-anchor": "middle", "font-size": 13, fill: "var(--ink)",
    }, `${ThreadName(t)}: ${name}`));
  });
  const words = state.links.map((link, i) => (link === i ? `${i} is a root` : `${i} links to ${link}`));
  const head = svg("marker", {id: "union-find-arrow", viewBox: "0 0 8 8", refX: 6, refY: 4,
                              markerWidth: 5, markerHeight: 5, orient: "auto"},
                   svg("path", {d: "M 0 0 L 8 4 L 0 8 z", fill: "var(--accent)"}));
  return h("div", {},
           svg("svg", {viewBox: `0 0 ${width} 188`, role: "img", "aria-label": words.join(", "),
                       style: `width:min(100%,${width}px);min-width:0;height:auto`}, svg("defs", {}, head), arrows, circles, marks),
           Cells(state.links.map((link, i) => ({text: link, note: `links_[${i}]`,
                                                kind: link === i ? "strong" : ""}))));
}

function Facts(state) {
  const roots = Roots(state.links);
  const apart = state.returned.find(([a, b]) => roots[a] !== roots[b]);
  const ended = state.hands.every((hand) => hand.at === "end");
  const all = Partition(state.links.length, kTasks[state.task].unions.flat());
  return [{
    ok: !state.upwards,
    text: "no link points upwards",
  }, {
    ok: state.returned.length === 0 ? null : !apart,
    text: apart ? `Union(${apart.join(", ")}) has returned, and ${apart[0]} and ${apart[1]} are apart`
        : "the elements of a Union that has returned are in one set",
  }, {
    ok: ended ? roots.every((root, i) => root === all[i]) : null,
    text: "in the end the sets are those of all unions together, in any order",
  }];
}

function Report(state) {
  return {
    task: state.task, version: state.version, links: state.links, roots: Roots(state.links),
    returned: state.returned.length, at: state.hands.map((hand) => hand.at),
    ok: Facts(state).every(({ok}) => ok !== false),
  };
}

export const machine = {
  asked: "Is every union kept, in any order of the two threads?",
  threads: kHands,
  options: [{
    name: "task",
    label: "the unions",
    choices: [
      {value: "talk", text: "1 with 2, and 0 with 2 [rouwe2022]"},
      {value: "chain", text: "two each, forming one set of five"},
      {value: "same", text: "two each, over the same elements"},
    ],
  }, {
    name: "version",
    label: "the code",
    choices: [
      {value: "src", text: "as in src"},
      {value: "shortcut", text: "paths made shorter by a plain store"},
      {value: "stores", text: "plain stores throughout (for one thread)"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
