// Two programs that are wrong as a whole although each of their parts is right, under a scheduler
// that the reader controls; and how often a random walk and PCT find the failure.

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Player, ThreadName} from "./player.js";

// Seeded, so that the figure says the same each time (mulberry32).
function RandomNumbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor(((x ^ (x >>> 14)) >>> 0) / 4294967296 * below);
  };
}

// A physics update that waits for its jobs, and a worker; a query lies in the pool. A waiting
// thread helps with anything. Wrong: the update holds the locks of all bodies while it waits.
class Helping {
  constructor(mended) { this.mended = mended; }
  names = ["the update", "a worker"];
  Lines(t) {
    if (t === 1) {
      return [
        {at: "take", code: "take work"}, {at: "job", code: "run the job"},
        {at: "query", code: "run the query: lock a body"},
      ];
    }
    return [
      {at: "begin", code: this.mended ? "publish two jobs" : "lock all bodies; publish two jobs"},
      {at: "take", code: "wait, and help: take work"},
      {at: "job", code: this.mended ? "run the job; lock and write back" : "run the job"},
      {at: "query", code: "run the query: lock a body"},
      {at: "end", code: this.mended ? "go on" : "unlock all bodies"},
    ];
  }
  Start() {
    return {at: ["begin", "take"], jobs: 0, running: 0, query: true, held: false, begun: false};
  }
  Moves(state) {
    const moves = [];
    state.at.forEach((at, t) => {
      const add = (words, what) => moves.push({t, at, words, what});
      if (at === "begin") add("go", "go");
      if (at === "end") add("go", "go");
      if (at === "job") add("run", "go");
      if (at === "query" && !state.held) add("has the lock", "go");
      if (at !== "take") return;
      if (state.jobs > 0) add("a job", "job");
      const idle = t === 1 || state.jobs === 0 && state.running > 0;
      if (state.query && idle) add("the query", "query");
      if (t === 0 && state.jobs === 0 && state.running === 0) add("all jobs are done", "end");
    });
    return moves;
  }
  Take(before, {t, what}) {
    const state = structuredClone(before);
    const at = state.at[t];
    let told = "done";
    if (at === "begin") {
      Object.assign(state, {jobs: 2, held: !this.mended, begun: true});
      state.at[t] = "take";
      told = this.mended ? "two jobs" : "holds all locks; two jobs";
    } else if (at === "take") {
      if (what === "job") { --state.jobs; ++state.running; }
      if (what === "query") state.query = false;
      state.at[t] = what;
      told = {job: "takes a job", query: "takes the query", end: "returns from its wait"}[what];
    } else if (at === "job") {
      --state.running;
      state.at[t] = "take";
    } else if (at === "query") {
      state.at[t] = "take";
      told = "has copied the body";
    } else {
      state.held = false;
      state.at[t] = "done";
    }
    return {state, told};
  }
  Ended(state) {
    if (state.at[0] === "done" && !state.query && state.at[1] === "take") {
      return {bad: false, words: "the step is done, and the query is answered"};
    }
    if (this.Moves(state).length > 0) return null;
    return {
      bad: true, words: "a deadlock: the update, helping, waits for a lock that the update holds",
    };
  }
  Shared(state) {
    return [["jobs that lie in the pool", state.jobs], ["jobs that run", state.running],
      ["the query", state.query ? "lies in the pool" : "taken"],
      ["the bodies' locks", state.held ? "held by the update" : "free"]];
  }
}

// FinaliseBatch beside a move of one of its bodies. Wrong: the bodies may be changed before their
// subtree is linked.
class HalfBatch {
  constructor(mended) { this.mended = mended; }
  names = ["FinaliseBatch", "MoveBody(2)"];
  Lines(t) {
    if (t === 1) {
      return [
        {at: "ask", code: "is body 2 there?"},
        {at: "climb", code: "climb from its leaf, and widen"},
        {at: "root", code: "the root is reached"},
      ];
    }
    const first = {at: "first", code: "body 1 is there"};
    const second = {at: "second", code: "body 2 is there"};
    const link = {at: "link", code: "link the subtree"};
    return this.mended ? [link, first, second] : [first, second, link];
  }
  Start() {
    return {
      at: [this.Lines(0)[0].at, "ask"], there: [false, false], linked: false, lost: false,
    };
  }
  Moves(state) {
    return state.at.flatMap((at, t) => at === "done" ? [] : [{t, at, words: "go"}]);
  }
  Take(before, {t}) {
    const state = structuredClone(before);
    const lines = this.Lines(t);
    const at = state.at[t];
    const next = () => lines[lines.findIndex((line) => line.at === at) + 1]?.at ?? "done";
    let told = "done";
    state.at[t] = next();
    if (at === "first") state.there[0] = true;
    if (at === "second") state.there[1] = true;
    if (at === "link") state.linked = true;
    if (at === "ask" && !state.there[1]) {
      state.at[t] = "done";
      told = "no: an error, nothing is changed";
    }
    if (at === "ask" && state.there[1]) told = "yes";
    if (at === "climb" && !state.linked) {
      Object.assign(state, {lost: true});
      state.at[t] = "done";
      told = "above its subtree there is nothing";
    }
    return {state, told};
  }
  Ended(state) {
    if (state.lost) {
      return {bad: true, words: "the widened box never reaches the tree: queries miss the body"};
    }
    if (this.Moves(state).length > 0) return null;
    return {bad: false, words: "the batch is there, and the move was refused or whole"};
  }
  Shared(state) {
    const place = (there) => (there ? "is there" : "prepared");
    return [["body 1", place(state.there[0])], ["body 2", place(state.there[1])],
      ["the subtree", state.linked ? "linked" : "private"]];
  }
}

