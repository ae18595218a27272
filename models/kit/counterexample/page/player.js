// The player: buttons, a scrubber, and keys that go from step to step.
import {h} from "./dom.js";

const kMillisecondsPerStep = 1600;

export class Player {
  // stops(): the steps at which one can stop, in order. go(step): show that one. words(step): the
  // scrubber's words for it. asks(): whether the reader is asked something, which playing would
  // answer.
  constructor({stops, go, words, asks = () => false}) {
    Object.assign(this, {stops, go, words, asks, step: 1, timer: null, speed: 1});
    const button = (key, symbol, words, action) => h("button",
      {type: "button", class: `player-${key}`, "aria-label": words, title: words, onclick: action},
      symbol);
    this.play = button("play", "▶ play", "Play", () => this.Playing() ? this.Pause() : this.Play());
    this.scrubber = h("input", {type: "range", min: 0, step: 1, class: "scrubber",
                                "aria-label": "Step", oninput: () => this.Scrub()});
    this.count = h("output", {class: "count"});
    this.element = h("div", {class: "player", role: "group", "aria-label": "Steps"},
      button("first", "|◀", "First step (Home)", () => this.Move(-Infinity)),
      button("back", "◀", "Step back (arrow left)", () => this.Move(-1)),
      this.play,
      button("next", "▶", "Next step (arrow right)", () => this.Move(1)),
      button("last", "▶|", "Last step (End)", () => this.Move(Infinity)),
      this.scrubber, this.count);
  }

  // -1, 1, or as far as it goes.
  Move(by) {
    this.Pause();
    this.GoBy(by);
  }
  GoBy(by) {
    const stops = this.stops();
    if (by === -Infinity) return this.go(stops[0]);
    if (by === Infinity) return this.go(stops.at(-1));
    const next = by > 0 ? stops.find((stop) => stop > this.step)
      : stops.findLast((stop) => stop < this.step);
    if (next !== undefined) this.go(next);
    return next;
  }
  Scrub() {
    this.Pause();
    this.go(this.stops()[Number(this.scrubber.value)]);
  }

  Playing() { return this.timer !== null; }
  Play() {
    const stops = this.stops();
    if (this.step >= stops.at(-1)) this.go(stops[0]);
    this.timer = setInterval(() => {
      if (this.asks() || this.GoBy(1) === undefined) this.Pause();
    }, kMillisecondsPerStep / this.speed);
    this.Label("❚❚ pause", "Pause");
  }
  // speed: 1 is the usual one.
  Pace(speed) {
    this.speed = speed;
    if (!this.Playing()) return;
    this.Pause();
    this.Play();
  }
  Pause() {
    if (!this.Playing()) return;
    clearInterval(this.timer);
    this.timer = null;
    this.Label("▶ play", "Play");
  }
  Label(symbol, words) {
    this.play.textContent = symbol;
    this.play.setAttribute("aria-label", words);
    this.play.title = words;
  }

  Show(step, length) {
    this.step = step;
    const stops = this.stops();
    const at = stops.findLastIndex((stop) => stop <= step);
    this.scrubber.max = stops.length - 1;
    this.scrubber.value = Math.max(0, at);
    this.scrubber.setAttribute("aria-valuetext", this.words(step));
    this.count.textContent = `step ${step} of ${length}`;
  }

  // Whether the key was one of the player's. Fields that use arrows themselves keep them.
  OnKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, .listing")) return false;
    const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity,
                End: Infinity}[event.key];
    if (by === undefined) return false;
    event.preventDefault();
    this.Move(by);
    return true;
  }
}
