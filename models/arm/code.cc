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

// The system's calls. That of a futex wakes sleepers, or is a sleep that ends at once: its caller
// looks again, as after every sleep.
extern "C" long syscall(long, ...) { return 0; }
extern "C" int sched_yield() { return 0; }

// The functions that throw and catch. No scenario throws, and a thread that comes here has no
// verdict: the executor does not know the instruction of a trap.
extern "C" {
void* __cxa_begin_catch(void*) noexcept { __builtin_trap(); }
void __cxa_end_catch() { __builtin_trap(); }
void __cxa_rethrow() { __builtin_trap(); }
// By another name: g++ has declared this one, with a type that has no name.
void ThrowBadLength() __asm__("__cxa_throw_bad_array_new_length");
void ThrowBadLength() { __builtin_trap(); }
void __gxx_personality_v0() { __builtin_trap(); }
void _Unwind_Resume() { __builtin_trap(); }
// The virtual functions of a type's information, which a handler compares.
extern const void* const _ZTVN10__cxxabiv117__class_type_infoE[] = {nullptr, nullptr, nullptr};
}
namespace std {
void __throw_length_error(const char*) { __builtin_trap(); }
void __throw_out_of_range_fmt(const char*, ...) { __builtin_trap(); }
}  // namespace std

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
NOWAIT_ARM_LARGE(NOWAIT_ARM_CODE)
