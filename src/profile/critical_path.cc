#include "src/profile/critical_path.h"

#include <algorithm>

namespace nowait {
namespace {

using Cause = WorkGraph::Cause;

// The cause of a step that was there last: a part of another step. False: it has no cause.
bool LastCause(const WorkGraph& graph, std::uint32_t step, Cause* last) {
  const std::size_t lane = graph.nodes[step].lane;
  std::uint32_t node = step;
  do {
    const std::vector<Cause>& causes = graph.nodes[node].causes;
    if (causes.empty()) return false;
    std::uint64_t latest = 0;
    bool own = false;
    for (const Cause& cause : causes) {
      const std::uint64_t time = graph.TimeOf(cause);
      const auto& other = graph.nodes[cause.node];
      const bool is_own = other.is_step && other.lane == lane;
      if (&cause != causes.data() && (time < latest || (time == latest && (own || !is_own)))) {
        continue;
      }
      latest = time;
      own = is_own;
      *last = cause;
    }
    node = last->node;
    // A task that was made before any work of its maker came after what the maker came after.
  } while (!graph.nodes[node].is_step || last->work == 0);
  return true;
}

// The last thing that a piece waited for: the work before it in its step, a cause of the step, or
// its thread, which was at work until later. False: there is no such thing.
bool LastWaitedFor(const WorkGraph& graph, std::uint32_t number, Cause* last) {
  const WorkGraph::Piece& piece = graph.pieces[number];
  *last = {piece.step, piece.before};
  if (piece.before > 0) return true;
  const bool caused = LastCause(graph, piece.step, last);
  if (number == 0 || graph.pieces[number - 1].lane != piece.lane) return caused;
  const WorkGraph::Piece& busy = graph.pieces[number - 1];
  if (caused && graph.TimeOf(*last) >= busy.span.end) return true;
  *last = {busy.step, busy.before + busy.span.end - busy.span.begin};
  return true;
}

}  // namespace

CriticalPath FindCriticalPath(const WorkGraph& graph) {
  CriticalPath path;
  if (graph.by_end.empty()) return path;
  std::uint32_t piece = graph.by_end.back();
  std::uint64_t until = graph.pieces[piece].span.end;
  for (;;) {
    const auto& [lane, span, step, before] = graph.pieces[piece];
    path.pieces.push_back({lane, {span.name, span.begin, until}});
    path.work += until - span.begin;
    Cause cause{};
    if (!LastWaitedFor(graph, piece, &cause)) break;
    until = graph.TimeOf(cause);
    path.between += span.begin - until;
    const auto& pieces = graph.nodes[cause.node].pieces;
    piece = *(
        std::ranges::lower_bound(pieces, cause.work, {},
                                 [&graph](std::uint32_t one) { return graph.pieces[one].before; }) -
        1);
  }
  std::ranges::reverse(path.pieces);
  return path;
}

}  // namespace nowait
