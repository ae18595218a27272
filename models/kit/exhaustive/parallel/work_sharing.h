// WorkSharing: how the processes that work on one search get their work.
//
// All processes begin with the same list of parts; each takes the next one by counting. When the
// list is used up, a process without work is hungry: it says so in memory that they share, and
// sleeps. The others look there between two visits, which costs a load. The first one to see it
// gives a part away, the oldest on its stack: the nearest to the root, and so most likely the
// largest. The part's path is sent; the receiver finds the graph by running the program along it.
//
// Invariants: a part is in one process or on its way. The giver takes one process off the count of
// the hungry and then sends, so for each part on its way there is a process that waits. Which of
// the waiting ones gets it does not matter. When the count comes to the number of processes, no
// process has a part, no part is on its way, and the search is over.
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
  // parts: how many are on the list. processes: at most kMaxJobs.
  WorkSharing(std::size_t parts, unsigned processes);
  ~WorkSharing();
  WorkSharing(const WorkSharing&) = delete;
  WorkSharing& operator=(const WorkSharing&) = delete;

  // The next part of the list, by its number; nothing when it is used up.
  std::optional<std::size_t> TakeListed();
  // How many of the list were taken.
  std::size_t listed_taken() const;

  // Sleeps until a part comes; nothing when the search is over or to stop.
  std::optional<TreePath> Wait();
  // Whether another process is hungry that the caller is now to feed, with Give.
  bool Claims();
  // False: it was too late, the search is to stop.
  bool Give(const TreePath& path);

  // All processes are to stop after their current visits.
  void Stop();
  // Not 0 from then on.
  const std::atomic<int>& stops() const { return board_->stops; }

  // The executions of a process until now: for the process that reports progress.
  struct Count {
    std::uint64_t executions = 0;
    double done = 0;
  };
  void Publish(unsigned process, const Count& count);
  Count Published() const;

 private:
  static constexpr std::size_t kCacheLine = 64;

  // In memory that the processes share. All of it relaxed: each is a number that means nothing
  // about other memory; the data of another process come through the socket.
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
