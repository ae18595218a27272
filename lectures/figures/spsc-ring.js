// The ring of src/sync/spsc_ring.h, step by step: a producer that goes on pushing 1, 2, 3, ... and a
// consumer that goes on popping. Each operation on an atomic is a step, and so is the access to a cell.
// Two of the choices are its mutants, in which a cell is told of before it is ready.

import {h} from "./kit.js";
import {Cells, MountScheduler} from "./scheduler.js";

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
    full: 0, empty: 0,  // answers
    far: [0, 0],        // how often each side has read the other's count
    producer: "own",
    consumer: "own",
  };
}

const Cell = (state, count) => count % state.capacity;

const kProducer = {
  own: {
    where: (s) => `TryPush(${s.tail + 1}) begins`,
    code: () => "tail = producer_.tail.load(relaxed); tail - head_seen == capacity() ?",
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
    where: () => "has to look at the other side",
    code: () => "head_seen = consumer_.head.load(acquire); full ?",
    step(s) {
      s.head_seen = s.head;
      s.far[0] += 1;
      if (s.tail - s.head_seen === s.capacity) {
        s.producer = "own";
        s.full += 1;
        return "TryPush = false: the ring is full";
      }
      s.producer = s.ring === "published" ? "store" : "write";
      return `head is ${s.head}: there is room`;
    },
  },
  write: {
    where: () => "has a cell",
    code: (s) => `cells_[${Cell(s, s.ring === "published" ? s.tail - 1 : s.tail)}].set(element)`,
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
    where: (s) => (s.ring === "published" ? "has a cell, still empty" : "has filled its cell"),
    code: () => "producer_.tail.store(tail + 1, release)",
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
    where: () => "TryPop begins",
    code: () => "head = consumer_.head.load(relaxed); head == tail_seen ?",
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
    where: () => "has to look at the other side",
    code: () => "tail_seen = producer_.tail.load(acquire); empty ?",
    step(s) {
      s.tail_seen = s.tail;
      s.far[1] += 1;
      if (s.head === s.tail_seen) {
        s.consumer = "own";
        s.empty += 1;
        return "TryPop = false: the ring is empty";
      }
      s.consumer = s.ring === "freed" ? "store" : "read";
      return `tail is ${s.tail}: there is an element`;
    },
  },
  read: {
    where: () => "has an element",
    code: (s) => `*element = cells_[${Cell(s, s.ring === "freed" ? s.head - 1 : s.head)}].get()`,
    step(s) {
      const words = ReadCell(s, s.ring === "freed" ? s.head - 1 : s.head);
      s.consumer = s.ring === "freed" ? (s.head === kLast ? "end" : "own") : "store";
      return words;
    },
  },
  store: {
    where: (s) => (s.ring === "freed" ? "has not read its element" : "has read its element"),
    code: () => "consumer_.head.store(head + 1, release)",
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

function Next(state, t) {
  const doing = Doing(state, t);
  return doing ? {where: doing.where(state), code: doing.code(state)} : null;
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
    {text: state.far[0], note: "looks at head"},
    {text: state.far[1], note: "looks at tail"},
  ];
  return h("div", {}, Cells(cells), h("p", {}), Cells(counts));
}

function Facts(state) {
  const order = state.popped.every((element, i) => element === i + 1);
  return [
    {ok: state.race === null, text: state.race === null ? "no cell is used by both sides at once" : `data race: ${state.race}`},
    {ok: order, text: `elements come out in order, each once: ${state.popped.map((e) => e ?? "\u2013").join(" ") || "none so far"}`},
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
    full: state.full, empty: state.empty, at: [state.producer, state.consumer],
  };
}

export const machine = {
  label: "a ring with a producer and a consumer, whose steps you choose",
  threads: ["producer", "consumer"],
  options: [{
    name: "ring",
    label: "The ring",
    choices: [
      {value: "src", text: "as in src"},
      {value: "published", text: "with the tail stored before the cell"},
      {value: "freed", text: "with the head stored before the cell is read"},
    ],
  }, {
    name: "cells",
    label: "Cells",
    choices: [{value: "2", text: "2"}, {value: "4", text: "4"}, {value: "1", text: "1"}],
  }],
  Start,
  Next,
  Step: (state, t) => Doing(state, t).step(state),
  Picture, Facts, Report,
};

export function mount(element, options) {
  MountScheduler(element, machine, options);
}
