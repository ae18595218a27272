// Play the scheduler, and the memory: the reader chooses which thread goes next, which store a load
// reads and where a store takes its place, in a litmus test of models/kit/litmus.
//
// Options: rows, the names of the tests to choose from, separated by spaces.
import {h, Replace} from "./kit.js";
import {RowNamed} from "./litmus-rows.js";
import {All, Choices, Ended, Happened, Operation, Start, Step} from "./memory-machine.js";

const kThread = ["A", "B", "C", "D"];

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

const Line = (op) => (op.when ? `if (${op.when} == ${op.is}) ${Code(op)}` : Code(op));
const WhoseStore = (by) => (by < 0 ? "the first value" : `${kThread[by]}'s store`);
const Plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What a choice does, for its button.
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
  return `store, before ${kThread[stores[place + 1].by]}'s ${stores[place + 1].value}`;
}

// What a step did, for the thread's line and for those who listen.
function Told(told) {
  const parts = [];
  if (told.race) return "a data race: nothing orders this with the other thread's access";
  if (told.from !== undefined) parts.push(`read ${told.value}, ${WhoseStore(told.from)}`);
  if (told.stale) parts.push("not the newest");
  if (told.wrote !== undefined) parts.push(`stored ${told.wrote}`);
  if (told.late) parts.push("before a store that was there already");
  if (told.synchronises) {
    const whom = told.synchronises.map((t) => kThread[t]).join(" and ");
    parts.push(`synchronises with ${whom}: what ${whom} did until its release happens before what ` +
      `${kThread[told.t]} does now`);
  }
  if (parts.length === 0) parts.push(told.op.op === "get" ? `read ${told.value}` : "done");
  return parts.join("; ");
}

class Figure {
  constructor(element, rows) {
    this.element = element;
    this.rows = rows;
    this.threads = h("div", {class: "lm-threads"});
    this.stores = h("div", {class: "lm-stores"});
    this.asked = h("p", {class: "lm-asked"});
    this.verdict = h("p", {class: "lm-verdict"});
    this.live = h("p", {class: "lm-live", "aria-live": "polite"});
    this.select = h("select", {onchange: () => this.Choose(this.select.value)},
      rows.map((row) => h("option", {value: row.name}, row.name)));
    this.undo = h("button", {type: "button", class: "lm-undo", onclick: () => this.Undo()},
      "one step back");
    element.append(
      h("style", {}, kStyle),
      h("div", {class: "lm-tools"},
        h("label", {}, "test ", this.select),
        this.undo,
        h("button", {type: "button", class: "lm-again", onclick: () => this.Again()}, "again"),
        h("button", {type: "button", class: "lm-all", onclick: () => this.Try()},
          "can it happen?"),
        h("button", {type: "button", class: "lm-show", onclick: () => this.ShowOne()},
          "show me")),
      this.asked, this.threads, this.stores, this.live, this.verdict);
    this.Choose(rows[0].name);
  }

  Choose(name) {
    this.row = this.rows.find((row) => row.name === name);
    this.Again();
  }

  Again() {
    this.states = [Start(this.row)];
    this.told = [];
    this.Show("Choose a step of any thread.");
  }

  Undo() {
    if (this.told.length === 0) return;
    this.states.pop();
    this.told.pop();
    this.Show("One step back.");
  }

  Take(t, choice) {
    const {state, told} = Step(this.row, this.states.at(-1), t, choice);
    this.states.push(state);
    this.told.push(told);
    this.Show(`Thread ${kThread[t]}: ${Line(told.op)} ${Told(told)}.`);
  }

  // Every complete play from the beginning.
  Try() {
    const found = All(this.row, Start(this.row));
    const words = found.asked === 0 ?
      `No: in none of the ${Plural(found.plays, "complete play")}.` :
      `Yes: in ${found.asked} of the ${Plural(found.plays, "complete play")}.`;
    this.Show(words, {plays: found.plays, asked: found.asked});
  }

  ShowOne() {
    const found = All(this.row, Start(this.row));
    if (!found.path) {
      this.Try();
      return;
    }
    this.Again();
    for (const {t, choice} of found.path) this.Take(t, choice);
  }

