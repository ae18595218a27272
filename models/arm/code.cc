// The scenarios as AArch64 code: what the cross compilers are given.
//
// For each scenario S there are the functions S_setup(at), S_thread0(scenario) ... and
// S_holds(scenario), and the texts S_name and S_promise. The executor of models/kit/arm runs them;
// nothing here ever runs on a processor. The few functions of the system that are needed are below;
// the linker names one that is missing.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "models/arm/scenario.h"
#include "src/sync/policy.h"

namespace {

using nowait::StdSync;

// Memory is never given back.
alignas(64) char memory[1 << 16];
std::size_t used = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  used = (used + alignment - 1) / alignment * alignment;
  void* block = memory + used;
  used += size;
  return block;
}

template <template <class> class S, int kThread>
void RunThread(S<StdSync>* scenario) {
  if constexpr (kThread < S<StdSync>::kThreads) scenario->Thread(kThread);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, 16); }
void* operator new[](std::size_t size) { return Allocate(size, 16); }
void* operator new(std::size_t size, std::align_val_t to) {
  return Allocate(size, static_cast<std::size_t>(to));
}
void* operator new[](std::size_t size, std::align_val_t to) {
  return Allocate(size, static_cast<std::size_t>(to));
}
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
void operator delete[](void*, std::size_t) noexcept {}
void operator delete(void*, std::align_val_t) noexcept {}
void operator delete[](void*, std::align_val_t) noexcept {}
void operator delete(void*, std::size_t, std::align_val_t) noexcept {}
void operator delete[](void*, std::size_t, std::align_val_t) noexcept {}

extern "C" void* memset(void* to, int byte, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) static_cast<char*>(to)[i] = static_cast<char>(byte);
  return to;
}

// The system's one call is a futex's, which wakes sleepers. No thread of a scenario sleeps.
extern "C" long syscall(long, ...) { return 0; }

#define NOWAIT_ARM_CODE(S)                                                          \
  extern "C" {                                                                      \
  extern const char* const S##_name = nowait::arm::S<StdSync>::kName;               \
  extern const char* const S##_promise = nowait::arm::S<StdSync>::kPromise;         \
  void S##_setup(void* at) { new (at) nowait::arm::S<StdSync>; }                    \
  void S##_thread0(nowait::arm::S<StdSync>* s) { RunThread<nowait::arm::S, 0>(s); } \
  void S##_thread1(nowait::arm::S<StdSync>* s) { RunThread<nowait::arm::S, 1>(s); } \
  void S##_thread2(nowait::arm::S<StdSync>* s) { RunThread<nowait::arm::S, 2>(s); } \
  void S##_thread3(nowait::arm::S<StdSync>* s) { RunThread<nowait::arm::S, 3>(s); } \
  extern const int S##_threads = nowait::arm::S<StdSync>::kThreads;                 \
  bool S##_holds(nowait::arm::S<StdSync>* s) { return s->Holds(); }                 \
  }
NOWAIT_ARM_SCENARIOS(NOWAIT_ARM_CODE)
