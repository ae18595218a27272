// Words: a step in sentences that a reader understands who has read about memory orders once. "step
// 12" in them becomes a link (Linked).
import {h} from "./dom.js";
import {kAfter, kSetUp} from "./execution.js";

export function ThreadName(thread) {
  if (thread === kSetUp) return "set-up";
  return thread === kAfter ? "after the threads" : `thread ${thread}`;
}

export function Capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

// "bool nowait::JobList<Sync>::Fetch(Job*) [with Sync = ...]" is JobList::Fetch.
export function FunctionName(site) {
  let text = "", depth = 0;
  for (const c of site?.function ?? "") {
    if (c === "<") ++depth;
    if (depth === 0 && (c === "(" || c === "[")) break;
    if (depth === 0) text += c;
    if (c === ">" && depth > 0) --depth;
  }
  return text.trim().split(/[\s*&]/).at(-1).split("::").slice(-2)
    .filter((name) => name !== "nowait").join("::");
}

export function Place(site) { return site ? `${site.file}:${site.line}` : ""; }

// A value that is neither number nor pointer: its bytes say nothing.
export const kBytes = "...";

export function IsPlain(event) { return event.kind.startsWith("plain"); }

const kNouns = {
  "load": "load of", "store": "store to", "late store": "late store to", "plain read": "read of",
  "plain write": "write to", "compare-exchange": "compare-exchange on", "exchange": "exchange on",
  "wait": "wait on", "sleep": "sleep on", "notify": "notification of", "lock": "lock of",
  "try_lock": "try_lock of", "unlock": "unlock of", "new": "allocation of", "delete": "release of",
  "use": "use, after its end, of",
};

// "load of fetched_ (acquire)"
export function OperationWords(x, event) {
  const noun = kNouns[event.kind] ?? (event.object === null ? event.kind : `${event.kind} on`);
  const name = event.object === null ? "" : ` ${x.NameOf(event.object)}`;
  const order = event.order ? ` (${event.order})` : IsPlain(event) ? " (plain data)" : "";
  return noun + name + order;
}

// "1 from step 7 (thread 0)"
function Got(x, {value, from}) {
  if (from === null) return `${value}, the value it began with`;
  return `${value} from step ${from} (${ThreadName(x.ThreadOf(from))})`;
}

// A step's action, in one sentence; `asking`: without the value that it reads.
export function Sentence(x, number, asking = false) {
  const event = x.Event(number);
  const where = FunctionName(event.site);
  const start = `${Capital(ThreadName(event.thread))}: ${OperationWords(x, event)}` +
    (where ? ` in ${where}` : "");
  if (asking) return `${start} is about to read. What does it get?`;
  const {read, written} = event;
  if ([read, written].some((it) => it && it.value === kBytes)) return `${start}.`;
  if (event.outcome === "blocks") {
    return read ? `${start} finds ${Got(x, read)}, and blocks.` : `${start} blocks.`;
  }
  if (event.outcome === "fails" || event.outcome === "fails spuriously") {
    const finds = read ? ` finds ${Got(x, read)}` : "";
    const why = event.outcome === "fails" ? ", which is not what it expected, and"
      : ", as expected, but fails for no reason, as the weak form may, and";
    return `${start}${finds}${finds ? why : ""} changes nothing.`;
  }
  if (read && written) {
    return `${start} finds ${Got(x, read)}, and writes ${written.value}, ` +
      "in one indivisible step.";
  }
  if (read) {
    const newest = x.NewestBefore(event.object, number);
    const verdict = !x.IsStale(event) ? (read.from === null ? "" : ", the newest value")
      : `, which is not the newest: step ${newest} wrote ${x.ValueOf(event.object, newest)}`;
    return `${start} reads ${Got(x, read)}${verdict}.`;
  }
  if (written) {
    const late = event.outcome === "late" ? ", which takes effect later" : "";
    return `${start} writes ${written.value}${late}.`;
  }
  return `${start}.`;
}

// The consequences of a step, or their absence: sentences of their own.
export function Remarks(x, number) {
  const event = x.Event(number);
  return [...ReadRemarks(x, event), ...WriteRemarks(x, event), ...BlameRemarks(x, event)];
}

