// Plays a machine: an algorithm as states and steps, which knows nothing of the page, under the
// Player (player.js). Each thread goes round its lines; the reader says which thread's step is next,
// or has every order tried for one that breaks a promise.
//
// A machine has
//   threads          their names
//   options          [{name, label, choices: [{value, text}]}]: for select boxes
//   asked            the question to the reader, one sentence
//   Start(chosen)    the first state: plain data, with what was chosen by option's name
//   At(state, t)     the line at which thread t stands; null when it has ended
//   Sleeps(state, t) whether it can do nothing now; may be left out
//   Lines(chosen, t) [{at, code}]: the lines of thread t
//   Step(state, t)   does the line, changes the state, and returns what happened, in words
//   Picture(state)   what the threads share, as an element
//   Facts(state)     [{ok, text}]: the promises; ok is null while one can neither be kept nor broken yet
//   Report(state)    what tests read from element.dataset.state

import {h} from "../../models/kit/counterexample/page/dom.js";
import {Player, ThreadName} from "./player.js";

const kStyle = `
.mc-choice,.mc-choice select{max-width:100%}
.pl-thread code{font-size:.85em}
.mc-cells{display:flex;flex-wrap:wrap;gap:.3rem;margin:.4rem 0}
.mc-cell{border:1px solid var(--line);border-radius:.3rem;padding:.25rem .5rem;min-width:4.2rem;text-align:center}
.mc-cell small{display:block}
.mc-strong{border-color:var(--accent);border-width:2px}
.mc-good{border-color:var(--good);border-width:2px}
.mc-bad{border:3px double var(--bad)}
.mc-facts{list-style:none;margin:.4rem 0;padding:0}
.mc-facts .mc-no{color:var(--bad);font-weight:bold}
.mc-picture{overflow-x:auto}
.mc-picture svg{min-width:28rem;max-width:100%;height:auto;display:block}
`;

// Boxes in a row: [{text, note, kind}], kind being "", "strong", "good" or "bad".
export function Cells(cells) {
  return h("div", {class: "mc-cells"}, cells.map(({text, note, kind}) =>
    h("div", {class: `mc-cell ${kind ? `mc-${kind}` : ""}`}, String(text), h("small", {}, note))));
}

const kSigns = new Map([[true, "✓"], [false, "✗"], [null, "…"]]);

export class MachineGame {
  constructor(machine, chosen) {
    this.machine = machine;
    this.chosen = chosen;
    this.threads = machine.threads.length;
  }
  Title(t) {
    return `${ThreadName(t)}, ${this.machine.threads[t]}`;
  }
  Start() {
    return this.machine.Start(this.chosen);
  }
  Moves(state) {
    const moves = [];
    for (let t = 0; t < this.threads; ++t) {
      const at = this.machine.At(state, t);
      if (at !== null && !this.machine.Sleeps?.(state, t)) moves.push({t, at, words: "do it"});
    }
    return moves;
  }
  Take(before, move) {
    const state = structuredClone(before);
    return {told: this.machine.Step(state, move.t), state};
  }
  Lines(t) {
    return this.machine.Lines(this.chosen, t);
  }
  Broken(state) {
    return this.machine.Facts(state).find(({ok}) => ok === false);
  }
  Ended(state) {
    const broken = this.Broken(state);
    if (broken) return {bad: true, words: `Broken: ${broken.text}.`};
    return this.Moves(state).length > 0 ? null
      : {bad: false, words: "No thread has another step, and every promise was kept."};
  }
  // Breadth first, so that a failure that it finds is as short as can be.
  Search() {
    const known = new Map();
    let layer = [{state: this.Start(), from: null, move: null}];
    known.set(JSON.stringify(layer[0].state), null);
    while (layer.length > 0) {
      const next = [];
      for (const node of layer) {
        const broken = this.Broken(node.state);
        if (broken) return this.Found(node, broken, known.size);
        for (const move of this.Moves(node.state)) {
          const {state} = this.Take(node.state, move);
          const key = JSON.stringify(state);
          if (known.has(key)) continue;
          known.set(key, null);
          next.push({state, from: node, move});
        }
      }
      layer = next;
    }
    return {
      words: `Every order was tried: ${known.size} states, and every promise is kept in each.`,
      moves: null, facts: {states: known.size, found: false},
    };
  }
  Found(last, broken, states) {
    const moves = [];
    for (let node = last; node.from; node = node.from) moves.unshift(node.move);
    return {
      words: `Broken after ${moves.length} steps, the fewest there are: ${broken.text}.`,
      moves, facts: {states, found: true, fewest: moves.length},
    };
  }
  Shared(state) {
    const facts = this.machine.Facts(state).map(({ok, text}) =>
      h("li", {class: ok === false ? "mc-no" : ""}, `${kSigns.get(ok)} ${text}`));
    return [h("div", {class: "mc-picture", "data-key": "picture", tabindex: "0", role: "group", "aria-label": "what the threads share"},
      this.machine.Picture(state)),
      h("ul", {class: "mc-facts"}, facts)];
  }
  Facts(state) {
    return this.machine.Report(state);
  }
}

// preset: choices by option's name, as strings.
export function MountMachine(element, machine, preset = {}) {
  const chosen = {};
  const Play = () => player.Play(new MachineGame(machine, {...chosen}), machine.asked);
  const selects = machine.options.map(({name, label, choices}) => {
    const known = choices.some(({value}) => value === preset[name]);
    chosen[name] = known ? preset[name] : choices[0].value;
    const select = h("select", {onchange: (event) => {
      chosen[name] = event.target.value;
      Play();
    }}, choices.map(({value, text}) => h("option", {value}, text)));
    select.value = chosen[name];
    return h("label", {class: "mc-choice"}, `${label}: `, select);
  });
  element.append(h("style", {}, kStyle));
  const player = new Player(element, selects, "try every order");
  Play();
}
