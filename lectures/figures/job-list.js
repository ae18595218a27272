// The job list of src/jobs/job_list.h with three workers, step by step: each operation on an atomic
// is one step, and so is what a thread does in between. Two of its choices are the defects of the
// review's listing; the third is a list with a sync point.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kWorkers = ["worker 0", "worker 1", "worker 2"];
const kJobs = 4;

function Start({list}) {
  return {
    list,
    lock: 0,
    next: 0,
    ends: list === "sync" ? [2, kJobs] : [kJobs],
    section: 0,
    unfinished: kJobs,
    runs: new Array(kJobs).fill(0),    // how often each job was begun
    running: new Array(kJobs).fill(0),  // and is being run now
    tooEarly: false,
    falseStalls: 0,  // in a row, while no worker held the lock; at most 2 are counted
    workers: kWorkers.map(() => ({at: "try", index: 0, answer: "", holds: false, byNobody: false})),
  };
}

const Counts = (state) => state.list === "counting";
const Held = (state) => state.workers.some((worker) => worker.holds);

// A worker's way, in the words of the source.
function Lines({list}) {
  const counts = list === "counting";
  return [
    {at: "try", code: counts ? "if (fetch_lock_.fetch_add(1, acquire) != 0)"
                             : "fetch_lock_.compare_exchange_strong(unlocked, 1, acquire)"},
    ...(counts ? [{at: "back", code: "fetch_lock_.fetch_sub(1, relaxed); return kStalled;"}] : []),
    {at: "look", code: list === "late" ? "index = next_job_; next_job_ = index + 1;"
                                       : "index = next_job_; if (index < section_end_) next_job_ = index + 1;"},
    ...(list === "sync" ? [{at: "section", code: "unfinished_.load(acquire) != size_ - index"}] : []),
    {at: "unlock", code: counts ? "fetch_lock_.fetch_sub(1, release);" : "fetch_lock_.store(0, release);"},
    {at: "run", code: "job.function(job.data);"},
    {at: "return", code: list === "late" ? "if (index >= size_) return kDone; unfinished_.fetch_sub(1, release);"
                                         : "unfinished_.fetch_sub(1, release);"},
  ];
}

function Stalled(state, worker) {
  worker.at = "try";
  if (worker.byNobody) state.falseStalls = Math.min(state.falseStalls + 1, 2);
  worker.byNobody = false;
  return "kStalled: another worker is fetching, it seems";
}

const kSteps = {
  try(state, worker) {
    const before = state.lock;
    if (Counts(state)) state.lock += 1;
    if (before !== 0) {
      worker.byNobody = !Held(state);
      if (!Counts(state)) return Stalled(state, worker);
      worker.at = "back";
      return `found ${before}, made it ${state.lock}`;
    }
    state.lock = 1;
    worker.at = "look";
    worker.holds = true;
    state.falseStalls = 0;
    return "took the fetch lock";
  },
  back(state, worker) {
    state.lock -= 1;
    return Stalled(state, worker);
  },
  look(state, worker) {
    worker.index = state.next;
    worker.at = "unlock";
    if (state.list === "late") {
      state.next += 1;
      worker.answer = "run";
      return `took index ${worker.index} without a look at the end`;
    }
    if (worker.index < state.ends[state.section]) {
      state.next += 1;
      worker.answer = "run";
      return `fetched job ${worker.index}`;
    }
    if (worker.index === kJobs) {
      worker.answer = "end";
      return "nothing is left to fetch";
    }
    worker.at = "section";
    return "job 2 is behind the sync point";
  },
  section(state, worker) {
    worker.at = "unlock";
    if (state.unfinished !== kJobs - worker.index) {
      worker.answer = "try";
      return `unfinished_ is ${state.unfinished}: a job in front of it has not returned`;
    }
    state.section += 1;
    state.next += 1;
    worker.answer = "run";
    return `the section has ended: the next one begins, with job ${worker.index}`;
  },
  unlock(state, worker) {
    state.lock = Counts(state) ? state.lock - 1 : 0;
    worker.holds = false;
    worker.at = worker.answer;
    if (worker.at === "end") return "released the lock: kDone";
    return worker.at === "try" ? "released the lock: kWaiting" : "released the lock";
  },
  run(state, worker) {
    const job = worker.index % kJobs;
    state.runs[job] += 1;
    state.running[job] += 1;
    if (state.list === "sync" && job >= 2 && (state.runs[0] === 0 || state.runs[1] === 0)) state.tooEarly = true;
    worker.at = "return";
    if (worker.index >= kJobs) return `ran what it found behind the end: job ${job} once more`;
    return `ran job ${job}`;
  },
  return(state, worker) {
    state.running[worker.index % kJobs] -= 1;
    if (worker.index >= kJobs) {
      worker.at = "end";
      return "looked at the end of the list now: kDone";
    }
    state.unfinished -= 1;
    worker.at = "try";
    worker.index = 0;
    return `returned: ${state.unfinished} jobs have not`;
  },
};

