// The critical path of a frame: the chain of work that its end has waited for.
//
// The last piece is the one that ended last. Before each one stands, of all that it came after, the piece that ended
// last, or the last one of its own thread, if that was at work until later. What a task came after is recorded. Where no
// record says it, the graph has the piece that ended last before, on any thread: whatever has held the work up had ended
// by then, and did not end later than the one that is chosen.

import {PieceOf, TimeOf} from "./work_graph.js";

// graph: of MakeWorkGraph. Returns {pieces, work, between}: the chain from first to last, its time at work, and the time
// between its pieces, in which the work was ready and its thread was free.
export function CriticalPath(graph) {
  const path = {pieces: [], work: 0, between: 0};
  const known = new Map();  // of LastCause
  let piece = graph.byEnd.at(-1);
  let until = piece?.end;
  while (piece) {
    path.pieces.push({lane: piece.lane, name: piece.name, begin: piece.begin, end: until});
    path.work += until - piece.begin;
    const cause = piece.before > 0 ? {node: piece.step, work: piece.before} : LastWaitedFor(graph, piece, known);
    if (!cause) break;
    until = TimeOf(graph, cause);
    path.between += piece.begin - until;
    piece = PieceOf(graph, cause);
  }
  path.pieces.reverse();
  return path;
}

// The last thing that a step's first piece waited for: a cause of the step, or its thread. Or null.
function LastWaitedFor(graph, piece, known) {
  const cause = LastCause(graph, piece.step, known);
  const {busy} = piece;
  if (!busy || (cause && TimeOf(graph, cause) >= busy.end)) return cause;
  return {node: busy.step, work: busy.before + busy.end - busy.begin};
}

// The cause of a step that was there last, a part of another step; of several, one of the same thread. Or null. The walk
// goes through joins, and each of them once for a lane: many steps may come after the same ones.
function LastCause(graph, step, known) {
  const {lane} = graph.nodes[step];
  if (!known.has(lane)) known.set(lane, new Map());
  const ofLane = known.get(lane);
  const walked = [];
  let last = null;
  for (let node = step; ; node = last.node) {
    if (ofLane.has(node)) {
      last = ofLane.get(node);
      break;
    }
    walked.push(node);
    last = LatestOf(graph, node, lane);
    // A task that was made before any work of its maker came after what the maker came after.
    if (last === null || (graph.nodes[last.node].isStep && last.work > 0)) break;
  }
  for (const node of walked) ofLane.set(node, last);
  return last;
}

function LatestOf(graph, node, lane) {
  let best = null;
  for (const cause of graph.nodes[node].causes) {
    const time = TimeOf(graph, cause);
    const other = graph.nodes[cause.node];
    const own = other.isStep && other.lane === lane;
    if (best === null || time > best.time || (time === best.time && own && !best.own)) best = {cause, time, own};
  }
  return best === null ? null : best.cause;
}
