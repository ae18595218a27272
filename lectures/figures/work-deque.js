// The deque of src/jobs/work_deque.h, step by step: an owner that takes the newest of three items, and two
// thieves that steal the oldest. Each operation on top, bottom and a cell is a step. Two of the choices
// are mutants.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kThreads = ["owner", "thief 1", "thief 2"];
const kItems = 3;

function Start({deque}) {
  return {
    deque,
    top: 0,
    bottom: kItems,
    top_seen: 0,
    takers: [...Array(kItems)].map(() => []),
    exchanges: [0, 0, 0],
    threads: kThreads.map((_, t) => ({at: t === 0 ? "begin" : "top", top: 0, bottom: 0})),
  };
}

const kCode = {
  begin: "bottom = bottom_.load(relaxed); if (bottom == top_seen) return false;",
  lower: "bottom_.store(newest, seq_cst);   // newest = bottom - 1",
  look: "top = top_.load(seq_cst); if (top < newest) return true;",
  last: "ours = top == newest && top_.compare_exchange_strong(top, top + 1, relaxed);",
  restore: "bottom_.store(bottom, relaxed);",
  top: "top = top_.load(seq_cst);",
  bottom: "bottom = bottom_.load(seq_cst); if (top >= bottom) return kEmpty;",
  cell: "oldest = CellOf(top).load(relaxed);",
  raise: "top_.compare_exchange_strong(top, top + 1, release)",
};

function Lines({deque}, t) {
  const code = {...kCode};
  let order = t === 0 ? ["begin", "lower", "look", "last", "restore"] : ["top", "bottom", "cell", "raise"];
  if (deque === "store") code.last = "ours = top == newest; if (ours) top_.store(top + 1, seq_cst);";
  if (deque === "looks" && t === 0) {
    order = ["begin", "look", "lower", "last", "restore"];
    code.look = "top = top_.load(seq_cst);";
    code.lower = "bottom_.store(newest, seq_cst); if (top < newest) return true;";
  }
  return order.map((at) => ({at, code: code[at]}));
}

const At = (state, t) => (state.threads[t].at === "end" ? null : state.threads[t].at);

function Got(state, t, number) {
  state.takers[number].push(t);
  return `has item ${number + 1}`;
}

const kSteps = {
  begin(state, me) {
    me.bottom = state.bottom;
    if (me.bottom === state.top_seen) {
      me.at = "end";
      return "Take = false: there is none";
    }
    me.at = state.deque === "looks" ? "look" : "lower";
    return `bottom is ${me.bottom}`;
  },
  lower(state, me, t) {
    state.bottom = me.bottom - 1;
    if (state.deque !== "looks") {
      me.at = "look";
      return `bottom is ${state.bottom} now`;
    }
    return Decide(state, me, t);
  },
  look(state, me, t) {
    me.top = state.top;
    if (state.deque === "looks") {
      me.at = "lower";
      return `top is ${me.top}`;
    }
    return Decide(state, me, t);
  },
  last(state, me, t) {
    const newest = me.bottom - 1;
    state.exchanges[t] += 1;
    me.at = "restore";
    if (state.deque === "store") {
      state.top = me.top + 1;
      return `raised top without asking: ${Got(state, t, newest)}`;
    }
    if (state.top !== me.top) return "failed: a thief was first";
    state.top += 1;
    return `raised top: ${Got(state, t, newest)}`;
  },
  restore(state, me) {
    state.bottom = me.bottom;
    state.top_seen = me.bottom;
    me.at = "begin";
    return "the deque is empty";
  },
  top(state, me) {
    me.top = state.top;
    me.at = "bottom";
    return `top is ${me.top}`;
  },
  bottom(state, me) {
    if (me.top >= state.bottom) {
      me.at = "end";
      return `bottom is ${state.bottom}. kEmpty`;
    }
    me.at = "cell";
    return `bottom is ${state.bottom}: there is item ${me.top + 1}`;
  },
  cell(state, me) {
    me.at = "raise";
    return `read item ${me.top + 1}, which is not its own yet`;
  },
  raise(state, me, t) {
    state.exchanges[t] += 1;
    me.at = "top";
    if (state.top !== me.top) return "failed, kLost: another thread was first";
    state.top += 1;
    return `raised top: ${Got(state, t, me.top)}`;
  },
};

// Take, when bottom is lowered and top is known.
function Decide(state, me, t) {
  const newest = me.bottom - 1;
  if (me.top < newest) {
    state.top_seen = me.top;
    me.at = "begin";
    return `top is ${me.top}, below: ${Got(state, t, newest)}, without an exchange`;
  }
  me.at = me.top === newest ? "last" : "restore";
  return me.top === newest ? `top is ${me.top}: that is the last one` : `top is ${me.top}: it is gone`;
}

function Step(state, t) {
  return kSteps[state.threads[t].at](state, state.threads[t], t);
}

function Picture(state) {
  const cells = state.takers.map((takers, i) => {
    const marks = [];
    if (state.top === i) marks.push("top");
    if (state.bottom === i) marks.push("bottom");
    return {
      text: `item ${i + 1}`,
      note: `${takers.map((t) => kThreads[t]).join(" and ") || "\u00a0"}${marks.length ? ` \u2190 ${marks.join(", ")}` : ""}`,
      kind: takers.length > 1 ? "bad" : takers.length ? "good" : "",
    };
  });
  return h("div", {}, Cells(cells), h("p", {}), Cells([
    {text: state.top, note: "top", kind: "strong"},
    {text: state.bottom, note: "bottom", kind: "strong"},
    {text: state.top_seen, note: "top_seen"},
    {text: state.exchanges[0], note: "exchanges of the owner"},
  ]));
}

function Facts(state) {
  const ended = state.threads.every((me) => me.at === "end");
  const twice = state.takers.some((takers) => takers.length > 1);
  return [
    {ok: twice ? false : ended ? true : null, text: twice ? "an item was given out twice" : "each item goes to one thread"},
    {ok: ended ? state.takers.every((takers) => takers.length > 0) : null, text: "no item is left when all say so"},
  ];
}

function Report(state) {
  return {
    deque: state.deque, top: state.top, bottom: state.bottom, takers: state.takers,
    exchanges: state.exchanges, at: state.threads.map((me) => me.at),
  };
}

export const machine = {
  asked: "Does each item go to exactly one thread?",
  threads: kThreads,
  options: [{
    name: "deque",
    label: "the deque",
    choices: [
      {value: "src", text: "as in src"},
      {value: "store", text: "with the last item taken without an exchange"},
      {value: "looks", text: "with Take looking at top before it lowers bottom"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
