// The scenarios as AArch64 code, and the few functions of the system that they and those of
// float_code.cc need; the linker names one that is missing.
#include "models/arm/code.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "models/arm/scenario.h"

namespace {

// Memory is never given back.
alignas(64) char memory[1 << 16];
std::size_t used = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  used = (used + alignment - 1) / alignment * alignment;
  void* block = memory + used;
  used += size;
  return block;
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

extern "C" void* memmove(void* to, const void* from, std::size_t size) {
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  if (target <= source) {
    for (std::size_t i = 0; i < size; ++i) target[i] = source[i];
  } else {
    for (std::size_t i = size; i > 0; --i) target[i - 1] = source[i - 1];
  }
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

NOWAIT_ARM_SCENARIOS(NOWAIT_ARM_CODE)
