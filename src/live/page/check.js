// How far a check has got, in words and as a bar.

import {ChangeText} from "./change.js";
import {h} from "./dom.js";

const kSilence = 5000;  // milliseconds after which the age of the last word is said

const Count = (number) => Number(number).toLocaleString("en-GB");
const Seconds = (seconds) => seconds < 100 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
const Percent = (fraction) => `${Math.floor(100 * fraction)}%`;

const kStates = {running: "runs", passed: "has passed", failed: "has failed", interrupted: "was interrupted"};

export class CheckProgress {
  constructor() {
    this.state = h("p", {class: "check-state", role: "status"});
    this.words = h("p", {class: "check-words"});
    this.bar = h("progress", {class: "check-bar", "aria-label": "Done of the check"});
    this.element = h("section", {class: "check", "aria-label": "Check"}, h("h2", {}, "Check"), this.state, this.bar, this.words);
  }

  // check: as in the list of proofs, or null. error: why there is none. now: milliseconds since 1970.
  Show(check, error, now) {
    ChangeText(this.state, CheckState(check, error));
    ChangeText(this.words, check ? CheckWords(check, now) : "");
    this.bar.hidden = !check;
    if (!check) return;
    this.bar.max = Math.max(1, check.all);
    this.bar.value = check.done;
  }
}

function CheckState(check, error) {
  if (error) return `The progress cannot be read: ${error}.`;
  if (!check) return "No check has run yet: ./nowait check shows itself here.";
  return `./nowait check (${check.what}) ${kStates[check.state] ?? check.state}.`;
}

function CheckWords(check, now) {
  const sentences = [`${Count(check.done)} of ${Count(check.all)} ${check.unit} done, ${Count(check.failed)} failed; ` +
                     `${Count(check.executions)} executions; ${Seconds((check.written_unix_ms - check.begun_unix_ms) / 1000)}.`];
  const current = check.current;
  if (current) {
    const left = current.seconds_left ? `, about ${Seconds(current.seconds_left)} left` : "";
    sentences.push(`Now: ${current.name}, ${Percent(current.fraction)}, ${Count(current.executions)} executions${left}.`);
  } else if (check.last) {
    sentences.push(`Ended last: ${check.last}.`);
  }
  const silent = now - check.written_unix_ms;
  if (check.state === "running" && silent > kSilence) sentences.push(`No word for ${Seconds(silent / 1000)}.`);
  return sentences.join(" ");
}
