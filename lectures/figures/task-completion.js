// One word of src/jobs/task_completion.h, step by step: two workers that take the last two items off a task,
// and a creator that registers a dependent with it. Each operation on the word is a step. Two of the
// choices are mutants.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kThreads = ["worker 0", "worker 1", "creator"];
const kNone = 65535;

function Start({word}) {
  return {
    kind: word,
    items: 2,
    first: kNone,
    link: null,
    at: word === "first" ? ["read", "read", "look"] : ["close", "close", "look"],
    taken: [null, null],   // the list, as the closing worker has read it
    released: 0,
    refused: false,
    registered: false,
    completions: 0,
    version: 0,            // of the word, for the compare-exchange
    seen: null,
  };
}

const IsOpen = (state) => (state.kind === "zero" ? true : state.items !== 0);

function Lines({word}, t) {
  if (t < 2) {
    return [
      ...(word === "first" ? [{at: "read", code: "list = word_.load(acquire).first;"}] : []),
      {at: "close", code: "before = word_.fetch_sub(kOneItem, acq_rel);"},
      {at: "release", code: "the dependents in the list: release them"},
    ];
  }
  return [
    {at: "look", code: "word = word_.load(acquire);"},
    {at: "link", code: word === "zero" ? "while (generation is the task's) { link(first);"
                                       : "while (generation is the task's && items != 0) { link(first);"},
    {at: "exchange", code: "if (word_.compare_exchange_weak(word, dependent first, seq_cst)) return true; }"},
  ];
}

const At = (state, t) => (state.at[t] === "end" ? null : state.at[t]);

function Close(state, t) {
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
    case "read":
      state.taken[t] = state.first;
      state.at[t] = "close";
      return `read the list: ${state.first === kNone ? "empty" : "one dependent"}`;
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
  asked: "Is the dependent let go exactly once?",
  threads: kThreads,
  options: [{
    name: "word",
    label: "the word",
    choices: [
      {value: "src", text: "as in src"},
      {value: "first", text: "with the list read before the subtraction"},
      {value: "zero", text: "with a Register that does not look at the items"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
