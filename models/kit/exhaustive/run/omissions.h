// Omissions: what a search of graphs leaves out, gathered from the graphs that it visits.
//
// Whether a scenario could show a gap (models/kit/engine/omitted.h) follows from its operations:
//
//   - A spurious failure is left out where an event could have one and its thread already had one.
//   - Load buffering is a cycle of program order and reads-from: each of several threads reads x
//     and then writes y, and the next thread reads that y. The search makes no such graph, but it
//     makes the threads' parts of it. A cycle of such parts, each of another thread, counts as one
//     that C++20 allows unless happens-before forbids it. If all steps from thread to thread but
//     one synchronise, the last read would happen before the write that it reads.
//
// This reports too much where a write depends on the read before it, where the other orders of the
// program forbid the cycle, or where the values do not fit: nothing is left out then, but load
// buffering is named. It never reports too little about the operations that were executed.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_OMISSIONS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_OMISSIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "models/kit/engine/omitted.h"
#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/run/execution.h"

namespace nowait::model {

class Omissions {
 public:
  // The number of events of each thread when the visit began.
  using Lengths = std::array<unsigned, kMaxThreads>;
  static Lengths LengthsOf(const Graph& graph);

  // Looks at the operations of the graph. Those before `begun` have been looked at, except the last
  // one of each thread, which may have another result in this graph.
  void Look(const Graph& graph, const Lengths& begun);
  // Counts a visit that ended with waiting threads.
  void CountBlocked(const Graph& graph, const Execution& execution);
  // Adds the omissions of another part of the search.
  void Add(const Omissions& other);

  Omitted Total() const;

  // For another process, or for a search that continues later.
  std::string Format() const;
  static std::optional<Omissions> Parse(std::string_view text);

 private:
  void LookAt(const Graph& graph, const GraphEvent& event);
  void AddPassage(std::uint64_t passage);
  void LookForCircle();

  std::uint64_t blocked_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t tries_ = 0;
  Gaps gaps_;
  // A passage is a thread that reads one object and then writes another: a part of a cycle. Each is
  // packed into a number (omissions.cc).
  std::unordered_set<std::uint64_t> passages_;
  std::array<std::uint64_t, 1024> recent_{};  // of passages_, by hash
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_OMISSIONS_H_
