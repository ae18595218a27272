// Play the scheduler, and the memory: the reader chooses which thread goes next, which store a load
// reads and where a store takes its place, in a litmus test of models/kit/litmus.
//
// Options: rows, the names of the tests to choose from, separated by spaces.
import {h} from "../../models/kit/counterexample/page/dom.js";
import {Line, RowNamed} from "./litmus-rows.js";
import {All, Choices, Ended, Happened, Operation, Start, Step} from "./memory-machine.js";
import {Player, ThreadName} from "./player.js";

const WhoseStore = (by) => (by < 0 ? "the first value" : `${ThreadName(by)}'s store`);
const Plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// A choice in words, for its button.
function ChoiceWords(state, op, choice, many) {
  if (op.op === "get" || op.op === "set") return "do it";
  const stores = state.atomics[op.at];
  if (choice.reads !== undefined) {
    const read = stores.find((store) => store.id === choice.reads);
    const old = stores.at(-1).id === read.id ? "" : ", older";
    const what = choice.after === undefined ? "read" : "read and write behind";
    return `${what} ${read.value}: ${WhoseStore(read.by)}${old}`;
  }
  const place = stores.findIndex((store) => store.id === choice.after);
  if (place === stores.length - 1) return many ? "store, as the last" : "store";
  return `store, before ${ThreadName(stores[place + 1].by)}'s ${stores[place + 1].value}`;
}

// A step in words, for the thread's line and for a screen reader.
function ToldWords(told) {
  const parts = [];
  if (told.race) return "a data race: nothing orders this with the other thread's access";
  if (told.from !== undefined) parts.push(`read ${told.value}, ${WhoseStore(told.from)}`);
  if (told.stale) parts.push("not the newest");
  if (told.wrote !== undefined) parts.push(`stored ${told.wrote}`);
  if (told.late) parts.push("before a store that was there already");
  if (told.synchronises) {
    const whom = told.synchronises.map(ThreadName).join(" and ");
    parts.push(`synchronises with ${whom}: the steps of ${whom} until its release happen before ` +
      `the steps of ${ThreadName(told.t)} from now on`);
  }
  if (parts.length === 0) parts.push(told.op.op === "get" ? `read ${told.value}` : "done");
  return parts.join("; ");
}

class Game {
  constructor(row) {
    this.row = row;
    this.threads = row.threads.length;
  }
  Start() {
    return Start(this.row);
  }
  Title(t) {
    return ThreadName(t);
  }
  Lines(t) {
    return this.row.threads[t].map((op, at) => ({at, code: Line(op)}));
  }
  Moves(state) {
    return this.row.threads.flatMap((_, t) => {
      const choices = Choices(this.row, state, t);
      const op = Operation(this.row, state, t);
      return choices.map((choice) => ({
        t, at: state.next[t], choice, words: ChoiceWords(state, op, choice, choices.length > 1),
      }));
    });
  }
  Take(before, move) {
    const {state, told} = Step(this.row, before, move.t, move.choice);
    return {state, told: ToldWords(told)};
  }
  Ended(state) {
    if (!Ended(this.row, state)) return null;
    return Happened(this.row, state) ? {bad: true, words: "It has happened."} :
      {bad: false, words: "The end, and it has not happened this time."};
  }
  // Every complete play.
  Search() {
    const found = All(this.row, this.Start());
    const plays = Plural(found.plays, "complete play");
    const executions = `They are ${Plural(found.executions.size, "execution")}.`;
    let state = this.Start();
    const moves = found.path && found.path.map(({t, choice}) => {
      const move = {t, at: state.next[t], choice};
      state = Step(this.row, state, t, choice).state;
      return move;
    });
    return {
      words: found.asked === 0 ? `No: in none of the ${plays}. ${executions}` :
        `Yes: in ${found.asked} of the ${plays}. ${executions}`,
      moves,
      facts: {plays: found.plays, asked: found.asked, executions: found.executions.size},
    };
  }
  // The stores of each atomic in modification order, and from where on each thread may read.
  Shared(state) {
    return Object.entries(state.atomics).map(([at, stores]) => {
      const boxes = stores.map((store) => {
        const readers = state.views.flatMap((view, t) => (view[at] === store.id ? [t] : []));
        const by = `by ${ThreadName(store.by)}${store.message ? ", released" : ""}`;
        return h("li", {},
          h("span", {class: "lm-value"}, `${store.value}`),
          h("span", {class: "lm-by"}, store.by < 0 ? "first" : by),
          readers.length === 0 ? null :
            h("span", {class: "lm-from"}, `${readers.map(ThreadName).join(", ")} from here`));
      });
      return h("div", {class: "lm-history"}, h("span", {class: "lm-name"}, at), h("ol", {}, boxes));
    });
  }
  Facts(state) {
    return {row: this.row.name, registers: state.registers, race: state.race !== null};
  }
}

const kStyle = `
.lm-history{display:flex;gap:.75rem;align-items:flex-start;margin-top:.6rem;overflow-x:auto}
.lm-history ol{display:flex;list-style:none;margin:0;padding:0;gap:.35rem}
.lm-history li{border:1px solid var(--line);border-radius:.3rem;padding:.2rem .5rem;min-width:5rem}
.lm-by,.lm-from{display:block;font-size:.85em}
.lm-name,.lm-value{font-family:monospace;font-weight:bold}
.lm-from{color:var(--accent)}
`;

export function mount(element, options) {
  const rows = options.rows.split(/\s+/).map((name) => {
    const row = RowNamed(name);
    if (!row) throw new Error(`litmus: there is no test ${name}`);
    return row;
  });
  const select = h("select", {}, rows.map((row) => h("option", {value: row.name}, row.name)));
  const player = new Player(element, h("label", {}, "test ", select), "can it happen?");
  const play = () => {
    const row = RowNamed(select.value);
    player.Play(new Game(row), `Can this happen: ${row.asked}?`);
  };
  select.addEventListener("change", play);
  element.append(h("style", {}, kStyle));
  play();
}
