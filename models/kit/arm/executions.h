// Every execution of given paths that the ARMv8 model allows.
//
// The paths fix what each read finds. Open are the write that each read reads from (rf) and the
// order of each location's writes (co). An execution is consistent when
//   internal   each location is coherent: po-loc | fr | co | rf is acyclic
//   external   rfe | fre | coe | dob | aob | bob is acyclic
//   atomic     no other thread's write lies between a read and the write of one read-modify-write
// [pulte2018], "The ARMv8 axiomatic concurrency model". The first and the last concern one location
// at a time. So each location's (rf, co) are enumerated alone, and then combined under the second.
#ifndef NOWAIT_MODELS_KIT_ARM_EXECUTIONS_H_
#define NOWAIT_MODELS_KIT_ARM_EXECUTIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "models/kit/arm/event.h"

namespace nowait::arm {

// Values of shared locations, by address.
using Contents = std::map<std::uint64_t, std::uint64_t>;

// Calls `visit` once for each consistent execution, with what the locations hold at its end.
// Returns the number of executions. `initial` has every location that the paths access. The paths
// have at most kMostEvents events together.
std::uint64_t ForEachExecution(const std::vector<const Path*>& paths, const Contents& initial,
                               const std::function<void(const Contents& last)>& visit);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_EXECUTIONS_H_
