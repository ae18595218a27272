// Model of a batch that becomes part of a world while other threads have its ids: FinaliseBatch
// beside MoveBody, DestroyBody and queries.
//
// The tree, the body locks, ReadBody and ChangeBody, and the question whether a body is part of the
// world, are the source of src. The storage is a stand-in for BodyStorage: three slots, every field
// of which is watched for races.
//
// Promise checked: a body is found, moved and removed from one moment on. No thread learns that the
// body is there and then loses it; once FinaliseBatch has returned, the body is there.
#include <array>
#include <utility>
#include <vector>

#include "models/bodies/model_locks.h"
#include "models/broadphase/tree_scenario.h"
#include "src/bodies/guarded_body.h"
#include "src/world/world_bodies.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);

class Slots {
 public:
  struct Body {
    ModelSync::plain<std::uint32_t> bits{ProxyId().bits()};
    ModelSync::plain<bool> installed{false};
    ModelSync::plain<bool> prepared{false};
    ModelSync::plain<float> at{0.0f};
  };
  bool Has(ProxyId id) const { return IsNamed(id) && bodies_[id.slot()].installed.get(); }
  bool IsPrepared(ProxyId id) const {
    return IsNamed(id) && !bodies_[id.slot()].installed.get() && bodies_[id.slot()].prepared.get();
  }
  Body& operator[](std::uint32_t slot) { return bodies_[slot]; }
  const Body& operator[](std::uint32_t slot) const { return bodies_[slot]; }

  void Prepare(ProxyId id) {
    bodies_[id.slot()].bits.set(id.bits());
    bodies_[id.slot()].prepared.set(true);
  }
  void Withdraw(ProxyId id) { bodies_[id.slot()].prepared.set(false); }

 private:
  bool IsNamed(ProxyId id) const { return bodies_[id.slot()].bits.get() == id.bits(); }
  std::array<Body, kTreeBodies> bodies_;
};
using Bodies = WorldBodiesOf<Slots, Tree>;

struct WorldScenario : TreeScenario {
  explicit WorldScenario(std::uint32_t nodes) : TreeScenario(nodes) { Insert(kA, kBoxA); }

  // Like World::PrepareBatch and World::FinaliseBatch.
  Batch PrepareBodies() {
    WaitTime wait;
    for (const ProxyId id : {kC, kD}) {
      const BodyWriteScopeOf<ModelLocks> lock(locks, id, wait);
      slots.Prepare(id);
    }
    return Prepare({{kC, kBoxC}, {kD, kBoxD}});
  }
  void FinaliseBodies(Batch batch) { Finalise(std::move(batch)); }

  // Like World::MoveBody and World::DestroyBody.
  bool MoveBody(ProxyId id, const Box& box) {
    const model::Call call("MoveBody");
    WaitTime wait;
    return ChangeBody(locks, Bodies(slots, tree), id, wait, [&](Slots::Body& body) {
      body.at.set(box.min[0]);
      Move(id, box);
    });
  }
  bool DestroyBody(ProxyId id) {
    const model::Call call("DestroyBody");
    WaitTime wait;
    return ChangeBody(locks, Bodies(slots, tree), id, wait, [&](Slots::Body& body) {
      Remove(id);
      body.installed.set(false);
      body.prepared.set(false);
    });
  }
  bool GetBody(ProxyId id) {
    const model::Call call("GetBody");
    WaitTime wait;
    return ReadBody(locks, Bodies(slots, tree), id, wait,
                    [](const Slots::Body& body) { static_cast<void>(body.at.get()); });
  }

  ModelLocks locks{1};
  Slots slots;
};

// Thread 1 has the ids of the batch from its owner, and acts as soon as it may, or before.
template <bool kRemoves>
struct ChangedMeanwhile : WorldScenario {
  static constexpr int kThreads = 2;
  ChangedMeanwhile() : WorldScenario(4) { batch.push_back(PrepareBodies()); }
  void Thread(int t) {
    if (t == 0) {
      FinaliseBodies(std::move(batch.front()));
      finalised.store(true, std::memory_order::release);
      return;
    }
    const bool returned = finalised.load(std::memory_order::acquire);
    const bool done = kRemoves ? DestroyBody(kC) : MoveBody(kC, kFar);
    Check(done || !returned, "a body of a batch is there when FinaliseBatch has returned");
    if (!done) return;
    Query(kRemoves ? kBoxC : kFar);
    Check(GetBody(kC) == !kRemoves, "a body that was changed is that body still, or gone for good");
  }
  void After() {
    Query(kBoxD);
    Query(kFar);
    CheckHistory();
  }

