// The memory of C++20 as a machine that is played step by step: what a load may read, and where a
// store takes its place, under each memory order. It makes the outcomes that the checker makes too:
// those of the column `graphs` of `./nowait check --litmus`; tests/learn compares the two. Like the
// checker's, its loads read nothing that a later store of their own thread leads to.
//
// Each atomic has its stores in modification order. Each thread has a view: for each atomic the
// oldest store that it may still read. An acquire that reads a release takes over the view of the
// thread that stored. The order S of the seq_cst operations is the order in which they are played;
// whatever another S would allow is played in another order of steps. Clocks count each thread's
// operations, for races on plain data.

const Acquires = (order) => order === "acquire" || order === "acq_rel" || order === "seq_cst";
const Releases = (order) => order === "release" || order === "acq_rel" || order === "seq_cst";

// The store that is an atomic's first value.
const kFirst = "first";

// The atomics that a program names, and its plain data.
function Named(threads, plain) {
  const ops = threads.flat().filter((op) => (op.op === "get" || op.op === "set") === plain);
  return [...new Set(ops.map((op) => op.at))].sort();
}

export function Start(row) {
  const atomics = {};
  const view = {};
  for (const at of Named(row.threads, false)) {
    atomics[at] = [{id: kFirst, value: 0, by: -1, message: null, update: false}];
    view[at] = kFirst;
  }
  const plain = {};
  for (const at of Named(row.threads, true)) plain[at] = {value: 0, write: null, reads: []};
  const count = row.threads.length;
  const state = {
    next: row.threads.map(() => 0),
    registers: {},
    atomics,
    plain,
    views: row.threads.map(() => ({...view})),
    clocks: row.threads.map(() => new Array(count).fill(0)),
    last: {...view},  // of the seq_cst operations played so far
    reads: {},  // which store each read has read; both are named by thread and place in it
    race: null,
  };
  row.threads.forEach((_, t) => Skip(row, state, t));
  return state;
}

const Copy = (value) => structuredClone(value);
const PlaceOf = (state, at, id) => state.atomics[at].findIndex((store) => store.id === id);
const Later = (state, at, a, b) => (PlaceOf(state, at, a) >= PlaceOf(state, at, b) ? a : b);

function Join(state, into, from) {
  for (const at of Object.keys(into)) into[at] = Later(state, at, into[at], from[at]);
}

// Goes past the operations whose condition does not hold.
function Skip(row, state, t) {
  const ops = row.threads[t];
  for (;;) {
    const op = ops[state.next[t]];
    if (!op || !op.when || state.registers[op.when] === op.is) return;
    state.next[t] += 1;
  }
}

export const Operation = (row, state, t) => row.threads[t][state.next[t]];

// The oldest store, as a place in modification order, that the operation may come upon.
function Floor(state, t, op) {
  const own = PlaceOf(state, op.at, state.views[t][op.at]);
  if (op.order !== "seq_cst") return own;
  return Math.max(own, PlaceOf(state, op.at, state.last[op.at]));
}

// Whether a store can be put right behind place i: nothing comes between an update and what it
// read.
const Open = (stores, i) => !(stores[i + 1] && stores[i + 1].update);

// The choices of thread t's next operation: a list of choices, each {reads} and/or {after}, ids of
// stores, the newest first.
export function Choices(row, state, t) {
  const op = Operation(row, state, t);
  if (!op || state.race) return [];
  if (op.op === "get" || op.op === "set") return [{}];
  const stores = state.atomics[op.at];
  const result = [];
  for (let i = Floor(state, t, op); i < stores.length; ++i) {
    const {id, value} = stores[i];
    if (op.op === "load" || (op.op === "cas" && value !== op.expected)) result.push({reads: id});
    else if (!Open(stores, i)) continue;
    else if (op.op === "store") result.push({after: id});
    else result.push({reads: id, after: id});
  }
  return result.reverse();
}

function Written(op, state, read) {
  if (op.op === "add") return read + op.value;
  if (op.op === "cas") return op.desired;
  return op.plus === undefined ? op.value : state.registers[op.plus] + op.value;
}

// Before the event of the clock `event`, so far as `t` knows.
const Ordered = (state, t, event) => event.t === t || state.clocks[t][event.t] >= event.time;

function AccessPlain(state, t, op, told) {
  const data = state.plain[op.at];
  const mine = {t, time: state.clocks[t][t]};
  const others = op.op === "set" ? [data.write, ...data.reads] : [data.write];
  const other = others.find((event) => event && !Ordered(state, t, event));
  if (other) {
    state.race = {at: op.at, threads: [other.t, t]};
    told.race = true;
    return;
  }
  if (op.op === "set") {
    data.value = op.value;
    data.write = mine;
    data.reads = [];
  } else {
    data.reads.push(mine);
    state.registers[op.into] = data.value;
  }
  told.value = data.value;
}

