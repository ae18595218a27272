// Spans as the profile has them, put in order: which is inside which, and when a thread was at work.

// Whether a span of this name is one in which a thread waits: for work, or for a lock (IsLockWait).
export const IsWaiting = (name) => /^wait\b/.test(name);

// Outer spans first; of two with the same times the one that was written later is the outer one.
export const OuterFirst = (spans) => spans.slice().reverse().sort((a, b) => a.begin - b.begin || b.end - a.end);

// The spans as nodes {lane, name, begin, end, depth, parent, children}, the outer ones first. Spans
// of one lane nest or are disjoint (src/profile/profile.h).
export function NestSpans(spans) {
  const open = [];  // by lane: the nodes around the next one
  return OuterFirst(spans).map(({lane, name, about, beginCore, endCore, begin, end}) => {
    const around = open[lane] ??= [];
    while (around.length > 0 && around[around.length - 1].end <= begin) around.pop();
    const parent = around[around.length - 1] ?? null;
    const node = {lane, name, about, beginCore, endCore, begin, end, depth: around.length, parent, children: []};
    parent?.children.push(node);
    around.push(node);
    return node;
  });
}

// The pieces {lane, name, begin, end} between `begin` and `end` in which a thread was at work: a piece
// belongs to the innermost span, and a wait is no work.
export function WorkPieces(nodes, isWait, begin, end) {
  const pieces = [];
  const add = (node, from, to) => {
    const piece = {lane: node.lane, name: node.name, begin: Math.max(from, begin), end: Math.min(to, end)};
    if (piece.begin < piece.end && !isWait(node.name)) pieces.push(piece);
  };
  for (const node of nodes) {
    let at = node.begin;
    for (const child of node.children) {
      add(node, at, child.begin);
      at = Math.max(at, child.end);
    }
    add(node, at, node.end);
  }
  return pieces;
}
