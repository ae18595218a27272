// The blog's frame as a graph of tasks, run by two workers: src/jobs/task_graph.h, step by step. What
// completes a task is TaskGraph::CloseItem: an item is taken off, and where that was the last one the
// dependents are released and the parent loses an item, too.

import {h, svg} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kTasks = [
  {name: "animation", parent: null, dependency: null, empty: false, box: [8, 45, 112, 50]},
  {name: "scene_graph", parent: 3, dependency: 0, empty: false, box: [168, 45, 132, 50]},
  {name: "gui", parent: 3, dependency: null, empty: false, box: [168, 120, 132, 50]},
  {name: "gui_scene", parent: null, dependency: null, empty: true, box: [154, 8, 160, 192]},
  {name: "render", parent: 6, dependency: 3, empty: false, box: [370, 75, 150, 50]},
  {name: "sound", parent: 6, dependency: null, empty: false, box: [370, 160, 150, 50]},
  {name: "done", parent: null, dependency: null, empty: true, box: [354, 38, 182, 202]},
];
const kWorkers = ["worker 0", "worker 1"];
const Name = (i) => kTasks[i].name;
const Dependents = (i) => kTasks.map((_, k) => k).filter((k) => kTasks[k].dependency === i);

// After the main thread has made all tasks and submitted them: an empty one has lost its own item by
// then, and what depends on nothing is in the queue.
function Start({graph}) {
  const children = kTasks.map((_, i) => kTasks.filter((task) => task.parent === i).length);
  return {
    graph,
    items: kTasks.map((task, i) => children[i] + (task.empty ? 0 : 1)),
    blocked: kTasks.map((task) => task.dependency !== null),
    queue: [0, 2, 5],
    runs: kTasks.map(() => 0),
    early: false,  // a task was started before its dependency was complete
    completions: kTasks.map(() => 0),
    workers: kWorkers.map(() => ({at: "idle", task: null, index: null, seen: 0, release: [], done: []})),
  };
}

const AllComplete = (state) => state.items.every((items) => items === 0);

function Lines({graph}) {
  return [
    {at: "idle", code: "Pop(&task); TryStart(task): start, compare-exchange"},
    {at: "run", code: "work.function(work.data);"},
    ...(graph === "torn" ? [{at: "look", code: "items = open.load();"}, {at: "close", code: "open.store(items - 1);"}]
      : [{at: "close", code: "open.Close(): fetch_sub(kOneItem, acq_rel)"}]),
    {at: "release", code: "each dependent's start.Release(): fetch_and(~kBlocked, acq_rel)"},
  ];
}

function At(state, t) {
  const {at} = state.workers[t];
  return at === "idle" && AllComplete(state) ? null : at;
}

const Sleeps = (state, t) => state.workers[t].at === "idle" && state.queue.length === 0;

// Goes on in CloseItem after a task's item was taken off, or its dependents were released.
function GoUp(worker, complete) {
  const parent = complete ? kTasks[worker.index].parent : null;
  worker.index = parent === null ? worker.done.pop() ?? null : parent;
  worker.at = worker.index === null ? "idle" : worker.first;
  worker.seen = 0;
  if (worker.at === "idle") worker.task = null;
}

function Close(state, worker, last) {
  const i = worker.index;
  state.items[i] -= 1;
  if (!last) {
    GoUp(worker, false);
    return `${Name(i)} has ${state.items[i]} open work items left`;
  }
  state.completions[i] += 1;
  worker.release = Dependents(i);
  worker.at = "release";
  if (worker.release.length === 0) GoUp(worker, true);
  return `took the last item off ${Name(i)}: it is complete`;
}

function Step(state, t) {
  const worker = state.workers[t];
  if (worker.at === "idle") {
    worker.task = state.queue.shift();
    worker.at = "run";
    worker.first = state.graph === "torn" ? "look" : "close";
    state.runs[worker.task] += 1;
    const {dependency} = kTasks[worker.task];
    state.early ||= dependency !== null && state.items[dependency] > 0;
    return `started ${Name(worker.task)}`;
  }
  if (worker.at === "run") {
    worker.index = worker.task;
    worker.at = worker.first;
    return `did the work of ${Name(worker.task)}`;
  }
  if (worker.at === "look") {
    worker.seen = state.items[worker.index];
    worker.at = "close";
    return `read ${worker.seen} open work items of ${Name(worker.index)}`;
  }
  if (worker.at === "close") {
    if (state.graph !== "torn") return Close(state, worker, state.items[worker.index] === 1);
    // The store of what was read before, less one.
    state.items[worker.index] = worker.seen;
    return Close(state, worker, worker.seen === 1);
  }
  const dependent = worker.release.shift();
  state.blocked[dependent] = false;
  if (kTasks[dependent].empty) worker.done.push(dependent);
  else state.queue.push(dependent);
  if (worker.release.length === 0) GoUp(worker, true);
  return `released ${Name(dependent)}: it may start`;
}