  std::vector<Batch> batch;
  ModelSync::atomic<bool> finalised{false};
};
const Scenario<ChangedMeanwhile<false>> move_meanwhile({
    .name = "move",
    .promise =
        "a body of a batch may be moved from the moment on that it is there, and is not lost",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<ChangedMeanwhile<true>> remove_meanwhile({
    .name = "remove",
    .promise = "a body of a batch may be removed from the moment on that it is there, and is gone",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// Thread 1 finds a body of the batch, by a query, and moves it.
struct FoundMeanwhile : WorldScenario {
  static constexpr int kThreads = 2;
  FoundMeanwhile() : WorldScenario(4) { batch.push_back(PrepareBodies()); }
  void Thread(int t) {
    if (t == 0) {
      FinaliseBodies(std::move(batch.front()));
      return;
    }
    bool found = false;
    {
      const model::Call call("QueryBox");
      const auto pin = storage.PinReader();
      tree.QueryBox(kBoxC, [&](ProxyId id) {
        found = found || id == kC;
        return true;
      });
    }
    if (found && MoveBody(kC, kFar)) Query(kFar);
  }
  void After() {
    Check(GetBody(kC) && GetBody(kD), "a body of a batch is there when FinaliseBatch has returned");
    Query(kFar);
    CheckHistory();
  }

  std::vector<Batch> batch;
};
const Scenario<FoundMeanwhile> found_meanwhile({
    .name = "found",
    .promise =
        "a body that a query has found is moved, or reported as not there yet, and is not lost",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// Thread 1 asks for a body that becomes part of the world, or is given back.
template <bool kAborts>
struct AskedMeanwhile : WorldScenario {
  static constexpr int kThreads = 2;
  AskedMeanwhile() : WorldScenario(4) { batch.push_back(PrepareBodies()); }
  void Thread(int t) {
    if (t == 1) {
      there = GetBody(kC);
    } else if (kAborts) {
      WaitTime wait;
      const BodyWriteScopeOf<ModelLocks> lock(locks, kC, wait);
      slots.Withdraw(kC);
    } else {
      FinaliseBodies(std::move(batch.front()));
    }
  }
  void After() {
    if (kAborts) {
      Check(!there, "a batch that is given back never was there");
      batch.clear();
    }
    Check(GetBody(kC) == !kAborts, "a body of a batch is there when FinaliseBatch has returned");
    CheckHistory();
  }

  std::vector<Batch> batch;
  bool there = false;
};
const Scenario<AskedMeanwhile<false>> asked({
    .name = "asked",
    .promise = "a body of a batch is there at the latest when FinaliseBatch has returned",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<AskedMeanwhile<true>> asked_in_vain({
    .name = "asked_in_vain",
    .promise = "a body of a batch that is given back is there at no time",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// The batch is dropped while thread 1, which has an id of it, asks for that body.
struct AbortedMeanwhile : WorldScenario {
  static constexpr int kThreads = 2;
  AbortedMeanwhile() : WorldScenario(4) { batch.push_back(PrepareBodies()); }
  void Thread(int t) {
    if (t == 0) {
      WaitTime wait;
      for (const ProxyId id : {kC, kD}) {
        const BodyWriteScopeOf<ModelLocks> lock(locks, id, wait);
        slots.Withdraw(id);
      }
      batch.clear();
      return;
    }
    Check(!GetBody(kC), "a batch that is given back never was there");
    Check(!MoveBody(kC, kFar), "a batch that is given back never was there");
  }
  void After() {
    Query(kFar);
    CheckHistory();
  }

  std::vector<Batch> batch;
};
const Scenario<AbortedMeanwhile> aborted_meanwhile({
    .name = "abort",
    .promise = "a batch that is given back is never there, however its ids are used meanwhile",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
