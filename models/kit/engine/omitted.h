// Omitted: what a search of every execution has not executed, although C++20 allows it.
//
// Two kinds. Of an execution that was left out because another one leads to the same, nothing is
// left behind: those are counted, and the verdict stands. A gap is a behaviour that the search
// never produces. A scenario that could show one has not been examined wholly, whatever the number
// of its executions: its verdict names the gap. models/kit/exhaustive/README.md says which is
// which, and why.
#ifndef NOWAIT_MODELS_KIT_ENGINE_OMITTED_H_
#define NOWAIT_MODELS_KIT_ENGINE_OMITTED_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace nowait::model {

enum class Gap : std::uint8_t {
  kLoadBuffering,             // reads that lead, over other threads' writes, to what they read
  kSecondSpuriousFailure,     // or waking, in one thread
  kSpuriousFailureElsewhere,  // at another object than the thread's first one
  kWeakConsume,               // a consume that orders less than an acquire
};
inline constexpr std::array kGaps = {Gap::kLoadBuffering, Gap::kSecondSpuriousFailure,
                                     Gap::kSpuriousFailureElsewhere, Gap::kWeakConsume};

// "load buffering".
const char* Name(Gap gap);

class Gaps {
 public:
  constexpr Gaps() = default;
  constexpr Gaps(std::initializer_list<Gap> gaps) {
    for (const Gap gap : gaps) Add(gap);
  }

  constexpr void Add(Gap gap) { bits_ |= Bit(gap); }
  constexpr void Add(Gaps gaps) { bits_ |= gaps.bits_; }
  constexpr bool Has(Gap gap) const { return (bits_ & Bit(gap)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool IsPartOf(Gaps others) const { return (bits_ & ~others.bits_) == 0; }
  // In the order of the enumeration.
  std::vector<std::string> Names() const;

  friend constexpr bool operator==(Gaps, Gaps) = default;

 private:
  static constexpr std::uint32_t Bit(Gap gap) {
    return std::uint32_t{1} << static_cast<std::size_t>(gap);
  }

  std::uint32_t bits_ = 0;
};

struct Omitted {
  // Executions in which a thread waits to the end. Another one continues where these end. How many
  // of them are noticed in time, and not begun, depends on the processes of the search.
  std::uint64_t blocked = 0;
  // In those: loops that yield, of which a round would be repeated until another thread acts; and
  // tries of compare_exchange_retry that failed.
  std::uint64_t rounds = 0;
  std::uint64_t tries = 0;
  // The behaviours that the scenario could show.
  Gaps gaps;

  // "5 executions that end in a wait (3 rounds of loops that yield, 2 failing tries)"; empty if
  // nothing was.
  std::string Reductions() const;
};

// "load buffering and a second spurious failure"; empty if there is no gap.
std::string Listed(Gaps gaps);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_OMITTED_H_
