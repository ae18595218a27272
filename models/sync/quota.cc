// Model of src/sync/quota.h.
//
// Promise checked: a quota is linearizable as a counter (the specification is below): a Take
// succeeds if and only if the quota is not used up, and a Reset makes the quota whole again.
//
// Examined: every execution of two and of three takers.
#include "src/sync/quota.h"

#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::CheckLinearizable;
using model::Context;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

struct QuotaOp {
  enum class Kind : std::uint8_t { kTake, kReset };
  Kind kind;
  bool taken = false;  // kTake: the answer
  std::string Words() const {
    if (kind == Kind::kReset) return "Reset()";
    return taken ? "Take() = true" : "Take() = false";
  }
};

struct QuotaSpec {
  using Op = QuotaOp;
  struct State {
    std::uint32_t left = 0;
    std::uint32_t limit = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>&) {
    if (op.kind == Op::Kind::kReset) {
      state.left = state.limit;
      return true;
    }
    if (op.taken != (state.left > 0)) return false;
    if (op.taken) --state.left;
    return true;
  }
};

// The quota was used up once and then reset. Each thread takes twice.
template <int kTakers, std::uint32_t kLimit>
struct TakeTwice {
  static constexpr int kThreads = kTakers;

  TakeTwice() {
    for (std::uint32_t i = 0; i <= kLimit; ++i) Take();
    history.Record("Reset", [this] {
      quota.Reset();
      return QuotaOp{QuotaOp::Kind::kReset};
    });
  }
  void Thread() {
    Take();
    Take();
  }
  void After() {
    CheckLinearizable<QuotaSpec>(history, "a quota is linearizable as a counter", {kLimit, kLimit});
  }
  void Take() {
    history.Record("Take", [this] { return QuotaOp{QuotaOp::Kind::kTake, quota.Take()}; });
  }

  Quota<ModelSync> quota{kLimit};
  History<QuotaOp> history;
};
const Scenario<TakeTwice<2, 3>> used_up({
    .name = "used_up",
    .promise = "of four Takes by two threads three succeed",
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