function Read(state, t, op, id, told) {
  const store = state.atomics[op.at].find((one) => one.id === id);
  state.reads[`${t}.${state.next[t]}`] = id;
  state.views[t][op.at] = Later(state, op.at, state.views[t][op.at], id);
  if (op.order === "seq_cst") state.last[op.at] = Later(state, op.at, state.last[op.at], id);
  if (op.into !== undefined) state.registers[op.into] = store.value;
  Object.assign(told, {value: store.value, from: store.by});
  told.stale = state.atomics[op.at].at(-1).id !== id;
  if (store.message && Acquires(op.order)) {
    told.synchronises = store.message.from;
    Join(state, state.views[t], store.message.view);
    state.clocks[t] = state.clocks[t].map((time, i) => Math.max(time, store.message.clock[i]));
  }
  return store;
}

function Write(state, t, op, after, from, told) {
  const stores = state.atomics[op.at];
  const id = `${t}.${state.next[t]}`;
  const value = Written(op, state, from && from.value);
  const store = {id, value, by: t, message: null, update: from !== null};
  stores.splice(PlaceOf(state, op.at, after) + 1, 0, store);
  told.late = stores.at(-1) !== store;
  told.wrote = store.value;
  state.views[t][op.at] = id;
  if (op.order === "seq_cst") state.last[op.at] = id;
  if (Releases(op.order)) {
    store.message = {from: [t], view: {...state.views[t]}, clock: [...state.clocks[t]]};
  }
  if (!from || !from.message) return;
  // An update goes on with the release sequence of what it read.
  const old = from.message;
  if (!store.message) {
    store.message = Copy(old);
    return;
  }
  store.message.from = [...new Set([...old.from, t])];
  Join(state, store.message.view, old.view);
  store.message.clock = store.message.clock.map((time, i) => Math.max(time, old.clock[i]));
}

// The state after thread t's next operation has taken the choice, and what there is to tell of it.
export function Step(row, before, t, choice) {
  const state = Copy(before);
  const op = Operation(row, state, t);
  const told = {t, op};
  state.clocks[t][t] += 1;
  if (op.op === "get" || op.op === "set") {
    AccessPlain(state, t, op, told);
  } else {
    let from = null;
    if (choice.reads !== undefined) from = Read(state, t, op, choice.reads, told);
    if (choice.after !== undefined) Write(state, t, op, choice.after, from, told);
  }
  state.next[t] += 1;
  Skip(row, state, t);
  return {state, told};
}

export const Ended = (row, state) =>
  state.race !== null || row.threads.every((ops, t) => state.next[t] === ops.length);

// The outcome that is asked about: the registers r and the atomics' last values.
export function Happened(row, state) {
  if (row.race) return state.race !== null;
  if (state.race || !Ended(row, state)) return false;
  const last = Object.entries(state.atomics).map(([at, stores]) => [at, stores.at(-1).value]);
  return row.outcome(state.registers, Object.fromEntries(last));
}

// An execution: which load reads which store, and the order of each atomic's stores. Many plays are
// one execution.
function Execution(state) {
  const orders = Object.values(state.atomics).map((stores) => stores.map((store) => store.id));
  const reads = Object.entries(state.reads).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([orders, reads, state.race !== null]);
}

// All complete plays from a state on: how many there are, which executions they are (with how many
// plays each, and the state in which it ends), in how many of them what is asked about comes up,
// and the steps of one in which it does.
export function All(row, from) {
  const known = new Map();
  const visit = (state) => {
    const key = JSON.stringify(state);
    const old = known.get(key);
    if (old) return old;
    const found = {plays: 0, executions: new Map(), asked: 0, path: null};
    if (Ended(row, state)) {
      found.plays = 1;
      found.executions.set(Execution(state), {plays: 1, end: state});
      if (Happened(row, state)) Object.assign(found, {asked: 1, path: []});
    }
    row.threads.forEach((_, t) => {
      for (const choice of Choices(row, state, t)) {
        const rest = visit(Step(row, state, t, choice).state);
        found.plays += rest.plays;
        found.asked += rest.asked;
        for (const [name, {plays, end}] of rest.executions) {
          const before = found.executions.get(name);
          found.executions.set(name, {plays: plays + (before ? before.plays : 0), end});
        }
        if (rest.path && !found.path) found.path = [{t, choice}, ...rest.path];
      }
    });
    known.set(key, found);
    return found;
  };
  return visit(from);
}
