// Isolation: what a transaction may rely on about the objects that it reads.
//
// At each level, what a transaction has taken for writing is atomic: nobody has changed it between
// its copies and its commit. No update is lost, and no version is seen that was not committed. An
// object that was read keeps its version to the end of the update.
//
//   level           the objects that are read                              what can still happen
//   kReadCommitted  each has a version that was current at some moment     read skew, write skew
//                   of the update
//   kSnapshot       all have the versions of one moment                    write skew
//   kSerializable   they are current at the commit as well                 nothing
//
// Read skew: the one object is read before another transaction, and the other one after it. Write
// skew: two transactions read the same two objects; each writes another one of them, and neither
// sees the other's change. kReadCommitted is the promise of [cbloom2011], where an object that must
// be fresh is taken for writing; that prevents both for this object. kSerializable is strict: the
// one order of all commits keeps the order of those that follow each other.
//
// kSnapshot and kSerializable look at each object again when another one is asked for: n objects
// cost n * (n + 1) / 2 loads. An update at these levels never sees objects that do not fit
// together, not even before it is begun again.
//
// Source: the anomalies' names: [berenson1995]. Test: tests/game/isolation_test.cc.
#ifndef NOWAIT_SRC_GAME_ISOLATION_H_
#define NOWAIT_SRC_GAME_ISOLATION_H_

#include <cstdint>

namespace nowait {

enum class Isolation : std::uint8_t { kReadCommitted, kSnapshot, kSerializable };

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_ISOLATION_H_
