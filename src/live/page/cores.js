// The cores that threads ran on: colours of spans, a legend, and the same as text. A span has the cores of its
// begin and of its end. Two different ones say that the system has switched its thread out in between.

import {ColourOfCore} from "./colours.js";
import {h} from "./dom.js";
import {IsMark} from "./marks.js";

const kBar = 4;  // pixels, of the black in a span

export const kCoreHint = "Colours: the core on which a thread was when a span began and, right of the black, when it " +
  "ended; the number stands in the span. Black: the thread was switched out in there, at least once; when exactly, and " +
  "for how long, is not known. A thread that was switched out and came back to its core is not seen: a program may ask " +
  "the system about that, but the answer takes longer than the rest of what a span records. In a wait a thread may be " +
  "switched out at any time.";

const IsKnown = (core) => core >= 0;

export const HasMoved = ({beginCore, endCore}) => IsKnown(beginCore) && IsKnown(endCore) && beginCore !== endCore;

// The numbers of a span's cores, for within it.
export const CoreNumbers = (span) => HasMoved(span) ? `${span.beginCore}\u2192${span.endCore}` : IsKnown(span.beginCore) ? `${span.beginCore}` : "?";

export function CoreWords(span) {
  if (HasMoved(span)) return `from core ${span.beginCore} to core ${span.endCore}: switched out in it at least once`;
  if (IsKnown(span.beginCore)) return `on core ${span.beginCore}`;
  return IsKnown(span.endCore) ? `on core ${span.endCore} at its end` : "on a core that is not known";
}

// Over a span that has the colour of its first core.
export function DrawMove(paint, span, {left, top, width, height}) {
  const middle = left + width / 2;
  const bar = Math.min(kBar, width);
  paint.fillStyle = ColourOfCore(span.endCore);
  paint.fillRect(middle, top, width / 2, height);
  paint.fillStyle = "#000000";
  paint.fillRect(middle - bar / 2, top, bar, height);
}

// What the legend has for the spans in sight: the cores by number, -1 for one that is not known; whether one has moved.
export function CoresOf(spans) {
  const cores = new Set(spans.flatMap(({beginCore, endCore}) => [beginCore ?? -1, endCore ?? -1]));
  return {cores: [...cores].sort((a, b) => a - b), moved: spans.some(HasMoved)};
}

export function CoreLegend({cores, moved}) {
  const item = (colour, words) => {
    const sample = h("span", {class: "sample"});
    sample.style.background = colour;
    return h("li", {}, sample, words);
  };
  return [...cores.map((core) => item(ColourOfCore(core), IsKnown(core) ? `core ${core}` : "core not known")),
          ...(moved ? [item("#000000", "switched out")] : [])];
}

// spans, marks: of one lane. The part of its spans on each core, waits left out, and how often it changed its core.
export function CoreSentence(spans, marks, isWait) {
  const all = [...spans, ...marks];
  const seen = all.flatMap(({begin, end, beginCore, endCore}) => [{time: begin, core: beginCore}, {time: end, core: endCore}])
      .filter(({core}) => IsKnown(core)).sort((a, b) => a.time - b.time);
  if (seen.length === 0) return all.length === 0 ? "no span tells its core" : "its cores are not known";
  const moves = seen.filter(({core}, i) => i > 0 && core !== seen[i - 1].core).length;
  const counts = new Map();
  const work = spans.filter((span) => !IsMark(span) && !isWait(span.name) && IsKnown(span.beginCore));
  for (const {beginCore} of work) counts.set(beginCore, (counts.get(beginCore) ?? 0) + 1);
  const shares = [...counts].sort((a, b) => a[0] - b[0]).map(([core, count]) => `core ${core} for ${Math.round(100 * count / work.length)} %`);
  return `${shares.length === 0 ? "no work" : `${shares.join(", ")} of its spans`}; ${moves} ${moves === 1 ? "move" : "moves"} to another core`;
}
