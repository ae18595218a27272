#include "models/kit/process/code_stack.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace nowait::model {
namespace {

constexpr std::size_t kGuardSize = std::size_t{8} * 1024 * 1024;

}  // namespace

constinit thread_local char* CodeStack::reserve = nullptr;

CodeStack::CodeStack(std::size_t size) {
  const std::size_t usable = kReserve + size;
  void* const guard = ::mmap(nullptr, kGuardSize + usable, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  reserve_ = static_cast<char*>(guard) + kGuardSize;
  end_ = reserve_ + usable;
  if (guard == MAP_FAILED || ::mprotect(reserve_, usable, PROT_READ | PROT_WRITE) != 0) {
    std::perror("models/kit: no memory for a stack");
    std::abort();
  }
}

CodeStack::~CodeStack() { ::munmap(reserve_ - kGuardSize, kGuardSize + size()); }

[[gnu::noinline]] bool CodeStack::IsFull() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) -
             reinterpret_cast<std::uintptr_t>(reserve) <
         kReserve;
}

bool CodeStack::OverflowsAt(const void* address) {
  const auto room = reinterpret_cast<std::uintptr_t>(reserve) - kGuardSize;
  return reserve != nullptr && reinterpret_cast<std::uintptr_t>(address) - room < kGuardSize;
}

}  // namespace nowait::model