const Step = (state, t) => kSteps[state.workers[t].at](state, state.workers[t]);

function Picture(state) {
  const holder = state.workers.findIndex((worker) => worker.holds);
  const jobs = state.runs.map((runs, job) => ({
    text: `job ${job}`,
    note: runs > 1 ? `run ${runs} times!` : state.running[job] ? "running" : runs ? "has run"
        : job < state.next ? "fetched" : "waits",
    kind: runs > 1 ? "bad" : runs ? "good" : job === state.next ? "strong" : "",
  }));
  if (state.list === "sync") jobs.splice(2, 0, {text: "│", note: "sync point"});
  const words = [
    {text: state.lock, note: "fetch_lock_", kind: state.lock ? "strong" : ""},
    {text: holder < 0 ? "no worker" : kWorkers[holder], note: "holds it",
     kind: holder < 0 && state.lock ? "bad" : ""},
    {text: state.next, note: "next_job_"},
    {text: state.unfinished, note: "unfinished_"},
  ];
  return h("div", {}, Cells(jobs), h("p", {}), Cells(words));
}

function Facts(state) {
  const ended = state.workers.every((worker) => worker.at === "end");
  const twice = state.runs.some((runs) => runs > 1);
  const facts = [{
    ok: twice ? false : ended ? state.runs.every((runs) => runs === 1) : null,
    text: "each job runs exactly once",
  }, {
    ok: state.falseStalls < 2,
    text: state.falseStalls < 2 ? "each worker that got kStalled was turned away by a holder of the lock"
      : "twice in a row a worker got kStalled, and no worker holds the lock",
  }, {
    ok: state.unfinished === 0 && state.running.some((n) => n > 0) ? false : ended ? true : null,
    text: "when unfinished_ is 0, no job is being run",
  }];
  if (state.list === "sync") {
    facts.push({ok: state.tooEarly ? false : ended ? true : null, text: "jobs 2 and 3 run after jobs 0 and 1"});
  }
  return facts;
}

function Report(state) {
  return {
    list: state.list, lock: state.lock, next: state.next, unfinished: state.unfinished,
    runs: state.runs, falseStalls: state.falseStalls, at: state.workers.map((worker) => worker.at),
  };
}

export const machine = {
  asked: "Does each job run exactly once, and is each refusal due to a holder of the lock?",
  threads: kWorkers,
  options: [{
    name: "list",
    label: "the list",
    choices: [
      {value: "src", text: "as in src"},
      {value: "late", text: "with the look at the end after the run"},
      {value: "counting", text: "with a fetch lock that counts"},
      {value: "sync", text: "as in src, with a sync point"},
    ],
  }],
  Start, Lines, Step, Picture, Facts, Report,
  At: (state, t) => (state.workers[t].at === "end" ? null : state.workers[t].at),
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
