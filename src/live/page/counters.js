// Counters of the frames, above the lanes of the timeline: a step for each frame, as high as its count is beside the
// largest one of the frames that are kept.

const kCounters = ["awake", "pairs", "contacts"];  // of a frame
const kCounterRow = 16;                            // pixels
const kPale = 0.5;
const kFlat = 1;                                   // pixels; what a count of zero has

// Null: the program does not tell them.
export const CountersOf = (frame) => kCounters.every((name) => Number.isFinite(frame[name])) ? kCounters.map((name) => frame[name]) : null;

const WithCounters = (frames) => frames.filter((frame) => frame.counters !== null);
export const HeightOfCounters = (frames) => WithCounters(frames).length > 0 ? kCounters.length * kCounterRow : 0;

// x: of a time. left, right: of the lanes' part of the canvas.
export function DrawCounters(paint, frames, {x, begin, end, top, left, right, ink}) {
  const counted = WithCounters(frames);
  const seen = counted.filter((frame, i) => frame.begin < end && (counted[i + 1]?.begin ?? frame.end) > begin);
  kCounters.forEach((name, i) => {
    const bottom = top + (i + 1) * kCounterRow - 2;
    const most = Math.max(1, ...counted.map((frame) => frame.counters[i]));
    paint.fillStyle = ink;
    if (seen.length > 0) paint.fillText(`${name} ${seen.at(-1).counters[i]}`, 2, bottom - kCounterRow / 2 + 1, left - 8);
    paint.globalAlpha = kPale;  // the colours are those of spans
    for (const frame of seen) {
      const next = counted[counted.indexOf(frame) + 1];
      const from = Math.max(left, x(frame.begin));
      const to = Math.min(right, x(next?.begin ?? frame.end));
      const height = kFlat + frame.counters[i] / most * (kCounterRow - 4);
      if (to > from) paint.fillRect(from, bottom - height, to - from, height);
    }
    paint.globalAlpha = 1;
  });
}

// The same as text.
export function CounterSentence(frames) {
  const counted = WithCounters(frames);
  const ranges = kCounters.map((name, i) => {
    const counts = counted.map((frame) => frame.counters[i]);
    return `${name} ${Math.min(...counts)} to ${Math.max(...counts)}`;
  });
  return `The last ${counted.length} frames: ${ranges.join(", ")}`;
}
