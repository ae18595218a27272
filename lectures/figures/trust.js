// The search of models/kit/exhaustive, step by step: visits, choices, revisits. The reader says of each
// revisit whether it may take place, and may leave out a rule and see the verdict of a brute force.

import {h, Replace, svg} from "../../models/kit/counterexample/page/dom.js";
import {BruteForce, Code, kPrograms, Locations, Name, Search} from "./trust-search.js";

const kRules = {
  "": "all rules",
  "every revisit": "without step 4: every revisit takes place",
  "no revisits": "without step 3: no revisits",
  "newest only": "reads take the newest write only",
  "no coherence": "without coherence",
};
const kWidth = 420;
const kBox = {width: 158, height: 44};
const kColumns = [95, 325];
const RowY = (index) => 120 + index * 100;

const Asks = (step) => step !== undefined && (step.kind === "revisit" || step.kind === "refused");

function What(graph, slot) {
  const {op, read, written} = graph.events[slot];
  const parts = [op.op !== "store" ? `reads ${read}` : "", op.op !== "load" ? `writes ${written}` : ""];
  return `${Name(graph.events[slot])}, ${Code(op)}: ${parts.filter(Boolean).join(", ")}`;
}

function Names(graph, slots) {
  return slots.length === 0 ? "nothing else" : slots.map((slot) => Name(graph.events[slot])).join(", ");
}

function Question({graph, read, write, away}) {
  const at = (slot) => Name(graph.events[slot]);
  return `Now comes ${at(write)}, ${Code(graph.events[write].op)}. ${at(read)} was there before it. ` +
    `A revisit of ${at(read)} would take away: ${Names(graph, away)}. May it take place?`;
}

function Why({graph, why}) {
  const at = (slot) => Name(graph.events[slot]);
  if (why.reader !== undefined) return `${at(why.slot)} is a write that ${at(why.reader)} reads`;
  return graph.events[why.slot].op.op === "load"
    ? `${at(why.slot)} does not read the newest write there is, ${at(why.newer)}`
    : `${at(why.slot)} is not the newest write, ${at(why.newer)} is`;
}

function Words(step) {
  const {graph} = step;
  switch (step.kind) {
    case "visit":
      return graph.events.length === 0 ? "Visit . is the first (what it leads to is called .0, .1 and so on): the program, with no event yet."
        : `Visit ${step.name}: the program runs along these ${graph.events.length} events, then on.`;
    case "add":
      return `Added: ${What(graph, step.slot)}. ` + (step.offers.length === 0 ? "No other choice."
        : `Each other choice is a graph on the stack: ${step.offers.join(", ")}.`);
    case "revisit": {
      const read = Name(graph.events[step.read]);
      const made = step.made.length === 0 ? "no place is left that coherence allows"
        : `${read} reads ${Name(graph.events[step.write])}: ${step.made.join(", ")}`;
      return `A revisit. Taken away: ${Names(graph, step.away)}; ${made}.` +
        (step.why ? ` (Step 4 would have refused: ${Why(step)}.)` : "");
    }
    case "refused":
      return `Refused by step 4: ${Why(step)}. Another graph does this revisit.`;
    default:
      return `Complete, execution ${step.complete}: ${step.outcome}.`;
  }
}