  Show(words, tried = null) {
    const state = this.states.at(-1);
    const ended = Ended(this.row, state);
    const happened = Happened(this.row, state);
    this.select.value = this.row.name;
    this.undo.disabled = this.told.length === 0;
    this.asked.textContent = `Can this happen: ${this.row.asked}?`;
    Replace(this.threads, this.row.threads.map((_, t) => this.Column(state, t)));
    Replace(this.stores, this.Histories(state));
    this.live.textContent = words;
    this.verdict.className = `lm-verdict ${ended ? (happened ? "lm-bad" : "lm-good") : ""}`;
    this.verdict.textContent = !ended ? "" : happened ?
      "✗ It has happened: what was asked about." : "✓ The end, and it has not happened this time.";
    this.element.dataset.state = JSON.stringify({
      row: this.row.name, steps: this.told.length, ended, happened, registers: state.registers,
      race: state.race !== null, ...(tried ? {tried} : {}),
    });
    this.Refocus();
  }

  // A thread: its lines, what the executed ones did, and buttons below the next one.
  Column(state, t) {
    const done = this.told.filter((told) => told.t === t);
    const next = Operation(this.row, state, t);
    const lines = this.row.threads[t].map((op) => {
      const told = done.find((one) => one.op === op);
      const choices = op === next ? Choices(this.row, state, t) : [];
      return h("li", {class: told ? "lm-done" : op === next ? "lm-next" : ""},
        h("code", {}, Line(op)),
        told ? h("span", {class: "lm-told"}, `✓ ${Told(told)}`) : null,
        choices.map((choice, i) => h("button", {
          type: "button", class: "lm-step", "data-key": `${t}-${i}`,
          "aria-label": `thread ${kThread[t]}: ${Code(op)} ` +
            ChoiceWords(state, op, choice, choices.length > 1),
          onclick: () => this.Take(t, choice),
        }, ChoiceWords(state, op, choice, choices.length > 1))));
    });
    return h("section", {class: `lm-thread lm-c${t}`}, h("h4", {}, `Thread ${kThread[t]}`),
      h("ol", {}, lines));
  }

  // The stores of each atomic in modification order, and from where on each thread may read.
  Histories(state) {
    return Object.entries(state.atomics).map(([at, stores]) => {
      const boxes = stores.map((store) => {
        const bound = state.views.map((view, t) => (view[at] === store.id ? kThread[t] : null))
          .filter((name) => name !== null);
        return h("li", {},
          h("span", {class: "lm-value"}, `${store.value}`),
          h("span", {class: "lm-by"}, store.by < 0 ? "first" : `by ${kThread[store.by]}` +
            `${store.message ? ", released" : ""}`),
          bound.length === 0 ? null : h("span", {class: "lm-from"}, `${bound.join(", ")} from here`));
      });
      return h("div", {class: "lm-history"}, h("span", {class: "lm-name"}, at), h("ol", {}, boxes));
    });
  }

  // After a step the focus goes to the next button of that thread, or of another.
  Refocus() {
    if (document.activeElement !== document.body || this.told.length === 0) return;
    const next = this.threads.querySelector(".lm-step");
    (next || this.undo).focus({preventScroll: true});
  }
}

const kStyle = `
.lm-tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.lm-threads{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem}
.lm-thread{border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem}
.lm-thread h4{margin:0 0 .25rem}
.lm-thread ol{list-style:none;margin:0;padding:0}
.lm-thread li{padding:.2rem 0 .2rem .5rem;border-left:.25rem solid var(--line);margin:.2rem 0}
.lm-thread li.lm-next{border-left-color:var(--accent)}
.lm-thread code{display:block;overflow-wrap:anywhere}
.lm-told,.lm-by,.lm-from{display:block;font-size:.85em}
.lm-step{display:block;margin:.25rem 0;text-align:left}
.lm-history{display:flex;gap:.75rem;align-items:flex-start;margin-top:.6rem;overflow-x:auto}
.lm-history ol{display:flex;list-style:none;margin:0;padding:0;gap:.35rem}
.lm-history li{border:1px solid var(--line);border-radius:.3rem;padding:.2rem .5rem;min-width:5rem}
.lm-name,.lm-value{font-family:monospace;font-weight:bold}
.lm-from{color:var(--accent)}
.lm-verdict{font-weight:bold;min-height:1.5em}
.lm-bad{color:var(--bad)}
.lm-good{color:var(--good)}
`;

export function mount(element, options) {
  const rows = options.rows.split(/\s+/).map((name) => {
    const row = RowNamed(name);
    if (!row) throw new Error(`litmus: there is no test ${name}`);
    return row;
  });
  return new Figure(element, rows);
}
