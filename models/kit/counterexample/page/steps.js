// The view of one execution, step by step: the sentence, the lanes with their arrows, and beside
// them the stores that the step may read, the source, and all values. Also the view in which one
// predicts.
import {Arrows} from "./arrows.js";
import {h} from "./dom.js";
import {Lanes} from "./lanes.js";
import {Player} from "./player.js";
import {Prediction} from "./prediction.js";
import {Source} from "./source.js";
import {Histories, MayRead} from "./stores.js";
import {Capital, Linked, Remarks, Sentence} from "./words.js";

const kFewSteps = 40;  // up to this many, all arrows are shown at once unasked

export class Steps {
  // on_step(step): the reader went to another step. repaired: sources as they should be.
  constructor(x, record, {on_step, repaired}) {
    this.x = x;
    this.on_step = on_step;
    this.path = [];
    this.predicting = false;
    this.lanes = new Lanes(x, {
      caption: "Each thread's steps in the order in which they took effect",
      on_step: (step) => this.Go(step), on_fold: () => this.Redraw()});
    this.player = new Player({stops: () => this.lanes.Stops(), go: (step) => this.Go(step),
                              words: (step) => Sentence(x, step, this.Asking(step)),
                              asks: () => this.Asking(this.step)});
    this.prediction = new Prediction(x, {on_answer: () => this.Go(this.step)});
    this.may_read = new MayRead({on_path: (path) => { this.path = path; this.Redraw(); }});
    this.histories = new Histories();
    this.source = new Source(record.sources, repaired);
    this.sentence = h("div", {class: "sentence", "aria-live": "polite", "aria-atomic": "true"});
    const threads_steps = x.events.filter((event) => event.thread >= 0).length;
    this.all_arrows = h("input", {type: "checkbox", onchange: () => this.Redraw()});
    this.all_arrows.checked = threads_steps <= kFewSteps;
    this.over = h("div", {class: "over"}, this.lanes.element);
    this.arrows = new Arrows(this.over, x, this.lanes);
    this.element = h("div", {class: "steps"},
      h("div", {class: "bar"}, this.player.element, this.sentence),
      h("div", {class: "columns"},
        h("section", {class: "picture", "aria-label": "Lanes"},
          h("div", {class: "tools"},
            h("button", {type: "button", class: "small fold-all",
                         onclick: () => this.lanes.FoldAllCalls(false)}, "fold all calls"),
            h("button", {type: "button", class: "small unfold-all",
                         onclick: () => this.lanes.FoldAllCalls(true)}, "unfold all"),
            h("label", {}, this.all_arrows, " arrows of all steps so far, between threads"),
            Legend(x)),
          this.over),
        h("div", {class: "beside"}, this.prediction.element, this.may_read.element,
          this.source.element, this.histories.element)));
    new ResizeObserver(() => this.Redraw()).observe(this.over);
    const bar = this.element.firstChild;  // stays in sight; the elements beside it begin below it
    new ResizeObserver(() => this.element.style.setProperty("--stuck", `${bar.offsetHeight}px`))
      .observe(bar);
  }

  Asking(step) { return this.predicting && this.prediction.Asks(step); }

  Predict(on) {
    if (on && !this.predicting) this.prediction.Restart();
    this.predicting = on;
    this.element.classList.toggle("predicting", on);
    this.prediction.element.hidden = !on;
  }

  // With a question open, stepping on shows the answer first.
  Go(step) {
    if (this.step !== undefined && step > this.step && this.Asking(this.step)) {
      this.prediction.Answer(this.step, null);
      return;
    }
    const asked = this.x.events.find((it) => it.number > (this.step ?? 0) && it.number < step &&
                                             this.Asking(it.number));
    this.on_step(asked && this.predicting ? asked.number : step);
  }

  // scroll: whether the lanes may move to the step.
  Show(step, scroll) {
    const x = this.x;
    if (step !== this.step) this.path = [];
    this.step = step;
    const asking = this.Asking(step);
    this.Open(step);
    this.lanes.Show(step, asking);
    this.player.Show(step, x.length);
    this.sentence.replaceChildren(h("p", {class: "what"}, Linked(Sentence(x, step, asking))),
      ...(asking ? [] : Remarks(x, step).map((text) => h("p", {class: "remark"}, Linked(text)))),
      ...(!asking && step === x.length && x.left_out ? [h("p", {class: "remark"},
        `${Capital(x.left_out)}.`)] : []),
      ...(!asking && step === x.BrokenAt() ? [h("p", {class: "remark broken"},
        h("b", {}, "Here it is broken: "), Linked(x.failure.words))] : []));
    if (this.predicting) this.prediction.Show(step, asking);
    this.may_read.Show(x, step, asking);
    this.source.Show(x, step);
    this.histories.Show(x, step, asking);
    if (scroll) this.lanes.ScrollToStep();
    this.Redraw();
  }

  // A step that was asked for by its number is shown, whatever is folded.
  Open(step) {
    const fold = this.lanes.ClosedFold(step);
    if (fold && fold.last !== step) {
      for (let it = this.lanes.fold_of.get(step); it; it = it.parent) this.lanes.Toggle(it, true);
    }
  }

  Redraw() {
    if (this.step === undefined || this.over.offsetParent === null) return;
    this.arrows.Draw(this.step, {all: this.all_arrows.checked, asking: this.Asking(this.step),
                                 path: this.path});
  }
}

function Legend(x) {
  const line = (kind, words) => h("li", {}, h("span", {class: `sample ${kind}`, "aria-hidden": "true"}), words);
  return h("ul", {class: "legend", "aria-label": "What the arrows mean"},
    line("reads", "read from"), line("stale", "read a stale value"), line("sync", "synchronises with"),
    x.failure.kind === "data race" ? line("race", "not ordered: the race") : null,
    x.failure.kind === "use after free" ? line("race", "freed, and used") : null);
}