// Where things are drawn, and the edges between them.
function Draw(program, step) {
  const {graph} = step;
  const locations = Locations(program);
  const initial = (at) => ({x: kWidth / 2 + (locations.indexOf(at) - (locations.length - 1) / 2) * 90,
    y: 24});
  const place = (slot) => {
    const event = graph.events[slot];
    return {x: kColumns[event.thread], y: RowY(event.index)};
  };
  const rows = Math.max(...program.threads.map((ops) => ops.length));
  const height = RowY(rows - 1) + 40;
  const edges = [];
  const edge = (kind, from, to, label) => edges.push(Edge(kind, from, to, label));
  for (const slots of graph.threads) {
    slots.slice(1).forEach((slot, i) => edge("po", place(slots[i]), place(slot), "po"));
  }
  for (const at of locations) {
    [...graph.mo[at]].reduce((from, slot) => {
      edge("mo", from, place(slot), "mo");
      return place(slot);
    }, initial(at));
    for (const slot of graph.reads[at]) {
      const {source} = graph.events[slot];
      edge("rf", source === -1 ? initial(at) : place(source), place(slot), "rf");
    }
  }
  const boxes = graph.events.map((event, slot) => {
    const {x, y} = place(slot);
    const away = Asks(step) && step.away.includes(slot);
    const now = slot === step.slot || slot === step.write;
    const revisited = slot === step.read;
    const note = away ? "taken away" : revisited ? "revisited" : now ? "new" : "";
    return svg("g", {class: `tr-event ${away ? "tr-away" : ""} ${now || revisited ? "tr-now" : ""}`},
      svg("rect", {x: x - kBox.width / 2, y: y - 22, width: kBox.width, height: kBox.height, rx: 6}),
      svg("text", {x, y: y - 4}, `${Name(event)}  ${Code(event.op)}`),
      svg("text", {x, y: y + 14, class: "tr-small"},
        [event.op.op !== "store" ? `reads ${event.read}` : "",
          event.op.op !== "load" ? `writes ${event.written}` : "", note].filter(Boolean).join(" · ")));
  });
  const firsts = locations.map((at) => {
    const {x, y} = initial(at);
    return svg("g", {class: "tr-event"},
      svg("rect", {x: x - 35, y: y - 16, width: 70, height: 30, rx: 15}),
      svg("text", {x, y: y + 4}, `${at} = 0`));
  });
  return svg("svg", {viewBox: `0 0 ${kWidth} ${height}`, role: "img", class: "tr-graph",
    "aria-label": `execution graph with ${graph.events.length} events`},
    svg("defs", {}, ["po", "rf", "mo"].map((kind) =>
      svg("marker", {id: `tr-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
        markerHeight: 7, orient: "auto", class: `tr-head tr-${kind}`},
        svg("path", {d: "M0,0 L8,4 L0,8 z"})))),
    edges, firsts, boxes);
}

// A curve from box to box that leaves the straight line free for others, with its name beside it.
function Edge(kind, from, to, label) {
  const bend = {po: 0, rf: 26, mo: -26}[kind];
  const same = from.x === to.x;
  const side = from.x < kWidth / 2 ? -1 : 1;
  let d;
  let at;
  if (same && kind === "po") {
    d = `M${from.x},${from.y + 22} L${to.x},${to.y - 23}`;
    at = {x: from.x + 12, y: (from.y + to.y) / 2 + 4};
  } else if (same) {
    const out = from.x + side * (kBox.width / 2 - 20);
    const far = out + side * (kind === "rf" ? 40 : 25);
    d = `M${out},${from.y + 22} Q${far},${(from.y + to.y) / 2} ${out},${to.y - 23}`;
    at = {x: (out + far) / 2 + side * 4, y: (from.y + to.y) / 2 + 4};
  } else {
    const top = from.y < 60;
    const low = to.y > RowY(0);
    const start = top ? {x: from.x, y: from.y + 14}
      : {x: from.x - side * kBox.width / 2, y: from.y + (kind === "rf" ? 8 : -8)};
    const inward = to.x < kWidth / 2 ? 1 : -1;
    const end = top && low
      ? {x: to.x + inward * (kBox.width / 2 + 2), y: to.y + (kind === "rf" ? 8 : -8)}
      : top ? {x: to.x + Math.sign(from.x - to.x) * 45 + (kind === "rf" ? 14 : -14), y: to.y - 23}
      : {x: to.x + side * (kBox.width / 2 + 2), y: to.y + (kind === "rf" ? 8 : -8)};
    const middle = top && low ? {x: kWidth / 2 + inward * 18, y: to.y - 10}
      : {x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 + (top ? bend / 2 : bend)};
    d = `M${start.x},${start.y} Q${middle.x},${middle.y} ${end.x},${end.y}`;
    at = {x: (start.x + 2 * middle.x + end.x) / 4, y: (start.y + 2 * middle.y + end.y) / 4};
  }
  return svg("g", {class: `tr-edge tr-${kind}`},
    svg("path", {d, "marker-end": `url(#tr-${kind})`}),
    svg("text", {x: at.x, y: at.y}, label));
}

export function mount(element, options) {
  let key = options.program in kPrograms ? options.program : "mp";
  let broken = options.rules in kRules ? options.rules : "";
  let search;
  let allowed;
  let step;
  let answered;  // whether the reader has said what becomes of the revisit that is shown
  let right;
  let asked;

  const choose = (label, values, value, change) => h("label", {}, `${label} `,
    h("select", {onchange: (event) => change(event.target.value)},
      Object.entries(values).map(([name, words]) =>
        h("option", {value: name, selected: name === value}, words))));
  const tools = h("div", {class: "tr-tools"});
  const picture = h("div", {class: "tr-picture"});
  const live = h("p", {class: "tr-live", "aria-live": "polite"});
  const aside = h("div", {class: "tr-aside"});
  const choices = h("div", {class: "tr-tools"},
    choose("program", Object.fromEntries(Object.entries(kPrograms).map(([k, p]) => [k, p.title])), key,
      (value) => { key = value; begin(); }),
    choose("search", kRules, broken, (value) => { broken = value; begin(); }));

  const begin = () => {
    search = Search(kPrograms[key], broken);
    allowed = BruteForce(kPrograms[key]);
    step = 0;
    right = asked = 0;
    go(0);
  };
  // A revisit that is come to going forward is a question first.
  const go = (to, forward = true) => {
    step = Math.max(0, Math.min(search.told.length - 1, to));
    answered = !(forward && Asks(search.told[step]));
    show("");
  };
  const nextVisit = () => {
    const next = search.told.findIndex((one, i) => i > step && one.kind === "visit");
    go(next < 0 ? search.told.length - 1 : next);
  };
  const answer = (may) => {
    const isRight = (search.told[step].kind === "revisit") === may;
    ++asked;
    right += isRight ? 1 : 0;
    answered = true;
    show(isRight ? "Right. " : "No. ");
  };

  const judge = () => {
    const distinct = new Set(search.complete);
    return {
      found: search.complete.length,
      missing: allowed.filter((one) => !distinct.has(one)).length,
      forbidden: [...distinct].filter((one) => !allowed.includes(one)).length,
      twice: search.complete.length - distinct.size,
    };
  };

  const show = (before) => {
    const now = search.told[step];
    const last = step === search.told.length - 1;
    const button = (name, words, act, disabled = false) => h("button",
      {type: "button", "data-key": name, class: `tr-${name}`, onclick: act, disabled}, words);
    Replace(tools, answered
      ? [button("next", "next step", () => go(step + 1), last),
        button("visit", "next visit", nextVisit, last),
        button("back", "one step back", () => go(step - 1, false), step === 0),
        button("end", "to the end", () => go(search.told.length - 1, false), last),
        button("again", "start again", begin)]
      : [button("may", "it may", () => answer(true)), button("may-not", "it may not", () => answer(false))]);
    if (document.activeElement === document.body && step > 0) {
      tools.querySelector("button:enabled").focus({preventScroll: true});
    }
    Replace(picture, Draw(kPrograms[key], now));
    live.textContent = before + (answered ? Words(now) : Question(now));
    const verdict = last ? judge() : null;
    const good = verdict && verdict.missing + verdict.forbidden + verdict.twice === 0;
    // The graphs that a revisit has put on the stack would give the answer away.
    const stack = now.stack.filter((name) => answered || !(now.made || []).includes(name));
    Replace(aside,
      h("p", {}, "Visiting ", h("code", {}, now.name), "; on the stack: ",
        stack.length === 0 ? "nothing" : h("code", {}, stack.join("  ")),
        `. Complete: ${now.complete}.`, asked > 0 ? ` Your answers: ${right} of ${asked} right.` : ""),
      verdict ? h("p", {class: good ? "tr-good" : "tr-bad"},
        `${good ? "✓" : "✗"} ${search.ended ? "The search has ended" : "Stopped"}: ${verdict.found} ` +
        `executions. Brute force allows ${allowed.length}: ${verdict.missing} missing, ` +
        `${verdict.forbidden} not allowed, ${verdict.twice} visited again.`) : null);
    element.dataset.state = JSON.stringify({program: key, rules: broken, step, steps: search.told.length,
      kind: now.kind, name: now.name, stack, complete: now.complete, answered, right, asked,
      verdict});
  };

  element.append(h("style", {}, kStyle), choices, tools, picture, live, aside);
  begin();
}

const kStyle = `
.tr-tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-bottom:.5rem}
.tr-tools select{max-width:100%}
.tr-graph{width:100%;max-width:34rem;display:block;margin:0 auto}
.tr-event rect{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.tr-event text{fill:var(--ink);font-size:13px;text-anchor:middle}
.tr-event .tr-small{font-size:11px}
.tr-now rect{stroke:var(--accent);stroke-width:3}
.tr-away rect{stroke:var(--bad);stroke-dasharray:3 3;stroke-width:2}
.tr-edge path{fill:none;stroke-width:1.8}
.tr-edge text{font-size:11px;text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:4px;
  fill:var(--ink)}
.tr-po path{stroke:var(--line)}
.tr-rf path{stroke:var(--c1)}
.tr-mo path{stroke:var(--c2);stroke-dasharray:6 4}
.tr-head path{stroke:none}
.tr-head.tr-po path{fill:var(--line)}
.tr-head.tr-rf path{fill:var(--c1)}
.tr-head.tr-mo path{fill:var(--c2)}
.tr-live{min-height:3em}
.tr-good{color:var(--good);font-weight:bold}
.tr-bad{color:var(--bad);font-weight:bold}
`;
