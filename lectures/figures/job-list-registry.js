// One slot of src/jobs/job_list_registry.h, step by step: an owner that attaches a list of one job, runs what
// it gets and leaves, and a visitor that looks into the slot. The last to leave a closed slot has the list
// and destroys it. Each operation on the slot's state is a step; a fetch from the list is one, too.

import {Cells, MountMachine} from "./machine.js";

const kThreads = ["owner", "visitor 1", "visitor 2"];

function Start({registry}) {
  return {
    registry,
    visitors: 0,
    open: false,
    version: 0,
    list: "with its owner",  // "attached", "destroyed"
    jobs: 1,
    destroyed: 0,
    touched: null,
    threads: kThreads.map((_, t) => ({at: t === 0 ? "post" : "look", seen: null})),
  };
}

const Word = (state) => `${state.open ? "open" : state.visitors ? "closed" : "free"}, ${state.visitors} inside`;

const kCode = {
  post: "slot.list.set(list); slot.state.store(kOpen | 1, release);",
  look: "state = slot.state.load(relaxed); if (open)",
  enter: "slot.state.compare_exchange_weak(state, state + 1, acquire)",
  add: "slot.state.fetch_add(1, acquire);",
  fetch: "list->Fetch(&job)",
  run: "job.function(job.data); list->CompleteJobs();",
  done: "LeaveDone: state.compare_exchange_weak(state, closed and one less, acq_rel)",
  destroy: "the last one: complete the task; the owner destroys the list",
};

function Lines({registry}, t) {
  const enter = registry === "look" ? "add" : "enter";
  const order = [...(t === 0 ? ["post"] : ["look", enter]), "fetch", "run", "done", "destroy"];
  return order.map((at) => ({at, code: at === "done" && registry === "stays"
    ? "LeaveDone: state.compare_exchange_weak(state, one less, acq_rel)" : kCode[at]}));
}

const At = (state, t) => (state.threads[t].at === "end" ? null : state.threads[t].at);

function Change(state, visitors, open) {
  state.visitors += visitors;
  state.open = open;
  state.version += 1;
}

const kSteps = {
  post(state, me) {
    Change(state, 1, true);
    state.list = "attached";
    me.at = "fetch";
    return "the list is attached, the slot is open";
  },
  look(state, me) {
    me.seen = {version: state.version};
    if (state.open) {
      me.at = state.registry === "look" ? "add" : "enter";
      return `saw: ${Word(state)}`;
    }
    me.at = state.list === "with its owner" ? "look" : "end";
    return `saw: ${Word(state)}. No list for me`;
  },
  enter(state, me) {
    if (me.seen.version !== state.version) {
      me.at = "look";
      return `failed: the slot has changed, it is ${Word(state)}`;
    }
    Change(state, 1, state.open);
    me.at = "fetch";
    return `entered: ${Word(state)}`;
  },
  add(state, me) {
    Change(state, 1, state.open);
    me.at = "fetch";
    return `entered without another look: ${Word(state)}`;
  },
  fetch(state, me, t) {
    if (state.list === "destroyed") {
      state.touched = kThreads[t];
      me.at = "end";
      return "asked a list that does not exist any more";
    }
    if (state.jobs === 0) {
      me.at = "done";
      return "kDone: nothing is left";
    }
    state.jobs -= 1;
    me.at = "run";
    return "kProgress: got the job";
  },
  run(state, me) {
    me.at = "fetch";
    return "ran the job";
  },
  done(state, me) {
    const last = state.visitors === 1;
    Change(state, -1, state.registry === "stays");
    me.at = last ? "destroy" : "end";
    return `left: ${Word(state)}${last ? ". No other visitor was inside" : ""}`;
  },
  destroy(state, me) {
    state.list = "destroyed";
    state.destroyed += 1;
    me.at = "end";
    return "completed the task: the list is gone";
  },
};

function Step(state, t) {
  const me = state.threads[t];
  return kSteps[me.at](state, me, t);
}

function Picture(state) {
  return Cells([
    {text: state.open ? "open" : state.visitors ? "closed" : "free", note: "the slot", kind: state.open ? "strong" : ""},
    {text: state.visitors, note: "visitors", kind: state.visitors ? "strong" : ""},
    {text: state.list, note: "the list", kind: state.list === "destroyed" ? "good" : ""},
    {text: state.jobs, note: "jobs to fetch"},
  ]);
}

function Facts(state) {
  const ended = state.threads.every((me) => me.at === "end");
  const running = state.threads.some((me) => me.at === "run");
  return [
    {ok: state.touched === null ? (ended ? true : null) : false,
     text: state.touched === null ? "no visitor touches a list that is gone" : `${state.touched} used the list after its end`},
    {ok: state.destroyed > 1 || (state.destroyed && running) ? false : ended ? state.destroyed === 1 : null,
     text: "the list goes back once, after its job has returned"},
  ];
}

function Report(state) {
  return {
    registry: state.registry, word: Word(state), list: state.list, jobs: state.jobs, touched: state.touched,
    destroyed: state.destroyed, at: state.threads.map((me) => me.at),
  };
}

export const machine = {
  asked: "Does a visitor touch a list that is gone?",
  threads: kThreads,
  options: [{
    name: "registry",
    label: "the slot",
    choices: [
      {value: "src", text: "as in src"},
      {value: "look", text: "with a look and then an entry"},
      {value: "stays", text: "with a slot that stays open"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
