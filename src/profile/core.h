// CoreNow: the number of the core that the calling thread runs on.
//
//   const std::uint16_t core = CoreNow();       if (core == kNoCore) ...    the system does not tell
//
// The system may move the thread right after the answer: a number says where the thread was, and
// two different ones say that it was switched out in between.
//
// Linux writes the number into each thread's area of restartable sequences whenever it gives the
// thread a core, and glibc (from 2.35 on) reads it there: a call and a load, and no system call.
// Where that area is not registered, the library asks the kernel. The area's other use, a critical
// section that the kernel cancels when it switches the thread out, would tell each switch, but a
// program whose section the kernel finds wrong is ended: too much for a profile.
//
// Thread safety: any thread. Wait-free. It reads memory that only the kernel writes.
#ifndef NOWAIT_SRC_PROFILE_CORE_H_
#define NOWAIT_SRC_PROFILE_CORE_H_

#include <sched.h>

#include <cstdint>

namespace nowait {

// In the place of a core's number: it is not known.
inline constexpr std::uint16_t kNoCore = 0xffff;

// A profile's way to know it. Injected, so that tests need no machine of several cores.
using ProfileCore = std::uint16_t (*)();

// Linux numbers at most a few thousand cores; its -1 becomes kNoCore.
inline std::uint16_t CoreNow() { return static_cast<std::uint16_t>(::sched_getcpu()); }

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_CORE_H_
