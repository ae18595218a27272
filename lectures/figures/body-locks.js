// The body locks of src/bodies/body_locks.h: threads that read and change bodies, step by step, with as
// many locks as the reader wants. A body's lock is its slot modulo the number of locks.

import {h, svg} from "../../models/kit/counterexample/page/dom.js";
import {Player, ThreadName} from "./player.js";

// Each thread's requests: bodies, and whether it writes; `scopes` are taken one after the other.
const kPrograms = {
  meet: {
    title: "a move, and two readers",
    threads: [
      {name: "moves body 5", scopes: [{write: true, bodies: [5]}]},
      {name: "copies body 1, then 6", scopes: [{bodies: [1]}, {bodies: [6]}]},
      {name: "copies body 5", scopes: [{bodies: [5]}]},
    ],
  },
  pairs: {
    title: "two changes of two bodies",
    threads: [
      {name: "changes bodies 1 and 6", scopes: [{write: true, bodies: [1, 6]}]},
      {name: "changes bodies 6 and 1", scopes: [{write: true, bodies: [6, 1]}]},
    ],
  },
};
const kCounts = [1, 2, 4, 8];

// The lines of a thread: lock, work, unlock, for each scope. ascending: as BodyWriteScope takes them.
function LinesOf({scopes}, count, ascending) {
  return scopes.flatMap(({write, bodies}, s) => {
    let locks = [...new Set(bodies.map((body) => body % count))];
    if (ascending) locks = locks.sort((a, b) => a - b);
    const kind = write ? "Write" : "Read";
    const line = (what, lock, more) => ({at: `${s}-${what}-${lock}`, what, lock, write, ...more});
    return [
      ...locks.map((lock) => line("lock", lock, {code: `Lock${kind}(${lock})`})),
      {at: `${s}-work`, what: "work", code: `${write ? "change" : "copy"} ${bodies.join(", ")}`},
      ...[...locks].reverse().map((lock) => line("unlock", lock, {code: `Unlock${kind}(${lock})`})),
    ];
  });
}

