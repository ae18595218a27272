// Comparison: the failing execution beside the one that follows it under the right order (or in the
// right source), step for step until they have to diverge.
import {Arrows} from "./arrows.js";
import {h} from "./dom.js";
import {Execution} from "./execution.js";
import {Lanes} from "./lanes.js";
import {Player} from "./player.js";
import {FunctionName, Linked, Place, Remarks, Sentence} from "./words.js";

export class Comparison {
  constructor(x, repair, {on_step}) {
    this.diverges = repair.diverges;
    // Under the repair each thread may do the same steps, and only be ordered with the others.
    this.is_same = this.diverges?.words.startsWith("the same steps ") ?? false;
    this.sides = [
      this.Side(x, "As it is: fails", "fails", on_step),
      this.Side(new Execution(repair.execution), repair.execution.failure ? "Repaired: fails as well"
        : "Repaired: passes", "passes", (step) => on_step(this.LeftOf(step))),
    ];
    this.PairUp();
    this.player = new Player({
      stops: () => this.Stops(), go: on_step,
      words: (step) => `${Sentence(x, Math.min(step, x.length))}`});
    this.parting = h("p", {class: "parting", role: "status"});
    this.element = h("div", {class: "comparison"},
      h("p", {class: "repair"}, h("b", {}, "The repair: "), RepairWords(repair),
        repair.verdict ? ` (${repair.verdict})` : ""),
      h("div", {class: "bar"}, this.player.element, this.parting),
      h("div", {class: "two"}, this.sides.map((side) => side.element)));
    if (this.diverges) {
      this.Mark(this.sides[0], this.diverges.event);
      this.Mark(this.sides[1], this.diverges.other);
    }
    new ResizeObserver(() => this.Redraw()).observe(this.element);
  }

  Side(x, title, kind, on_step) {
    const side = {x};
    side.lanes = new Lanes(x, {caption: title, on_step, on_fold: () => this.Redraw()});
    side.over = h("div", {class: "over"}, side.lanes.element);
    side.arrows = new Arrows(side.over, x, side.lanes);
    side.sentence = h("div", {class: "sentence", "aria-live": "polite"});
    side.element = h("section", {class: `side ${kind}`, "aria-label": title},
      h("h2", {}, title), side.sentence, side.over);
    return side;
  }

  Mark(side, number) {
    const row = side.lanes.rows.get(number);
    if (!row) return;
    row.classList.add("parts");
    side.lanes.buttons.get(number).append(h("span", {class: "badge parts"},
      !this.is_same ? "they part here" : side === this.sides[0] ? "race" : "no race"));
  }

  // pairs[i]: how far left and right have come. The same steps until they diverge, then each its
  // own.
  PairUp() {
    const [left, right] = this.sides.map((side) => side.x.length);
    const {event, other} = this.diverges ?? {event: Math.min(left, right) + 1,
                                             other: Math.min(left, right) + 1};
    this.pairs = [];
    for (let i = 1; i < event; ++i) {
      this.pairs.push([i, Math.min(other - 1, i + Math.max(0, other - event))]);
    }
    for (let i = 0; event + i <= left || other + i <= right; ++i) {
      this.pairs.push([Math.min(event + i, left), Math.min(other + i, right)]);
    }
  }
  // The comparison's steps are those of the failing execution, and a few more where the other one
  // is longer.
  PairAt(step) { return this.pairs[Math.min(step, this.pairs.length) - 1]; }
  LeftOf(right) {
    const at = this.pairs.findIndex((pair) => pair[1] === right);
    return at < 0 ? this.pairs.length : at + 1;
  }
  Stops() {
    const visible = new Set(this.sides[0].lanes.Stops());
    const right = new Set(this.sides[1].lanes.Stops());
    return this.pairs.map((_, i) => i + 1).filter((step) => visible.has(this.PairAt(step)[0]) &&
      (step === this.pairs.length || right.has(this.PairAt(step)[1])));
  }

  Show(step, scroll) {
    this.step = Math.min(step, this.pairs.length);
    const pair = this.PairAt(this.step);
    this.sides.forEach((side, i) => {
      side.at = pair[i];
      side.lanes.Show(side.at);
      side.sentence.replaceChildren(h("p", {class: "what"}, Linked(Sentence(side.x, side.at))),
        ...Remarks(side.x, side.at).map((text) => h("p", {class: "remark"}, Linked(text))));
    });
    this.player.Show(this.step, this.pairs.length);
    const parted = this.diverges && pair[0] >= this.diverges.event;
    this.parting.classList.toggle("parted", Boolean(parted));
    this.parting.replaceChildren(...!this.diverges
      ? ["Both do the same to the end."]
      : parted ? [h("b", {}, this.is_same ? "Under the repair "
                                          : `They part at step ${this.diverges.event}: `),
                  ...Linked(this.diverges.words)]
      : ["So far both do the same. ", this.is_same ? "What differs shows at " : "They part at ",
         ...Linked(`step ${this.diverges.event}`), "."]);
    if (scroll) this.sides[0].lanes.ScrollToStep();
    this.Redraw();
  }

  Redraw() {
    if (this.step === undefined || this.element.offsetParent === null) return;
    for (const side of this.sides) side.arrows.Draw(side.at, {all: side.x.length <= 60});
  }
}

function RepairWords(repair) {
  const operation = repair.operation;
  if (!operation || !operation.site) return repair.words;
  // The words name the place and the orders already; a reader recognises the operation by its
  // function.
  if (repair.words.includes(Place(operation.site))) {
    return [repair.words, " ", h("span", {class: "where"}, `in ${FunctionName(operation.site)}`)];
  }
  const orders = operation.repaired ? `: ${operation.order} becomes ${operation.repaired}` : "";
  return [repair.words, " ", h("span", {class: "where"}, `${FunctionName(operation.site)}, `,
                               h("code", {}, Place(operation.site)), orders)];
}
