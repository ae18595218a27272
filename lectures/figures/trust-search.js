// TruSt on programs of a few operations, as models/kit/exhaustive does it: extension.cc, revisit.cc,
// coherence.cc and happens_before.cc, without seq_cst, fences and threads that wait. And, as its judge,
// a brute force that shares nothing with it: all choices of rf and mo, and those that the rules forbid
// thrown away, as models/kit/exhaustive/oracle does.
//
// An operation: {op: "load", at}, {op: "store", at, value} or {op: "add", at, value}, with an order.
// value may be {reg: i, plus: n}: what operation i of the thread has read, and n more.

const kInitial = -1;

export const kPrograms = {
  mp: {
    title: "message passing, relaxed",
    threads: [[Load("y"), Load("x")], [Store("x", 1), Store("y", 1)]],
  },
  mpRelease: {
    title: "message passing, release and acquire",
    threads: [[Load("y", "acquire"), Load("x")], [Store("x", 1), Store("y", 1, "release")]],
  },
  torn: {
    title: "two increments, torn: a load, then a store",
    threads: [[Load("x"), Store("x", {reg: 0, plus: 1})],
      [Load("x"), Store("x", {reg: 0, plus: 1})]],
  },
  add: {
    title: "two increments, fetch_add",
    threads: [[Add("x", 1)], [Add("x", 1)]],
  },
  sb: {
    title: "store buffering, relaxed",
    threads: [[Store("x", 1), Load("y")], [Store("y", 1), Load("x")]],
  },
};

function Load(at, order = "relaxed") { return {op: "load", at, order}; }
function Store(at, value, order = "relaxed") { return {op: "store", at, value, order}; }
function Add(at, value, order = "relaxed") { return {op: "add", at, value, order}; }

export function Code({op, at, value, order}) {
  const suffix = order === "relaxed" ? "" : `, ${order}`;
  if (op === "load") return `${at}.load(${order === "relaxed" ? "" : order})`;
  const what = typeof value === "object" ? `r + ${value.plus}` : value;
  return `${at}.${op === "add" ? "fetch_add" : "store"}(${what}${suffix})`;
}

const Reads = (op) => op.op !== "store";
const Writes = (op) => op.op !== "load";
const Acquires = (op) => op.order === "acquire" || op.order === "acq_rel";
const Releases = (op) => op.order === "release" || op.order === "acq_rel";

// A graph: events by slot, in the order of addition; of each thread its slots; of each location its
// writes in modification order and its reads. A clock: of each thread how many events are known.
function Empty(program) {
  const mo = {};
  const reads = {};
  for (const at of Locations(program)) {
    mo[at] = [];
    reads[at] = [];
  }
  return {events: [], threads: program.threads.map(() => []), mo, reads};
}

export function Locations(program) {
  return [...new Set(program.threads.flat().map((op) => op.at))].sort();
}

const Copy = (graph) => structuredClone(graph);
const Join = (a, b) => a.map((count, t) => Math.max(count, b[t]));
const Has = (clock, event) => clock[event.thread] > event.index;
const Zero = (graph) => graph.threads.map(() => 0);

function Before(graph, event) {
  return event.index === 0 ? null : graph.events[graph.threads[event.thread][event.index - 1]];
}

// The place in modification order at which an access stands; kInitial: the first value.
function PlaceOf(graph, event) {
  const write = Writes(event.op) ? graph.events.indexOf(event) : event.source;
  return write === kInitial ? kInitial : graph.mo[event.op.at].indexOf(write);
}
function ReadPlace(graph, event) {
  return event.source === kInitial ? kInitial : graph.mo[event.op.at].indexOf(event.source);
}

const ValueOf = (graph, slot) => (slot === kInitial ? 0 : graph.events[slot].written);

function IsUpdateAt(graph, at, place) {
  const slot = graph.mo[at][place];
  return slot !== undefined && Reads(graph.events[slot].op);
}

