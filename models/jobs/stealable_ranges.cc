// Model of src/jobs/stealable_ranges.h.
//
// Promise checked: the ranges are linearizable as a set of pieces from which Take removes one; a
// Take may return no piece because of one that overlaps it (the specification is below). A piece
// belongs to one thread (each names plain data). When the last answer of each used hand was "no
// piece", no piece is left.
//
// Examined: every execution of two and three threads that take until there is no piece
// left: with as many pieces as a range can be halved and halved again, taken back from the thief,
// with hands whose threads never come, and with more hands than pieces.
#include "src/jobs/stealable_ranges.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::History;
using model::Random;
using model::Scenario;

constexpr const char* kIsASet =
    "the ranges are linearizable as a set of pieces, but for a Take that another one disturbs";
constexpr std::size_t kMostPieces = 8;

struct TakeOp {
  std::optional<std::uint32_t> piece;
  std::string Words() const {
    return "Take() = " + (piece ? std::to_string(*piece) : std::string("none"));
  }
};

template <std::uint32_t kPieces>
struct RangesSpec {
  using Op = TakeOp;
  struct State {
    std::bitset<kPieces> taken;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    if (!op.piece) {
      return state.taken.all() ||
             context.Overlapped([](const Op& other) { return other.piece.has_value(); });
    }
    if (*op.piece >= kPieces || state.taken[*op.piece]) return false;
    state.taken.set(*op.piece);
    return true;
  }
};

// kPieces dealt to kHands. A thread is the hand of its number, and takes until no piece is left.
template <std::uint32_t kPieces, std::uint32_t kHands, int kThreadCount>
struct Taking {
  static constexpr int kThreads = kThreadCount;
  static_assert(kPieces <= kMostPieces);

  Taking() { ranges.Distribute(kPieces, kHands); }

  void Thread(int t) {
    for (;;) {
      const TakeOp op = history.Record(
          "Take", [&] { return TakeOp{ranges.Take(static_cast<std::uint32_t>(t))}; });
      if (!op.piece) return;
      Check(*op.piece < kPieces, "a piece is one of the loop's");
      runs[*op.piece].set(runs[*op.piece].get() + 1);
    }
  }

  void After() {
    for (std::uint32_t i = 0; i < kPieces; ++i) {
      Check(runs[i].get() == 1, "each piece of the loop is run once");
    }
    CheckLinearizable<RangesSpec<kPieces>>(history, kIsASet);
  }

  StealableRanges<ModelSync> ranges{kHands};
  ModelSync::plain<int> runs[kPieces];
  History<TakeOp> history;
};

const Scenario<Taking<1, 2, 2>> last_piece({
    .name = "last_piece",
    .promise = "one piece goes to its hand or to the other",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<Taking<3, 2, 2>> halved({
    .name = "halved",
    .promise = "a thief takes half of what is left, and its owner may take it back",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<Taking<5, 2, 2>> back_and_forth({
    .name = "back_and_forth",
    .promise = "a stolen range is halved again by the owner that it was stolen from",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<Taking<4, 4, 2>> nobody_comes({
    .name = "nobody_comes",
    .promise = "the pieces of two hands whose threads do not come are taken by the others",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<Taking<2, 3, 3>> three_hands({
    .name = "three_hands",
    .promise = "three hands, one of them without a piece, take two",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Dealt again by one thread, which knows that each thread has found no piece left.
struct DealtAgain {
  static constexpr int kThreads = 2;
  static constexpr std::uint32_t kPieces = 2;

  DealtAgain() { ranges.Distribute(kPieces, 2); }

  void TakeAll(std::uint32_t hand, int round) {
    while (const auto piece = ranges.Take(hand)) {
      Check(*piece < kPieces, "a piece is one of the loop's");
      runs[*piece].set(round * 10 + 1);
      ++taken[hand];
    }
  }

  void Thread(int t) {
    if (t == 0) {
      TakeAll(0, 1);
      // pairs with the release below: the other has found no piece left.
      while (done.load(std::memory_order::acquire) == 0) ModelSync::Yield();
      for (const auto& run : runs) Check(run.get() == 11, "each piece of the loop is run once");
      ranges.Distribute(kPieces, 2);
      again.store(1, std::memory_order::release);  // pairs with the acquire below: the ranges
      TakeAll(0, 2);
    } else {
      TakeAll(1, 1);
      done.store(1, std::memory_order::release);  // pairs with the acquire above
      while (again.load(std::memory_order::acquire) == 0) ModelSync::Yield();
      TakeAll(1, 2);
    }
  }

  void After() {
    for (const auto& run : runs) Check(run.get() == 21, "each piece of the loop is run once");
    Check(taken[0] + taken[1] == 2 * kPieces, "each piece of the loop is run once");
  }

  StealableRanges<ModelSync> ranges{2};
  ModelSync::plain<int> runs[kPieces];
  std::uint32_t taken[2] = {};  // each thread's own
  ModelSync::atomic<int> done{0};
  ModelSync::atomic<int> again{0};
};
const Scenario<DealtAgain> dealt_again({
    .name = "dealt_again",
    .promise = "ranges that are dealt again after all were empty are as new",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
