// The top of the page: the promise, how it is broken, how that was found, and where to look.
import {h} from "./dom.js";
import {Linked, Place} from "./words.js";

// folded: where room is scarce, in a lecture: one line each for the structure and its failure, the
// rest on demand.
export function Verdict(record, x, story, {folded}) {
  const title = story ? h("h1", {}, story.title) : null;
  const fails = h(story ? "h2" : "h1", {class: "fails-how"}, h("span", {class: "fails"}, "✗ Fails: "),
                  Invariant(x.failure));
  const kicker = h("p", {class: "kicker"}, h("b", {}, record.structure), ` · scenario ${record.scenario.name} · ` +
    `${x.threads.length} threads`);
  const told = story ? Story(story) : null;
  return folded
    ? h("header", {class: "verdict folded"}, title, fails,
        h("details", {class: "about"}, h("summary", {}, "What it is about"), told, kicker, Facts(record, x)))
    : h("header", {class: "verdict"}, story ? h("div", {class: "story"}, title, told) : null, kicker, fails,
        Facts(record, x));
}

function Facts(record, x) {
  const {scenario, search, minimised} = record;
  const failure = x.failure;
  return [Observed(failure),
    scenario.promise ? h("p", {class: "promise"}, h("b", {}, "Promised: "), scenario.promise + ".") : null,
    KeySteps(x),
    h("details", {class: "facts"}, h("summary", {}, "How it was found, and how to see it again"),
      h("dl", {},
        search ? [h("dt", {}, "found by"), h("dd", {}, `${search.words}, after ` +
          `${search.executions.toLocaleString("en")} executions`)] : null,
        record.again ? [h("dt", {}, "again"), h("dd", {}, h("code", {}, record.again))] : null,
        minimised ? [h("dt", {}, "made smaller"), h("dd", {}, Smaller(minimised))] : null,
        failure.site ? [h("dt", {}, "noticed at"), h("dd", {}, h("code", {}, Place(failure.site)))] : null),
      failure.details.length > 0 ? h("pre", {}, failure.details.join("\n")) : null)];
}

// A gallery's story before it.
function Story({about, parts, source}) {
  return [about ? h("details", {class: "structure"},
                    h("summary", {}, "The structure, and the names in its lanes"), h("p", {}, about)) : null,
    h("div", {class: "parts"}, parts.map(({heading, words}) =>
      h("section", {}, h("h2", {}, heading), h("p", {}, words)))),
    source ? h("p", {class: "hint"}, `Source: ${source}`) : null];
}

// The failure's details: a call's wrong answer, or the history of all calls, of which no order
// explains the answers.
function Observed({details}) {
  if (details.length === 0) return null;
  if (details[0].trim() !== "history") return h("p", {class: "observed"}, h("b", {}, "Seen: "), details[0].trim() + ".");
  return h("p", {class: "observed"}, h("b", {}, "Seen: "),
    "answers of the calls that no order of them, one after the other, could give.");
}

function Invariant({kind, words}) {
  const text = words || kind;
  return kind === "invariant" ? `broken invariant: ${text}` : text.startsWith(kind) ? text : `${kind}: ${text}`;
}

function KeySteps(x) {
  const steps = x.KeySteps();
  if (steps.length === 0 || steps.length > 12) return null;
  return h("p", {class: "key-steps"}, h("b", {}, "Steps to look at: "),
    steps.map(({step, why}, i) => [i > 0 ? ", " : "", Linked(`step ${step}`), ` (${why})`]));
}

function Smaller({from, to, words}) {
  const size = (it) => `${it.scenario}: ${it.threads} threads, ${it.calls} calls, ${it.events} steps, ` +
    `${it.switches} switches`;
  return [`from ${size(from)}; to ${size(to)}`, words ? ` (${words})` : ""];
}
