// StraightLine: a program without loops, small enough that all its executions can be listed.
//
// Up to four threads, a few atomics that begin as 0, and one plain datum. Only reads-from matters
// in a program, not its results. The values exist so that a compare-exchange can succeed or fail,
// and so that a thread can leave the plain datum alone if it has not seen the value that it waited
// for. (Otherwise every program in which two threads access the datum would have a race, because
// some execution has nothing else between the two accesses.)
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nowait::model::oracle {

inline constexpr std::size_t kMaxLocations = 3;

struct Statement {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kAdd,
    kExchange,
    kStrong,  // compare_exchange_strong
    kWeak,    // compare_exchange_weak
    kFence,
    kRead,   // the plain datum
    kWrite,  // the plain datum
  };

  Kind kind = Kind::kLoad;
  std::size_t location = 0;
  int value = 0;     // stored, added or exchanged
  int expected = 0;  // for a compare-exchange
  std::memory_order order = std::memory_order::relaxed;
  std::memory_order failure = std::memory_order::relaxed;  // of a compare-exchange
  // For a read of an atomic: one bit for each value that it may find.
  std::uint32_t may_find = ~std::uint32_t{0};
  // For the last read of a loop's round: this many statements form a round, and at least one of
  // them finds something other than in the preceding round. 0: not the end of a round.
  std::size_t unlike_round = 0;
  // kRead, kWrite: execute only if the thread's last read of an atomic found this; 0 before the
  // first.
  std::optional<int> only_if = std::nullopt;

  bool IsCompareExchange() const { return kind == Kind::kStrong || kind == Kind::kWeak; }
  bool IsPlain() const { return kind == Kind::kRead || kind == Kind::kWrite; }
  bool IsFence() const { return kind == Kind::kFence; }
};

inline constexpr std::size_t kStatementKinds = 9;

struct StraightLine {
  std::vector<std::vector<Statement>> threads;

  std::size_t Size() const;
};

// "x.store(1, release)", "y.cas_weak(0 -> 2, acq_rel, relaxed)", "if 1 read data"
std::string Format(const Statement& statement);
// One line per thread.
std::string Format(const StraightLine& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STRAIGHT_LINE_H_