// The event's reads, its writes and its clocks: Evaluate and ComputeClocks.
function ComputeClocks(graph, event) {
  const before = Before(graph, event);
  event.hb = before ? [...before.hb] : Zero(graph);
  event.porf = before ? [...before.porf] : Zero(graph);
  event.released = Zero(graph);
  event.hb[event.thread] = event.porf[event.thread] = event.index + 1;
  const source = Reads(event.op) && event.source !== kInitial ? graph.events[event.source] : null;
  if (Reads(event.op)) event.read = ValueOf(graph, event.source);
  if (source) {
    event.porf = Join(event.porf, source.porf);
    if (Acquires(event.op)) event.hb = Join(event.hb, source.released);
  }
  if (!Writes(event.op)) return;
  const {value} = event.op;
  const operand = typeof value === "object"
    ? graph.events[graph.threads[event.thread][value.reg]].read + value.plus : value;
  event.written = event.op.op === "add" ? event.read + operand : operand;
  if (Releases(event.op)) event.released = [...event.hb];
  if (source) event.released = Join(event.released, source.released);
}

// The newest place that the next event of the thread knows: it may not stand before it.
function Floor(graph, event) {
  const before = Before(graph, event);
  const known = before ? before.hb : Zero(graph);
  let floor = kInitial;
  graph.mo[event.op.at].forEach((slot, place) => {
    if (Has(known, graph.events[slot])) floor = place;
  });
  for (const slot of graph.reads[event.op.at]) {
    const read = graph.events[slot];
    if (Has(known, read)) floor = Math.max(floor, PlaceOf(graph, read));
  }
  return floor;
}

function Attach(graph, slot, place) {
  const event = graph.events[slot];
  if (Writes(event.op)) graph.mo[event.op.at].splice(place, 0, slot);
  if (Reads(event.op)) graph.reads[event.op.at].push(slot);
}

// The part of the graph up to `last`, and what `also` knows; `detached` stays in its thread only.
function Restrict(graph, last, also, detached) {
  const keeps = (slot) => slot <= last || Has(also, graph.events[slot]);
  const kept = [...graph.events.keys()].filter(keeps);
  const to = new Map(kept.map((slot, i) => [slot, i]));
  to.set(kInitial, kInitial);
  const part = {events: [], threads: graph.threads.map(() => []), mo: {}, reads: {}};
  for (const slot of kept) {
    const event = structuredClone(graph.events[slot]);
    if (slot === detached) event.source = kInitial;
    if (event.source !== undefined) event.source = to.get(event.source);
    part.threads[event.thread].push(part.events.push(event) - 1);
  }
  const attached = (slot) => keeps(slot) && slot !== detached;
  for (const at of Object.keys(graph.mo)) {
    part.mo[at] = graph.mo[at].filter(attached).map((slot) => to.get(slot));
    part.reads[at] = graph.reads[at].filter(attached).map((slot) => to.get(slot));
  }
  return {part, read: to.get(detached)};
}

// Step 4: why the event does not stand as if it were added last to `previous`; null if it does.
function NotMaximal(graph, slot, previous) {
  const event = graph.events[slot];
  const order = graph.mo[event.op.at];
  const place = PlaceOf(graph, event);
  const newer = order.find((other, i) => i > place && previous(other));
  if (newer !== undefined) return {slot, newer};
  if (!Writes(event.op)) return null;
  const reader = graph.reads[event.op.at].find(
    (read) => graph.events[read].source === slot && previous(read));
  return reader === undefined ? null : {slot, reader};
}

// The obstacle to a revisit, or null.
function Obstacle(graph, read, write) {
  const leads = (slot) => Has(write.porf, graph.events[slot]);
  for (let slot = read; slot < graph.events.length; ++slot) {
    if (leads(slot)) continue;
    const why = NotMaximal(graph, slot, (other) => other <= slot || leads(other));
    if (why) return why;
  }
  return null;
}

