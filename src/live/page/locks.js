// The body locks by contention: the waits for each lock since the scene's first message, as cells and as
// text. They are counted from the spans; spans that were lost are missing.

import {ColourOfHeat} from "./colours.js";
import {h, Replace} from "./dom.js";

const LockTime = (nanoseconds) => `${(nanoseconds / 1e6).toFixed(3)} ms`;
const Waits = (count) => `${count} ${count === 1 ? "wait" : "waits"}`;

export class BodyLocks {
  constructor() {
    this.cells = h("ul", {class: "cells", "aria-hidden": "true"});
    this.text = h("p", {class: "hint"});
    this.element = h("div", {class: "locks", hidden: true}, this.cells, this.text);
    this.shown = "";
  }

  Show(scene, isMode) {
    this.element.hidden = !isMode;
    const sentence = isMode ? LockSentence(scene) : "";
    if (sentence === this.shown) return;
    this.shown = this.text.textContent = sentence;
    Replace(this.cells, Array.from({length: scene.bodyLocks}, (_, lock) => {
      const waits = scene.lockWaits.get(lock)?.waits ?? 0;
      const cell = h("li", {title: `lock ${lock}: ${Waits(waits)}`}, waits > 0 ? `${waits}` : "");
      const colour = ColourOfHeat(scene.HeatOfLock(lock)).map((part) => Math.round(255 * part));
      cell.style.background = `rgb(${colour.join()})`;
      return cell;
    }));
  }
}

export function LockSentence(scene) {
  if (scene.bodyLocks === 0) return "The recording is of an earlier version and has no waits for single locks.";
  const all = [...scene.lockWaits];
  const sum = (part) => all.reduce((total, [, lock]) => total + lock[part], 0);
  const words = `body locks: ${scene.bodyLocks}; ${Waits(sum("waits"))} so far, ${LockTime(sum("time"))} in all` +
    (scene.frame.lostSpans > 0 ? ", without those among the spans that were lost" : "");
  if (all.length === 0) return words;
  const [most, lock] = all.reduce((a, b) => b[1].waits > a[1].waits ? b : a);
  return `${words}; most for lock ${most}: ${Waits(lock.waits)}, ${LockTime(lock.time)}`;
}
