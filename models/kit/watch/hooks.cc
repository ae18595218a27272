// The functions that code compiled with -fsanitize=thread calls. Their names and meanings are those
// of ThreadSanitizer's run-time library (LLVM, compiler-rt/lib/tsan/rtl/tsan_interface.h), of which
// nothing else is used here. The linker takes this file only into programs that have such code.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "models/kit/process/arena.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {
namespace {

// The kit's own inline functions access these variables on the way into the kit.
bool IsOfTheKit(const void* address) { return address == &current_region || address == &watcher; }

[[gnu::always_inline]] inline void Watch(const void* address, std::size_t size, bool writes,
                                         const void* code) {
  if (current_region == nullptr || watcher == nullptr || IsOfTheKit(address)) return;
  Region* const region = std::exchange(current_region, nullptr);
  watcher->Access({address, size, writes, code});
  current_region = region;
}

// An access to an atomic outside the policy. The checker does not see its order and therefore
// treats it as a plain write.
template <class T>
std::atomic_ref<T> Raw(volatile T* address, const void* code) {
  T* const plain = const_cast<T*>(address);
  Watch(plain, sizeof(T), true, code);
  return std::atomic_ref<T>(*plain);
}

}  // namespace
}  // namespace nowait::model

using nowait::model::Raw;
using nowait::model::Watch;

#define NOWAIT_CODE __builtin_return_address(0)
#define NOWAIT_READ(name, size) \
  void name(void* address) { Watch(address, size, false, NOWAIT_CODE); }
#define NOWAIT_WRITE(name, size) \
  void name(void* address) { Watch(address, size, true, NOWAIT_CODE); }
#define NOWAIT_UPDATE(name, size, type, operation)       \
  type name(volatile type* address, type operand, int) { \
    return Raw(address, NOWAIT_CODE).operation(operand); \
  }
#define NOWAIT_ATOMICS(bits, type)                                                          \
  type __tsan_atomic##bits##_load(const volatile type* address, int) {                      \
    return Raw(const_cast<volatile type*>(address), NOWAIT_CODE).load();                    \
  }                                                                                         \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int) {               \
    Raw(address, NOWAIT_CODE).store(value);                                                 \
  }                                                                                         \
  NOWAIT_UPDATE(__tsan_atomic##bits##_exchange, bits, type, exchange)                       \
  NOWAIT_UPDATE(__tsan_atomic##bits##_fetch_add, bits, type, fetch_add)                     \
  NOWAIT_UPDATE(__tsan_atomic##bits##_fetch_sub, bits, type, fetch_sub)                     \
  NOWAIT_UPDATE(__tsan_atomic##bits##_fetch_and, bits, type, fetch_and)                     \
  NOWAIT_UPDATE(__tsan_atomic##bits##_fetch_or, bits, type, fetch_or)                       \
  NOWAIT_UPDATE(__tsan_atomic##bits##_fetch_xor, bits, type, fetch_xor)                     \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* address, type* expected, \
                                                    type desired, int, int) {               \
    return Raw(address, NOWAIT_CODE).compare_exchange_strong(*expected, desired);           \
  }                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* address, type* expected,   \
                                                  type desired, int, int) {                 \
    return Raw(address, NOWAIT_CODE).compare_exchange_strong(*expected, desired);           \
  }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

NOWAIT_READ(__tsan_read1, 1)
NOWAIT_READ(__tsan_read2, 2)
NOWAIT_READ(__tsan_read4, 4)
NOWAIT_READ(__tsan_read8, 8)
NOWAIT_READ(__tsan_read16, 16)
NOWAIT_READ(__tsan_unaligned_read2, 2)
NOWAIT_READ(__tsan_unaligned_read4, 4)
NOWAIT_READ(__tsan_unaligned_read8, 8)
NOWAIT_READ(__tsan_unaligned_read16, 16)
NOWAIT_WRITE(__tsan_write1, 1)
NOWAIT_WRITE(__tsan_write2, 2)
NOWAIT_WRITE(__tsan_write4, 4)
NOWAIT_WRITE(__tsan_write8, 8)
NOWAIT_WRITE(__tsan_write16, 16)
NOWAIT_WRITE(__tsan_unaligned_write2, 2)
NOWAIT_WRITE(__tsan_unaligned_write4, 4)
NOWAIT_WRITE(__tsan_unaligned_write8, 8)
NOWAIT_WRITE(__tsan_unaligned_write16, 16)
NOWAIT_READ(__tsan_vptr_read, sizeof(void*))

void __tsan_vptr_update(void** address, void*) { Watch(address, sizeof(void*), true, NOWAIT_CODE); }
void __tsan_read_range(void* address, std::size_t size) {
  Watch(address, size, false, NOWAIT_CODE);
}
void __tsan_write_range(void* address, std::size_t size) {
  Watch(address, size, true, NOWAIT_CODE);
}

void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  Watch(from, size, false, NOWAIT_CODE);
  Watch(to, size, true, NOWAIT_CODE);
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  Watch(from, size, false, NOWAIT_CODE);
  Watch(to, size, true, NOWAIT_CODE);
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size) {
  Watch(to, size, true, NOWAIT_CODE);
  return std::memset(to, value, size);
}

NOWAIT_ATOMICS(8, std::uint8_t)
NOWAIT_ATOMICS(16, std::uint16_t)
NOWAIT_ATOMICS(32, std::uint32_t)
NOWAIT_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
