// WorkSharing: distributes work among the processes that run one search.
//
// All processes begin with the same list of parts, and each takes the next part by counting. When
// the list is used up, a process without work is hungry: it records that in shared memory and
// sleeps. The others look there between two visits, which costs one load. The first to notice gives
// away the oldest part on its stack, which is nearest to the root and so most likely the largest.
// The part's path is sent, and the receiver finds the graph by running the program along the path.
//
// Invariants: a part is in one process or in transit. The giver first decrements the count of
// hungry processes and then sends, so for each part in transit a process is waiting. It does not
// matter which waiting process receives it. When the count reaches the number of processes, no
// process has a part, no part is in transit, and the search is over.
//
// Thread safety: each process has one thread and calls these functions in it.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORK_SHARING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORK_SHARING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/kit/engine/search_control.h"
#include "models/kit/exhaustive/search/tree_path.h"

namespace nowait::model {

class WorkSharing {
 public:
  // parts: the length of the list. processes: at most kMaxJobs.
  WorkSharing(std::size_t parts, unsigned processes);
  ~WorkSharing();
  WorkSharing(const WorkSharing&) = delete;
  WorkSharing& operator=(const WorkSharing&) = delete;

  // The number of the next part on the list; nothing when the list is used up.
  std::optional<std::size_t> TakeListed();
  // The number of parts taken from the list.
  std::size_t listed_taken() const;

  // Sleeps until a part arrives. Returns nothing when the search is over or has to stop.
  std::optional<TreePath> Wait();
  // Whether another process is hungry and the caller must now feed it, with Give.
  bool Claims();
  // Returns false if it came too late and the search has to stop.
  bool Give(const TreePath& path);

  // Tells all processes to stop after their current visits.
  void Stop();
  // Becomes nonzero after Stop.
  const std::atomic<int>& stops() const { return board_->stops; }

  // The number of executions of a process so far, for the process that reports progress.
  struct Count {
    std::uint64_t executions = 0;
    double done = 0;
  };
  void Publish(unsigned process, const Count& count);
  Count Published() const;

 private:
  static constexpr std::size_t kCacheLine = 64;

  // In memory shared by the processes. Every access is relaxed: each is a number that implies
  // nothing about other memory. The data of another process come through the socket.
  struct Board {
    std::atomic<std::size_t> next_listed = 0;
    std::atomic<int> stops = 0;
    alignas(kCacheLine) std::atomic<unsigned> hungry = 0;
    struct alignas(kCacheLine) Slot {
      std::atomic<std::uint64_t> executions = 0;
      std::atomic<double> done = 0;
    };
    std::array<Slot, kMaxJobs> counts;
  };
  static_assert(std::atomic<double>::is_always_lock_free &&
                    std::atomic<std::uint64_t>::is_always_lock_free,
                "a lock would not work between processes");

  void EndWaiting();

  const std::size_t listed_;
  const unsigned processes_;
  Board* board_;
  int giving_end_;
  int waiting_end_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORK_SHARING_H_
