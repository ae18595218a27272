// The picture of a lane of the timeline: its spans, and the line of the critical path below them.

import {ColourOfCore, ColourOfName, InkOn} from "./colours.js";
import {CoreNumbers, DrawMove, HasMoved} from "./cores.js";
import {AboutWords, DrawLockWait, IsLockWait} from "./marks.js";

const kSetOff = 4;      // pixels; narrower spans of one row are not set off from each other
const kRunGap = 0.5;     // pixels; narrower gaps between such spans of one colour are not drawn
const kRoom = 28;       // pixels; narrower spans have no words

// Narrow spans of a row that touch and have one colour, as one rectangle: a lane may have more spans than pixels, and
// each rectangle is a call.
class Runs {
  constructor(paint) { Object.assign(this, {paint, rows: []}); }

  Add(row, colour, {left, top, width, height}) {
    const run = this.rows[row];
    if (run?.colour === colour && left >= run.left && left <= run.right + kRunGap) {
      run.right = Math.max(run.right, left + width);
      return;
    }
    this.End(row);
    this.rows[row] = {colour, left, right: left + width, top, height};
  }
  // Before anything else is drawn in the row.
  End(row) {
    const run = this.rows[row];
    if (!run) return;
    this.rows[row] = null;
    this.paint.fillStyle = run.colour;
    this.paint.fillRect(run.left, run.top, run.right - run.left, run.height);
  }
  EndAll() {
    for (const row of this.rows.keys()) this.End(row);
  }
}

// timeline: knows names, colours and places. spans: of one lane, outer ones first. picked: one of them, or none.
export function DrawSpans(paint, timeline, spans, picked) {
  const {x} = timeline.drawn;
  const runs = new Runs(paint);
  const right = [];  // by row: where the last span ends
  for (const span of spans) {
    const row = timeline.RowOf(span);
    // Of several spans within one pixel one is seen.
    if (x(span.begin) + 0.5 < right[row] && x(span.end) <= right[row] && span !== picked) continue;
    const place = timeline.PlaceOf(span);
    right[row] = place.left + place.width;
    const colour = timeline.byCore ? ColourOfCore(span.beginCore) : ColourOfName(span.name);
    if (place.width < kSetOff && span !== picked && !timeline.IsWait(span.name) && !(timeline.byCore && HasMoved(span))) {
      runs.Add(row, colour, place);
      continue;
    }
    runs.End(row);
    DrawSpan(paint, timeline, span, place, colour);
    if (span === picked) DrawPicked(paint, place, timeline.inks.color);
  }
  runs.EndAll();
}

function DrawSpan(paint, timeline, span, place, colour) {
  const {left, top, width, height} = place;
  const ink = timeline.inks.color;
  const name = timeline.NameOf(span);
  const hasMoved = timeline.byCore && HasMoved(span);
  if (IsLockWait(name)) {
    paint.fillStyle = colour;
    DrawLockWait(paint, place, ink, AboutWords(name, span.about, timeline.lanes) || name);
    return;
  }
  if (timeline.IsWait(span.name)) {
    DrawWait(paint, place, ink);
    return;
  }
  paint.fillStyle = colour;
  paint.fillRect(left, top, width, height);
  if (hasMoved) DrawMove(paint, span, place);
  if (width >= kSetOff) {
    paint.fillStyle = timeline.inks.backgroundColor;
    paint.fillRect(left, top, 1, height);
    if (timeline.HasRim(colour)) {
      paint.strokeStyle = ink;
      paint.strokeRect(left + 1.5, top + 0.5, width - 2, height - 1);
    }
  }
  const room = (hasMoved ? width / 2 : width) - 2;
  if (room <= kRoom) return;
  paint.save();
  paint.beginPath();
  paint.rect(left, top, room, height);
  paint.clip();
  paint.fillStyle = InkOn(colour);
  paint.fillText(timeline.byCore ? `${CoreNumbers(span)}: ${name}` : name, left + 3, top + height / 2);
  paint.restore();
}

function DrawWait(paint, {left, top, width, height}, ink) {
  paint.save();
  paint.beginPath();
  paint.rect(left, top, width, height);
  paint.clip();
  paint.strokeStyle = ink;
  paint.globalAlpha = 0.35;
  paint.beginPath();
  for (let x = left - height; x < left + width; x += 6) {
    paint.moveTo(x, top + height);
    paint.lineTo(x + height, top);
  }
  paint.stroke();
  paint.restore();
}

function DrawPicked(paint, {left, top, width, height}, ink) {
  paint.strokeStyle = ink;
  paint.lineWidth = 2;
  paint.strokeRect(left + 1, top + 1, Math.max(1, width - 2), height - 2);
  paint.lineWidth = 1;
}

// Below the spans of its lane; from lane to lane straight down or up. bottom: of a piece, where that is. left, right: of
// the lanes' part of the canvas.
export function DrawPath(paint, path, {begin, end, x, bottom, left: first, right: last}) {
  const put = (left, top, width, height) => {
    const from = Math.max(first, left);
    const to = Math.min(last, left + width);
    if (to > from) paint.fillRect(from, top, to - from, height);
  };
  let from = null;  // where the line begins that goes up to `before`, which are pieces less than a pixel apart
  let before = null;
  const EndLine = () => {
    if (before) put(from, bottom(before), Math.max(1, x(before.end) - from), 3);
  };
  for (const piece of path.pieces) {
    if (piece.end <= begin || piece.begin >= end) continue;
    const goesOn = before?.lane === piece.lane && x(piece.begin) - x(before.end) < 1;
    if (!goesOn) {
      EndLine();
      from = x(piece.begin);
      if (before && before.lane !== piece.lane) {
        const [a, b] = [bottom(before), bottom(piece)];
        put(from - 1, Math.min(a, b), 2, Math.abs(a - b) + 3);
      }
    }
    before = piece;
  }
  EndLine();
}
