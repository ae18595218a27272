// Model of ordered queries: src/broadphase/query.h with probes whose reach is tightened on the way.
//
// Promise checked: the answer of a ray, or of a search for the nearest body, is a body that was at
// that distance, and no farther than any body that is there throughout, whatever is removed,
// inserted, moved or rebuilt meanwhile. The additional risk here is tightening: a reach that is
// tightened for a body that is not reported loses bodies that a box query finds.
//
// As in src/world, the caller takes the distance from the body and not from the tree, whose boxes
// are widened.
#include <cstdint>

#include "models/broadphase/tree_scenario.h"
#include "src/broadphase/shape_probes.h"

namespace nowait {
namespace {

constexpr float kNothing = 1000.0f;

struct Nearest {
  std::uint32_t body = kTreeBodies;  // no body
  float distance = kNothing;         // from 0
};

// Bodies are to the right of 0. The scenario records the place of each before it changes the tree.
struct OrderedScenario : TreeScenario {
  using TreeScenario::TreeScenario;

  void Place(ProxyId body, const Box& box) { lows_[body.slot()].store(box.min[0], kRelaxed); }
  void InsertAt(ProxyId body, const Box& box) {
    Place(body, box);
    Insert(body, box);
  }
  void MoveTo(ProxyId body, const Box& box) {
    Place(body, box);
    Move(body, box);
  }

  // The nearest body, found by a search from 0, or by a ray from 0 to the right.
  Nearest FindNearest() {
    const model::Call call("FindNearest");
    const auto pin = storage.PinReader();
    NearestProbe<1> probe({0.0f}, 100.0f);
    Nearest best;
    tree.Query(probe, [&](ProxyId body) {
      Take(best, body);
      if (best.body != kTreeBodies) probe.set_squared_limit(best.distance * best.distance);
      return true;
    });
    return best;
  }
  Nearest CastRay() {
    const model::Call call("CastRay");
    const auto pin = storage.PinReader();
    Nearest best;
    tree.QueryRay(Ray<1>{{0.0f}, {100.0f}, 1.0f}, [&](ProxyId body, float) {
      Take(best, body);
      return best.distance / 100.0f;
    });
    return best;
  }

  static void CheckIs(const Nearest& found, ProxyId body, float distance) {
    Check(found.body == body.slot() && found.distance == distance,
          "alone, an ordered query answers with the nearest body");
  }
  // B is at 8 throughout.
  static void CheckNotBeyondB(const Nearest& found) {
    Check(found.distance <= 8.0f, "no body that is there throughout is nearer than the answer");
    Check(found.body != kB.slot() || found.distance == 8.0f,
          "the answer was at the reported distance");
  }

 private:
  static constexpr auto kRelaxed = std::memory_order::relaxed;

  // relaxed: any distance is one that the body has had, and the scenarios allow each of them.
  void Take(Nearest& best, ProxyId body) {
    const float distance = lows_[body.slot()].load(kRelaxed);
    if (distance < best.distance) best = {body.slot(), distance};
  }

  ModelSync::atomic<float> lows_[kTreeBodies];
};

// A's slot passes to C, which is nearer than B; A never was. A query that takes C's box for A's
// must not end before B.
template <bool kRay>
struct SlotReuse : OrderedScenario {
  static constexpr int kThreads = 2;
  SlotReuse() : OrderedScenario(5) {
    InsertAt(kA, At(20, 21));
    InsertAt(kB, At(8, 9));
  }
  Nearest Find() { return kRay ? CastRay() : FindNearest(); }
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      InsertAt(kC, At(5, 6));
    } else {
      const Nearest found = Find();
      CheckNotBeyondB(found);
      Check(found.body != kA.slot(), "a body that was never nearest is not the answer");
    }
  }
  void After() {
    CheckIs(Find(), kC, 5.0f);
    CheckHistory();
  }
};
const Scenario<SlotReuse<false>> nearest_slot_reuse({
    .name = "ordered/nearest-slot-reuse",
    .promise =
        "a search for the nearest that meets a change of a slot's owners loses no third body",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<SlotReuse<true>> ray_slot_reuse({
    .name = "ordered/ray-slot-reuse",
    .promise = "the same with a ray",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A moves from behind B to before it, below a separate node, whose distance may be from before or
// after. The thread that moved A finds it.
template <bool kRay>
struct ComesNearer : OrderedScenario {
  static constexpr int kThreads = 2;
  ComesNearer() : OrderedScenario(6) {
    Place(kA, At(20, 21));
    Place(kB, At(8, 9));
    Place(kC, At(40, 41));
    InsertBatch({{kA, At(20, 21)}, {kB, At(8, 9)}, {kC, At(40, 41)}});
  }
  Nearest Find() { return kRay ? CastRay() : FindNearest(); }
  void Thread(int t) {
    if (t == 0) {
      MoveTo(kA, At(3, 4));
      CheckIs(Find(), kA, 3.0f);
    } else {
      const Nearest found = Find();
      CheckNotBeyondB(found);
      Check(found.body == kB.slot() || found.distance == 3.0f,
            "the answer was at the reported distance");
    }
  }
  void After() {
    CheckIs(Find(), kA, 3.0f);
    CheckHistory();
  }
};
const Scenario<ComesNearer<false>> nearest_comes_nearer({
    .name = "ordered/nearest-comes-nearer",
    .promise = "a body that comes nearer during the search is found before, after, or both",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});
const Scenario<ComesNearer<true>> ray_comes_nearer({
    .name = "ordered/ray-comes-nearer",
    .promise = "the same with a ray",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});

// The tree is rebuilt during the query: A moves from before B to behind it, and its box in the tree
// shrinks to its new place.
struct Swapped : OrderedScenario {
  static constexpr int kThreads = 2;
  Swapped() : OrderedScenario(8) {
    Place(kA, At(3, 4));
    Place(kB, At(8, 9));
    Place(kC, At(40, 41));
    InsertBatch({{kA, At(3, 4)}, {kB, At(8, 9)}, {kC, At(40, 41)}});
    Rebuild();
  }
  void Thread(int t) {
    if (t == 0) {
      MoveTo(kA, At(20, 21));
      Rebuild();
      CheckIs(FindNearest(), kB, 8.0f);
    } else {
      CheckNotBeyondB(FindNearest());
    }
  }
  void After() {
    CheckIs(CastRay(), kB, 8.0f);
    CheckHistory();
  }
};
const Scenario<Swapped> swapped({
    .name = "ordered/swapped",
    .promise =
        "a search for the nearest that a rebuild and a swap overtake loses no body that stays",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
