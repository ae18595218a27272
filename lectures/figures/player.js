// A program that the reader schedules, step by step: the tools, the columns of the threads with
// their buttons, the line that is read out, and the end. The figures bring the program.
//
// A game has
//   threads          how many
//   Title(t)         what thread t is called
//   Start()          the first state
//   Moves(state)     what can be done next: a list of {t, at, words, label}; `at` names the line of
//                    thread t that the button stands under, and whatever else Take wants is in it
//   Take(state, move)  {state, told}: the state after it, and the words for it
//   Lines(t)         the lines of thread t: a list of {at, code}
//   Ended(state)     null, or {bad, words}
//   Search()         {words, moves, facts}: what trying everything gives; moves that lead to what
//                    is looked for, or null; facts for tests
//   Shared(state)    elements that show what the threads share
//   Facts(state)     what tests want to know of the state
import {h, Replace} from "../../models/kit/counterexample/page/dom.js";

const kThread = ["A", "B", "C", "D"];

export const ThreadName = (t) => kThread[t];

export class Player {
  // before: elements that stand before the tools, such as a choice of programs.
  constructor(element, before, search_words) {
    this.element = element;
    this.asked = h("p", {class: "pl-asked"});
    this.threads = h("div", {class: "pl-threads"});
    this.shared = h("div", {class: "pl-shared"});
    this.verdict = h("p", {class: "pl-verdict"});
    this.live = h("p", {class: "pl-live", "aria-live": "polite"});
    const button = (name, words, act) =>
      h("button", {type: "button", class: `pl-${name}`, onclick: act}, words);
    this.undo = button("undo", "one step back", () => this.Undo());
    element.append(h("style", {}, kStyle),
      h("div", {class: "pl-tools"}, before, this.undo,
        button("again", "start again", () => this.Again()),
        button("all", search_words, () => this.Search()),
        button("show", "show me", () => this.ShowOne())),
      this.asked, this.threads, this.shared, this.live, this.verdict);
  }

  Play(game, asked) {
    this.game = game;
    this.asked.textContent = asked;
    this.Again();
  }

  Again() {
    this.steps = [];
    this.states = [this.game.Start()];
    this.Show("Choose a step of any thread.");
  }

  Undo() {
    if (this.steps.length === 0) return;
    this.steps.pop();
    this.states.pop();
    this.Show("One step back.");
  }

  Take(move) {
    const {state, told} = this.game.Take(this.states.at(-1), move);
    this.states.push(state);
    this.steps.push({t: move.t, at: move.at, told});
    this.Show(`Thread ${ThreadName(move.t)}: ${told}.`);
  }

  Search() {
    const {words, facts} = this.game.Search();
    this.Show(words, facts);
  }

  ShowOne() {
    const {words, moves, facts} = this.game.Search();
    if (!moves) {
      this.Show(words, facts);
      return;
    }
    this.Again();
    for (const move of moves) this.Take(move);
  }

  Show(words, facts = {}) {
    const state = this.states.at(-1);
    const moves = this.game.Moves(state);
    const end = this.game.Ended(state);
    const threads = [...new Array(this.game.threads).keys()];
    this.undo.disabled = this.steps.length === 0;
    Replace(this.threads, threads.map((t) => this.Column(t, moves)));
    Replace(this.shared, this.game.Shared(state));
    this.live.textContent = words;
    this.verdict.className = `pl-verdict ${end ? (end.bad ? "pl-bad" : "pl-good") : ""}`;
    this.verdict.textContent = end ? `${end.bad ? "✗" : "✓"} ${end.words}` : "";
    this.element.dataset.state = JSON.stringify({
      steps: this.steps.length, ended: end !== null, bad: end !== null && end.bad,
      ...this.game.Facts(state), ...facts,
    });
    this.Refocus();
  }

  // A thread's lines; under each what it did last, and buttons where the thread stands.
  Column(t, moves) {
    const lines = this.game.Lines(t).map(({at, code}) => {
      const step = this.steps.findLastIndex((one) => one.t === t && one.at === at);
      const here = moves.filter((move) => move.t === t && move.at === at);
      return h("li", {class: here.length > 0 ? "pl-next" : ""},
        h("code", {}, code),
        step < 0 ? null :
          h("span", {class: "pl-told"}, `${step + 1}. ${this.steps[step].told}`),
        here.map((move, i) => h("button", {
          type: "button", class: "pl-step", "data-key": `${t}-${i}`,
          "aria-label": `thread ${ThreadName(t)}, ${code} ${move.words}`,
          onclick: () => this.Take(move),
        }, move.words)));
    });
    return h("section", {class: "pl-thread"}, h("h4", {}, `Thread ${this.game.Title(t)}`),
      h("ol", {}, lines));
  }

  // After a step the focus goes to the next button of that thread (Replace), or of another.
  Refocus() {
    if (document.activeElement !== document.body || this.steps.length === 0) return;
    const next = this.threads.querySelector(".pl-step");
    (next || this.undo).focus({preventScroll: true});
  }
}

const kStyle = `
.pl-tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.pl-threads{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));
  gap:.75rem}
.pl-thread{border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem;min-width:0}
.pl-thread h4{margin:0 0 .25rem;font-size:1em}
.pl-thread ol{list-style:none;margin:0;padding:0}
.pl-thread li{padding:.2rem 0 .2rem .5rem;border-left:.25rem solid var(--line);margin:.25rem 0}
.pl-thread li.pl-next{border-left-color:var(--accent)}
.pl-thread code{display:block;white-space:pre-wrap;overflow-wrap:anywhere}
.pl-told{display:block;font-size:.85em}
.pl-step{display:block;margin:.25rem 0;text-align:left}
.pl-tools label,.pl-tools select{max-width:100%}
.pl-asked{margin:.6rem 0}
.pl-shared{margin:.6rem 0}
.pl-live{margin:.4rem 0}
.pl-verdict{font-weight:bold;min-height:1.5em;margin:0}
.pl-bad{color:var(--bad)}
.pl-good{color:var(--good)}
`;
