// The thread in the middle, twice. Both turn y from 1 into 2, with relaxed operations on y alone.
#include "models/kit/litmus/litmus.h"

#include <atomic>

namespace nowait::model {

// A thread that acquires the 2 sees the message too.
void KeepChain(Cells& c) {
  if (c.y.load(std::memory_order::relaxed) == 1) c.y.store(2, std::memory_order::relaxed);
}

// A thread that acquires the 2 may miss the message.
void BreakChain(Cells& c) {
  if (c.y.load(std::memory_order::relaxed) == 1) c.y.store(2, std::memory_order::relaxed);
}

}  // namespace nowait::model
