#include "src/apps/command_line/interruption.h"

#include <signal.h>

#include <atomic>

namespace nowait {
namespace {

// A signal handler has no other way to reach the program.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only use such");

}  // namespace

void CatchInterrupts() {
  struct sigaction action = {};
  // relaxed: nothing else is published.
  action.sa_handler = [](int) { interrupted.store(true, std::memory_order::relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// relaxed: as the store.
bool IsInterrupted() { return interrupted.load(std::memory_order::relaxed); }

}  // namespace nowait
