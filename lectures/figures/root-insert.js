// Inserting at the root and removing, as in src/broadphase/insert.h and remove.h, with one axis and two
// slots a node, as in the models. Each operation on an atomic is one step.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kLarge = 99;  // inside out: min kLarge, max -kLarge
const kWhere = {old: [1, 2], stays: [4, 5], new: [6, 7], other: [8, 9]};  // the boxes of the bodies

// The children of the root at first, and the work of each thread.
const kTasks = {
  free: {there: [], todo: [["insert", "new"], ["insert", "other"]]},
  full: {there: ["old", "stays"], todo: [["insert", "new"], ["insert", "other"]]},
  reuse: {there: ["old", "stays"], todo: [["remove", "old"], ["insert", "new"]]},
};

const EmptyNode = () => ({
  child: [null, null], min: [kLarge, kLarge], max: [-kLarge, -kLarge], changed: false, pool: true,
});

function Start({task, version}) {
  const state = {
    task, version, root: 0,
    nodes: [EmptyNode(), EmptyNode(), EmptyNode()],
    locations: {},
    done: [],    // [kind, body] of the operations that have returned
    begun: [],
    threads: kTasks[task].todo.map(([kind, body]) => ({kind, body, at: kind === "insert" ? "root" : "location",
                                                      spare: null, slot: 0, seen: null})),
  };
  state.nodes[0].pool = false;
  kTasks[task].there.forEach((body, slot) => {
    state.nodes[0].child[slot] = body;
    [state.nodes[0].min[slot], state.nodes[0].max[slot]] = kWhere[body];
    state.locations[body] = [0, slot];
  });
  return state;
}

// A thread's way, in the words of the source.
function Lines({task, version}, t) {
  const [kind, body] = kTasks[task].todo[t];
  if (kind === "insert") {
    return [
      {at: "root", code: `// inserts "${body}"\nroot = root_.load(acquire)`},
      {at: "look", code: "child[slot].load(relaxed)"},
      {at: "claim", code: `child[slot].compare_exchange(none, "${body}", acq_rel)`},
      {at: "max", code: `max[slot].store(${kWhere[body][1]}, release)`},
      {at: "min", code: `min[slot].store(${kWhere[body][0]}, release)`},
      {at: "mark", code: "changed.store(true, relaxed)"},
      {at: "take", code: "spare = TakeNode()"},
      {at: "fill", code: `spare: slot 0 everywhere, slot 1 "${body}"`},
      {at: "push", code: "root_.compare_exchange(root, spare, release)"},
      {at: "give", code: "ReturnNode(spare)"},
      {at: "tell", code: "location.store(node and slot, release)"},
    ];
  }
  const free = {at: "free", code: "child[slot].store(none, release)"};
  const clear = [{at: "clearMin", code: "min[slot].store(large, relaxed)"},
                 {at: "clearMax", code: "max[slot].store(-large, relaxed)"}];
  return [
    {at: "location", code: `// removes "${body}"\nlocation.load(acquire)`},
    ...(version === "slot" ? [free, ...clear] : [...clear, free]),
    {at: "forget", code: "location.store(none, relaxed)"},
    {at: "markAll", code: "changed.store(true, relaxed)"},
  ];
}

const At = (state, t) => (state.threads[t].at === "end" ? null : state.threads[t].at);
const Slot = (thread) => `node ${thread.node}, slot ${thread.slot}`;

function End(state, thread) {
  thread.at = "end";
  state.done.push([thread.kind, thread.body]);
  return `; ${thread.kind} "${thread.body}" returns`;
}

// To the next slot of the root, or on to a new root when there is no further slot.
function NextSlot(thread) {
  thread.slot += 1;
  if (thread.slot < 2) {
    thread.at = "look";
  } else {
    thread.at = thread.spare === null ? "take" : "fill";
  }
}

// In which order a removal goes: the box first, or (the defect) the slot first.
function AfterPlace(state) {
  return state.version === "slot" ? "free" : "clearMin";
}