// The whole search, as a list of what happened. broken: one rule that the search goes without.
export function Search(program, broken = "") {
  const kMost = 200;  // visits, for searches that are broken
  const told = [];
  const stack = [{name: ".", graph: Empty(program)}];
  const complete = [];
  let visit = null;
  const names = () => stack.map(({name}) => name);
  const tell = (kind, graph, more = {}) =>
    told.push({kind, name: visit.name, graph: Copy(graph), stack: names(), complete: complete.length,
      ...more});
  const push = (graph) => {
    const name = `${visit.name === "." ? "" : visit.name}.${visit.children++}`;
    stack.push({name, graph});
    return name;
  };

  const revisitsBy = (graph, slot) => {
    const write = graph.events[slot];
    // The newest read first, as the checker's list has them.
    for (const read of [...graph.reads[write.op.at]].reverse()) {
      if (Has(write.porf, graph.events[read])) continue;
      const away = [...graph.events.keys()].filter(
        (other) => other > read && other !== slot && !Has(write.porf, graph.events[other]));
      const why = Obstacle(graph, read, write);
      const asked = {read, write: slot, away, why};
      if (broken === "no revisits") continue;
      if (why && broken !== "every revisit") {
        tell("refused", graph, asked);
        continue;
      }
      const made = revisitOf(graph, read, slot);
      tell("revisit", graph, {...asked, made: made.map(({name}) => name)});
      for (const {child, at} of made) if (Writes(child.events[at].op)) chain(child, at);
    }
  };
  // A revisited read-modify-write writes too: it revisits in its turn.
  const chain = (child, at) => {
    const graph = Copy(child);
    const {at: location} = graph.events[at].op;
    graph.mo[location] = graph.mo[location].filter((slot) => slot !== at);
    graph.reads[location] = graph.reads[location].filter((slot) => slot !== at);
    revisitsBy(graph, at);
  };
  const revisitOf = (whole, readSlot, writeSlot) => {
    const found = whole.events[writeSlot];
    const {part, read} = Restrict(whole, readSlot, found.porf, readSlot);
    const write = part.threads[found.thread][found.index];
    const {at} = found.op;
    let lowest = Math.max(Floor(part, part.events[write]), Floor(part, part.events[read])) + 1;
    let highest = part.mo[at].length;
    if (Reads(found.op)) {
      highest = 1 + ReadPlace(part, part.events[write]);
      lowest = Math.max(lowest, highest);
    }
    const made = [];
    for (let place = highest; place >= lowest; --place) {
      if (IsUpdateAt(part, at, place)) continue;
      const child = Copy(part);
      Attach(child, write, place);
      child.events[read].source = write;
      ComputeClocks(child, child.events[read]);
      Attach(child, read, place + 1);
      made.push({name: push(child), child, at: read});
    }
    return made;
  };

  const add = (graph, t) => {
    const op = program.threads[t][graph.threads[t].length];
    const event = {thread: t, index: graph.threads[t].length, op};
    const slot = graph.events.push(event) - 1;
    graph.threads[t].push(slot);
    const offers = [];
    const offer = (place) => {
      const child = Copy(graph);
      Attach(child, slot, place);
      offers.push(push(child));
    };
    const writes = graph.mo[op.at].length;
    const floor = broken === "no coherence" ? kInitial : Floor(graph, event);
    if (Reads(op)) {
      const newest = writes - 1;
      let maximal = null;
      for (let place = broken === "newest only" ? newest : floor; place <= newest; ++place) {
        event.source = place === kInitial ? kInitial : graph.mo[op.at][place];
        ComputeClocks(graph, event);
        if (Writes(op)) revisitsBy(graph, slot);
        if (place === newest) {
          maximal = structuredClone(event);
        } else if (!(Writes(op) && IsUpdateAt(graph, op.at, place + 1))) {
          offer(place + 1);
        }
      }
      graph.events[slot] = maximal;
      Attach(graph, slot, newest + 1);
    } else {
      ComputeClocks(graph, event);
      revisitsBy(graph, slot);
      for (let place = floor + 1; place < writes; ++place) {
        if (!IsUpdateAt(graph, op.at, place)) offer(place);
      }
      Attach(graph, slot, writes);
    }
    tell("add", graph, {slot, offers});
  };

  for (let visits = 0; stack.length > 0 && visits < kMost; ++visits) {
    const {name, graph} = stack.pop();
    visit = {name, children: 0};
    tell("visit", graph);
    for (let t = 0; t < program.threads.length;) {
      if (graph.threads[t].length < program.threads[t].length) add(graph, t);
      else ++t;
    }
    complete.push(Signature(graph));
    tell("complete", graph, {signature: complete.at(-1), outcome: Outcome(graph)});
  }
  return {told, complete, ended: stack.length === 0};
}

