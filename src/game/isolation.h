// Isolation: what a transaction may rely on about the objects that it reads.
//
// At each level, the objects that a transaction has taken for writing are atomic: no other thread
// has changed them between the copies and the commit. No update is lost, and no uncommitted version
// is seen. An object that was read keeps its version to the end of the update.
//
//   level           the objects that are read                              what can still happen
//   kReadCommitted  each has a version that was current at some moment     read skew, write skew
//                   of the update
//   kSnapshot       all have the versions of one moment                    write skew
//   kSerializable   they are current at the commit as well                 nothing
//
// Read skew: one object is read before another transaction's commit, and a second object after it.
// Write skew: two transactions read the same two objects; each writes a different one, and neither
// sees the other's change. kReadCommitted is the promise of [cbloom2011]: an object that must be
// fresh is taken for writing, which prevents both for this object. kSerializable is strict: the
// single order of all commits respects the order of those that follow each other.
//
// kSnapshot and kSerializable check each object again when another one is requested: n objects cost
// n * (n + 1) / 2 loads. An update at these levels never sees objects that do not fit together, not
// even before it is restarted.
//
// Source: the anomalies' names: [berenson1995]. Test: tests/game/isolation_test.cc.
#ifndef NOWAIT_SRC_GAME_ISOLATION_H_
#define NOWAIT_SRC_GAME_ISOLATION_H_

#include <cstdint>

namespace nowait {

enum class Isolation : std::uint8_t { kReadCommitted, kSnapshot, kSerializable };

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_ISOLATION_H_
