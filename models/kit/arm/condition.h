// The condition of a litmus test, as text: (0:X1=1 /\ ~(x=2 \/ 1:X0=0)).
#ifndef NOWAIT_MODELS_KIT_ARM_CONDITION_H_
#define NOWAIT_MODELS_KIT_ARM_CONDITION_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "models/kit/arm/litmus.h"

namespace nowait::arm {

constexpr std::size_t kMostThreads = 64;

struct ThreadRegister {
  std::size_t thread;
  unsigned number;
};
// "0:X1" or "0:W1".
std::optional<ThreadRegister> ParseThreadRegister(std::string_view text);

// The error is a clause: 'no ) in the condition'.
std::expected<Condition, std::string> ParseCondition(std::string_view text);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_CONDITION_H_
