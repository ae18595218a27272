// The ring of src/sync/spsc_ring.h, step by step: a producer that goes on pushing 1, 2, 3, ... and a
// consumer that goes on popping. Each operation on an atomic is a step, and so is the access to a cell.
// Two of the choices are its mutants, in which a cell is announced before it is ready.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Cells, MountMachine} from "./machine.js";

const kLast = 9;  // elements; then the producer has ended

function Start({ring, cells}) {
  return {
    ring,
    capacity: Number(cells),
    tail: 0, head: 0, head_seen: 0, tail_seen: 0,
    cells: new Array(Number(cells)).fill(null),
    written: 0,      // elements whose cell has been written
    read: 0,         // elements whose cell has been read
    popped: [],
    race: null,
    producer: "own",
    consumer: "own",
  };
}

const Cell = (state, count) => count % state.capacity;

const kProducer = {
  own: {
    step(s) {
      if (s.tail - s.head_seen === s.capacity) {
        s.producer = "far";
        return "by the count that it has kept, the ring is full";
      }
      s.producer = s.ring === "published" ? "store" : "write";
      return "by the count that it has kept, there is room: no look at the other side";
    },
  },
  far: {
    step(s) {
      s.head_seen = s.head;
      if (s.tail - s.head_seen === s.capacity) {
        s.producer = "own";
        return "TryPush = false: the ring is full";
      }
      s.producer = s.ring === "published" ? "store" : "write";
      return `head is ${s.head}: there is room`;
    },
  },
  write: {
    step(s) {
      const number = s.ring === "published" ? s.tail - 1 : s.tail;
      if (number - s.read >= s.capacity) s.race = `cell ${Cell(s, number)} was written before it had been read`;
      s.cells[Cell(s, number)] = number + 1;
      s.written = number + 1;
      s.producer = s.ring === "published" ? (s.tail === kLast ? "end" : "own") : "store";
      return `wrote ${number + 1} into cell ${Cell(s, number)}`;
    },
  },
  store: {
    step(s) {
      s.tail += 1;
      s.producer = s.ring === "published" ? "write" : s.tail === kLast ? "end" : "own";
      return `published: tail is ${s.tail}`;
    },
  },
};

function ReadCell(s, number) {
  if (number >= s.written) s.race = `cell ${Cell(s, number)} was read before it had been written`;
  if (s.written - number > s.capacity) s.race = `cell ${Cell(s, number)} was read after it had been written again`;
  s.popped.push(s.cells[Cell(s, number)]);
  s.read = number + 1;
  return `read ${s.popped.at(-1) ?? "nothing"} from cell ${Cell(s, number)}`;
}

const kConsumer = {
  own: {
    step(s) {
      if (s.head === s.tail_seen) {
        s.consumer = "far";
        return "by the count that it has kept, the ring is empty";
      }
      s.consumer = s.ring === "freed" ? "store" : "read";
      return "by the count that it has kept, there is an element: no look at the other side";
    },
  },
  far: {
    step(s) {
      s.tail_seen = s.tail;
      if (s.head === s.tail_seen) {
        s.consumer = "own";
        return "TryPop = false: the ring is empty";
      }
      s.consumer = s.ring === "freed" ? "store" : "read";
      return `tail is ${s.tail}: there is an element`;
    },
  },
  read: {
    step(s) {
      const words = ReadCell(s, s.ring === "freed" ? s.head - 1 : s.head);
      s.consumer = s.ring === "freed" ? (s.head === kLast ? "end" : "own") : "store";
      return words;
    },
  },
  store: {
    step(s) {
      s.head += 1;
      s.consumer = s.ring === "freed" ? "read" : s.head === kLast ? "end" : "own";
      return `gave the cell back: head is ${s.head}`;
    },
  },
};

function Doing(state, t) {
  return t === 0 ? kProducer[state.producer] : kConsumer[state.consumer];
}

function Lines({ring}, t) {
  const producer = {
    own: "tail = producer_.tail.load(relaxed); if (tail - head_seen == capacity())",
    far: "head_seen = consumer_.head.load(acquire); if (full) return false;",
    write: "cells_[Cell(tail)].set(element);",
    store: "producer_.tail.store(tail + 1, release);",
  };
  const consumer = {
    own: "head = consumer_.head.load(relaxed); if (head == tail_seen)",
    far: "tail_seen = producer_.tail.load(acquire); if (empty) return false;",
    read: "*element = cells_[Cell(head)].get();",
    store: "consumer_.head.store(head + 1, release);",
  };
  const code = t === 0 ? producer : consumer;
  const order = Object.keys(code);
  if (ring === ["published", "freed"][t]) order.push(order.splice(2, 1)[0]);
  return order.map((at) => ({at, code: code[at]}));
}

function At(state, t) {
  const at = t === 0 ? state.producer : state.consumer;
  return at === "end" ? null : at;
}

function Picture(state) {
  const cells = state.cells.map((element, i) => {
    const holds = [...Array(state.tail - state.head)].some((_, k) => Cell(state, state.head + k) === i);
    const marks = [];
    if (Cell(state, state.head) === i) marks.push("head");
    if (Cell(state, state.tail) === i) marks.push("tail");
    return {
      text: element ?? "\u2013",
      note: `${holds ? "consumer's" : "producer's"}${marks.length ? ` \u2190 ${marks.join(", ")}` : ""}`,
      kind: holds ? "good" : "",
    };
  });
  const counts = [
    {text: state.tail, note: "tail", kind: "strong"},
    {text: state.head_seen, note: "head_seen"},
    {text: state.head, note: "head", kind: "strong"},
    {text: state.tail_seen, note: "tail_seen"},
  ];
  return h("div", {}, Cells(cells), h("p", {}), Cells(counts));
}

function Facts(state) {
  const order = state.popped.every((element, i) => element === i + 1);
  return [
    {ok: state.race === null, text: state.race === null ? "no cell is used by both sides at once" : `data race: ${state.race}`},
    {ok: order, text: `elements come out in order, each once: ${state.popped.map((e) => e ?? "\u2013").join(" ") || "no element so far"}`},
    {
      ok: state.head <= state.tail && state.tail <= state.head + state.capacity,
      text: `head \u2264 tail \u2264 head + ${state.capacity}`,
    },
  ];
}

function Report(state) {
  return {
    ring: state.ring, capacity: state.capacity, tail: state.tail, head: state.head,
    head_seen: state.head_seen, tail_seen: state.tail_seen, popped: state.popped, race: state.race,
    at: [state.producer, state.consumer],
  };
}

export const machine = {
  asked: "Do the elements come out in order, each once, and is a cell ever used by both?",
  threads: ["producer", "consumer"],
  options: [{
    name: "ring",
    label: "the ring",
    choices: [
      {value: "src", text: "as in src"},
      {value: "published", text: "with the tail stored before the cell"},
      {value: "freed", text: "with the head stored before the cell is read"},
    ],
  }, {
    name: "cells",
    label: "cells",
    choices: [{value: "2", text: "2"}, {value: "4", text: "4"}, {value: "1", text: "1"}],
  }],
  Start, At, Lines,
  Step: (state, t) => Doing(state, t).step(state),
  Picture, Facts, Report,
};

export function mount(element, options) {
  MountMachine(element, machine, options);
}
