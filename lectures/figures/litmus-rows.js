// The litmus tests that can be played: some of the rows of models/kit/litmus, under their names
// there. x and y are atomics and 0 at first, `data` is plain; r0, r1, ... are registers.

const kOrders = {rlx: "relaxed", acq: "acquire", rel: "release", sc: "seq_cst"};
const Store = (at, value, order) => ({op: "store", at, value, order: kOrders[order]});
const Load = (at, into, order) => ({op: "load", at, into, order: kOrders[order]});
const Add = (at, value, order) => ({op: "add", at, value, order: kOrders[order]});
const SetPlain = (at, value) => ({op: "set", at, value});
const GetPlain = (at, into) => ({op: "get", at, into});
const When = (register, is, op) => ({...op, when: register, is});

function MessagePassing(name, stored, loaded) {
  return {
    name,
    asked: "the flag y is seen, its content x is not: r0 = 1 and r1 = 0",
    threads: [
      [Store("x", 1, "rlx"), Store("y", 1, stored)],
      [Load("y", "r0", loaded), Load("x", "r1", "rlx")],
    ],
    outcome: (r) => r.r0 === 1 && r.r1 === 0,
  };
}

function PlainMessage(name, stored, loaded) {
  return {
    name,
    asked: "a data race on the content",
    threads: [
      [SetPlain("data", 1), Store("y", 1, stored)],
      [Load("y", "r0", loaded), When("r0", 1, GetPlain("data", "r1"))],
    ],
    race: true,
  };
}

function StoreBuffering(name, stored, loaded) {
  return {
    name,
    asked: "each thread reads the other's atomic as 0: r0 = 0 and r1 = 0",
    threads: [
      [Store("x", 1, stored), Load("y", "r0", loaded)],
      [Store("y", 1, stored), Load("x", "r1", loaded)],
    ],
    outcome: (r) => r.r0 === 0 && r.r1 === 0,
  };
}

function WritesCrosswise(name, order) {
  return {
    name,
    asked: "each thread's first store ends up last: x = 1 and y = 1",
    threads: [
      [Store("x", 1, order), Store("y", 2, order)],
      [Store("y", 1, order), Store("x", 2, order)],
    ],
    outcome: (_, last) => last.x === 1 && last.y === 1,
  };
}

function LateStore(name, stored, loaded) {
  return {
    name,
    asked: "the flag is seen, and the store before it ends up last: r0 = 1 and x = 2",
    threads: [
      [Store("x", 2, "rlx"), Store("y", 1, stored)],
      [Load("y", "r0", loaded), Store("x", 1, "rlx")],
    ],
    outcome: (r, last) => r.r0 === 1 && last.x === 2,
  };
}

function Hearsay(name, stored, loaded) {
  return {
    name,
    asked: "C hears of it from B and does not see it: r0 = 1, r1 = 1, r2 = 0",
    threads: [
      [Store("x", 1, "rlx")],
      [Load("x", "r0", loaded), Store("y", 1, stored)],
      [Load("y", "r1", loaded), Load("x", "r2", "rlx")],
    ],
    outcome: (r) => r.r0 === 1 && r.r1 === 1 && r.r2 === 0,
  };
}

function TwoReaders(name, stored, loaded) {
  return {
    name,
    asked: "the readers disagree about which store came first: r0 = 1, r1 = 0, r2 = 1, r3 = 0",
    threads: [
      [Store("x", 1, stored)],
      [Store("y", 1, stored)],
      [Load("x", "r0", loaded), Load("y", "r1", loaded)],
      [Load("y", "r2", loaded), Load("x", "r3", loaded)],
    ],
    outcome: (r) => r.r0 === 1 && r.r1 === 0 && r.r2 === 1 && r.r3 === 0,
  };
}

const kAfterSequence = [Load("y", "r0", "acq"), Load("x", "r1", "rlx")];
const TwoWithoutContent = (r) => r.r0 === 2 && r.r1 === 0;

