// Model of src/islands/awake_set.h.
//
// Promise checked: of the threads that wake a sleeping body, exactly one learns that it was the
// first. No waking is lost beside another one in the same word. Bodies that touch come out in one
// island, in the order of slots, whichever thread woke which body.
//
// Examined: every execution of two threads that wake the same two bodies, in either order, and link
// them to bodies of their own; of three that wake one body; and of two that wake neighbours.
#include "src/islands/awake_set.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/kit/scenario/model.h"
#include "src/islands/finalise.h"
#include "src/islands/union_find.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

using Slots = std::vector<std::uint32_t>;

// A set, and how often a thread was informed that it was the first to wake a body.
template <std::uint32_t kBodies, int kThreads>
class RecordedSet {
 public:
  void Add(std::uint32_t slot) { awake_.Add(slot); }
  void Clear() { awake_.Clear(); }

  void Wake(int thread, std::uint32_t slot) {
    const model::Call call("Wake");
    if (awake_.Wake(slot)) ++told_[thread][slot];
    Check(awake_.Contains(slot), "a thread that has woken a body knows that it is awake");
  }

  // Called after all threads have been joined; `added` were awake before.
  void CheckAwake(const Slots& expected, const Slots& added) const {
    Slots slots;
    awake_.List(slots);
    Check(slots == expected, "each woken body is listed once, in the order of slots");
    for (const std::uint32_t slot : expected) {
      int told = 0;
      for (const auto& of_thread : told_) told += of_thread[slot];
      const bool was_added = std::find(added.begin(), added.end(), slot) != added.end();
      Check(told == (was_added ? 0 : 1), "one thread learns that it was the first");
    }
  }

 private:
  AwakeSet<ModelSync> awake_{kBodies};
  int told_[kThreads][kBodies] = {};  // each thread writes its own row
};

// Bodies 0 and 1 are awake, 2 and 3 asleep. Thread t is body t's narrow phase: it finds that the
// sleeping bodies are touched, thread 0 in ascending order and thread 1 in descending order.
struct TwoBodies {
  static constexpr int kThreads = 2;
  TwoBodies() {
    awake.Add(0);
    awake.Add(1);
  }
  void Thread(int t) {
    for (const std::uint32_t found : {t == 0 ? 2u : 3u, t == 0 ? 3u : 2u}) {
      awake.Wake(t, found);
      const model::Call call("Union");
      sets.Union(static_cast<std::uint32_t>(t), found);
    }
  }
  void After() {
    const Slots all = {0, 1, 2, 3};
    awake.CheckAwake(all, {0, 1});
    IslandBuilder builder;
    Check(builder.Finalise(sets, all).members == all && builder.Finalise(sets, all).count() == 1,
          "bodies that touch are one island");
  }
  RecordedSet<4, kThreads> awake;
  UnionFind<ModelSync> sets{4};
};
const Scenario<TwoBodies> two_bodies({
    .name = "two-bodies",
    .promise =
        "two threads that wake two bodies in opposite orders, and link them, make one island",
    .searches = {ContextBound(2), Random(20'000).StaleExchanges().DeepHistory()},
});

struct OneBody {
  static constexpr int kThreads = 3;
  OneBody() { awake.Add(0); }
  void Thread(int t) { awake.Wake(t, 1); }
  void After() { awake.CheckAwake({0, 1}, {0}); }
  RecordedSet<2, kThreads> awake;
};
const Scenario<OneBody> one_body({
    .name = "one-body",
    .promise = "of three threads that wake one body one is the first",
    .searches = {Full(), Random(20'000).StaleExchanges().DeepHistory()},
});

// Bodies in one word, and one beyond it.
struct Neighbours {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    awake.Wake(t, t == 0 ? 62 : 63);
    awake.Wake(t, 64);
  }
  void After() { awake.CheckAwake({62, 63, 64}, {}); }
  RecordedSet<65, kThreads> awake;
};
const Scenario<Neighbours> neighbours({
    .name = "neighbours",
    .promise = "bodies whose bits are in one word are woken by two threads at once",
    .searches = {Full(), Random(20'000).StaleExchanges().DeepHistory()},
});

// A second frame: a body that was awake sleeps, and is woken once.
struct WakeAfterClear {
  static constexpr int kThreads = 2;
  WakeAfterClear() {
    awake.Add(0);
    awake.Add(2);
    awake.Clear();
    awake.Add(1);
  }
  void Thread(int t) { awake.Wake(t, 2); }
  void After() { awake.CheckAwake({1, 2}, {1}); }
  RecordedSet<3, kThreads> awake;
};
const Scenario<WakeAfterClear> wake_after_clear({
    .name = "clear",
    .promise = "after Clear a body that was awake sleeps, and is woken once",
    .searches = {Full(), Random(20'000).StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
