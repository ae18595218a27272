// Model of src/bodies/body_locks.h and src/bodies/guarded_body.h, over src/sync/rw_lock.h.
//
// Promise checked: a thread that writes bodies under a scope has them to itself, readers see whole
// bodies, and no thread waits for ever, in whichever order a scope's bodies are named and however
// many of them share a lock. A body is read or changed by its id only while it is still that body.
//
// The locks are those of src/sync/phase_fair_lock.h, which has a separate model. Nothing checks the
// order of the locks here: a wrong order shows as a deadlock.
//
// Examined: every execution of two threads with two bodies each, over one, two and three locks; of
// three threads whose pairs of bodies form a ring; of one or two readers beside a writer; and of
// readers, changes and removals of bodies that share a slot.
#include "src/bodies/body_locks.h"

#include <array>
#include <cstdint>
#include <iterator>

#include "models/bodies/model_locks.h"
#include "models/kit/scenario/model.h"
#include "src/bodies/guarded_body.h"
#include "src/bodies/proxy_id.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

using ReadScope = BodyReadScopeOf<ModelLocks>;
using WriteScope = BodyWriteScopeOf<ModelLocks>;
using SeveralScope = BodiesWriteScopeOf<ModelLocks>;

// Two halves that are equal whenever no thread writes.
class Money {
 public:
  void Add(int amount) {
    first_.set(first_.get() + amount);
    second_.set(second_.get() + amount);
  }
  int Look() const {
    const int first = first_.get();
    Check(first == second_.get(), "a reader sees a whole body");
    return first;
  }

 private:
  ModelSync::plain<int> first_{0};
  ModelSync::plain<int> second_{0};
};

// Thread t adds one to each of its bodies under one scope.
template <class Plan>
struct Several {
  static constexpr int kThreads = static_cast<int>(std::size(Plan::kBodies));

  void Thread(int t) {
    const Call call("BodiesWriteScope");
    std::array<ProxyId, 2> ids;
    for (std::size_t i = 0; i < 2; ++i) ids[i] = ProxyId(Plan::kBodies[t][i], 0);
    WaitTime wait;
    const SeveralScope scope(locks, ids, wait);
    for (const ProxyId id : ids) money[id.slot()].Add(1);
  }
  void After() {
    int sum = 0;
    for (const Money& one : money) sum += one.Look();
    Check(sum == 2 * kThreads, "each write under a lock is kept");
  }

  ModelLocks locks{Plan::kLocks};
  std::array<Money, 4> money;
};

