// The page: the verdict at the top, the views below, and one step that all of them show.
import {Address, ReadAddress, WriteAddress} from "./address.js";
import {Comparison} from "./comparison.js";
import {h} from "./dom.js";
import {Execution} from "./execution.js";
import {Damaged, ReadRecord, ReadStory} from "./record.js";
import {Scheduler} from "./scheduler.js";
import {Steps} from "./steps.js";
import {Text} from "./text.js";
import {Verdict} from "./verdict.js";
import {Capital} from "./words.js";

class Page {
  constructor(record, story) {
    this.record = record;
    this.story = story;
    this.x = new Execution(record.execution);
    this.first = this.x.events.find((event) => event.thread >= 0)?.number ?? 1;
    this.made = new Map();
    this.place = {step: 1, view: "steps"};
    this.Add("steps", "Step by step", () => this.Steps());
    this.Add("predict", "Predict", () => this.Steps());
    this.Add("compare", "Beside the repair", () => this.Compare());
    this.Add("schedule", "Play the scheduler", () => this.Schedule());
    this.Add("text", "As text", () => this.text);
    this.text = new Text(this.x);
    this.links = new Map(this.views.map(({name, title}) =>
      [name, h("a", {href: "#", "data-view": name}, title)]));
    this.main = h("div", {class: "view"});
    const body = document.getElementById("page");
    const embedded = window !== window.top;
    document.body.classList.toggle("embedded", embedded);
    body.replaceChildren(Verdict(record, this.x, story, {folded: embedded}),
      h("nav", {"aria-label": "Views"}, [...this.links.values()]),
      h("main", {}, this.main), h("div", {class: "on-paper"}, this.text.element.cloneNode(true)));
    addEventListener("hashchange", () => this.FromAddress());
    document.addEventListener("keydown", (event) => this.OnKey(event));
    document.addEventListener("click", (event) => this.OnClick(event));
    this.FromAddress();
  }

  Add(name, title, make) { (this.views ??= []).push({name, title, make}); }

  FromAddress() {
    const {step, view} = ReadAddress();
    const known = this.views.some(({name}) => name === view);
    const start = this.StartOf(view) ?? this.x.OpeningStep();
    this.Go({step: step ?? (this.place.asked ? this.place.step : start),
             view: known ? view : "steps"}, step !== null);
  }

  // scroll: not when the page is opened, so that the verdict is seen first.
  Go({step, view}, scroll = true) {
    // A player there would run on unseen, and lead back.
    if (view !== this.place.view) this.made.get(this.place.view)?.player?.Pause();
    const length = view === "compare" ? Infinity : this.x.length;
    this.place = {step: Math.max(1, Math.min(step, length)), view, asked: true};
    const shown = this.ViewOf(view);
    if (shown.element !== this.main.firstChild) this.main.replaceChildren(shown.element);
    if (shown instanceof Steps) shown.Predict(view === "predict");
    shown.Show(this.place.step, scroll);
    WriteAddress(this.place);
    document.body.dataset.view = view;
    for (const [name, link] of this.links) {
      const at = view === name ? this.place.step : this.StartOf(name) ?? this.place.step;
      link.setAttribute("href", Address({step: at, view: name}));
      if (name === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  // Where a view begins that has a beginning of its own.
  StartOf(view) {
    if (view === "predict") return this.first;
    return view === "compare" ? this.record.repair?.diverges?.event : undefined;
  }

  ViewOf(name) {
    if (!this.made.has(name)) this.made.set(name, this.views.find((it) => it.name === name).make());
    return this.made.get(name);
  }

  Steps() {
    return this.both ??= new Steps(this.x, this.record, {
      on_step: (step) => this.Go({step, view: this.place.view}),
      repaired: this.story ? this.story.repaired ?? [] : []});
  }
  Compare() {
    const repair = this.record.repair;
    if (!repair) return Absent("No repair was looked for in this search.");
    if (!repair.execution) return Absent(`${Capital(repair.words)}.`, this.Fixed());
    return new Comparison(this.x, repair, {on_step: (step) => this.Go({step, view: "compare"})});
  }
  // Where no order helps: the gallery's repair does.
  Fixed() {
    const fixed = this.story ? this.story.parts.at(-1) : null;
    return fixed ? `${fixed.heading}: ${fixed.words} The right lines stand beside the wrong ones in ` +
      "the source, step by step." : "";
  }
  Schedule() {
    if (!this.record.recorded) {
      return Absent("This scenario has too many executions, or too long ones, to record them for play.");
    }
    return new Scheduler(this.record.recorded);
  }

  // The page's own links are followed at once. The browser reports a new address later, and a key
  // that is pressed in between would belong to the view that one has just left.
  OnClick(event) {
    const link = event.target.closest("a[data-step], a[data-view]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.dataset.view) {
      this.Go({...ReadAddress(link.hash), view: link.dataset.view});
      return;
    }
    // A link to a step keeps the view, if that has steps.
    const view = ["schedule", "text"].includes(this.place.view) ? "steps" : this.place.view;
    this.Go({step: Number(link.dataset.step), view});
  }

  // Of the view at hand, if it has one; also for a page that has this one in a frame.
  get player() { return this.ViewOf(this.place.view).player; }
  OnKey(event) { this.player?.OnKey(event); }
}

function Absent(...words) {
  return {element: h("div", {class: "absent"}, words.filter(Boolean).map((it) => h("p", {}, it))),
          Show() {}};
}

try {
  globalThis.nowait = new Page(ReadRecord(), ReadStory());
} catch (error) {
  document.getElementById("page").replaceChildren(h("main", {}, h("div", {class: "damaged", role: "alert"},
    h("h1", {}, "This counterexample cannot be shown"),
    h("p", {}, error instanceof Damaged ? `The record in this page is damaged or not one of nowait's: ${error.message}.`
      : `The page has failed on it: ${error.message}.`),
    h("p", {}, "The check that wrote it can write it again."))));
  if (!(error instanceof Damaged)) throw error;
}
