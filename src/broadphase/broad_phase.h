// BroadPhase: which bodies are near a place. The engine's face of the quad tree.
//
// Two trees: the big one of bodies that hardly ever move is rebuilt rarely and cheaply, the smaller
// one of bodies that move all the time is rebuilt as a whole. A query looks into both.
//
//   game update      Insert, Move, Remove, Finalise, Abort; Read and queries, from any thread
//   loading          Prepare, from any thread, at any time
//   physics update   Rebuild, then Swap, from one thread; bodies move again only after Swap (phases
//                    kSolve); queries go on, and a view may be held across frames
//
// Thread safety: the table in src/sync/phase.h, asserted in debug builds. Of one body, one thread
// at a time: the one that may change it. Progress and promises: src/broadphase/quad_tree.h and
// query.h.
//
// Source: the talk, "Quad tree - rebuilding" (several trees) and "Quad tree - collision query".
// Lecture: rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_
#define NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/tree_stats.h"
#include "src/math/bounds.h"
#include "src/math/ray.h"
#include "src/sync/phase_monitor.h"

namespace nowait {

enum class Layer : std::uint8_t {
  kStatic,   // does not move, or hardly ever
  kDynamic,  // moves
};
inline constexpr std::size_t kLayerCount = 2;

struct BroadPhaseDef {
  // Body slots are below this.
  std::uint32_t max_bodies = 4096;
  // For the nodes of both trees, of the trees being built beside them, of prepared batches, and of
  // old trees that somebody still reads. Three per body are plenty.
  std::uint32_t max_nodes = 3 * 4096;

  static BroadPhaseDef ForBodies(std::uint32_t bodies) { return {bodies, 3 * bodies + 64}; }
};

class BroadPhase {
 public:
  using Tree = QuadTree<StdSync, 3, 4>;
  using Box = Bounds<3>;
  using Entry = Tree::Entry;

  // Bodies that were prepared for a layer; gives everything back if it is not finalised.
  class Batch {
   private:
    friend class BroadPhase;
    Batch(Layer layer, Tree::Batch&& bodies) : layer_(layer), bodies_(std::move(bodies)) {}
    Layer layer_;
    Tree::Batch bodies_;
  };

  // A reader of both trees. Each query sees the bodies as they are when it runs; what the view
  // holds on to is only memory: nodes that went out of use are not reused while it lives. May
  // outlive frames, not the broad phase.
  class View {
   public:
    // Calls f(BodyId) for the bodies whose boxes the probe hits (probe.h, shape_probes.h), until it
    // returns false. f may tighten the probe, as it finds what is nearer.
    template <class Probe, class F>
    void Query(Probe& probe, F&& f) const;

    // Calls f(BodyId) for the bodies whose boxes overlap `box`, until it returns false.
    template <class F>
    void QueryBox(const Box& box, F&& f) const;

    // Calls f(BodyId, max_fraction) for the bodies whose boxes the ray passes through. f returns
    // where the ray ends from now on: max_fraction if it hit nothing, less if it hit something
    // nearer, a negative value to stop.
    template <class F>
    void QueryRay(const Ray<3>& ray, F&& f) const;

   private:
    friend class BroadPhase;
    View(const BroadPhase& broad_phase, Tree::Storage::Pin pin)
        : broad_phase_(&broad_phase), pin_(std::move(pin)) {}
    const BroadPhase* broad_phase_;
    Tree::Storage::Pin pin_;
  };

  // kInvalidArgument "max_bodies" or "max_nodes".
  static Result<std::unique_ptr<BroadPhase>> Create(const BroadPhaseDef& def);

  // The body may be in no layer yet. kInvalidArgument "bounds", kCapacity "bodies" or "tree nodes";
  // then nothing has happened.
  Result<void> Insert(BodyId body, Layer layer, const Box& box);
  // The body is in this layer, and `box` is usable.
  void Move(BodyId body, Layer layer, const Box& box);
  void Remove(BodyId body, Layer layer);
  // Whether the body is in a layer; a batch counts once it is finalised.
  bool Has(BodyId body) const;

  // Builds a batch on the calling thread. No body of it may be in a layer or in another batch, nor
  // may it be moved or removed before Finalise has returned. Errors as for Insert.
  Result<Batch> Prepare(Layer layer, std::span<const Entry> entries);
  // Makes the batch's bodies visible to queries. O(1); cannot fail.
  void Finalise(Batch&& batch);
  // Gives back what the batch holds; the same as letting it go.
  void Abort(Batch&& batch);

  View Read() const { return View(*this, storage_.PinReader()); }

  // Builds the next version of the tree that changed most, beside the current one. kCapacity "tree
  // nodes"; then nothing has changed, and the next Rebuild tries again.
  Result<void> Rebuild();
  // Publishes it, and takes back nodes of earlier versions that no view can reach any more. Call it
  // in each physics update, after Rebuild.
  void Swap();

  // By a walk through the tree; while nobody changes it.
  TreeStats Stats(Layer layer) const;

 private:
  explicit BroadPhase(const BroadPhaseDef& def);

  Tree& tree(Layer layer) { return trees_[static_cast<std::size_t>(layer)]; }

  Tree::Storage storage_;
  std::array<Tree, kLayerCount> trees_;
  // How often in a row each tree had changed and the other one was rebuilt.
  std::array<std::uint32_t, kLayerCount> passed_over_{};
  mutable PhaseMonitor<> phases_;
};

template <class Probe, class F>
void BroadPhase::View::Query(Probe& probe, F&& f) const {
  PhaseScope scope(broad_phase_->phases_, Op::kQuery);
  bool go_on = true;
  for (const Tree& tree : broad_phase_->trees_) {
    if (!go_on) return;
    tree.Query(probe, [&](BodyId body) { return go_on = f(body); });
  }
}

template <class F>
void BroadPhase::View::QueryBox(const Box& box, F&& f) const {
  BoxProbe<3> probe(box);
  Query(probe, f);
}

template <class F>
void BroadPhase::View::QueryRay(const Ray<3>& ray, F&& f) const {
  PhaseScope scope(broad_phase_->phases_, Op::kQuery);
  Ray<3> rest = ray;
  for (const Tree& tree : broad_phase_->trees_) {
    if (rest.max_fraction < 0.0f) return;
    tree.QueryRay(rest, [&](BodyId body, float max_fraction) {
      return rest.max_fraction = f(body, max_fraction);
    });
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_
