// An event count whose waker and sleepers the reader schedules, with a step left out if the reader
// wants: then a wake-up can be lost.
//
// Options: change, the first choice (event-count-machine.js); sleepers, 1 or 2.
import {EpochOf, kChanges, Moves, Search, SomebodyMaySleep, Start, Step}
  from "./event-count-machine.js";
import {h} from "../../models/kit/counterexample/page/dom.js";
import {Player} from "./player.js";

const kWaker = {
  make: "ready.store(true, relaxed);",
  load: "state = state_.load(relaxed);",
  exchange: "state_.compare_exchange_weak(state, (state | 1) + 1, release);",
  notify: "if ((state & 1) != 0) state_.notify_all();",
};
const kSleeper = {
  look: "while (!ready.load(relaxed)) {",
  prepare: "  key = state_.fetch_or(1, acquire) | 1;",
  again: "  if (ready.load(relaxed)) return;",
  wait: "  state_.wait(key, acquire);  }",
};

// The line in the place of a change; null: no line.
const kChanged = {
  unannounced: {prepare: "  key = state_.load(acquire);"},
  no_second_look: {again: null},
  same_epoch: {exchange: "state_.compare_exchange_weak(state, state & ~1, release);"},
  wake_one: {notify: "if ((state & 1) != 0) state_.notify_one();"},
  prepare_relaxed: {prepare: "  key = state_.fetch_or(1, relaxed) | 1;"},
  notify_relaxed: {exchange: "state_.compare_exchange_weak(state, (state | 1) + 1, relaxed);"},
  wait_relaxed: {wait: "  state_.wait(key, relaxed);  }"},
};

const kFailures = {
  deadlock: "The wake-up is lost: a thread sleeps, and no other thread will wake it any more.",
  race: "A data race: the thread goes on, and nothing orders what it now reads after the waker's " +
    "writing it.",
};

function Words(move) {
  if (move.sees === undefined) return "do it";
  return move.sees ? "sees true" : "sees false";
}

class Game {
  constructor(sleepers, change) {
    this.sleepers = sleepers;
    this.change = change;
    this.threads = 1 + sleepers;
  }
  Title(t) {
    return t === 0 ? "A, the waker" : `${t === 1 ? "B" : "C"}, a sleeper`;
  }
  Start() {
    return Start(this.sleepers, this.change);
  }
  Lines(t) {
    const code = {...(t === 0 ? kWaker : kSleeper), ...this.Changed(t)};
    let order = Object.keys(code).filter((at) => code[at] !== null);
    if (t === 0 && this.change === "notify_first") order = ["load", "exchange", "notify", "make"];
    return order.map((at) => ({at, code: code[at]}));
  }
  Changed(t) {
    const changed = Object.entries(kChanged[this.change] || {});
    return Object.fromEntries(changed.filter(([at]) => at in (t === 0 ? kWaker : kSleeper)));
  }
  Moves(state) {
    return Moves(state).map((move) => ({...move, words: Words(move)}));
  }
  Take(state, move) {
    return Step(state, move, this.change);
  }
  Ended(state) {
    if (state.failure) return {bad: true, words: kFailures[state.failure]};
    if (state.threads.some((thread) => thread.at !== "end")) return null;
    return {bad: false, words: "All threads have returned, and none of them sleeps."};
  }
  Search() {
    const {states, failure, moves} = Search(this.sleepers, this.change);
    const words = failure ? `Yes: after ${moves.length} steps. ${kFailures[failure]}` :
      `No: in none of the ${states} states that can be reached.`;
    return {words, moves, facts: {states, failure}};
  }
  Shared(state) {
    const asleep = state.threads.flatMap((thread, t) => (thread.at === "asleep" ? ["ABC"[t]] : []));
    const row = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
    const flag = SomebodyMaySleep(state) ? "a thread may sleep" : "no thread sleeps on it";
    return h("dl", {class: "ec-shared"},
      row("state_", `${state.word}: epoch ${EpochOf(state)}, ${flag}`),
      row("ready", `${state.ready}`),
      row("asleep", asleep.length === 0 ? "no thread" : asleep.join(", ")));
  }
  Facts(state) {
    return {change: this.change, sleepers: this.sleepers, failure: state.failure,
      at: state.threads.map((thread) => thread.at)};
  }
}

const kStyle = `
.ec-shared{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .75rem;margin:0}
.ec-shared dt{font-family:monospace;font-weight:bold}
.ec-shared dd{margin:0}
`;

export function mount(element, options) {
  const change = h("select", {class: "ec-change"},
    Object.entries(kChanges).map(([value, words]) => h("option", {value}, words)));
  const sleepers = h("select", {class: "ec-sleepers"},
    [1, 2].map((count) => h("option", {value: count}, `${count}`)));
  change.value = options.change || "none";
  sleepers.value = options.sleepers || "1";
  const player = new Player(element,
    [h("label", {}, "changed: ", change), h("label", {}, "sleepers ", sleepers)],
    "can it fail?");
  const play = () => player.Play(new Game(Number(sleepers.value), change.value),
    "Can a wake-up be lost, or something be read too early?");
  change.addEventListener("change", play);
  sleepers.addEventListener("change", play);
  element.append(h("style", {}, kStyle));
  play();
}
