// The frame of the figures in which the reader is the scheduler: lanes for the threads, with the
// step that each would do next and a button that does it; undo, restart, and some steps by chance.
//
// A machine is the algorithm, and knows nothing of the page:
//   threads          their names
//   options          [{name, label, choices: [{value, text}]}], for select boxes; may be empty
//   Start(chosen)    the first state: plain data, with `chosen` by option's name
//   Next(state, t)   {where, code}: what thread t would do next; null when it has ended, and without
//                    code while it sleeps
//   Step(state, t)   does that to the state (a copy), and returns what happened, in words
//   Picture(state)   the structure, as an element
//   Facts(state)     [{ok, text}]: what must hold; ok is null where it cannot be said yet
//   Report(state)    what tests read from element.dataset.state
//
// Keys, while something in the figure has the focus: 1, 2, 3 ... step that thread, u undoes, r
// restarts, and c does steps by chance.

import {h} from "./kit.js";

const kStyle = `
.scheduler { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; color: var(--ink);
  background: var(--soft); font-size: .9rem; line-height: 1.4; text-align: left; }
.scheduler button, .scheduler select { font: inherit; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .6rem; }
.scheduler button { border-color: var(--accent); cursor: pointer; }
.scheduler button[aria-disabled=true] { border-color: var(--line); opacity: .6; cursor: default; }
.scheduler :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scheduler .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
.scheduler .lanes { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
.scheduler .lane { background: var(--paper); border: 1px solid var(--line); border-radius: .3rem;
  padding: .5rem; display: flex; flex-direction: column; gap: .4rem; }
.scheduler .lane b { border-bottom: 3px solid; align-self: flex-start; }
.scheduler .lane:nth-child(1) b { border-color: var(--c1); }
.scheduler .lane:nth-child(2) b { border-color: var(--c2); }
.scheduler .lane:nth-child(3) b { border-color: var(--c3); }
.scheduler .lane code { font-size: .8rem; overflow-wrap: anywhere; min-height: 2.6em; white-space: normal; }
.scheduler .lane button { margin-top: auto; align-self: flex-start; }
.scheduler .cells { display: flex; flex-wrap: wrap; gap: .3rem; }
.scheduler .cell { border: 1px solid var(--line); border-radius: .3rem; background: var(--paper);
  padding: .25rem .5rem; min-width: 4.2rem; text-align: center; }
.scheduler .cell small { display: block; }
.scheduler .cell.strong { border-color: var(--accent); border-width: 2px; }
.scheduler .cell.good { border-color: var(--good); border-width: 2px; }
.scheduler .cell.bad { border-color: var(--bad); border-width: 3px; border-style: double; }
.scheduler ul, .scheduler ol { margin: .3rem 0; padding-left: 1.3rem; }
.scheduler .facts { list-style: none; padding-left: 0; }
.scheduler .facts .bad { color: var(--bad); font-weight: bold; }
.scheduler .facts .good { color: var(--good); }
.scheduler .log { max-height: 9rem; overflow-y: auto; border-top: 1px solid var(--line); }
.scheduler .said { min-height: 1.4em; }
.scheduler svg { max-width: 100%; height: auto; display: block; }
`;

// Boxes in a row: [{text, note, kind}], kind being "", "strong", "good" or "bad".
export function Cells(cells) {
  return h("div", {class: "cells"}, ...cells.map((cell) =>
      h("div", {class: `cell ${cell.kind || ""}`}, String(cell.text),
              h("small", {}, cell.note || "\u00a0"))));
}

// A generator of chances that is the same each time.
function Chances(seed) {
  let word = seed;
  return (below) => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * below);
  };
}

export function MountScheduler(element, machine, preset = {}) {
  const chosen = {};
  for (const option of machine.options) {
    const wanted = option.choices.find((choice) => choice.value === preset[option.name]);
    chosen[option.name] = (wanted || option.choices[0]).value;
  }
  let past = [];
  let log = [];
  let state = null;
  let chance = Chances(1);

  const picture = h("div");
  const facts = h("ul", {class: "facts"});
  const said = h("p", {class: "said", "aria-live": "polite"});
  const history = h("ol", {class: "log", tabindex: "0", "aria-label": "the steps so far"});
  const lanes = machine.threads.map((name, t) => {
    const where = h("span");
    const code = h("code");
    const button = h("button", {type: "button", onclick: () => Do(t)}, `Step ${name}`);
    const lane = h("div", {class: "lane"}, h("b", {}, name), where, code, button);
    return {lane, where, code, button};
  });
  const undo = h("button", {type: "button", onclick: Undo}, "Undo");
  const restart = h("button", {type: "button", onclick: Restart}, "Restart");
  const some = h("button", {type: "button", onclick: Some}, "Ten steps by chance");
  const selects = machine.options.map((option) => {
    const select = h("select", {onchange: (event) => {
      chosen[option.name] = event.target.value;
      Restart();
    }}, ...option.choices.map((choice) => h("option", {value: choice.value}, choice.text)));
    select.value = chosen[option.name];
    return h("label", {}, `${option.label} `, select);
  });

  const Able = (t) => Boolean(machine.Next(state, t)?.code);

  function Do(t) {
    if (!Able(t)) return;
    const next = structuredClone(state);
    const words = machine.Step(next, t);
    past.push(state);
    state = next;
    log.push(`${machine.threads[t]}: ${words}`);
    Show(log.at(-1));
  }
  function Undo() {
    if (past.length === 0) return;
    state = past.pop();
    Show(`taken back: ${log.pop()}`);
  }
  function Restart() {
    past = [];
    log = [];
    chance = Chances(1);
    state = machine.Start({...chosen});
    Show("");
  }
  function Some() {
    for (let i = 0; i < 10; ++i) {
      const able = machine.threads.map((_, t) => t).filter(Able);
      if (able.length === 0) return;
      Do(able[chance(able.length)]);
    }
  }

  function Show(words) {
    picture.replaceChildren(machine.Picture(state));
    lanes.forEach(({where, code, button}, t) => {
      const next = machine.Next(state, t);
      where.textContent = next ? next.where : "has ended";
      code.textContent = next ? next.code : "";
      button.setAttribute("aria-disabled", String(!Able(t)));  // keeps the focus
    });
    facts.replaceChildren(...machine.Facts(state).map(({ok, text}) => h(
        "li", {class: ok === null ? "" : ok ? "good" : "bad"},
        `${ok === null ? "\u2026" : ok ? "\u2713" : "\u2717"} ${text}`)));
    undo.setAttribute("aria-disabled", String(past.length === 0));
    history.replaceChildren(...log.slice(-40).map((entry) => h("li", {}, entry)));
    history.setAttribute("start", String(Math.max(1, log.length - 39)));
    history.scrollTop = history.scrollHeight;
    said.textContent = words;
    element.dataset.state = JSON.stringify({steps: past.length, ...machine.Report(state)});
  }

  const root = h(
      "div", {class: "scheduler", role: "group", "aria-label": machine.label},
      h("style", {}, kStyle), selects.length ? h("div", {class: "row"}, selects) : null,
      picture, h("div", {class: "lanes"}, ...lanes.map(({lane}) => lane)),
      h("div", {class: "row"}, undo, restart, some), said, facts, history);
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const t = "123456".indexOf(event.key);
    if (t >= 0 && t < machine.threads.length) Do(t);
    else if (event.key === "u") Undo();
    else if (event.key === "r") Restart();
    else if (event.key === "c") Some();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.append(root);
  Restart();
}
