// Model of a body that goes from one tree to another while a query walks both.
//
// The trees, the body locks, ReadBody and ChangeBody, and the count of changes are the source of
// src. The storage is a stand-in for BodyStorage: one body, every field of which is watched for
// races.
//
// The query is that of Search (src/world/query_bodies.h) after its first walk.
//
// Promise checked: a query of both trees sees the body once, wherever it meets the change.
#include "src/world/layer_changes.h"

#include "models/bodies/model_locks.h"
#include "models/broadphase/tree_scenario.h"
#include "src/bodies/guarded_body.h"

namespace nowait {
namespace {

class OneBody {
 public:
  struct Body {
    ModelSync::plain<int> layer{0};
    ModelSync::plain<std::uint64_t> layer_change{0};
  };
  bool Has(ProxyId id) const { return id == kC; }
  Body& operator[](std::uint32_t) { return body_; }
  const Body& operator[](std::uint32_t) const { return body_; }

 private:
  Body body_;
};

struct TwoLayers {
  TwoLayers() : storage(8, kTreeBodies), first(storage), second(storage) {}

  void Insert(int layer) {
    Check(TreeOf(layer).Insert(kC, kBoxC).has_value(), "there is a node for the body");
    bodies[kC.slot()].layer.set(layer);
  }

  // Like World::SetProperties.
  void ChangeLayer(int to) {
    const model::Call call("ChangeLayer");
    WaitTime wait;
    ChangeBody(locks, bodies, kC, wait, [&](OneBody::Body& body) {
      const auto count = [&] { changes.Count(); };
      Check(TreeOf(to).TakeOver(kC, kBoxC, count).has_value(), "there is a node for the body");
      body.layer_change.set(changes.Count());
      body.layer.set(to);
    });
  }

  // Like the queries of WorldView.
  void Query() {
    const model::Call call("Query");
    const auto pin = storage.PinReader();
    const auto watch = changes.BeginWatch();
    bool has_left_out = false;
    int seen = 0;
    for (const int layer : {0, 1}) {
      TreeOf(layer).QueryBox(kBoxC, [&](ProxyId id) {
        WaitTime wait;
        ReadBody(locks, bodies, id, wait, [&](const OneBody::Body& body) {
          static_cast<void>(body.layer.get());
          if (watch.IsNewer(body.layer_change.get())) {
            has_left_out = true;
          } else {
            ++seen;
          }
        });
        return true;
      });
    }
    Check(seen < 2, "a walk looks at the body once at most");
    if ((has_left_out || watch.HasMetSome()) && seen == 0) {
      WaitTime wait;
      ReadBody(locks, bodies, kC, wait, [&](const OneBody::Body& body) {
        if (watch.IsNewer(body.layer_change.get())) ++seen;
      });
    }
    Check(seen != 0, "a query of both layers sees the body");
  }

  // How often a query of that layer alone meets the body.
  int MetIn(int layer) {
    const auto pin = storage.PinReader();
    int met = 0;
    TreeOf(layer).QueryBox(kBoxC, [&](ProxyId) {
      ++met;
      return true;
    });
    return met;
  }

  Tree& TreeOf(int layer) { return layer == 0 ? first : second; }

  Tree::Storage storage;
  Tree first;
  Tree second;
  ModelLocks locks{1};
  OneBody bodies;
  LayerChanges<ModelSync, 1> changes;
};

// kFrom: the query looks there first, or last.
template <int kFrom>
struct ThereOnly : TwoLayers {
  static constexpr int kThreads = 2;
  ThereOnly() { Insert(kFrom); }
  void Thread(int t) {
    if (t == 0) {
      ChangeLayer(1 - kFrom);
    } else {
      Query();
    }
  }
  void After() {
    Query();
    Check(TreeOf(1 - kFrom).Has(kC), "the body is in a tree");
    Check(MetIn(1 - kFrom) == 1 && MetIn(kFrom) == 0, "the body is in its new tree alone");
  }
};
const Scenario<ThereOnly<0>> onwards({
    .name = "onwards",
    .promise = "a body that goes to a tree which the query walks later is seen once",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<ThereOnly<1>> backwards({
    .name = "backwards",
    .promise = "a body that goes to a tree which the query has walked is seen once",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});

struct ThereAndBack : TwoLayers {
  static constexpr int kThreads = 2;
  ThereAndBack() { Insert(0); }
  void Thread(int t) {
    if (t == 0) {
      ChangeLayer(1);
      ChangeLayer(0);
    } else {
      Query();
    }
  }
  void After() { Query(); }
};
const Scenario<ThereAndBack> there_and_back({
    .name = "there-and-back",
    .promise = "a body that goes to another tree and comes back meanwhile is seen once",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
