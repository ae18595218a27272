// Watch: every access to plain memory that a scenario's threads make, as compiled into them.
//
// The kit sees the accesses that go through the policy. It does not see other data that threads
// share (a global, or a member that was not declared as Sync::plain), and would pass a program with
// a data race on such data. A model is therefore compiled a second time with -fsanitize=thread,
// which inserts a call before each access, but it is linked without ThreadSanitizer. The calls
// arrive here (hooks.cc) and go on to the machine that runs the threads, which judges them in
// models/kit/exhaustive/run/shadow.h.
//
// A call comes from the scenario's own code if `new` takes memory from a region at that time
// (models/kit/process/arena.h). Accesses in separately compiled functions are not seen: the C
// and C++ libraries, and with g++ the copying of large blocks.
#ifndef NOWAIT_MODELS_KIT_WATCH_WATCH_H_
#define NOWAIT_MODELS_KIT_WATCH_WATCH_H_

#include <cstddef>

namespace nowait::model {

struct PlainAccess {
  const void* address;
  std::size_t size;
  bool writes;
  const void* code;  // the return address of the hook
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  // Called inside the kit: allocations made here are not the scenario's.
  virtual void Access(const PlainAccess& access) = 0;
};

// The machine that receives the calls on this operating-system thread; null: no machine.
extern constinit thread_local Watcher* watcher;

// Stops the watch during its lifetime. It is for work that the kit does on behalf of the scenario
// on memory of all its threads, such as writing down their history.
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
