// The spans of a message (LvSp), read anew whenever they are asked for. A frame has thousands, and the timeline keeps the
// frames for a while: as many objects, of which few are ever seen, would be dear to the collector of garbage.

import {Below, Cursor} from "./cursor.js";

const kAboutVersion = 3;  // from which on a span may be about a number
const kCoreVersion = 5;   // from which on a span has cores
const kMostAbout = 2 ** 32;
const kMostCores = 65535;
const kNoCore = -1;
// The limit of src/live/reader.cc, of lanes and of names.
export const kMostTexts = 4096;

const ReadCore = (cursor) => Below(kMostCores + 1, cursor.Varint(), "a core's number and one") - 1;

// Calls each({lane, name, about, beginCore, endCore, begin, end}) for the spans of an event. It is the same object in
// each call: a copy of it is what can be kept.
function ForEachSpan(version, content, each) {
  const cursor = new Cursor(content);
  const cores = [];  // by lane: where the span before ended
  const span = {lane: 0, name: 0, about: null, beginCore: kNoCore, endCore: kNoCore, begin: cursor.U64(), end: 0};
  while (cursor.left > 0) {
    const lane = Below(kMostTexts, cursor.Varint(), "a lane");
    let name = cursor.Varint();
    let about = null;
    let beginCore = cores[lane] ?? kNoCore;
    if (version >= kAboutVersion) {
      if (name % 2 === 1) about = Below(kMostAbout, cursor.Varint(), "a span's number");
      name = Math.floor(name / 2);
    }
    if (version >= kCoreVersion) {
      if (name % 2 === 1) {
        beginCore = ReadCore(cursor);
        cores[lane] = ReadCore(cursor);
      }
      name = Math.floor(name / 2);
    }
    Below(kMostTexts, name, "the number of a name");
    span.lane = lane;
    span.name = name;
    span.about = about;
    span.beginCore = beginCore;
    span.endCore = cores[lane] ?? kNoCore;
    span.begin += cursor.Signed();
    span.end = span.begin + cursor.Varint();
    each(span);
  }
}

// As a list of spans, of which it has forEach and filter. forEach has one object for all of them, filter one for each.
export class MessageSpans {
  constructor() { this.events = []; }

  // Adds those of an event, and calls each(span) for them. An event that is wrong is not added.
  Add(version, content, each) {
    ForEachSpan(version, content, each);
    this.events.push({version, content});
  }

  forEach(each) {
    for (const {version, content} of this.events) ForEachSpan(version, content, each);
  }
  filter(holds) {
    const spans = [];
    this.forEach((span) => { if (holds(span)) spans.push({...span}); });
    return spans;
  }
}
