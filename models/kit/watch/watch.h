// Watch: every access to plain memory that a scenario's threads make, as compiled into them.
//
// The kit sees the accesses that go through the policy. It does not see other data that threads
// share (a global, a member whose declaration as Sync::plain was forgotten), and would call a
// program right that has a data race there. Therefore a model is compiled a second time with
// -fsanitize=thread, which puts a call before each access, but it is linked without
// ThreadSanitizer: the calls come here (hooks.cc), and from here to the machine that runs the
// threads. It judges them in models/kit/exhaustive/run/shadow.h.
//
// A call comes from the scenario's own code if the scenario allocates from a region then
// (models/kit/process/arena.h). Not seen are accesses in functions that are compiled elsewhere: the
// C and C++ libraries, and the copying of large blocks with g++.
#ifndef NOWAIT_MODELS_KIT_WATCH_WATCH_H_
#define NOWAIT_MODELS_KIT_WATCH_WATCH_H_

#include <cstddef>

namespace nowait::model {

struct PlainAccess {
  const void* address;
  std::size_t size;
  bool writes;
  const void* code;  // behind the call
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  // Inside the kit: its allocations are not the scenario's.
  virtual void Access(const PlainAccess& access) = 0;
};

// The machine that gets the calls of this operating-system thread; null: no machine.
extern constinit thread_local Watcher* watcher;

// While it lives nothing is watched: for the kit's work in the scenario's name on memory of all its
// threads, such as writing down their history.
class Unwatched {
 public:
  Unwatched() : was_(watcher) { watcher = nullptr; }
  ~Unwatched() { watcher = was_; }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  Watcher* const was_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_WATCH_WATCH_H_
