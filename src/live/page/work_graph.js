// The work of all threads in a frame, and what each part of it came after: as src/profile/work_graph.h, whose comment
// says what pieces, steps and joins are.

import {IsWaiting, OuterFirst} from "./spans.js";

const kMostDepth = 1000;  // of tasks that are complete only with each other; deeper ones are known by times
export const kKinds = ["work", "empty", "list", "idempotent", "external", "link"];

// spans: {lane, name, begin, end, about}. tasks: {lane, time, task, parent, dependency, kind, priority, bound}, where a
// number that is not there is null. nameOf: of a span, its name.
// Returns {lanes, byEnd, nodes}: lanes: of each the pieces {lane, name, begin, end, step, before, busy} by time, where
// busy is the piece before on its lane; byEnd: all of them by their end; nodes {isStep, lane, begin, end, work, pieces, causes: [{node, work}], follows, bound, byTimes, priority,
// made}, where follows may be null.
export function MakeWorkGraph(spans, tasks, nameOf, begin, end) {
  return Finished(WorkGraphInSteps(spans, tasks, nameOf, begin, end));
}

// The same as a generator, which returns the graph: a page makes a step of it in each of its frames.
export function* WorkGraphInSteps(spans, tasks, nameOf, begin, end) {
  const graph = {lanes: [], byEnd: [], nodes: []};
  const steps = new Steps(graph, nameOf, begin, end);
  const lanes = [];
  for (const span of spans.filter((one) => one.begin < one.end && one.end > begin && one.begin < end)) {
    (lanes[span.lane] ??= []).push(span);
  }
  for (const lane of lanes.keys()) {
    if (!lanes[lane]) continue;
    yield;
    graph.lanes[lane] = [];
    steps.AddLane(lane, OuterFirst(lanes[lane]));
    graph.byEnd = Merged(graph.byEnd, graph.lanes[lane]);
  }
  yield;
  const known = new Tasks(graph, tasks, begin, end);
  yield;
  new Causes(graph, steps, known).AddAll();
  return graph;
}

