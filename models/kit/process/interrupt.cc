#include "models/kit/process/interrupt.h"

#include <csignal>

namespace nowait::model {
namespace {

std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler stores to it");

void Catch(int signal) {
  // relaxed: the number is the only thing communicated.
  caught.store(signal, std::memory_order::relaxed);
}

}  // namespace

const std::atomic<int>& CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = Catch;
  // Output resumes where it was interrupted; the second signal finds the default action.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return caught;
}

}  // namespace nowait::model
