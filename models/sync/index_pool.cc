// Model of src/sync/index_pool.h.
//
// Promise checked: no index has two owners; what an owner did before Return happens before what the
// next owner does (the slot's plain data would race otherwise); Take fails only when every index is
// owned.
//
// What the searches cover: two and three threads that take and return, starting from a pool with
// returned indices, up to a number of switches and at random, with late stores and stale exchanges.
// The ABA shape (an index leaves the head, another one goes, the first comes back) needs a thread
// that is stopped in Take over three operations of another: a bound of 1 reaches it.
#include "src/sync/index_pool.h"

#include <atomic>
#include <cstdint>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

constexpr const char* kOneOwner = "no index has two owners";

// The slots that the indices name, with an owner's mark: plain data.
struct Slots {
  void Own(std::uint32_t index, int thread) {
    Check(owner[index].get() == kNobody, kOneOwner);
    owner[index].set(thread);
  }
  void Disown(std::uint32_t index, int thread) {
    Check(owner[index].get() == thread, kOneOwner);
    owner[index].set(kNobody);
  }

  static constexpr int kNobody = -1;
  ModelSync::plain<int> owner[3] = {ModelSync::plain<int>(kNobody),
                                    ModelSync::plain<int>(kNobody),
                                    ModelSync::plain<int>(kNobody)};
};

// Both threads take one and give it back, twice; two indices have been returned before.
struct TakeAndReturn {
  static constexpr int kThreads = 2;

  TakeAndReturn() {
    const std::uint32_t first = pool.Take();
    const std::uint32_t second = pool.Take();
    pool.Return(second);
    pool.Return(first);
  }
  void Thread(int t) {
    for (int i = 0; i < 2; ++i) {
      const std::uint32_t index = pool.Take();
      Check(index != IndexPool<ModelSync>::kNone, "Take fails only when every index is owned");
      slots.Own(index, t);
      slots.Disown(index, t);
      pool.Return(index);
    }
  }

  IndexPool<ModelSync> pool{2};
  Slots slots;
};
const Scenario<TakeAndReturn> take_and_return({
    .name = "take_and_return",
    .promise = "an index that goes round keeps its slot to one owner at a time",
    .searches = {ContextBound(3),
                 Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 takes two and returns the first: the head that thread 0 read comes back with another next.
struct ComesBack {
  static constexpr int kThreads = 2;

  ComesBack() {
    const std::uint32_t first = pool.Take();
    const std::uint32_t second = pool.Take();
    pool.Return(second);
    pool.Return(first);
  }
  void Thread(int t) {
    if (t == 0) {
      Keep(0);
      Keep(0);
    } else {
      const std::uint32_t first = pool.Take();
      Keep(1);
      if (first != IndexPool<ModelSync>::kNone) pool.Return(first);
    }
  }
  void Keep(int t) {
    const std::uint32_t index = pool.Take();
    if (index != IndexPool<ModelSync>::kNone) slots.Own(index, t);
  }

  IndexPool<ModelSync> pool{2};
  Slots slots;
};
const Scenario<ComesBack> comes_back({
    .name = "comes_back",
    .promise = "a head that left and came back is not taken for the same one",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One fresh index, one returned, three takers: exactly one of them gets none.
struct TooFew {
  static constexpr int kThreads = 3;

  TooFew() { pool.Return(pool.Take()); }
  void Thread(int t) {
    const std::uint32_t index = pool.Take();
    got[t] = index != IndexPool<ModelSync>::kNone;
    if (got[t]) slots.Own(index, t);
  }
  void After() {
    Check(got[0] + got[1] + got[2] == 2, "Take fails only when every index is owned");
  }

  IndexPool<ModelSync> pool{2};
  Slots slots;
  bool got[3] = {};
};
const Scenario<TooFew> too_few({
    .name = "too_few",
    .promise = "two indices find two owners among three takers",
    .searches = {ContextBound(2), ContextBound(1).StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
