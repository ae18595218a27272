// Every way of several threads through their code, and the executions that they make together.
//
// A read may find a value only because some write is there, and a write comes after the reads that
// it depends on. Take the events of an execution in ordered-before: each read finds the value of a
// write that lies before it, or of its own thread. Values therefore have a ground. The search goes
// from ways to longer ways, and a thread reads
//   - what is there if no other thread writes;
//   - a value of another thread's write that has its ground: all reads before that write in local
//     order have theirs;
//   - ahead of its ground, a value that some way has given a ground (load buffering). Such a read
//     is no acquire: nothing behind an acquire can be the ground of what it reads.
// Where each thread has come to its end and every read has a ground, the executions of these paths
// are enumerated (executions.h). The values to read ahead are found in rounds, as many as it takes.
#ifndef NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_
#define NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
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

// One execution's end: what the shared locations hold, their sizes, and each thread's path.
using AtEnd = std::function<void(const std::vector<const Path*>& paths, const Contents& shared,
                                 const std::map<std::uint64_t, unsigned>& sizes)>;

// The error is one line: an instruction that is not known, an access that the model does not have,
// too many ways. A thread that meets it in no consistent execution does not count.
std::expected<Explored, std::string> Explore(const Program& program, const Image& memory,
                                             const std::vector<Start>& threads, Limits limits,
                                             const AtEnd& at_end);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_EXPLORATION_H_
