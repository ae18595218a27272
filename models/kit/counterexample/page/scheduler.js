// Play the scheduler: the reader says which thread goes next and what its load reads, and tries to
// make the program fail, or to keep it from failing.
import {Arrows} from "./arrows.js";
import {h, Replace} from "./dom.js";
import {Execution} from "./execution.js";
import {Lanes} from "./lanes.js";
import {Recorded} from "./recorded.js";
import {Capital, FunctionName, Place, ThreadName} from "./words.js";

export class Scheduler {
  constructor(recorded) {
    this.recorded = new Recorded(recorded);
    this.done = [];
    const fails = recorded.executions.filter((it) => it.verdict === "fails").length;
    this.tally = {fails: 0, passes: 0};
    this.choices = h("div", {class: "turns"});
    this.outcome = h("div", {class: "outcome", role: "status"});
    this.tally_words = h("p", {class: "score"});
    this.hints = h("input", {type: "checkbox", onchange: () => this.Show()});
    this.over = h("div", {class: "over"});
    this.undo = h("button", {type: "button", class: "undo", onclick: () => this.Undo()}, "take back");
    this.element = h("div", {class: "scheduler"},
      h("p", {}, `You are the scheduler, and the memory: choose which thread goes next, and what it ` +
        `reads where there is a choice. Recorded are ${recorded.words}` +
        `${recorded.complete ? "" : " (not all there are)"}; ${fails} of ` +
        `${recorded.executions.length} fail. ${Task(fails, recorded.executions.length)}`),
      h("div", {class: "columns"},
        h("div", {class: "beside"},
          h("section", {class: "panel", "aria-label": "Your turn"}, h("h2", {}, "Your turn"),
            this.outcome, this.choices,
            h("div", {class: "tools"}, this.undo,
              h("button", {type: "button", class: "restart", onclick: () => this.Restart()},
                "start again"),
              h("label", {}, this.hints, " hints")),
            this.tally_words)),
        h("section", {class: "picture", "aria-label": "Your schedule"}, this.over)));
    this.Automatic();
    new ResizeObserver(() => this.Redraw()).observe(this.over);
  }

  // Steps without a choice are done unasked: set-up, and the steps after the threads.
  Automatic() {
    for (;;) {
      const next = this.recorded.Next(this.done);
      if (next.size !== 1) return;
      const [[thread, steps]] = next;
      if (thread >= 0 || steps.length !== 1) return;
      this.done.push({...steps[0], automatic: true});
    }
  }
  Take(step) {
    this.done.push(step);
    this.Automatic();
    const end = this.End();
    if (end) ++this.tally[end.verdict === "fails" ? "fails" : "passes"];
    this.Show();
  }
  Undo() {
    while (this.done.length > 0 && this.done.at(-1).automatic) this.done.pop();
    this.done.pop();
    this.Automatic();
    this.Show();
  }
  Restart() {
    this.done = [];
    this.Automatic();
    this.Show();
  }

  // How it ended, or null.
  End() {
    if (this.recorded.Next(this.done).size > 0) return null;
    const fitting = this.recorded.Fitting(this.done);
    return fitting.find((it) => it.verdict === "fails") ?? fitting[0] ?? {verdict: "passes", words: ""};
  }

  Show() {
    const next = this.recorded.Next(this.done);
    const end = this.End();
    this.undo.disabled = !this.done.some((step) => !step.automatic);
    this.ShowLanes();
    const alike = this.done.length === 0 && next.size < this.recorded.threads;
    Replace(this.choices, end ? [] : [...next].map(([thread, steps]) => this.Turn(thread, steps)),
      alike ? h("p", {class: "hint"}, "Threads that do the same are recorded in one order only: which " +
                                      "of them is called first makes no difference.") : null);
    this.outcome.className = `outcome ${end ? end.verdict : ""}`;
    Replace(this.outcome, end ? h("p", {}, h("b", {}, {
      fails: "✗ You made it fail: ", passes: "✓ It passed: ", blocks: "It blocks: "}[end.verdict] ?? ""),
      end.words || "every promise was kept.") : []);
    this.tally_words.textContent =
      `So far you made it fail ${Times(this.tally.fails)} and pass ${Times(this.tally.passes)}.`;
  }