const Acquires = (order) => ["acquire", "consume", "acq_rel", "seq_cst"].includes(order);
const Releases = (order) => ["release", "acq_rel", "seq_cst"].includes(order);

function ReadRemarks(x, event) {
  if (!event.read || !x.IsAtomic(event)) return [];
  const remarks = [];
  const from = event.read.from;
  if (x.IsStale(event)) {
    const newest = x.NewestBefore(event.object, event.number);
    if (!x.HappensBefore(newest, event.number)) {
      remarks.push(`Nothing orders step ${newest} before this ${event.kind}, so the old value is ` +
                   "allowed.");
    }
  }
  for (const source of x.incoming.get(event.number) ?? []) {
    remarks.push(`It synchronises with step ${source}: all that ${ThreadName(x.Event(source).thread)} ` +
                 `did up to there happens before what ${ThreadName(event.thread)} does from here on.`);
  }
  if (from === null || x.incoming.has(event.number)) return remarks;
  const source = x.Event(from);
  if (source.thread === event.thread || source.thread < 0 || event.thread < 0) return remarks;
  if (x.HappensBefore(from, event.number)) return remarks;
  const order = event.outcome.startsWith("fails") ? event.failure_order ?? event.order : event.order;
  const weak = [];
  if (!Releases(source.order)) weak.push(`step ${from} is ${source.order}`);
  if (!Acquires(order)) weak.push(`this ${event.kind} is ${order}`);
  if (weak.length > 0) {
    remarks.push(`${Capital(weak.join(" and "))}: ${ThreadName(event.thread)} learns this one value. ` +
                 `What ${ThreadName(source.thread)} wrote elsewhere before step ${from} is not ` +
                 "ordered by it.");
  }
  return remarks;
}

function WriteRemarks(x, event) {
  if (!event.written || !x.place.has(event.number)) return [];
  const newer = x.OverwrittenBy(event);
  if (newer !== null) {
    return [`In the order of ${x.NameOf(event.object)}'s values it stands before step ${newer}, ` +
            `which is above it here: nothing orders the two, so ${x.ValueOf(event.object, newer)} may ` +
            "come last, and what is written now is overwritten from the start."];
  }
  const victim = x.UnseenVictim(event);
  if (victim === null) return [];
  return [`It replaces ${x.ValueOf(event.object, victim)}, which ` +
          `${ThreadName(x.ThreadOf(victim))} wrote in step ${victim}: ${ThreadName(event.thread)} has ` +
          "not seen that value, and now it is gone."];
}

function BlameRemarks(x, event) {
  if (!x.blamed.has(event.number) || !x.failure) return [];
  const others = x.failure.events.filter((it) => it !== event.number && it < event.number);
  if (x.failure.kind === "data race" && others.length > 0) {
    const anything = event.read ? "What it reads could be anything."
      : "What is there afterwards could be anything.";
    return [`Data race: neither step ${others[0]} nor this step happens before the other, and one ` +
            `of them writes. ${anything}`];
  }
  if (x.failure.kind === "use after free" && others.length > 0) {
    return [`Use after free: what is used here lay in a block that ${ThreadName(x.ThreadOf(others[0]))} has ` +
            `freed in step ${others[0]}.`];
  }
  if (event.outcome === "blocks") return ["It waits for ever: nobody is left who would end that."];
  return [];
}

// Why a load may not read a store: from the record, as a sentence.
export function WhyForbidden(candidate) {
  const words = candidate.words || candidate.rule || "the memory model forbids it";
  return Capital(words).replace(/\.?$/, ".");
}

// Text in which each "step 12" is a link to that step; so is each "[12]", as in the record's words.
// A number in brackets after a name or another bracket is an index: "node[1].child[0]".
export function Linked(text) {
  return text.replace(/(?<![\w\])])(?:\bsteps? )?\[(\d+)\]/g, "step $1").split(/(\bsteps? \d+\b)/).map((part) => {
    const number = /^steps? (\d+)$/.exec(part);
    return number ? h("a", {href: `#step=${number[1]}`, class: "to", "data-step": number[1]}, part)
      : part;
  });
}
