// Checks of the exercise "Places that are given back": Quota with GiveBack.
//
// Promise checked: a Take succeeds while a place is left, places that were given back included, and
// only then. A thread that gets a place which another thread has given back comes after that
// thread's use of it.
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/sync/quota.h"

namespace nowait {
namespace {

using model::CheckLinearizable;
using model::Context;
using model::History;
using model::Scenario;

struct PlaceOp {
  enum class Kind : std::uint8_t { kTake, kGiveBack };
  Kind kind;
  bool taken = false;  // kTake: the answer
  std::string Words() const {
    if (kind == Kind::kGiveBack) return "GiveBack()";
    return taken ? "Take() = true" : "Take() = false";
  }
};

struct PlaceSpec {
  using Op = PlaceOp;
  struct State {
    std::uint32_t left = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>&) {
    if (op.kind == Op::Kind::kGiveBack) {
      ++state.left;
      return true;
    }
    if (op.taken != (state.left > 0)) return false;
    if (op.taken) --state.left;
    return true;
  }
};

template <std::uint32_t kLimit>
class RecordedQuota {
 public:
  bool Take() {
    return history_.Record("Take",
                           [this] {
                             return PlaceOp{PlaceOp::Kind::kTake, quota_.Take()};
                           })
        .taken;
  }
  void GiveBack() {
    history_.Record("GiveBack", [this] {
      quota_.GiveBack();
      return PlaceOp{PlaceOp::Kind::kGiveBack};
    });
  }
  void CheckHistory() const {
    CheckLinearizable<PlaceSpec>(
        history_, "a quota with places given back is linearizable as a counter", {kLimit});
  }

 private:
  Quota<ModelSync> quota_{kLimit};
  History<PlaceOp> history_;
};

// Each thread gives back what it got. In the end everything is there again.
template <int kTakers, std::uint32_t kLimit>
struct TakeAndGiveBack {
  static constexpr int kThreads = kTakers;

  void Thread() {
    if (quota.Take()) quota.GiveBack();
  }
  void After() {
    for (std::uint32_t i = 0; i < kLimit; ++i) quota.Take();
    quota.CheckHistory();
  }

  RecordedQuota<kLimit> quota;
};
const Scenario<TakeAndGiveBack<2, 1>> one_place({
    .name = "one_place",
    .promise = "the only place can be taken again after it was given back",
});
const Scenario<TakeAndGiveBack<3, 2>> two_places({
    .name = "two_places",
    .promise = "a Take that fails leaves nothing behind",
});

// One place, and an item that belongs to the thread that has the place.
struct Guarded {
  static constexpr int kThreads = 2;

  void Thread() {
    if (!quota.Take()) return;
    item.set(item.get() + 1);
    quota.GiveBack();
  }

  Quota<ModelSync> quota{1};
  ModelSync::plain<int> item{0};
};
const Scenario<Guarded> guarded({
    .name = "guarded",
    .promise = "what was done with a place happens before its next owner gets it",
});

}  // namespace
}  // namespace nowait
