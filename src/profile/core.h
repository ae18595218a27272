// CoreNow: the number of the core that the calling thread runs on.
//
//   const std::uint16_t core = CoreNow();       if (core == kNoCore) ...   the system does not know
//
// The system may move the thread right after the answer: a number says where the thread was, and
// two different ones say that it was switched out in between.
//
// Linux writes the number into each thread's area of restartable sequences whenever it gives the
// thread a core, and glibc (from 2.35 on) tells where that area is: a load, and no call. Of threads
// without such an area the kernel is asked. The area's other use, a critical section that the
// kernel cancels when it switches the thread out, would make each switch known; but the kernel ends
// a program whose section it finds wrong, and a profile is not worth that.
//
// Thread safety: any thread. Wait-free. It reads memory that only the kernel writes.
#ifndef NOWAIT_SRC_PROFILE_CORE_H_
#define NOWAIT_SRC_PROFILE_CORE_H_

#include <sched.h>
#include <sys/rseq.h>

#include <cstdint>

namespace nowait {

// In the place of a core's number: it is not known.
inline constexpr std::uint16_t kNoCore = 0xffff;

// A profile's way to know it. Injected, so that tests need no machine of several cores.
using ProfileCore = std::uint16_t (*)();

// Linux numbers at most a few thousand cores; the -1 of a failure becomes kNoCore.
inline std::uint16_t CoreNow() {
  if (__rseq_size == 0) [[unlikely]]
    return static_cast<std::uint16_t>(::sched_getcpu());
  const char* const thread = static_cast<const char*>(__builtin_thread_pointer());
  const auto* const area = reinterpret_cast<const struct rseq*>(thread + __rseq_offset);
  // volatile: the kernel writes it between any two instructions.
  return static_cast<std::uint16_t>(static_cast<const volatile std::uint32_t&>(area->cpu_id));
}

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_CORE_H_