const kSteps = {
  root(state, thread) {
    thread.node = state.root;
    thread.slot = 0;
    thread.at = "look";
    return `the root is node ${state.root}`;
  },
  look(state, thread) {
    const child = state.nodes[thread.node].child[thread.slot];
    if (child === null) {
      thread.at = "claim";
      return `${Slot(thread)} is free`;
    }
    const words = `${Slot(thread)} is taken`;
    NextSlot(thread);
    return words;
  },
  claim(state, thread) {
    const node = state.nodes[thread.node];
    if (node.child[thread.slot] !== null) {
      const words = `${Slot(thread)} has been taken meanwhile`;
      NextSlot(thread);
      return words;
    }
    node.child[thread.slot] = thread.body;
    thread.at = "max";
    return `claimed ${Slot(thread)}`;
  },
  max(state, thread) {
    state.nodes[thread.node].max[thread.slot] = kWhere[thread.body][1];
    thread.at = "min";
    return "stored the upper end; no query finds it yet";
  },
  min(state, thread) {
    state.nodes[thread.node].min[thread.slot] = kWhere[thread.body][0];
    thread.at = "mark";
    return "stored the lower end: from now on queries find it";
  },
  mark(state, thread) {
    state.nodes[thread.node].changed = true;
    thread.at = thread.spare === null ? "tell" : "give";
    return "marked the root as changed";
  },
  give(state, thread) {
    const spare = thread.spare;
    state.nodes[spare] = EmptyNode();
    thread.spare = null;
    thread.at = "tell";
    return `gave node ${spare} back, empty`;
  },
  tell(state, thread) {
    state.locations[thread.body] = [thread.node, thread.slot];
    return `published the location: the body may be moved${End(state, thread)}`;
  },
  take(state, thread) {
    thread.spare = state.nodes.findIndex((node) => node.pool);
    state.nodes[thread.spare].pool = false;
    thread.at = "fill";
    return `took node ${thread.spare} from the pool`;
  },
  fill(state, thread) {
    const node = state.nodes[thread.spare];
    node.child = [thread.node, thread.body];
    node.min = [-kLarge, kWhere[thread.body][0]];
    node.max = [kLarge, kWhere[thread.body][1]];
    node.changed = true;
    thread.at = "push";
    return `node ${thread.spare} is ready; no other thread knows it (several stores, seen by no other thread)`;
  },
  push(state, thread) {
    if (state.root !== thread.node) {
      thread.at = "root";
      return `the root is node ${state.root} by now: begins again, and keeps its node`;
    }
    state.root = thread.spare;
    thread.node = thread.spare;
    thread.slot = 1;
    thread.spare = null;
    thread.at = "tell";
    return `node ${state.root} is the root: from now on queries find it`;
  },
  location(state, thread) {
    [thread.node, thread.slot] = state.locations[thread.body];
    thread.at = AfterPlace(state);
    return `it is in ${Slot(thread)}`;
  },
  clearMin(state, thread) {
    state.nodes[thread.node].min[thread.slot] = kLarge;
    thread.at = "clearMax";
    return "from now on no query finds it";
  },
  clearMax(state, thread) {
    state.nodes[thread.node].max[thread.slot] = -kLarge;
    thread.at = state.version === "slot" ? "forget" : "free";
    return "the box is inside out";
  },
  free(state, thread) {
    state.nodes[thread.node].child[thread.slot] = null;
    thread.at = state.version === "slot" ? "clearMin" : "forget";
    return `${Slot(thread)} is free for any thread`;
  },
  forget(state, thread) {
    state.locations[thread.body] = null;
    thread.at = "markAll";
    return "the body is in no slot";
  },
  markAll(state, thread) {
    state.nodes[thread.node].changed = true;
    return `marked the way up as changed${End(state, thread)}`;
  },
};

function Step(state, t) {
  const thread = state.threads[t];
  if (!state.begun.includes(thread.body)) state.begun.push(thread.body);
  return kSteps[thread.at](state, thread);
}

// The result of a query for this body's place, if it runs now without being interrupted.
function Finds(state, body) {
  const [low, high] = kWhere[body];
  const Look = (index) => [0, 1].some((slot) => {
    const node = state.nodes[index];
    const child = node.child[slot];
    if (child === null || node.min[slot] > high || low > node.max[slot]) return false;
    return typeof child === "number" ? Look(child) : child === body;
  });
  return Look(state.root);
}

function Side(value) {
  if (Math.abs(value) !== kLarge) return String(value);
  return value > 0 ? "large" : "-large";
}

function Picture(state) {
  const rows = state.nodes.map((node, index) => {
    const title = index === state.root ? `node ${index}: the root` : node.pool ? `node ${index}: in the pool` : `node ${index}`;
    const cells = [0, 1].map((slot) => {
      const child = node.child[slot];
      const insideOut = node.min[slot] > node.max[slot];
      const everywhere = node.min[slot] === -kLarge && node.max[slot] === kLarge;
      return {
        text: child === null ? "free" : typeof child === "number" ? `node ${child}` : child,
        note: everywhere ? "everywhere" : `${Side(node.min[slot])} … ${Side(node.max[slot])}${insideOut ? " (inside out)" : ""}`,
        kind: child === null ? "" : insideOut ? "bad" : "good",
      };
    });
    return h("div", {}, h("b", {}, title + (node.changed ? ", changed" : "")), Cells(cells));
  });
  return h("div", {}, rows);
}

function Facts(state) {
  const facts = [];
  if (kTasks[state.task].there.includes("stays")) {
    facts.push({ok: Finds(state, "stays"), text: "a query finds \u201cstays\u201d, at any time"});
  }
  for (const {kind, body} of state.threads) {
    const returned = state.done.some(([, it]) => it === body);
    const finds = Finds(state, body);
    if (kind === "insert") {
      facts.push({ok: returned ? finds : state.begun.includes(body) ? null : !finds,
                  text: `a query ${finds ? "finds" : "does not find"} \u201c${body}\u201d${returned ? ", whose insert has returned" : ""}`});
    } else {
      facts.push({ok: returned ? !finds : state.begun.includes(body) ? null : finds,
                  text: `a query ${finds ? "finds" : "does not find"} \u201c${body}\u201d${returned ? ", whose removal has returned" : ""}`});
    }
  }
  const empty = state.nodes.every((node) => !node.pool || (node.child[0] === null && node.child[1] === null));
  facts.push({ok: empty, text: "a node in the pool is empty"});
  return facts;
}

function Report(state) {
  return {
    task: state.task, version: state.version, root: state.root, done: state.done.length,
    at: state.threads.map((thread) => thread.at), ok: Facts(state).every(({ok}) => ok !== false),
  };
}

export const machine = {
  asked: "Does a query find each body from the end of its insert on, and no body after its removal?",
  threads: ["at the root", "at the root"],
  options: [{
    name: "task",
    label: "their work",
    choices: [
      {value: "free", text: "both insert, the root is empty"},
      {value: "full", text: "both insert, the root is full"},
      {value: "reuse", text: "one removes, one inserts, the root is full"},
    ],
  }, {
    name: "version",
    label: "the code",
    choices: [
      {value: "src", text: "as in src"},
      {value: "slot", text: "removing frees the slot first"},
    ],
  }],
  Start, At, Lines, Step, Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
