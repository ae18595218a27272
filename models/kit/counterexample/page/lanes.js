// Lanes: a column a thread, a row a step. The steps of one API call stand under its name and fold
// away with it; the steps before the threads and after them fold as a whole.
//
// It is a table, so that a screen reader says whose lane a step is in. Every step is a button, of
// which the current one alone is a stop of the Tab key.
import {h} from "./dom.js";
import {kAfter, kSetUp} from "./execution.js";
import {Capital, FunctionName, kBytes, ThreadName} from "./words.js";

const kFirstValues = 8;  // so many are listed at the top
const kAlwaysOpen = 40;  // so many steps after the threads are shown unasked

export class Lanes {
  // on_step(number): a step was chosen; on_fold(): rows came or went.
  constructor(x, {caption, on_step, on_fold = () => {}}) {
    this.x = x;
    this.on_step = on_step;
    this.on_fold = on_fold;
    this.step = 0;
    this.rows = new Map();     // of each event
    this.buttons = new Map();  // of each event
    this.folds = [];           // {steps, open, row, button, parent, rail}
    this.fold_of = new Map();  // the innermost fold of each event
    this.body = h("tbody");
    this.element = h("table", {class: `lanes of-${x.threads.length}`},
      h("caption", {class: "unseen"}, caption),
      h("thead", {}, h("tr", {}, h("th", {scope: "col", class: "number"}, "step"),
        x.threads.map((thread) => h("th", {scope: "col", class: `lane t${thread % 6}`},
          Capital(ThreadName(thread)))))),
      this.body);
    this.Build();
    this.Refold();
  }

  Build() {
    const x = this.x;
    let group = null, group_of = null;
    this.calls = new Map();
    this.AddFirstValues();
    for (const event of x.events) {
      const outside = event.thread < 0 ? event.thread : null;
      if (outside !== group_of) {
        group_of = outside;
        group = outside === null ? null : this.AddGroup(outside);
      }
      const fold = event.call === null ? group : this.FoldOfCall(event.call, group);
      for (let it = fold; it; it = it.parent) it.steps.push(event.number);
      this.fold_of.set(event.number, fold);
      this.AddEvent(event);
    }
    for (const fold of this.folds) this.FinishFold(fold);
    this.DrawRails();
  }

  // The target of arrows for reads of a value that no store wrote.
  AddFirstValues() {
    const x = this.x;
    const objects = x.Touched().filter((object) => x.first_values.has(object) &&
                                                   x.first_values.get(object) !== kBytes);
    if (objects.length === 0) return;
    const more = objects.length > kFirstValues ? objects.splice(kFirstValues).length : 0;
    this.first_values = h("div", {class: "first-values"}, h("b", {}, "At first "),
      objects.map((object, i) => [i > 0 ? ", " : "",
        h("code", {}, `${x.NameOf(object)} = ${x.first_values.get(object)}`)]),
      more > 0 ? `, and ${more} more` : "");
    this.AddRow("group", "", kSetUp, this.first_values);
  }

  AddGroup(thread) {
    const words = thread === kSetUp ? "Before the threads start" : "After the threads have ended";
    return this.AddFold({words, thread, parent: null, kind: "group"});
  }
  // A call may be made in another one.
  FoldOfCall(id, group) {
    if (!this.calls.has(id)) {
      const call = this.x.calls.get(id);
      const outer = call.outer ?? null;
      const parent = outer === null ? group : this.FoldOfCall(outer, group);
      const depth = parent && parent.kind === "call" ? parent.depth + 1 : 0;
      this.calls.set(id, this.AddFold({words: call.name, call, thread: call.thread, parent, depth,
                                       kind: "call"}));
    }
    return this.calls.get(id);
  }
  AddFold(fold) {
    Object.assign(fold, {steps: [], open: true});
    fold.count = h("span", {class: "count"});
    fold.notes = h("span", {class: "notes"});
    fold.button = h("button", {class: "fold", type: "button",
                               onclick: () => this.Toggle(fold)},
      h("span", {class: "triangle", "aria-hidden": "true"}), h("b", {}, fold.words), " ",
      fold.notes, " ", fold.count);
    if (fold.depth > 0) fold.button.classList.add(`inner${Math.min(fold.depth, 3)}`);
    fold.row = this.AddRow(fold.kind, "", fold.thread, fold.button);
    this.folds.push(fold);
    return fold;
  }
  FinishFold(fold) {
    const count = fold.steps.length;
    fold.last = fold.steps.at(-1) ?? 0;
    fold.count.textContent = `${count} ${count === 1 ? "step" : "steps"}`;
    if (fold.kind === "call") {
      const notes = fold.call.notes.join("; ");
      if (notes && notes !== fold.call.name) fold.notes.textContent = notes;
    }
    const broken = this.x.failure !== null && fold.steps.includes(this.x.BrokenAt());
    fold.open = fold.kind === "call" ||
      (fold.thread === kAfter && (broken || fold.steps.length <= kAlwaysOpen));
  }