  Turn(thread, steps) {
    const operation = this.recorded.operations[steps[0].index];
    const choice = steps.length > 1;
    return h("fieldset", {class: `turn t${thread % 6}`},
      h("legend", {}, Capital(ThreadName(thread)), operation.call ? `, ${operation.call}` : ""),
      h("p", {}, Words(operation), " ", h("code", {class: "where", title: Place(operation.site)},
        `${FunctionName(operation.site)} ${Place(operation.site).split("/").at(-1)}`)),
      h("div", {class: "choices"}, steps.map((step) => {
        const it = this.recorded.operations[step.index];
        return h("button", {type: "button", class: `choice t${thread % 6}`,
                            "data-key": `thread ${thread} ${choice ? step.index + step.from : ""}`,
                            onclick: () => this.Take(step)},
          choice ? `read ${Value(it.read) ?? "nothing"}` +
            (step.from === null ? " (the first value)" : ` (${this.StepOf(step.from)})`)
            : "go",
          this.hints.checked ? h("span", {class: "hint"}, ` ${Odds(step)}`) : null);
      })));
  }
  StepOf(name) {
    const at = this.done.findIndex((step) => step.name === name);
    const thread = Number(name.split(":")[0]);
    return `step ${at + 1}, ${ThreadName(thread)}`;
  }

  // The chosen steps are an execution, so the lanes can draw it.
  ShowLanes() {
    const x = new Execution(this.AsExecution());
    this.lanes = new Lanes(x, {caption: "Your schedule so far", on_step: () => {},
                               on_fold: () => this.Redraw()});
    this.lanes.Show(x.length);
    this.over.replaceChildren(this.lanes.element);
    this.arrows = new Arrows(this.over, x, this.lanes);
    this.Redraw();
  }
  AsExecution() {
    const objects = [], ids = new Map(), orders = new Map();
    const numbers = new Map(this.done.map((step, i) => [step.name, i + 1]));
    const events = this.done.map((step, i) => {
      const it = this.recorded.operations[step.index];
      if (it.object && !ids.has(it.object)) {
        ids.set(it.object, objects.length);
        objects.push({id: objects.length, name: it.object, type: "",
                      kind: it.kind.startsWith("plain") ? "plain" : "atomic"});
      }
      const object = it.object ? ids.get(it.object) : null;
      const event = {number: i + 1, thread: it.thread, call: null, kind: it.kind, object,
                     order: it.order, site: it.site, outcome: it.outcome ?? ""};
      if (Value(it.read) !== undefined) {
        event.read = {value: Value(it.read), from: numbers.get(step.from) ?? null};
      }
      if (Value(it.written) !== undefined) {
        event.written = {value: Value(it.written)};
        if (!orders.has(object)) orders.set(object, []);
        orders.get(object).push(i + 1);
      }
      return event;
    });
    // Lanes for all threads from the start.
    const threads = new Set(this.recorded.operations.map((it) => it.thread).filter((it) => it >= 0));
    return {failure: null, objects, calls: [], events, synchronises_with: [], candidates: [], threads,
            modification_orders: [...orders].map(([object, stores]) => ({object, stores}))};
  }
  Redraw() {
    if (this.arrows && this.over.offsetParent) this.arrows.Draw(this.done.length, {all: true});
  }
}

function Task(fails, all) {
  if (fails === all) return "Can you keep it from failing, whatever order you choose?";
  return "First make it fail. Then play again and keep it from failing: where does it turn?";
}

// A value is given as itself or as {"value": ...}.
function Value(field) {
  if (field === undefined || field === null) return undefined;
  return typeof field === "object" ? field.value : field;
}

function Words(operation) {
  const order = operation.order ? ` (${operation.order})` : "";
  const written = Value(operation.written);
  const value = written !== undefined && Value(operation.read) === undefined ? ` ← ${written}` : "";
  return [h("b", {}, operation.kind), ` ${operation.object ?? ""}${value}${order}`];
}

function Odds({fails, others}) {
  if (fails === 0) return "cannot fail any more";
  return others === 0 ? "must fail" : `${fails} of ${fails + others} fail`;
}

function Times(count) { return count === 1 ? "once" : `${count} times`; }