struct Opposite {
  static constexpr std::uint32_t kLocks = 2;
  static constexpr std::uint32_t kBodies[2][2] = {{0, 1}, {1, 0}};
};
const Scenario<Several<Opposite>> opposite({
    .name = "opposite",
    .promise = "two threads that name the same two bodies in opposite orders both get them",
    .searches = {ContextBound(2), Random(20'000)},
});

// Bodies 1 and 3 share a lock, which each thread needs once.
struct Shared {
  static constexpr std::uint32_t kLocks = 2;
  static constexpr std::uint32_t kBodies[2][2] = {{3, 1}, {1, 2}};
};
const Scenario<Several<Shared>> shared({
    .name = "shared",
    .promise = "two bodies that share a lock are locked once",
    .searches = {ContextBound(2), Random(20'000)},
});

struct Ring {
  static constexpr std::uint32_t kLocks = 3;
  static constexpr std::uint32_t kBodies[3][2] = {{0, 1}, {1, 2}, {2, 0}};
};
const Scenario<Several<Ring>> ring({
    .name = "ring",
    .promise = "three threads, each with a body of either neighbour's, do not wait in a ring",
    .searches = {ContextBound(1), Random(50'000)},
});

// The physics update, a thread that moves one body, and a thread that reads one.
struct UpdateAndGame {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    WaitTime wait;
    if (t == 0) {
      const Call call("All");
      const SeveralScope all = SeveralScope::All(locks, wait);
      for (Money& one : money) one.Add(1);
      return;
    }
    {
      const Call call("BodyWriteScope");
      const WriteScope scope(locks, ProxyId(1, 0), wait);
      money[1].Add(1);
    }
    const Call call("BodyReadScope");
    const ReadScope scope(locks, ProxyId(0, 0), wait);
    money[0].Look();
  }
  void After() {
    Check(money[0].Look() == 1 && money[1].Look() == 2, "each write under a lock is kept");
  }

  ModelLocks locks{2};
  std::array<Money, 2> money;
};
const Scenario<UpdateAndGame> update({
    .name = "update",
    .promise = "a thread that takes all bodies and one that takes a single body exclude each other",
    .searches = {ContextBound(2), Random(20'000)},
});

// Two readers and a writer of the same body.
struct ReadersAndWriter {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    WaitTime wait;
    const ProxyId id(0, 0);
    if (t == 0) {
      const Call call("BodyWriteScope");
      const WriteScope scope(locks, id, wait);
      money.Add(1);
      return;
    }
    const Call call("BodyReadScope");
    const ReadScope scope(locks, id, wait);
    money.Look();
  }
  void After() { Check(money.Look() == 1, "each write under a lock is kept"); }

  ModelLocks locks{1};
  Money money;
};
const Scenario<ReadersAndWriter> readers({
    .name = "readers",
    .promise = "readers see a body as it was before a write or after it",
    .searches = {ContextBound(2), Random(20'000)},
});

// Without a writer, readers get the lock at once.
struct ReadersAlone {
  static constexpr int kThreads = 2;

  void Thread() {
    const Call call("BodyReadScope");
    WaitTime wait;
    const ReadScope scope(locks, ProxyId(0, 0), wait);
    money.Look();
    Check(wait.acquisitions == 1 && wait.contended == 0, "readers do not wait for each other");
  }

  ModelLocks locks{1};
  Money money;
};
const Scenario<ReadersAlone> alone({
    .name = "alone",
    .promise = "readers of one body do not wait for each other",
    .searches = {ContextBound(2), Random(20'000)},
});

// A slot of bodies as src/bodies/body_storage.h keeps it: its owner, and its money.
class Slot {
 public:
  struct Body {
    ProxyId id() const { return ProxyId::FromBits(bits.get()); }
    ModelSync::plain<std::uint32_t> bits{ProxyId(0, 0).bits()};
    Money money;
  };
  bool Has(ProxyId id) const { return body_.id() == id; }
  Body& operator[](std::uint32_t) { return body_; }
  const Body& operator[](std::uint32_t) const { return body_; }

 private:
  Body body_;
};

// Thread 0 has the first body's id from the tree; thread 1 removes it and gives its slot away.
template <bool kChanges>
struct RemovedMeanwhile {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    WaitTime wait;
    if (t == 1) {
      Replace(wait);
      return;
    }
    if constexpr (kChanges) {
      const Call call("ChangeBody");
      ChangeBody(locks, bodies, kFirst, wait, [](Slot::Body& body) { body.money.Add(1); });
    } else {
      const Call call("ReadBody");
      int seen = -1;
      const bool there = ReadBody(locks, bodies, kFirst, wait,
                                  [&](const Slot::Body& body) { seen = body.money.Look(); });
      Check(seen == (there ? 0 : -1), "a body is read or changed while it is that body");
    }
  }
  void Replace(WaitTime& wait) {
    {
      const Call call("remove");
      const bool there = ChangeBody(locks, bodies, kFirst, wait,
                                    [](Slot::Body& body) { body.bits.set(ProxyId().bits()); });
      Check(there, "no other thread removes it");
    }
    const Call call("install");
    const WriteScope scope(locks, kSecond, wait);
    Slot::Body& body = bodies[kSecond.slot()];
    body.bits.set(kSecond.bits());
    body.money.Add(kChanges && body.money.Look() == 1 ? 99 : 100);
  }
  void After() {
    Check(bodies.Has(kSecond) && bodies[0].money.Look() == 100,
          "a body is read or changed while it is that body");
    const Call call("ReadBody");
    WaitTime wait;
    Check(!ReadBody(locks, bodies, kFirst, wait, [](const Slot::Body&) {}),
          "a body is read or changed while it is that body");
  }

  static constexpr ProxyId kFirst{0, 0};
  static constexpr ProxyId kSecond{0, 1};
  ModelLocks locks{1};
  Slot bodies;
};
const Scenario<RemovedMeanwhile<false>> read_removed({
    .name = "read_removed",
    .promise = "a thread that reads a body by its id reads that body, or learns that it is gone",
    .searches = {ContextBound(2), Random(20'000)},
});
const Scenario<RemovedMeanwhile<true>> change_removed({
    .name = "change_removed",
    .promise =
        "a thread that changes a body by its id changes that body, or learns that it is gone",
    .searches = {ContextBound(2), Random(20'000)},
});

}  // namespace
}  // namespace nowait
