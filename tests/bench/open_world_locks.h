// Two ways of locking one tree: body locks (this design), and one reader-writer lock round
// everything (the earlier design in [rouwe2022]).
//
// Thread safety: any thread.
#ifndef NOWAIT_TESTS_BENCH_OPEN_WORLD_LOCKS_H_
#define NOWAIT_TESTS_BENCH_OPEN_WORLD_LOCKS_H_

#include <cstdint>

#include "src/bodies/body_locks.h"
#include "src/bodies/proxy_id.h"
#include "src/sync/rw_lock.h"

namespace nowait {

struct NoScope {};

class StripedLocks {
 public:
  explicit StripedLocks(std::uint32_t count) : locks_(count) {}

  NoScope ReadTree(WaitTime&) { return {}; }
  NoScope WriteTree(WaitTime&) { return {}; }
  BodyReadScope ReadBody(ProxyId id, WaitTime& wait) { return {locks_, id, wait}; }
  BodyWriteScope WriteBody(ProxyId id, WaitTime& wait) { return {locks_, id, wait}; }
  // The physics update has all bodies.
  BodiesWriteScope WriteAll(WaitTime& wait) { return BodiesWriteScope::All(locks_, wait); }

 private:
  BodyLocks locks_;
};

class OneLock {
 public:
  explicit OneLock(std::uint32_t /*count*/) {}

  ReadScope<> ReadTree(WaitTime& wait) { return {lock_, wait}; }
  WriteScope<> WriteTree(WaitTime& wait) { return {lock_, wait}; }
  // The tree's lock covers its bodies.
  NoScope ReadBody(ProxyId, WaitTime&) { return {}; }
  NoScope WriteBody(ProxyId, WaitTime&) { return {}; }
  WriteScope<> WriteAll(WaitTime& wait) { return {lock_, wait}; }

 private:
  RwLock<> lock_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OPEN_WORLD_LOCKS_H_
