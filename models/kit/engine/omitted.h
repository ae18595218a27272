// Omitted: the executions that C++20 allows and that a search of every execution left out.
//
// There are two kinds. A reduction leaves out an execution because another one has the same
// outcome: such executions are only counted, and the verdict stands. A gap is a behaviour that the
// search never produces. A scenario that could show one has not been examined completely, however
// many executions were run, and its verdict names the gap. models/kit/exhaustive/README.md lists
// both kinds and gives the reasons.
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
  kLoadBuffering,             // reads that cause, through other threads' writes, what they read
  kSecondSpuriousFailure,     // spurious failure or wake-up, in one thread
  kSpuriousFailureElsewhere,  // at an object other than the thread's first one
  kWeakConsume,               // a consume load that orders less than an acquire load
};
inline constexpr std::array kGaps = {Gap::kLoadBuffering, Gap::kSecondSpuriousFailure,
                                     Gap::kSpuriousFailureElsewhere, Gap::kWeakConsume};

// The gap in words, such as "load buffering".
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
  // The names of the gaps, in the order of the enumeration.
  std::vector<std::string> Names() const;

  friend constexpr bool operator==(Gaps, Gaps) = default;

 private:
  static constexpr std::uint32_t Bit(Gap gap) {
    return std::uint32_t{1} << static_cast<std::size_t>(gap);
  }

  std::uint32_t bits_ = 0;
};

struct Omitted {
  // Executions in which a thread waits to the end. Another execution continues where each of these
  // ends. How many are recognised before they begin depends on the processes of the search.
  std::uint64_t blocked = 0;
  // In those executions: rounds of yielding loops that would repeat until another thread acts, and
  // failed attempts of compare_exchange_retry.
  std::uint64_t rounds = 0;
  std::uint64_t tries = 0;
  // The behaviours that the scenario could have shown.
  Gaps gaps;

  // "5 executions that end in a wait (3 rounds of loops that yield, 2 failing tries)"; empty if
  // nothing was left out.
  std::string Reductions() const;
};

// "load buffering and a second spurious failure"; empty if there is no gap.
std::string Listed(Gaps gaps);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_OMITTED_H_
