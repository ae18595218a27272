// Model of src/sync/barrier.h.
//
// Promise checked: no thread continues before all have arrived; all threads see each thread's
// earlier writes (plain data: the failure would be a data race); no thread sleeps for ever.
//
// Examined: every execution of two threads over one round and two, of three over one, and of two
// threads of which one leaves for good.
#include "src/sync/barrier.h"

#include <array>

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

// Each thread writes its number of rounds, meets the others, and reads theirs.
template <int kOfThem, int kRounds>
struct Meetings {
  static constexpr int kThreads = kOfThem;

  void Thread(int t) {
    for (int round = 1; round <= kRounds; ++round) {
      done[static_cast<std::size_t>(t)].set(round);
      Arrive();
      for (const auto& other : done) {
        Check(other.get() == round, "each thread's writes before it arrived are seen by all");
      }
      Arrive();  // no thread may write the next round while another one reads
    }
  }
  void Arrive() {
    const Call call("ArriveAndWait");
    barrier.ArriveAndWait();
  }

  std::array<ModelSync::plain<int>, kOfThem> done;
  Barrier<ModelSync> barrier{kOfThem};
};
const Scenario<Meetings<2, 1>> two_meet({
    .name = "two_meet",
    .promise = "each waits for the other, and again",
    .searches = {ContextBound(3), Random(20'000)},
});

// One meeting.
template <int kOfThem>
struct Once {
  static constexpr int kThreads = kOfThem;

  void Thread(int t) {
    done[static_cast<std::size_t>(t)].set(1);
    const Call call("ArriveAndWait");
    barrier.ArriveAndWait();
    for (const auto& other : done) {
      Check(other.get() == 1, "each thread's writes before it arrived are seen by all");
    }
  }

  std::array<ModelSync::plain<int>, kOfThem> done;
  Barrier<ModelSync> barrier{kOfThem};
};
const Scenario<Once<2>> meet_once({
    .name = "meet_once",
    .promise = "the last thread wakes the one that waits",
    .searches = {ContextBound(3), Random(20'000)},
});
const Scenario<Once<3>> three_meet({
    .name = "three_meet",
    .promise = "one call wakes all waiting threads",
    .searches = {ContextBound(2), Random(20'000)},
});

// The second thread leaves instead of arriving; from then on the first one waits for no thread.
struct OneLeaves {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) {
      done.set(1);
      const Call call("Drop");
      return barrier.Drop();
    }
    for (int round = 0; round < 2; ++round) {
      const Call call("ArriveAndWait");
      barrier.ArriveAndWait();
      Check(done.get() == 1, "a thread that drops out has arrived");
    }
  }

  ModelSync::plain<int> done{0};
  Barrier<ModelSync> barrier{2};
};
const Scenario<OneLeaves> one_leaves({
    .name = "one_leaves",
    .promise = "a thread that drops out is not waited for",
    .searches = {ContextBound(3), Random(20'000)},
});

}  // namespace
}  // namespace nowait