const kRows = [
  MessagePassing("MP+rlx", "rlx", "rlx"),
  MessagePassing("MP+rel+rlx", "rel", "rlx"),
  MessagePassing("MP+rlx+acq", "rlx", "acq"),
  MessagePassing("MP+rel+acq", "rel", "acq"),
  PlainMessage("MP+plain+rlx", "rlx", "rlx"),
  PlainMessage("MP+plain+rel+acq", "rel", "acq"),
  StoreBuffering("SB+rlx", "rlx", "rlx"),
  StoreBuffering("SB+rel+acq", "rel", "acq"),
  StoreBuffering("SB+sc+acq", "sc", "acq"),
  StoreBuffering("SB+sc", "sc", "sc"),
  {
    name: "LB+rlx",
    asked: "each thread reads the value that the other stores after its own load: r0 = 1 and r1 = 1",
    threads: [
      [Load("x", "r0", "rlx"), Store("y", 1, "rlx")],
      [Load("y", "r1", "rlx"), Store("x", 1, "rlx")],
    ],
    outcome: (r) => r.r0 === 1 && r.r1 === 1,
  },
  {
    name: "CoRR",
    asked: "the second load reads the older value: r0 = 1 and r1 = 0",
    threads: [
      [Store("x", 1, "rlx")],
      [Load("x", "r0", "rlx"), Load("x", "r1", "rlx")],
    ],
    outcome: (r) => r.r0 === 1 && r.r1 === 0,
  },
  {
    name: "RMW+add",
    asked: "an increment is lost: x is not 2 in the end",
    threads: [
      [Add("x", 1, "rlx")],
      [Add("x", 1, "rlx")],
    ],
    outcome: (_, last) => last.x !== 2,
  },
  {
    name: "RMW+load+store",
    asked: "an increment is lost: x is not 2 in the end",
    threads: [
      [Load("x", "r0", "rlx"), {...Store("x", 1, "rlx"), plus: "r0"}],
      [Add("x", 1, "rlx")],
    ],
    outcome: (_, last) => last.x !== 2,
  },
  {
    name: "RelSeq+store",
    asked: "an acquire reads the second store of y, and the content is not seen: r0 = 2 and r1 = 0",
    threads: [[Store("x", 1, "rlx"), Store("y", 1, "rel"), Store("y", 2, "rlx")], kAfterSequence],
    outcome: TwoWithoutContent,
  },
  {
    name: "RelSeq+rmw",
    asked: "an acquire reads the read-modify-write, and the content is not seen: r0 = 2 and r1 = 0",
    threads: [
      [Store("x", 1, "rlx"), Store("y", 1, "rel")],
      [{op: "cas", at: "y", expected: 1, desired: 2, order: "relaxed"}],
      kAfterSequence,
    ],
    outcome: TwoWithoutContent,
  },
  WritesCrosswise("2+2W+rlx", "rlx"),
  WritesCrosswise("2+2W+sc", "sc"),
  LateStore("S+rlx", "rlx", "rlx"),
  LateStore("S+rel+acq", "rel", "acq"),
  Hearsay("WRC+rlx", "rlx", "rlx"),
  Hearsay("WRC+rel+acq", "rel", "acq"),
  TwoReaders("IRIW+rel+acq", "rel", "acq"),
  TwoReaders("IRIW+sc", "sc", "sc"),
];

export const kRowNames = kRows.map((row) => row.name);
export const RowNamed = (name) => kRows.find((row) => row.name === name);

function Code(op) {
  if (op.op === "set") return `${op.at} = ${op.value};`;
  if (op.op === "get") return `${op.into} = ${op.at};`;
  if (op.op === "store") {
    const value = op.plus === undefined ? op.value : `${op.plus} + ${op.value}`;
    return `${op.at}.store(${value}, ${op.order});`;
  }
  if (op.op === "load") return `${op.into} = ${op.at}.load(${op.order});`;
  if (op.op === "add") return `${op.at}.fetch_add(${op.value}, ${op.order});`;
  return `${op.at}.compare_exchange(${op.expected}, ${op.desired}, ${op.order});`;
}

// An operation as it is written in C++.
export const Line = (op) => (op.when ? `if (${op.when} == ${op.is}) ${Code(op)}` : Code(op));
