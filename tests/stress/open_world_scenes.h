// Scenes: bodies that come as a batch, from a loading thread to a game thread and back.
//
//   kEmpty     the loading thread's: it prepares a batch, and lets some of them go again
//   kPrepared  anybody's: the game thread that claims it finalises it
//   kLive      anybody's: the game thread that claims it moves some of its bodies, or removes them
//   kBusy      of the thread that has claimed it
//
// Thread safety: a scene's stage says which thread owns its parts.
#ifndef NOWAIT_TESTS_STRESS_OPEN_WORLD_SCENES_H_
#define NOWAIT_TESTS_STRESS_OPEN_WORLD_SCENES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/world/world.h"
#include "tests/stress/open_world_places.h"
#include "tests/stress/open_world_report.h"

namespace nowait::open_world {

struct Scene {
  enum Stage : int { kEmpty, kPrepared, kLive, kBusy };

  std::uint32_t loader = 0;
  std::vector<std::uint32_t> places;
  std::atomic<int> stage{kEmpty};
  WorldBatch batch;
  std::vector<State> to_be;  // by place, of the batch
  std::vector<BodyId> gone;  // ids that this scene's bodies had last

  bool Claim(int from) {
    return stage.compare_exchange_strong(from, kBusy, std::memory_order::acquire,
                                         std::memory_order::relaxed);
  }
  void Leave(int as) { stage.store(as, std::memory_order::release); }
};

// A full storage is an answer that one may get while views hold on to nodes, if it says so.
inline bool IsFull(Actor& actor, const Error& error) {
  if (error.code == ErrorCode::kCapacity && error.subject == std::string_view("tree nodes")) {
    ++actor.counts.out_of_nodes;
    return true;
  }
  actor.Fail("refused: " + ToString(error));
  return false;
}

// The id of a body that is gone leads nowhere.
inline void CheckGone(Actor& actor, const World& world, BodyId id) {
  const auto body = world.GetBody(id, actor.wait);
  if (body || body.error().code != ErrorCode::kStaleId) {
    actor.Fail("body " + std::to_string(id.bits()) + " is gone, and its id is not stale");
  }
  ++actor.counts.stale_ids;
}

// On the loading thread.
inline void PrepareScene(Actor& actor, World& world, Places& places, Scene& scene) {
  actor.Does("PrepareBatch");
  std::vector<BodyDef> defs;
  scene.to_be.clear();
  for (const std::uint32_t i : scene.places) {
    const Vec3 position = places[i].Somewhere(actor.random);
    scene.to_be.push_back({BodyId().bits(), position});
    defs.push_back(places[i].DefAt(position, i));
  }
  auto batch = world.PrepareBatch(defs);
  if (!batch) {
    IsFull(actor, batch.error());
    return scene.Leave(Scene::kEmpty);
  }
  for (std::size_t i = 0; i < defs.size(); ++i) {
    scene.to_be[i].id_bits = batch->bodies()[i].bits();
    CheckGone(actor, world, batch->bodies()[i]);  // not yet, here
  }
  if (actor.random.Below(3) == 0) {
    actor.Does("AbortBatch");
    const std::vector<BodyId> ids(batch->bodies().begin(), batch->bodies().end());
    if (auto aborted = world.AbortBatch(*batch); !aborted) {
      actor.Fail("refused: " + ToString(aborted.error()));
    }
    ++actor.counts.batches_aborted;
    for (const BodyId id : ids) CheckGone(actor, world, id);
    return scene.Leave(Scene::kEmpty);
  }
  scene.batch = std::move(*batch);
  scene.Leave(Scene::kPrepared);
}

// On a game thread.
inline void FinaliseScene(Actor& actor, World& world, Places& places, Scene& scene) {
  actor.Does("FinaliseBatch");
  places.Heat(scene.places[0]);
  for (std::size_t i = 0; i < scene.places.size(); ++i) {
    places[scene.places[i]].Begin(scene.to_be[i]);
  }
  const auto ids = world.FinaliseBatch(scene.batch, actor.wait);
  for (const std::uint32_t i : scene.places) places[i].End();
  if (!ids) {
    actor.Fail("refused: " + ToString(ids.error()));
    return scene.Leave(Scene::kBusy);
  }
  ++actor.counts.batches_finalised;
  scene.Leave(Scene::kLive);
}

inline void MoveInScene(Actor& actor, World& world, Places& places, Scene& scene) {
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint32_t i =
        scene.places[actor.random.Below(static_cast<std::uint32_t>(scene.places.size()))];
    actor.Does("MoveBody of a scene");
    places.Heat(i);
    State next = places[i].now();
    next.position = places[i].Somewhere(actor.random);
    places[i].Begin(next);
    const auto moved =
        world.MoveBody(BodyId::FromBits(next.id_bits), next.position, {}, actor.wait);
    places[i].End();
    if (!moved) actor.Fail("refused: " + ToString(moved.error()));
    ++actor.counts.moved;
  }
  scene.Leave(Scene::kLive);
}

inline void RemoveScene(Actor& actor, World& world, Places& places, Scene& scene) {
  actor.Does("RemoveBodies");
  places.Heat(scene.places[0]);
  scene.gone.clear();
  for (const std::uint32_t i : scene.places) {
    scene.gone.push_back(BodyId::FromBits(places[i].now().id_bits));
    places[i].Begin({});
  }
  const std::uint32_t removed = world.RemoveBodies(scene.gone, actor.wait);
  for (const std::uint32_t i : scene.places) places[i].End();
  if (removed != scene.gone.size()) {
    actor.Fail(std::to_string(removed) + " of " + std::to_string(scene.gone.size()) +
               " bodies were there to be removed");
  }
  actor.counts.removed += removed;
  for (const BodyId id : scene.gone) CheckGone(actor, world, id);
  scene.Leave(Scene::kEmpty);
}

}  // namespace nowait::open_world

#endif  // NOWAIT_TESTS_STRESS_OPEN_WORLD_SCENES_H_
