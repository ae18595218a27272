// The critical path of a frame: the chain of work that its end has waited for.
//
// The profile records no dependencies. So the chain is made of times: it begins with the piece of work
// that ended last, and before each piece stands the one that ended last before that piece began, on any
// thread. A thread that goes on at once without a wait is its own predecessor. Whatever has held a piece
// up had ended by then, and did not end later than the one that is chosen.

// pieces: of WorkPieces. Returns {pieces, work, between}: the chain from first to last, its time at work,
// and the time between its pieces.
export function CriticalPath(pieces) {
  const byEnd = [...pieces].sort((a, b) => a.end - b.end || a.begin - b.begin);
  const chain = [];
  let at = byEnd.length - 1;
  while (at >= 0) {
    const piece = byEnd[at];
    chain.unshift(piece);
    // The last one that ended before this one began.
    let before = FirstAfter(byEnd, piece.begin) - 1;
    for (let i = before; i >= 0 && byEnd[i].end === piece.begin; --i) {
      if (byEnd[i].lane === piece.lane) before = i;
    }
    at = Math.min(before, at - 1);
  }
  let [work, between] = [0, 0];
  chain.forEach((piece, i) => {
    work += piece.end - piece.begin;
    if (i > 0) between += piece.begin - chain[i - 1].end;
  });
  return {pieces: chain, work, between};
}

// The index of the first piece that ends after `time`.
function FirstAfter(byEnd, time) {
  let [low, high] = [0, byEnd.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byEnd[middle].end <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
