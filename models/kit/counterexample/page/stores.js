// Store histories: of each object its values, oldest first, with their writers, and which of them
// the step at hand could read, may not read, and did read.
import {h, Replace} from "./dom.js";
import {kSetUp} from "./execution.js";
import {Capital, IsPlain, Linked, ThreadName, WhyForbidden} from "./words.js";

// Of the object of the current step: a table, with a reason in each line.
export class MayRead {
  // on_path(edges): the reader wants to see why a store is forbidden, or no longer ([]).
  constructor({on_path}) {
    this.on_path = on_path;
    this.shown = null;  // the store whose path is shown
    this.element = h("section", {class: "panel may-read", "aria-label": "What this step may read"});
  }

  Show(x, step, asking) {
    if (this.step !== step) this.shown = null;
    this.step = step;
    const event = x.Event(step);
    this.element.hidden = event.object === null ||
      !(x.orders.has(event.object) || x.first_values.has(event.object));
    if (this.element.hidden) return;
    const name = x.NameOf(event.object);
    const choices = new Map((x.ChoicesOf(event) ?? []).map((it) => [it.store, it]));
    const reads = Boolean(event.read);
    const before = x.StoresUpTo(event.object, reads ? step - 1 : step);
    // After the threads everything is in order: the older stores are of no interest.
    const possible = event.thread >= 0 ? before
      : before.filter((store) => choices.get(store)?.allowed !== false);
    const stores = event.read && event.written ? [...possible, step] : possible;
    Replace(this.element,
      h("h2", {}, reads ? `What this ${event.kind} of ` : "The values of ", h("code", {}, name),
        reads ? " may read" : ""),
      h("p", {class: "hint"}, Hint(event, choices)),
      h("table", {},
        h("thead", {}, h("tr", {}, ["value", "written in", "order", reads ? "may it be read?" : ""]
          .map((words) => h("th", {scope: "col"}, words)))),
        h("tbody", {}, stores.map((store) =>
          this.Row(x, event, store, choices.get(store), asking, stores)))));
  }

  Row(x, event, store, choice, asking, stores) {
    const forbidden = choice && !choice.allowed && !asking;
    const read = !asking && event.read && event.read.from === store;
    const writer = x.ThreadOf(store);
    const classes = [forbidden ? "forbidden" : "", read ? "read" : "",
                     store === event.number ? "own" : ""].join(" ");
    return h("tr", {class: classes, "data-store": store ?? "first"},
      h("td", {class: "value"}, x.ValueOf(event.object, store)),
      h("td", {}, store === null ? "at first" : Linked(`step ${store}`), " ",
        h("span", {class: `who t${writer % 6}`}, ThreadName(writer))),
      h("td", {}, store === null ? "" : x.Event(store).order ?? "plain"),
      h("td", {class: "verdict"}, this.Verdict(x, event, store, choice, asking, stores)));
  }

  Verdict(x, event, store, choice, asking, stores) {
    if (store === event.number) return [h("b", {}, "written now")];
    if (!event.read) return store === stores.at(-1) ? [h("b", {}, "the newest")] : ["overwritten"];
    if (asking) return ["?"];
    const parts = [];
    if (event.read.from === store) {
      parts.push(h("b", {}, x.IsStale(event) ? "read here, though stale" : "read here"));
    } else if (choice && choice.allowed) {
      parts.push("allowed too: another execution reads it");
    } else if (choice) {
      parts.push(h("b", {}, "no: "), Linked(WhyForbidden(choice)), this.Path(choice));
    } else if (IsPlain(event)) {
      parts.push(store === null || x.HappensBefore(store, event.number) ? "happens before this step"
        : h("b", {}, "not ordered with this step: a race"));
    }
    return parts;
  }

  Path(choice) {
    if (!choice.path || choice.path.length === 0) return null;
    const shown = this.shown === choice.store;
    return [" ", h("button", {type: "button", class: "small", "aria-pressed": String(shown),
                        "data-key": `path ${choice.store}`,
                        onclick: (click) => {
                          this.shown = shown ? null : choice.store;
                          click.target.setAttribute("aria-pressed", String(!shown));
                          this.on_path(shown ? [] : choice.path);
                        }}, "draw it")];
  }
}

function Hint(event, choices) {
  if (event.read && choices.size > 0) {
    return "In the order in which the values follow each other (its modification order), oldest " +
      "first. Every line without a reason against it is allowed by C++20.";
  }
  if (IsPlain(event)) return "Plain data: a read must have exactly one last write before it, or it is a data race.";
  return "In the order in which they follow each other (its modification order), oldest first.";
}

// Of every object that a thread touches.
export class Histories {
  constructor() {
    this.list = h("dl");
    this.element = h("section", {class: "panel histories", "aria-label": "The values of all objects"},
      h("h2", {}, "All values up to this step"),
      h("p", {class: "hint"}, "Oldest first. ",
        h("span", {class: "seen"}, "seen by 0"),
        " marks the newest value that thread 0 has read or written."),
      this.list);
  }

  Show(x, step, asking) {
    const current = x.Event(step).object;
    Replace(this.list, x.Touched().map((object) =>
      this.Row(x, object, asking ? step - 1 : step, object === current)));
  }

  Row(x, object, step, current) {
    const stores = x.StoresUpTo(object, step);
    const seen = SeenBy(x, object, step);
    return [
      h("dt", {class: current ? "current" : ""}, h("code", {}, x.NameOf(object)), " ",
        h("span", {class: "type"}, x.objects.get(object).type ?? "")),
      h("dd", {}, h("ol", {}, stores.map((store, i) => {
        const writer = x.ThreadOf(store);
        const words = h("span", {class: "value"}, x.ValueOf(object, store));
        return h("li", {class: `store t${writer % 6}${i === stores.length - 1 ? " newest" : ""}`},
          store === null ? words : h("a", {href: `#step=${store}`, class: "to", "data-step": store,
            "data-key": `store ${store}`,
            "aria-label": `${x.ValueOf(object, store)}, written in step ${store} by ` +
                          `${ThreadName(writer)}, ${x.Event(store).order ?? "plain"}`}, words),
          h("span", {class: "by"}, store === null ? "at first"
            : writer === kSetUp ? "set-up" : `${ThreadName(writer)}, ${x.Event(store).order ?? "plain"}`),
          (seen.get(store) ?? []).map((thread) => h("span", {class: "seen"}, `seen by ${thread}`)));
      }))),
    ];
  }
}

// The newest store of an object that each thread has read or written up to a step.
function SeenBy(x, object, step) {
  const newest = new Map();
  for (const event of x.events) {
    if (event.number > step) break;
    if (event.object !== object || event.thread < 0) continue;
    for (const store of [event.read ? event.read.from : null, event.written ? event.number : null]) {
      if (store === null || !x.place.has(store)) continue;
      const known = newest.get(event.thread);
      if (known === undefined || x.place.get(store) > x.place.get(known)) newest.set(event.thread, store);
    }
  }
  const seen = new Map();
  for (const [thread, store] of [...newest].sort((a, b) => a[0] - b[0])) {
    if (!seen.has(store)) seen.set(store, []);
    seen.get(store).push(thread);
  }
  return seen;
}
