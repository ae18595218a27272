// Omissions: what a search of graphs leaves out, gathered from the graphs that it visits.
//
// Whether a scenario could show a gap (models/kit/engine/omitted.h) follows from its operations:
//
//   - A spurious failure is left out where an event could have one and its thread had one before.
//   - Load buffering is a circle of program order and reads-from: of some threads each reads x and
//     then writes y, and the next one reads that y. The search makes no such graph, but it makes
//     the threads' parts of it. A circle of these parts, each of another thread, is taken for one
//     that C++20 allows, unless happens-before forbids it. Where all steps from thread to thread
//     synchronise but one, the last read would happen before the write that it reads.
//
// That says too much where a write depends on the read before it, where the other orders of the
// program forbid the circle, or where the values do not fit: then nothing is left out, and load
// buffering is named nevertheless. It never says too little of the operations that were executed.
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
  // How many events each thread had when the visit began.
  using Lengths = std::array<unsigned, kMaxThreads>;
  static Lengths LengthsOf(const Graph& graph);

  // The operations of the graph. Those before `begun` have been looked at, all but the last one of
  // each thread, which may have another result in this graph.
  void Look(const Graph& graph, const Lengths& begun);
  // A visit that ended with threads that wait.
  void CountBlocked(const Graph& graph, const Execution& execution);
  // Those of another part of the search.
  void Add(const Omissions& other);

  Omitted Total() const;

  // For another process, or for a search that goes on later.
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
  // A thread that reads one object and then writes another one: the parts of a circle. Each is
  // packed into a number (omissions.cc).
  std::unordered_set<std::uint64_t> passages_;
  std::array<std::uint64_t, 1024> recent_{};  // of passages_, by hash
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_OMISSIONS_H_
