// Model of src/sync/quota.h.
//
// Promise checked: exactly as many Takes succeed as the limit says, or all when there are fewer, and
// the quota is whole again after a Reset.
//
// What is examined: every execution of two and of three takers.
#include "src/sync/quota.h"

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Full;
using model::Random;
using model::Scenario;

constexpr const char* kAsManyAsTheLimit = "so many Takes succeed as the limit says";

// The quota was used up once and reset. Each thread takes twice.
template <int kTakers, std::uint32_t kLimit>
struct TakeTwice {
  static constexpr int kThreads = kTakers;

  TakeTwice() {
    for (std::uint32_t i = 0; i < kLimit; ++i) {
      Check(quota.Take(), kAsManyAsTheLimit);
    }
    Check(!quota.Take(), kAsManyAsTheLimit);
    quota.Reset();
  }
  void Thread(int t) {
    for (int i = 0; i < 2; ++i) taken[t] += quota.Take() ? 1 : 0;
  }
  void After() {
    std::uint32_t sum = 0;
    for (const std::uint32_t count : taken) sum += count;
    constexpr std::uint32_t kTakes = 2 * kTakers;
    Check(sum == (kTakes < kLimit ? kTakes : kLimit), kAsManyAsTheLimit);
  }

  Quota<ModelSync> quota{kLimit};
  std::uint32_t taken[kTakers] = {};  // each thread writes its own
};
const Scenario<TakeTwice<2, 3>> used_up({
    .name = "used_up",
    .promise = "of four Takes by two threads three find something left",
    .searches = {Full(), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<TakeTwice<2, 5>> enough({
    .name = "enough",
    .promise = "four Takes of five all succeed",
    .searches = {Full(), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<TakeTwice<3, 1>> one_for_three({
    .name = "one_for_three",
    .promise = "one of three threads gets the only one",
    .searches = {Full(), Random(20'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
