// One word of src/jobs/open_items.h, step by step: two workers that take the last two items off a task,
// and a creator that registers a dependent with it. Each operation on the word is a step. Two of the
// choices are mutants.

import {h} from "./kit.js";
import {Cells, MountScheduler} from "./scheduler.js";

const kThreads = ["worker 0", "worker 1", "creator"];
const kNone = 65535;

function Start({word}) {
  return {
    kind: word,
    items: 2,
    first: kNone,
    link: null,
    at: ["close", "close", "look"],
    taken: [null, null],   // the list, as who closes has read it
    released: 0,
    refused: false,
    registered: false,
    completions: 0,
    version: 0,            // of the word, for the compare-exchange
    seen: null,
  };
}

const IsOpen = (state) => (state.kind === "zero" ? true : state.items !== 0);

function Next(state, t) {
  switch (state.at[t]) {
    case "close":
      return state.kind === "first" && state.taken[t] === null
          ? {where: "its work is done", code: "list = word_.load(acquire).first"}
          : {where: "its work is done", code: "word_.fetch_sub(kOneItem, acq_rel)"};
    case "release":
      return {where: "took the last item off", code: "the dependents that the list has: release them"};
    case "look":
      return {where: "Register begins", code: "word = word_.load(acquire); open ?"};
    case "link":
      return {where: "found the task open", code: "link(first): next_dependent of the dependent"};
    case "exchange":
      return {where: "has linked its dependent", code: "word_.compare_exchange(first \u2192 dependent, seq_cst)"};
    default:
      return null;
  }
}

function Close(state, t) {
  if (state.kind === "first" && state.taken[t] === null) {
    state.taken[t] = state.first;
    return `read the list: ${state.first === kNone ? "empty" : "one dependent"}`;
  }
  const list = state.kind === "first" ? state.taken[t] : state.first;
  state.items -= 1;
  state.version += 1;
  if (state.items !== 0) {
    state.at[t] = "end";
    return `one item less: ${state.items} left`;
  }
  state.completions += 1;
  state.taken[t] = list;
  state.at[t] = "release";
  return "took the last item off: the task is complete, and the list is mine";
}

function Step(state, t) {
  switch (state.at[t]) {
    case "close":
      return Close(state, t);
    case "release":
      state.at[t] = "end";
      if (state.taken[t] === kNone) return "there are no dependents";
      state.released += 1;
      return "released the dependent";
    case "look":
      state.seen = {version: state.version, first: state.first};
      if (IsOpen(state)) {
        state.at[t] = "link";
        return `the word says ${state.items} items`;
      }
      state.at[t] = "end";
      state.refused = true;
      return "refused: the task is complete, so the dependent may start at once";
    case "link":
      state.link = state.seen.first;
      state.at[t] = "exchange";
      return "what comes after it: nothing";
    default:
      if (state.seen.version !== state.version) {
        state.seen = {version: state.version, first: state.first};
        if (IsOpen(state)) {
          state.at[t] = "link";
          return `failed: the word has changed, to ${state.items} items`;
        }
        state.at[t] = "end";
        state.refused = true;
        return "failed, and the task is complete: refused, the dependent may start at once";
      }
      state.first = 7;
      state.version += 1;
      state.registered = true;
      state.at[t] = "end";
      return "registered: the dependent is in the list";
  }
}

function Picture(state) {
  return h("div", {}, Cells([
    {text: 1, note: "generation"},
    {text: state.items, note: "open work items", kind: state.items ? "strong" : "good"},
    {text: state.first === kNone ? "none" : "7", note: "first dependent", kind: state.first === kNone ? "" : "strong"},
  ]), h("p", {}), Cells([
    {text: state.items === 0 ? "complete" : "open", note: "the task"},
    {text: state.released ? "released" : state.refused ? "starts at once" : state.registered ? "waits" : "\u2013",
     note: "the dependent", kind: state.released || state.refused ? "good" : ""},
  ]));
}

function Facts(state) {
  const ended = state.at.every((at) => at === "end");
  const starts = state.released + (state.refused ? 1 : 0);
  return [
    {ok: ended ? state.completions === 1 : null, text: "the task is completed by exactly one Close"},
    {ok: ended ? starts === 1 : starts > 1 ? false : null,
     text: ended && starts === 0 ? "the dependent is forgotten: it waits for a task that is complete"
         : "the dependent is let go exactly once"},
  ];
}

function Report(state) {
  return {
    word: state.kind, items: state.items, first: state.first, at: state.at, released: state.released,
    refused: state.refused, registered: state.registered,
  };
}

export const machine = {
  label: "the word of open work items, with two workers and a creator whose steps you choose",
  threads: kThreads,
  options: [{
    name: "word",
    label: "The word",
    choices: [
      {value: "src", text: "as in src"},
      {value: "first", text: "with the list read before the subtraction"},
      {value: "zero", text: "with a Register that does not look at the items"},
    ],
  }],
  Start, Next, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountScheduler(element, machine, options);
}