const kPrograms = {
  helping: ["a deadlock by helping", Helping],
  batch: ["a batch that is half there", HalfBatch],
};
const kSchedules = 1000;

// One schedule: the moves, and whether it failed. `choose` gets the threads that can go on.
function Run(program, random, choose) {
  let state = program.Start();
  const moves = [];
  for (;;) {
    const end = program.Ended(state);
    if (end) return {moves, bad: end.bad};
    const all = program.Moves(state);
    const t = choose([...new Set(all.map((move) => move.t))], moves.length);
    const own = all.filter((move) => move.t === t);
    const move = own[random(own.length)];
    moves.push(move);
    state = program.Take(state, move).state;
  }
}

const Walk = (program, random) =>
  Run(program, random, (threads) => threads[random(threads.length)]);

// Probabilistic concurrency testing: a random order of the threads; the first that can goes on; at
// depth - 1 random steps the one that would go on becomes the last.
function Pct(program, random, depth, steps) {
  const order = random(2) === 0 ? [0, 1] : [1, 0];
  const changes = new Set();
  while (changes.size < depth - 1) changes.add(random(steps));
  return Run(program, random, (threads, step) => {
    const first = () => order.find((t) => threads.includes(t));
    if (changes.has(step)) {
      const last = first();
      order.splice(order.indexOf(last), 1);
      order.push(last);
    }
    return first();
  });
}

class Game {
  constructor(name, mended) {
    this.name = name;
    this.mended = mended;
    this.program = new kPrograms[name][1](mended);
    this.threads = 2;
  }
  Title(t) { return `${ThreadName(t)}: ${this.program.names[t]}`; }
  Lines(t) { return this.program.Lines(t); }
  Start() { return this.program.Start(); }
  Moves(state) { return this.program.Moves(state); }
  Take(state, move) { return this.program.Take(state, move); }
  Ended(state) { return this.program.Ended(state); }
  Orders() {
    const sum = {orders: 0, failing: 0, steps: 0, moves: null};
    const go = (state, moves) => {
      const end = this.Ended(state);
      if (!end) {
        for (const move of this.Moves(state)) go(this.Take(state, move).state, [...moves, move]);
        return;
      }
      ++sum.orders;
      sum.steps = Math.max(sum.steps, moves.length);
      if (!end.bad) return;
      ++sum.failing;
      if (!sum.moves || moves.length < sum.moves.length) sum.moves = moves;
    };
    go(this.Start(), []);
    return sum;
  }
  Search() {
    const {orders, failing, steps, moves} = this.Orders();
    const count = (run) => {
      let bad = 0;
      for (let seed = 1; seed <= kSchedules; ++seed) if (run(RandomNumbers(seed)).bad) ++bad;
      return bad;
    };
    const walk = count((random) => Walk(this.program, random));
    const pct = [1, 2, 3].map((depth) => count((random) => Pct(this.program, random, depth, steps)));
    const facts = {orders, failing, longest: steps, walk, pct};
    return {
      words: `Of ${orders.toLocaleString("en")} orders ${failing.toLocaleString("en")} fail. Of ` +
        `${kSchedules.toLocaleString("en")} schedules, a random walk fails in ${walk}; PCT in ${pct[0]} with ` +
        `depth 1, ${pct[1]} with depth 2, ${pct[2]} with depth 3. (At most ${steps} steps.)`,
      moves, facts,
    };
  }
  Shared(state) {
    return [h("dl", {class: "cs-shared"}, this.program.Shared(state).map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, `${value}`))))];
  }
  Facts() { return {program: this.name, mended: this.mended}; }
}

export function mount(element, options) {
  let program = options.program in kPrograms ? options.program : "helping";
  let mended = options.mended === "yes";
  const choose = (label, values, value, change) => h("label", {}, `${label} `,
    h("select", {onchange: (event) => { change(event.target.value); begin(); }},
      Object.entries(values).map(([name, words]) =>
        h("option", {value: name, selected: name === value}, words))));
  const choices = [
    choose("program",
      Object.fromEntries(Object.entries(kPrograms).map(([k, [title]]) => [k, title])), program,
      (value) => { program = value; }),
    choose("the code", {no: "as it was", yes: "mended"}, mended ? "yes" : "no",
      (value) => { mended = value === "yes"; }),
  ];
  element.append(h("style", {}, kStyle));
  const player = new Player(element, choices, "try 1,000 schedules of each kind");
  const begin = () => player.Play(new Game(program, mended),
    "One thread runs at a time, and you say which. Can you make the program fail?");
  begin();
}

const kStyle = `
.cs-shared{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;margin:0}
.cs-shared div{display:flex;gap:.5rem}
.cs-shared dt{font-weight:bold}
.cs-shared dd{margin:0}
`;