// The source of each read, and the orders of the writes, by the operations' names: an execution.
function Signature(graph) {
  const name = (slot) => (slot === kInitial ? "0" : Name(graph.events[slot]));
  const rf = graph.threads.flat().map((slot) => graph.events[slot])
    .filter((event) => Reads(event.op)).map((event) => `${Name(event)}<${name(event.source)}`);
  const mo = Object.keys(graph.mo).map((at) => `${at}:${graph.mo[at].map(name).join("")}`);
  return [...rf, ...mo].join(" ");
}

export const Name = ({thread, index}) => `${"AB"[thread]}${index + 1}`;

function Outcome(graph) {
  return graph.threads.flat().map((slot) => graph.events[slot]).filter((event) => Reads(event.op))
    .map((event) => `${Name(event)} reads ${event.read}`).join(", ");
}

// All executions that the rules allow, each as its signature, by trying all there could be.
export function BruteForce(program) {
  const events = program.threads.flatMap((ops, thread) =>
    ops.map((op, index) => ({thread, index, op})));
  const n = events.length;
  const all = [...events.keys()];
  const writesAt = (at) => all.filter((i) => Writes(events[i].op) && events[i].op.at === at);
  const allowed = [];
  const reads = all.filter((i) => Reads(events[i].op));
  const orders = Locations(program).map((at) => Permutations(writesAt(at)));
  const sources = reads.map((i) =>
    [kInitial, ...writesAt(events[i].op.at).filter((write) => write !== i)]);
  for (const rf of Product(sources)) {
    for (const mo of Product(orders)) {
      const source = new Map(reads.map((read, i) => [read, rf[i]]));
      if (IsConsistent(events, n, source, mo)) {
        const name = (i) => (i === kInitial ? "0" : Name(events[i]));
        allowed.push([...reads.map((i) => `${name(i)}<${name(source.get(i))}`),
          ...Locations(program).map((at, i) => `${at}:${mo[i].map(name).join("")}`)].join(" "));
      }
    }
  }
  return allowed;
}

function IsConsistent(events, n, source, mo) {
  const po = (a, b) => events[a].thread === events[b].thread && events[a].index < events[b].index;
  const matrix = (holds) =>
    events.map((_, a) => events.map((__, b) => holds(a, b)));
  const close = (m) => {
    for (let k = 0; k < n; ++k) {
      for (let a = 0; a < n; ++a) for (let b = 0; b < n; ++b) m[a][b] ||= m[a][k] && m[k][b];
    }
    return m;
  };
  // The release sequence that a write belongs to is headed by itself, or by what its update read.
  const heads = (write) => (write === kInitial ? []
    : [...(Releases(events[write].op) ? [write] : []),
      ...(Reads(events[write].op) ? heads(source.get(write)) : [])]);
  const place = (i) => (i === kInitial ? kInitial
    : mo.map((order) => order.indexOf(i)).find((found) => found >= 0));
  if (close(matrix((a, b) => po(a, b) || source.get(b) === a)).some((row, a) => row[a])) return false;
  const hb = close(matrix((a, b) => po(a, b) ||
    (source.has(b) && Acquires(events[b].op) && heads(source.get(b)).includes(a))));
  for (const [read, from] of source) {
    if (Writes(events[read].op) && place(read) !== place(from) + 1) return false;
  }
  const stands = (i) => (Writes(events[i].op) ? place(i) : place(source.get(i)));
  const seen = (i) => (source.has(i) ? place(source.get(i)) : place(i));
  for (let a = 0; a < n; ++a) {
    for (let b = 0; b < n; ++b) {
      if (!hb[a][b] || events[a].op.at !== events[b].op.at) continue;
      if (Writes(events[b].op) ? stands(a) >= stands(b) : stands(a) > seen(b)) return false;
    }
  }
  return true;
}

function Product(lists) {
  return lists.reduce((rows, list) => rows.flatMap((row) => list.map((one) => [...row, one])), [[]]);
}
function Permutations(list) {
  if (list.length === 0) return [[]];
  return list.flatMap((one, i) =>
    Permutations(list.filter((_, k) => k !== i)).map((rest) => [one, ...rest]));
}
