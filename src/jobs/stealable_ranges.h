// StealableRanges: the pieces of a loop, dealt to several hands in ranges, each piece taken exactly
// once.
//
// A piece of a loop takes less time than a cache line takes from one core to another. So the hands,
// one for each thread, do not meet at a counter. Each has a range of its own and takes its pieces
// in order, from a line that no other thread writes to as long as all have work. A hand that runs
// out of work takes the upper half of another hand's range. Pieces that lie together are done by
// one thread and, where the same loop is run again and again, mostly by the same one: their data
// are in its cache.
//
// Thread safety: Distribute by one thread while no other thread has the ranges; then something that
// orders it, such as a job list, publishes them. Take on any thread, each hand used by one at a
// time.
// Progress: lock-free. An exchange fails because another has taken a piece or a range, or
// spuriously, because it is the weak one.
//
// Promise: Take removes a piece from the set, each piece once, and returns no piece only if none of
// them is left or another Take overlaps it. Stated in full behind the class.
//
// Source: the schedule static_steal of LLVM's OpenMP run-time library, which has both ends of a
// thread's chunk in one word and takes a part of another's; here a thief's new range can be stolen
// from at once. Model: models/jobs/stealable_ranges. Lecture: the job list and its fetch lock.
#ifndef NOWAIT_SRC_JOBS_STEALABLE_RANGES_H_
#define NOWAIT_SRC_JOBS_STEALABLE_RANGES_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "src/base/assert.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class StealableRanges {
 public:
  // most_hands: how many hands a loop can be dealt to.
  explicit StealableRanges(std::uint32_t most_hands) : ranges_(most_hands) {}

  // How many hands the loop is dealt to.
  std::uint32_t hands() const { return hands_.get(); }

  // Deals the pieces 0 .. pieces-1 to so many hands, 1 .. most_hands, as evenly as possible.
  void Distribute(std::uint32_t pieces, std::uint32_t hands) {
    NOWAIT_ASSERT(hands >= 1 && hands <= ranges_.size(), "there is a range for each hand");
    hands_.set(hands);
    for (std::uint32_t hand = 0; hand < hands; ++hand) {
      const auto until = [&](std::uint32_t before) {
        return static_cast<std::uint32_t>(std::uint64_t{pieces} * before / hands);
      };
      // relaxed: the caller publishes the ranges.
      ranges_[hand].word.store(Range{until(hand), until(hand + 1)}.Word(),
                               std::memory_order::relaxed);
    }
  }

  // A piece for a hand, 0 .. hands-1: the next of its range, or the first of half of another hand's
  // range. With a piece, *from (if not null) is the hand whose range it was in. O(1) while the hand
  // has pieces, otherwise O(hands).
  std::optional<std::uint32_t> Take(std::uint32_t hand, std::uint32_t* from = nullptr) {
    if (from != nullptr) *from = hand;
    auto& own = ranges_[hand].word;
    // relaxed, here and below: see Orders.
    Range range(own.load(std::memory_order::relaxed));
    while (!range.Empty()) {
      std::uint64_t word = range.Word();
      if (own.compare_exchange_retry(word, Range{range.begin + 1, range.end}.Word(),
                                     std::memory_order::relaxed, std::memory_order::relaxed)) {
        return range.begin;
      }
      range = Range(word);
    }
    const std::uint32_t hands = hands_.get();
    for (std::uint32_t k = 1; k < hands; ++k) {
      const std::uint32_t other = hand + k < hands ? hand + k : hand + k - hands;
      const Range taken = TakeHalf(ranges_[other].word);
      if (taken.Empty()) continue;
      // relaxed: no other thread writes to it, because it is empty.
      own.store(Range{taken.begin + 1, taken.end}.Word(), std::memory_order::relaxed);
      if (from != nullptr) *from = other;
      return taken.begin;
    }
    return std::nullopt;
  }

 private:
  // Pieces begin .. end-1.
  struct Range {
    Range(std::uint32_t begin, std::uint32_t end) : begin(begin), end(end) {}
    explicit Range(std::uint64_t word)
        : begin(static_cast<std::uint32_t>(word >> 32)), end(static_cast<std::uint32_t>(word)) {}
    std::uint64_t Word() const { return std::uint64_t{begin} << 32 | end; }
    bool Empty() const { return begin == end; }

    std::uint32_t begin;
    std::uint32_t end;
  };
  using Word = typename Sync::template atomic<std::uint64_t>;

  // The upper half of a range, rounded up: a single piece is taken, too.
  static Range TakeHalf(Word& from) {
    Range range(from.load(std::memory_order::relaxed));
    while (!range.Empty()) {
      const std::uint32_t middle = range.begin + (range.end - range.begin) / 2;
      std::uint64_t word = range.Word();
      if (from.compare_exchange_retry(word, Range{range.begin, middle}.Word(),
                                      std::memory_order::relaxed, std::memory_order::relaxed)) {
        return {middle, range.end};
      }
      range = Range(word);
    }
    return range;
  }

  // A line for each hand.
  struct alignas(64) Own {
    Word word{0};
  };
  SyncArray<Sync, Own> ranges_;
  typename Sync::template plain<std::uint32_t> hands_{0};
};

// Implementation: why this is right
//
// Promise: linearizable over happens-before (models/kit/scenario/linearizability.h) as a set of
// pieces from which Take removes one. It returns no piece only if the set is empty, or if another
// Take overlaps it: that one may be on its way with a range, and will take the pieces in it. So
// when the last Take of each hand has returned no piece, all pieces have been taken. The effects of
// a piece are not ordered here, neither before nor after. The code that publishes the ranges and
// collects the hands orders them.
// Linearization points: of a piece, the compare-exchange that takes it out of a range, its own or
// another's; of an empty answer, the load of the last range.
//
// Invariants
//   1. Each piece that has not been taken is in one range, or in the hands of a Take that has cut
//      it off a range and not yet put it into its own.
//   2. A range holds begin and end in one word, so an exchange changes exactly the range that is
//      there now. Whether the word had another value in between does not matter.
//   3. An empty range is filled by its hand alone: no other hand takes from an empty range.
//
// Orders: relaxed, all of them. A piece is a number, and it leads a reader to nothing but what was
// there before the ranges were published. That it is taken once is due to the exchanges, each of
// which sees the last change of its word.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_STEALABLE_RANGES_H_