function StateOf(state, i) {
  if (state.items[i] === 0) return ["complete \u2713", "var(--good)"];
  const worker = state.workers.findIndex((one) => one.task === i && (one.at === "run" || one.index === i));
  if (worker >= 0) return [`in ${kWorkers[worker]}`, `var(--c${worker + 1})`];
  if (state.queue.includes(i)) return ["may start", "var(--accent)"];
  if (state.blocked[i]) return ["blocked", "var(--line)"];
  return [kTasks[i].empty ? "waits for children" : "open", "var(--line)"];
}

function Arrow(x1, y1, x2, y2) {
  return svg("path", {
    d: `M${x1} ${y1} L${x2} ${y2} m-8 -5 l8 5 l-8 5`, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5,
  });
}

function Picture(state) {
  const order = [3, 6, 0, 1, 2, 4, 5];  // what contains comes first
  const boxes = order.map((i) => {
    const [x, y, width, height] = kTasks[i].box;
    const [words, colour] = StateOf(state, i);
    const low = kTasks[i].empty ? y + height - 26 : y;
    return [
      svg("rect", {x, y, width, height, rx: 6, fill: kTasks[i].empty ? "none" : "var(--paper)", stroke: colour,
                   "stroke-width": colour === "var(--line)" ? 1.5 : 3, "stroke-dasharray": kTasks[i].empty ? "6 4" : "none"}),
      svg("text", {x: x + 8, y: kTasks[i].empty ? y + 20 : low + 19, fill: "var(--ink)", "font-size": 15}, Name(i)),
      svg("text", {x: x + width - 8, y: kTasks[i].empty ? y + 20 : low + 19, fill: "var(--ink)", "font-size": 15,
                   "text-anchor": "end", "font-weight": "bold"}, String(state.items[i])),
      svg("text", {x: x + 8, y: kTasks[i].empty ? y + height - 6 : low + 40, fill: "var(--ink)", "font-size": 12}, words),
    ];
  });
  return h("div", {},
      svg("svg", {viewBox: "0 0 548 250", width: 640, role: "img",
                  "aria-label": kTasks.map((task, i) => `${task.name}: ${state.items[i]} open work items, ${StateOf(state, i)[0]}`).join("; ")},
          Arrow(120, 70, 166, 70), Arrow(314, 100, 368, 100), boxes),
      Cells([{text: state.queue.map(Name).join(", ") || "\u2013", note: "the queue of what may start"}]));
}

function Facts(state) {
  const complete = AllComplete(state);
  const stuck = !complete && state.queue.length === 0 && state.workers.every((worker) => worker.at === "idle");
  return [
    {ok: state.runs.some((n) => n > 1) ? false : complete ? true : null, text: "each task is run once"},
    {ok: state.early ? false : complete ? true : null, text: "a task starts after its dependency is complete"},
    {ok: state.completions.some((n) => n > 1) ? false : complete ? true : null, text: "each task is completed once"},
    {ok: stuck ? false : complete ? true : null,
     text: stuck ? "no worker can go on, and not all is complete: an item was taken off twice as one" : "all is complete in the end"},
  ];
}

function Report(state) {
  return {
    graph: state.graph, items: state.items, queue: state.queue.map(Name), runs: state.runs,
    completions: state.completions, at: state.workers.map((worker) => worker.at),
  };
}

export const machine = {
  asked: "Does the frame always end?",
  threads: kWorkers,
  options: [{
    name: "graph",
    label: "an item is taken off by",
    choices: [
      {value: "src", text: "one fetch_sub, as in src"},
      {value: "torn", text: "a load, and later a store"},
    ],
  }],
  Start, At, Sleeps, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