class Game {
  constructor(program, count, ascending) {
    this.program = kPrograms[program];
    this.count = count;
    this.threads = this.program.threads.length;
    this.lines = this.program.threads.map((thread) => LinesOf(thread, count, ascending));
    this.facts = {program, locks: count, ascending};
  }
  Title(t) { return `${ThreadName(t)}: ${this.program.threads[t].name}`; }
  Lines(t) { return this.lines[t]; }
  // Of each lock its readers and its writer; of each thread its line, and whether it has asked in vain.
  Start() {
    return {
      readers: new Array(this.count).fill(0).map(() => []),
      writer: new Array(this.count).fill(null),
      next: new Array(this.threads).fill(0),
      asked: new Array(this.threads).fill(false),
      waits: 0,
    };
  }
  IsFree(state, line) {
    return state.writer[line.lock] === null && (!line.write || state.readers[line.lock].length === 0);
  }
  Moves(state) {
    return this.lines.flatMap((lines, t) => {
      const line = lines[state.next[t]];
      // A thread that has been refused sleeps until the lock is free.
      if (!line || (state.asked[t] && !this.IsFree(state, line))) return [];
      return [{t, at: line.at, words: state.asked[t] ? "wakes, has it" : line.what}];
    });
  }
  Take(before, {t}) {
    const state = structuredClone(before);
    const line = this.lines[t][state.next[t]];
    if (line.what === "lock" && !this.IsFree(state, line)) {
      state.asked[t] = true;
      ++state.waits;
      return {state, told: `lock ${line.lock} is taken: waits`};
    }
    const told = {
      lock: `has lock ${line.lock}${state.asked[t] ? ", after a wait" : ""}`,
      work: "done", unlock: `gives lock ${line.lock} back`,
    }[line.what];
    if (line.what === "lock") {
      if (line.write) state.writer[line.lock] = t;
      else state.readers[line.lock].push(t);
    } else if (line.what === "unlock") {
      if (line.write) state.writer[line.lock] = null;
      else state.readers[line.lock] = state.readers[line.lock].filter((one) => one !== t);
    }
    state.asked[t] = false;
    ++state.next[t];
    return {state, told};
  }
  Ended(state) {
    if (this.lines.every((lines, t) => state.next[t] === lines.length)) {
      return {bad: false, words: `all done; ${state.waits} had to wait`};
    }
    return this.Moves(state).length > 0 ? null
      : {bad: true, words: "a deadlock: each waits for a lock that the other one holds"};
  }
  // All orders of the steps.
  Search() {
    const facts = {orders: 0, waiting: 0, deadlocks: 0};
    let found = null;
    const go = (state, moves) => {
      const end = this.Ended(state);
      if (!end) {
        for (const move of this.Moves(state)) go(this.Take(state, move).state, [...moves, move]);
        return;
      }
      ++facts.orders;
      if (state.waits > 0) ++facts.waiting;
      if (end.bad) ++facts.deadlocks;
      // Worth showing: a deadlock; or else a wait.
      if (end.bad || (state.waits > 0 && (!found || found.rank === 0))) {
        if (!found || (end.bad && found.rank < 2)) found = {rank: end.bad ? 2 : 1, moves};
      }
    };
    go(this.Start(), []);
    const {orders, waiting, deadlocks} = facts;
    return {
      words: `Of ${orders.toLocaleString("en")} orders of the steps, a thread waits in ` +
        `${waiting.toLocaleString("en")}, and ${deadlocks.toLocaleString("en")} end in a deadlock.`,
      moves: found ? found.moves : null,
      facts,
    };
  }
  Shared(state) {
    const width = 70;
    return [svg("svg", {viewBox: `0 0 ${Math.max(4, this.count) * width} 64`, role: "img",
      class: "bl-locks", style: `max-width:${4.5 * Math.max(4, this.count)}rem`,
      "aria-label": `${this.count} locks`},
    state.writer.map((writer, i) => {
      const who = writer !== null ? `${ThreadName(writer)} writes`
        : state.readers[i].length > 0 ? `${state.readers[i].map(ThreadName).join(", ")} reads` : "free";
      return svg("g", {class: writer !== null ? "bl-write" : who === "free" ? "" : "bl-read"},
        svg("rect", {x: i * width + 3, y: 3, width: width - 6, height: 58, rx: 6}),
        svg("text", {x: (i + 0.5) * width, y: 27}, `lock ${i}`),
        svg("text", {x: (i + 0.5) * width, y: 48}, who));
    }))];
  }
  Facts(state) { return {...this.facts, waits: state.waits, next: state.next}; }
}

export function mount(element, options) {
  let program = options.program in kPrograms ? options.program : "meet";
  let count = kCounts.includes(Number(options.locks)) ? Number(options.locks) : 4;
  let ascending = options.order !== "asked";
  const choose = (label, values, value, change) => h("label", {}, `${label} `,
    h("select", {onchange: (event) => { change(event.target.value); begin(); }},
      Object.entries(values).map(([name, words]) =>
        h("option", {value: name, selected: name === String(value)}, words))));
  const choices = [
    choose("threads", Object.fromEntries(Object.entries(kPrograms).map(([k, p]) => [k, p.title])), program,
      (value) => { program = value; }),
    choose("locks", Object.fromEntries(kCounts.map((n) => [n, n])), count,
      (value) => { count = Number(value); }),
    choose("taken", {ascending: "in ascending order", asked: "as asked for"},
      ascending ? "ascending" : "asked", (value) => { ascending = value === "ascending"; }),
  ];
  element.append(h("style", {}, kStyle));
  const player = new Player(element, choices, "try every order");
  const begin = () => player.Play(new Game(program, count, ascending),
    "A body's lock is its slot modulo the number of locks. A thread that finds it taken waits.");
  begin();
}

const kStyle = `
.bl-locks{width:100%}
.bl-locks rect{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.bl-locks .bl-write rect{stroke:var(--c2);stroke-width:3}
.bl-locks .bl-read rect{stroke:var(--c1);stroke-width:3}
.bl-locks text{fill:var(--ink);text-anchor:middle;font-size:12px}
`;
