// Points at which `bench game` measures: how long an update is, which objects it asks for, and what
// it does with them.
//
// Thread safety: a Plans belongs to one thread.
#ifndef NOWAIT_TESTS_BENCH_GAME_POINTS_H_
#define NOWAIT_TESTS_BENCH_GAME_POINTS_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/bench/object_updates.h"

namespace nowait {

struct GamePoint {
  std::string name;
  std::uint32_t microseconds;  // of an update, roughly
  std::uint32_t contention;    // of 100 updates, those that ask for hot objects
  std::uint32_t asked;         // objects of an update; it takes one at least for writing
  std::uint32_t reads;         // of 100 of the others, those that it only reads
  std::uint32_t unchanged;     // of 100 that it takes for writing, those that it leaves as they are
};

// How many objects there are in all, and how many of them everybody asks for.
struct GameObjects {
  std::uint32_t all = 1024;
  std::uint32_t hot = 5;
};

// The updates of one of so many threads.
class Plans {
 public:
  Plans(const GameObjects& objects, const GamePoint& point, std::uint32_t threads,
        std::uint32_t thread)
      : objects_(objects),
        point_(point),
        own_((objects.all - objects.hot) / threads),
        first_own_(objects.hot + thread * own_),
        random_(12345u + 777u * thread) {}

  Plan Next() {
    const bool hot = Below(100) < point_.contention;
    const std::uint32_t first = hot ? 0 : first_own_;
    const std::uint32_t count = hot ? objects_.hot : own_;
    Plan plan{{}, point_.asked, 1};
    for (std::uint32_t i = 0; i < plan.asked; ++i) {
      const auto end = plan.which.begin() + i;
      do {
        plan.which[i] = first + Below(count);
      } while (std::find(plan.which.begin(), end, plan.which[i]) != end);
      if (i > 0 && Below(100) >= point_.reads) ++plan.written;
    }
    for (std::uint32_t i = 0; i < plan.written; ++i) {
      if (Below(100) < point_.unchanged) ++plan.unchanged;
    }
    return plan;
  }

 private:
  std::uint32_t Below(std::uint32_t count) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((random_ >> 32) * count >> 32);
  }

  const GameObjects objects_;
  const GamePoint& point_;
  const std::uint32_t own_;
  const std::uint32_t first_own_;
  std::uint64_t random_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_GAME_POINTS_H_
