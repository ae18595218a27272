// What the timeline shows besides work and waits for work: waits for locks, and marks, which are moments
// at which a thread has taken work from another one. Both are about a number, and the name says of what.

export const kLockWait = "wait for body lock";

// Whether a span is a mark.
export const IsMark = (span) => span.begin === span.end;
// Whether a mark of this name is a steal. A wait of no length by its clock is a mark, too.
export const IsSteal = (name) => /^steal\b/.test(name);
// Whether a span of this name is a wait for a lock.
export const IsLockWait = (name) => /^wait for\b/.test(name);

// The number in words: of a lane, a hand of a loop, a lock. Empty if the span has none.
export function AboutWords(name, about, lanes) {
  if (about === null || about === undefined) return "";
  if (name === "steal") return `from ${lanes[about] ?? `lane ${about}`}`;
  if (name === "steal pieces") return `from hand ${about} of the loop`;
  // A task's number is the slot and the half of the generation of its id.
  if (name === "task" || name === "jobs" || name === "wait") return `task ${about % 65536}.${Math.floor(about / 65536)}`;
  return name === kLockWait ? `lock ${about}` : `about ${about}`;
}

// The lane that a mark points to, or null.
export const OriginOf = (name, mark) => name === "steal" ? mark.about : null;

// A triangle that hangs from the top of the lane, and a line to the lane at `origin` where there is one.
export function DrawMark(paint, x, top, origin, ink, paper, isPicked) {
  paint.fillStyle = paint.strokeStyle = ink;
  if (origin !== null) paint.fillRect(x - 0.5, Math.min(origin, top), 1, Math.abs(origin - top));
  const half = isPicked ? 6 : 4;
  paint.beginPath();
  paint.moveTo(x - half, top - 2);
  paint.lineTo(x + half, top - 2);
  paint.lineTo(x, top + 2 * half - 2);
  paint.closePath();
  paint.fill();
  paint.strokeStyle = paper;
  paint.stroke();
}

// Lines in both directions, and a frame.
export function DrawLockWait(paint, {left, top, width, height}, ink, words) {
  paint.save();
  paint.beginPath();
  paint.rect(left, top, width, height);
  paint.clip();
  paint.strokeStyle = ink;
  paint.globalAlpha = 0.45;
  paint.beginPath();
  for (let x = left - height; x < left + width; x += 5) {
    paint.moveTo(x, top + height);
    paint.lineTo(x + height, top);
    paint.moveTo(x, top);
    paint.lineTo(x + height, top + height);
  }
  paint.stroke();
  paint.globalAlpha = 1;
  paint.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
  if (width > 40) {
    const size = paint.measureText(words).width + 4;
    paint.clearRect(left + 2, top + 2, size, height - 4);
    paint.fillStyle = ink;
    paint.fillText(words, left + 4, top + height / 2);
  }
  paint.restore();
}
