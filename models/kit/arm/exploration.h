// Every way through the code of several threads, and the executions that they make together.
//
// The values that a read may find are those that other threads write on some way, which depend on
// what these read in turn. They are found in rounds, from nothing upwards. A value that takes part
// in an execution has come through a chain of writes, each ordered before the next (dob, and rf by
// other threads), and no write is twice in it. Hence as many rounds as an execution has writes
// find every value that matters, although further rounds might find more.
#ifndef NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_
#define NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "models/kit/arm/event.h"
#include "models/kit/arm/executions.h"
#include "models/kit/arm/machine.h"
#include "models/kit/arm/program.h"

namespace nowait::arm {

struct Explored {
  std::uint64_t executions = 0;
  // Executions that were cut: a thread would have gone on beyond the limits.
  std::uint64_t cut = 0;
};

// One execution's end: what the shared locations hold, and each thread's path.
using AtEnd = std::function<void(const std::vector<const Path*>& paths, const Contents& shared,
                                 const std::map<std::uint64_t, unsigned>& sizes)>;

// The error is one line: an instruction that is not known, an access that the model does not have,
// too many paths. A thread that meets it in no consistent execution does not count.
std::expected<Explored, std::string> Explore(const Program& program, const Image& memory,
                                             const std::vector<Start>& threads, Limits limits,
                                             const AtEnd& at_end);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_
