// Prediction: before a load is shown the reader says what it reads. Several answers may be allowed;
// this execution has one of them, and the checker has tried them all.
import {h, Replace} from "./dom.js";
import {Linked, ThreadName, WhyForbidden} from "./words.js";

export class Prediction {
  // on_answer(): the step may be shown.
  constructor(x, {on_answer}) {
    this.x = x;
    this.on_answer = on_answer;
    this.answers = new Map();  // of each step with a question: "right", "allowed", "forbidden",
                               // "shown"
    this.question = h("div", {class: "question", role: "group", "aria-label": "Your prediction"});
    this.explanation = h("div", {class: "explanation", role: "status"});
    this.score = h("p", {class: "score"});
    this.element = h("section", {class: "panel prediction", "aria-label": "Prediction"},
      h("h2", {}, "Predict what it reads"), this.question, this.explanation, this.score);
  }

  // The page asks about a load when more than one value can be read.
  Asks(step) {
    const event = this.x.Event(step);
    if (event.thread < 0 || this.answers.has(step)) return false;
    return (this.x.ChoicesOf(event) ?? []).length > 1;
  }
  Questions() {
    return this.x.events.filter((event) => event.thread >= 0 &&
      (this.x.ChoicesOf(event) ?? []).length > 1).length;
  }

  Show(step, asking) {
    this.ShowScore();
    if (!asking) {
      if (this.explained !== step) this.explanation.replaceChildren();
      if (this.Questions() === 0) {
        Replace(this.question, h("p", {}, "No load here has more than one value to choose from."));
      } else if (!this.answers.has(step)) {
        Replace(this.question, h("p", {}, "Step on: you are asked before each load that has more " +
                                          "than one value to choose from."));
      } else {
        Replace(this.question, []);
      }
      return;
    }
    this.explanation.replaceChildren();
    const x = this.x, event = x.Event(step);
    Replace(this.question,
      h("p", {}, `Which store does this ${event.kind} of `, h("code", {}, x.NameOf(event.object)),
        ` (${event.order}) read?`),
      h("div", {class: "choices"}, x.ChoicesOf(event).map((choice) => {
        const writer = x.ThreadOf(choice.store);
        return h("button", {type: "button", class: `choice t${writer % 6}`,
                            "data-store": choice.store ?? "first",
                            onclick: () => this.Answer(step, choice)},
          h("b", {}, x.ValueOf(event.object, choice.store)), " ",
          choice.store === null ? "the first value" : `step ${choice.store}, ${ThreadName(writer)}`);
      }), h("button", {type: "button", class: "choice show",
                       onclick: () => this.Answer(step, null)}, "Show me")));
  }

  Answer(step, choice) {
    const x = this.x, event = x.Event(step);
    const from = event.read.from;
    const allowed = x.ChoicesOf(event).filter((it) => it.allowed);
    const verdict = choice === null ? "shown" : choice.store === from ? "right"
      : choice.allowed ? "allowed" : "forbidden";
    this.answers.set(step, verdict);
    const value = choice && x.ValueOf(event.object, choice.store);
    const others = allowed.length > 1
      ? ` ${allowed.length} of these values were allowed; the checker has tried each, and in the ` +
        "execution that fails it is this one."
      : " No other was allowed.";
    const first = {
      shown: `It reads ${event.read.value}.`,
      right: `Yes: it reads ${event.read.value}.`,
      allowed: `${value} is allowed as well, but here it reads ${event.read.value}.`,
      forbidden: `No, ${value} is forbidden here: ${choice ? Lower(WhyForbidden(choice)) : ""} It reads ` +
                 `${event.read.value}.`,
    }[verdict];
    this.explained = step;
    this.explanation.replaceChildren(
      h("p", {class: `answer ${verdict}`}, h("b", {}, {right: "✓ ", allowed: "≈ ", forbidden: "✗ ",
        shown: ""}[verdict]), Linked(first + others)));
    this.on_answer();
  }

  ShowScore() {
    const count = (verdict) => [...this.answers.values()].filter((it) => it === verdict).length;
    this.score.textContent = `${count("right")} right, ${count("allowed")} allowed but not taken here, ` +
      `${count("forbidden")} forbidden, of ${this.Questions()} questions`;
  }

  Restart() { this.answers.clear(); this.explained = null; this.explanation.replaceChildren(); }
}

function Lower(text) { return text.charAt(0).toLowerCase() + text.slice(1); }