  AddEvent(event) {
    const x = this.x;
    const button = h("button", {class: "event", type: "button", tabindex: "-1",
                                "data-step": event.number,
                                onclick: () => this.on_step(event.number)}, EventWords(x, event));
    this.buttons.set(event.number, button);
    const row = this.AddRow("step", event.number, event.thread, button);
    row.classList.add("future");
    if (x.blamed.has(event.number)) row.classList.add("blamed");
    this.rows.set(event.number, row);
  }

  AddRow(kind, number, thread, content) {
    const cells = thread < 0
      ? [h("td", {class: "all", colspan: this.x.threads.length}, content)]
      : this.x.threads.map((it) => h("td", {class: `lane t${it % 6}`}, it === thread ? content : null));
    const row = h("tr", {class: kind}, h("th", {scope: "row", class: "number"}, String(number)), cells);
    this.body.append(row);
    return row;
  }

  // A line beside a call from its name to its last step, also past the other threads' steps.
  DrawRails() {
    const all = [...this.body.rows];
    for (const fold of this.folds) {
      if (fold.kind !== "call" || fold.thread < 0) continue;
      const cell = 1 + this.x.threads.indexOf(fold.thread);
      const first = all.indexOf(fold.row), last = all.indexOf(this.rows.get(fold.last));
      for (let i = first; i <= last; ++i) {
        if (all[i].cells.length > cell) all[i].cells[cell].classList.add("rail");
      }
    }
  }

  Toggle(fold, open = !fold.open) {
    fold.open = open;
    this.Refold();
    this.Show(this.step, this.asking);
    this.on_fold();
  }
  FoldAllCalls(open) {
    for (const fold of this.folds) if (fold.kind === "call") fold.open = open;
    this.Refold();
    this.Show(this.step, this.asking);
    this.on_fold();
  }
  Refold() {
    for (const fold of this.folds) {
      fold.button.setAttribute("aria-expanded", String(fold.open));
      fold.row.hidden = OutermostClosed(fold.parent) !== null;
    }
    for (const [number, row] of this.rows) row.hidden = this.ClosedFold(number) !== null;
  }
  // The outermost closed fold around a step, or null.
  ClosedFold(number) { return OutermostClosed(this.fold_of.get(number)); }

  // The steps at which one stops: a fold counts as one, its last.
  Stops() {
    const stops = [];
    for (const event of this.x.events) {
      const fold = this.ClosedFold(event.number);
      if (!fold || fold.last === event.number) stops.push(event.number);
    }
    return stops;
  }
  // The element that stands for a step on the screen: its button, or the fold that hides it. Null:
  // the values that objects began with.
  AnchorOf(number) {
    if (number === null) return this.first_values;
    const fold = this.ClosedFold(number);
    return fold ? fold.button : this.buttons.get(number);
  }

  Show(step, asking = false) {
    this.asking = asking;
    const old = this.buttons.get(this.step);
    if (old) {
      old.tabIndex = -1;
      old.removeAttribute("aria-current");
    }
    for (const [number, row] of this.rows) {
      row.classList.toggle("future", number > step);
      row.classList.toggle("current", number === step);
      row.classList.toggle("asking", asking && number === step);
    }
    for (const fold of this.folds) {
      const begun = fold.steps.length > 0 && fold.steps[0] <= step;
      fold.row.classList.toggle("future", !begun);
      fold.row.classList.toggle("returned", fold.last < step || (fold.last === step && !asking));
      fold.row.classList.toggle("current", !fold.open && fold.steps.includes(step));
    }
    this.step = step;
    const button = this.buttons.get(step);
    if (!button) return;
    button.tabIndex = 0;
    button.setAttribute("aria-current", "step");
  }

  ScrollToStep() {
    const anchor = this.AnchorOf(this.step);
    if (anchor) anchor.scrollIntoView({block: "nearest", inline: "nearest"});
  }
}

function OutermostClosed(fold) {
  let closed = null;
  for (; fold; fold = fold.parent) if (!fold.open) closed = fold;
  return closed;
}

function EventWords(x, event) {
  const {read, written} = event;
  const name = event.object === null ? FunctionName(event.site) : x.NameOf(event.object);
  let value = "";
  if (event.outcome === "blocks") value = "blocks";
  else if (event.outcome.startsWith("fails")) value = read ? `finds ${read.value}, fails` : "fails";
  else if ([read, written].some((it) => it && it.value === kBytes)) value = "";
  else if (read && written) value = `${read.value} ⇒ ${written.value}`;
  else if (read) value = `→ ${read.value}`;
  else if (written) value = `← ${written.value}`;
  const spoken = value === "" ? "" : read && written ? `finds ${read.value}, writes ${written.value}`
    : read ? `reads ${read.value}` : written ? `writes ${written.value}` : "";
  return [
    h("span", {class: "kind"}, event.kind), " ",
    h("span", {class: "object"}, name), " ",
    event.order ? h("span", {class: `order ${event.order}`}, event.order) : null, " ",
    h("span", {class: "value", "aria-hidden": spoken ? "true" : null}, value),
    spoken ? h("span", {class: "value unseen"}, spoken) : null,
    event.thread >= 0 && x.IsAtomic(event) && x.IsStale(event)
      ? h("span", {class: "badge stale"}, "stale") : null,
    x.blamed.has(event.number) ? h("span", {class: "badge blame"}, "to blame") : null,
  ];
}