// What a generator returns in the end.
export function Finished(steps) {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

// Two lists by end and begin, as one. Of equals those of `one` come first.
function Merged(one, other) {
  if (one.length === 0) return other;
  const all = [];
  let at = 0;
  for (const piece of other) {
    while (at < one.length && (one[at].end < piece.end || (one[at].end === piece.end && one[at].begin <= piece.begin))) all.push(one[at++]);
    all.push(piece);
  }
  while (at < one.length) all.push(one[at++]);
  return all;
}

// The moment at which so much of a node's work was done.
export function TimeOf(graph, {node, work}) {
  const {isStep, end} = graph.nodes[node];
  if (!isStep) return end;
  const piece = PieceOf(graph, {node, work});
  return piece.begin + (work - piece.before);
}
// The piece of a step that does that part of its work.
export function PieceOf(graph, {node, work}) {
  const pieces = graph.nodes[node].pieces;
  return pieces[Math.max(0, Behind(pieces, (piece) => piece.before < work) - 1)];
}

// The number of the entries at the front for which `isBefore` is true.
function Behind(list, isBefore) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The piece that ended last before `time`; of several, that of the lane.
function LastBefore({byEnd}, time, lane) {
  const behind = Behind(byEnd, (piece) => piece.end <= time);
  let last = byEnd[behind - 1] ?? null;
  for (let i = behind - 1; i >= 0 && byEnd[i].end === time; --i) {
    if (byEnd[i].lane === lane) last = byEnd[i];
  }
  return last;
}

class Steps {
  constructor(graph, nameOf, begin, end) {
    Object.assign(this, {graph, nameOf, begin, end, runs: [], begins: [], kinds: new Map()});
  }

  AddLane(lane, spans) {
    this.lane = lane;
    this.at = this.begin;
    this.open = [];
    this.outside = this.AddRun(null, this.begin);
    for (const span of spans) {
      this.CloseUntil(span.begin);
      this.WorkUntil(span.begin);
      this.Enter(span);
    }
    this.CloseUntil(Infinity);
  }

  // What the name of a span says.
  KindOf(span) {
    const known = this.kinds.get(span.name);
    if (known) return known;
    const name = this.nameOf(span);
    // Of a task, or a visit to a list.
    const kind = {name, waits: IsWaiting(name), runs: name === "task" || name === "jobs"};
    this.kinds.set(span.name, kind);
    return kind;
  }

  // task: a number; null: outside of tasks.
  AddRun(task, begin) {
    const run = {task, begin, steps: [], cut: true, unknown: true, awaited: []};
    this.runs.push(run);
    return run;
  }

  Enter(span) {
    const {name, waits, runs} = this.KindOf(span);
    const around = this.open[this.open.length - 1];
    let run = around?.run ?? this.outside;
    if (waits) run.cut = true;
    const about = span.about ?? null;
    if (runs && about !== null) {
      if (!around?.waits) run.cut = run.unknown = true;
      run = this.AddRun(about, span.begin);
    }
    this.open.push({span, run, waits, awaited: name === "wait" ? about : null});
  }

  CloseUntil(time) {
    while (this.open.length > 0 && this.open[this.open.length - 1].span.end <= time) {
      const {span, run, waits, awaited} = this.open[this.open.length - 1];
      this.WorkUntil(span.end);
      this.open.pop();
      if (!waits) continue;
      run.cut = true;
      if (awaited !== null) run.awaited.push(awaited);
      else run.unknown = true;
    }
  }

  WorkUntil(time) {
    const to = Math.min(time, this.end);
    if (to <= this.at) return;
    if (this.open.length > 0 && !this.open[this.open.length - 1].waits) this.AddPiece(to);
    this.at = to;
  }

  AddPiece(to) {
    const {run, span} = this.open[this.open.length - 1];
    const {nodes, lanes} = this.graph;
    const pieces = lanes[this.lane];
    const before = run.steps[run.steps.length - 1] ?? null;
    if (before === null || run.cut || nodes[before].end !== this.at) {
      this.begins.push({run, before, unknown: run.unknown || !run.cut || run.awaited.length === 0, awaited: run.awaited});
      run.awaited = [];
      run.steps.push(nodes.length);
      nodes.push({isStep: true, lane: this.lane, begin: this.at, end: this.at, work: 0, pieces: [], causes: [], follows: null,
                  bound: false, byTimes: false, priority: 0, made: this.at});
      run.cut = run.unknown = false;
    }
    const number = run.steps[run.steps.length - 1];
    const step = nodes[number];
    const busy = pieces[pieces.length - 1] ?? null;
    const piece = {lane: this.lane, name: span.name, begin: this.at, end: to, step: number, before: step.work, busy};
    step.pieces.push(piece);
    pieces.push(piece);
    step.work += to - this.at;
    step.end = to;
  }
}

class Tasks {
  constructor(graph, records, begin, end) {
    Object.assign(this, {graph, begin});
    this.byNumber = new Map();  // by time each
    const inTime = records.filter((record) => record.time < end).sort((a, b) => a.time - b.time);
    for (const record of inTime) {
      if (record.kind === "link") continue;
      const task = {...record, dependencies: [], children: [], lastSteps: [], asked: false, join: null};
      if (!this.byNumber.has(record.task)) this.byNumber.set(record.task, []);
      this.byNumber.get(record.task).push(task);
    }
    for (const link of [false, true]) {
      for (const record of inTime) {
        if ((record.kind === "link") === link) this.Link(record);
      }
    }
  }

  Link({task, parent, dependency, time}) {
    const of = this.Find(task, time);
    if (!of) return;
    if (dependency !== null) of.dependencies.push(dependency);
    if (parent !== null) this.Find(parent, time)?.children.push(of);
  }

  // The task that had the number at a time, or null.
  Find(number, time) {
    const tasks = this.byNumber.get(number) ?? [];
    return tasks[Behind(tasks, (task) => task.time <= time) - 1] ?? null;
  }

  AddRun(run) {
    if (run.steps.length > 0) this.Find(run.task, run.begin)?.lastSteps.push(run.steps.at(-1));
  }

  // Where in the work of another step the task was made, for a step that began at `time`; or null.
  MadeBy({lane, time: made}, time) {
    const pieces = this.graph.lanes[lane] ?? [];
    const piece = pieces[Behind(pieces, (one) => one.begin <= made) - 1];
    if (made < this.begin || !piece) return null;
    const step = this.graph.nodes[piece.step];
    if (step.begin >= time) return null;
    const held = step.end <= time;
    return {node: piece.step, work: held ? step.work : piece.before + Math.min(made, piece.end) - piece.begin};
  }

  // The node that stands for the end of the task with its children, or null where that is not known.
  JoinOf(task, depth = 0) {
    if (task.asked || depth === kMostDepth) return task.join;
    task.asked = true;
    const {nodes} = this.graph;
    const causes = [];
    let known = task.kind !== "external";
    const add = (other) => {
      const join = other ? this.JoinOf(other, depth + 1) : null;
      known &&= join !== null;
      if (known) causes.push({node: join, work: 0});
    };
    if (task.kind === "empty") {
      // A cause without work might lead back to this group, which the maker may have come after.
      const made = this.MadeBy(task, task.time + 1);
      if (made && made.work > 0) causes.push(made);
      for (const number of task.dependencies) add(this.Find(number, task.time));
    } else {
      known &&= task.lastSteps.length > 0 || task.time < this.begin;
      if (task.kind === "idempotent") task.lastSteps = task.lastSteps.sort((a, b) => nodes[a].end - nodes[b].end).slice(0, 1);
      for (const step of task.lastSteps) causes.push({node: step, work: nodes[step].work});
    }
    for (const child of task.children) add(child);
    if (!known) return null;
    const end = causes.reduce((last, cause) => Math.max(last, TimeOf(this.graph, cause)), 0);
    nodes.push({isStep: false, lane: 0, begin: end, end, work: 0, pieces: [], causes, follows: null, bound: false,
                byTimes: false, priority: 0, made: 0});
    return task.join = nodes.length - 1;
  }
}

class Causes {
  constructor(graph, steps, tasks) {
    Object.assign(this, {graph, steps, tasks});
    this.visits = new Map();  // by task, of lists: the last steps of the visits, by end
    const byEnd = (a, b) => graph.nodes[a].end - graph.nodes[b].end || a - b;
    for (const run of steps.runs) {
      if (run.task === null) continue;
      tasks.AddRun(run);
      const task = tasks.Find(run.task, run.begin);
      if (task?.kind !== "list" || run.steps.length === 0) continue;
      if (!this.visits.has(task)) this.visits.set(task, []);
      this.visits.get(task).push(run.steps.at(-1));
    }
    for (const visits of this.visits.values()) visits.sort(byEnd);
  }

  AddAll() { this.steps.begins.forEach((begin, number) => this.AddTo(begin, number)); }

  AddTo({run, before, unknown, awaited}, number) {
    const step = this.graph.nodes[number];
    const task = run.task === null ? null : this.tasks.Find(run.task, run.begin);
    const causes = step.causes;
    if (before !== null) {
      causes.push({node: before, work: this.graph.nodes[before].work});
      if (run.task !== null) step.follows = before;
      for (const one of awaited) unknown = !this.AddJoin(one, step) || unknown;
    } else {
      unknown = task === null || this.AddFirst(task, step);
    }
    const last = unknown ? LastBefore(this.graph, step.begin, step.lane) : null;
    if (last) causes.push({node: last.step, work: last.before + last.end - last.begin});
    step.byTimes = unknown;
    step.bound = task ? task.bound : run.task === null;
    if (!task) return;
    step.priority = task.priority;
    if (before === null) step.made = task.time;
  }

  // Whether something is not known.
  AddFirst(task, step) {
    const made = this.tasks.MadeBy(task, step.begin);
    if (made) step.causes.push(made);
    let unknown = false;
    for (const number of task.dependencies) unknown = !this.AddJoin(number, step) || unknown;
    const visits = this.visits.get(task) ?? [];
    const visit = visits[Behind(visits, (one) => this.graph.nodes[one].end <= step.begin) - 1];
    if (visit !== undefined) step.causes.push({node: visit, work: this.graph.nodes[visit].work});
    return unknown;
  }

  // False: when the task was complete is not known.
  AddJoin(number, step) {
    const task = this.tasks.Find(number, step.begin);
    const join = task ? this.tasks.JoinOf(task) : null;
    if (join === null || this.graph.nodes[join].end > step.begin) return false;
    step.causes.push({node: join, work: 0});
    return true;
  }
}
