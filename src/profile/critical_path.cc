#include "src/profile/critical_path.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace nowait {
namespace {

using Cause = WorkGraph::Cause;

class PathFinder {
 public:
  explicit PathFinder(const WorkGraph& graph) : graph_(graph) {}

  // The last thing that a piece waited for: the work before it in its step, a cause of the step, or
  // its thread, which was at work until later. Nothing: there is no such thing.
  std::optional<Cause> LastWaitedFor(std::uint32_t number) {
    const WorkGraph::Piece& piece = graph_.pieces[number];
    if (piece.before > 0) return Cause{piece.step, piece.before};
    const std::optional<Cause> last = LastCause(piece.step);
    if (number == 0 || graph_.pieces[number - 1].lane != piece.lane) return last;
    const WorkGraph::Piece& busy = graph_.pieces[number - 1];
    if (last && graph_.TimeOf(*last) >= busy.span.end) return last;
    return Cause{busy.step, busy.before + busy.span.end - busy.span.begin};
  }

 private:
  // The cause of a step that was there last: a part of another step. The walk goes through joins,
  // and each of them once for a lane: many steps may come after the same ones.
  std::optional<Cause> LastCause(std::uint32_t step) {
    const auto lane = static_cast<std::uint64_t>(graph_.nodes[step].lane);
    const auto key = [lane](std::uint32_t node) { return lane << 32 | node; };
    std::vector<std::uint32_t> walked;
    std::optional<Cause> last;
    for (std::uint32_t node = step;;) {
      if (const auto known = known_.find(key(node)); known != known_.end()) {
        last = known->second;
        break;
      }
      walked.push_back(node);
      last = LatestOf(node, graph_.nodes[step].lane);
      // A task that was made before any work of its maker came after what the maker came after.
      if (!last || (graph_.nodes[last->node].is_step && last->work > 0)) break;
      node = last->node;
    }
    for (const std::uint32_t node : walked) known_.emplace(key(node), last);
    return last;
  }

  // Of several that were there at the same time, one of the lane.
  std::optional<Cause> LatestOf(std::uint32_t node, std::size_t lane) const {
    std::optional<Cause> last;
    std::uint64_t latest = 0;
    bool own = false;
    for (const Cause& cause : graph_.nodes[node].causes) {
      const std::uint64_t time = graph_.TimeOf(cause);
      const auto& other = graph_.nodes[cause.node];
      const bool is_own = other.is_step && other.lane == lane;
      if (last && (time < latest || (time == latest && (own || !is_own)))) continue;
      latest = time;
      own = is_own;
      last = cause;
    }
    return last;
  }

  const WorkGraph& graph_;
  // By lane and node, of those that a walk has passed.
  std::unordered_map<std::uint64_t, std::optional<Cause>> known_;
};

}  // namespace

CriticalPath FindCriticalPath(const WorkGraph& graph) {
  CriticalPath path;
  if (graph.by_end.empty()) return path;
  PathFinder finder(graph);
  std::uint32_t piece = graph.by_end.back();
  std::uint64_t until = graph.pieces[piece].span.end;
  for (;;) {
    const auto& [lane, span, step, before] = graph.pieces[piece];
    path.pieces.push_back({lane, {span.name, span.begin, until}});
    path.work += until - span.begin;
    const std::optional<Cause> cause = finder.LastWaitedFor(piece);
    if (!cause) break;
    until = graph.TimeOf(*cause);
    path.between += span.begin - until;
    const auto& pieces = graph.nodes[cause->node].pieces;
    piece = *(
        std::ranges::lower_bound(pieces, cause->work, {},
                                 [&graph](std::uint32_t one) { return graph.pieces[one].before; }) -
        1);
  }
  std::ranges::reverse(path.pieces);
  return path;
}

}  // namespace nowait
