// Nodes enough for a rebuild: whatever a frame does to the trees, the next updates build them anew.
#include "src/broadphase/node_reserve.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/broadphase/broad_phase.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Tree = BroadPhase::Tree;

TEST_CASE(
    "a reserve has nodes where the storage has no other, and is filled from those that return") {
  Tree::Storage storage(8, 1);
  NodeReserve<Tree::Storage> reserve(storage, 3);
  reserve.Refill();
  std::vector<std::uint32_t> taken;
  for (auto index = storage.TakeNode(); index; index = storage.TakeNode()) taken.push_back(*index);
  CHECK(taken.size() == 5);
  for (int i = 0; i < 3; ++i) taken.push_back(*reserve.Take());
  CHECK(reserve.Take().error().subject == std::string("tree nodes"));
  for (const std::uint32_t index : taken) storage.ReturnNode(index);
  reserve.Refill();
  taken.clear();
  for (auto index = storage.TakeNode(); index; index = storage.TakeNode()) taken.push_back(*index);
  CHECK(taken.size() == 5);
}

// Bodies that go from layer to layer, to places within a reach that grows from a centimetre to 900
// kilometres: each tree has as many staging trees as it may have.
class Travellers {
 public:
  explicit Travellers(const BroadPhaseDef& def)
      : trees_(std::move(*BroadPhase::Create(def))),
        random_(def.max_bodies * 100 + def.user_layers),
        layers_(def.max_bodies, Layer::kDynamic) {
    for (std::uint32_t slot = 0; slot < def.max_bodies; ++slot) {
      REQUIRE(trees_->Insert(Body(slot), Layer::kDynamic, Cube(0, 0, 0, 0.5f)));
    }
  }

  // Returns how many were refused.
  int Frame() {
    int refused = 0;
    float reach = 0.01f;
    for (int step = 0; step < 4000; ++step) {
      if (reach < 9e5f) reach *= 1.02f;
      const std::uint32_t slot = random_.Below(static_cast<std::uint32_t>(layers_.size()));
      const auto to =
          static_cast<Layer>(random_.Below(static_cast<std::uint32_t>(trees_->layer_count())));
      if (to == layers_[slot]) continue;
      const Vec3 at = random_.InBox({-reach, -reach, -reach}, {reach, reach, reach});
      const Box box = Cube(at.x, at.y, at.z, 0.5f);
      const auto changed = trees_->ChangeLayer(Body(slot), layers_[slot], to, box, [] {});
      if (changed) {
        layers_[slot] = to;
      } else {
        CHECK(changed.error().subject == std::string("tree nodes"));
        ++refused;
      }
    }
    return refused;
  }
  void Update() {
    REQUIRE(trees_->Rebuild());
    trees_->Swap();
  }

 private:
  std::unique_ptr<BroadPhase> trees_;
  Random random_;
  std::vector<Layer> layers_;  // by slot
};

TEST_CASE("bodies that go from layer to layer in one frame are never refused, nor a rebuild") {
  for (const std::uint32_t bodies : {1u, 5u, 12u, 16u, 40u, 130u}) {
    for (const std::uint32_t user_layers : {0u, 1u, 4u, 8u, 14u}) {
      CAPTURE(bodies, user_layers);
      Travellers travellers(BroadPhaseDef::ForBodies(bodies, user_layers));
      for (int frame = 0; frame < 3; ++frame) {
        CHECK(travellers.Frame() == 0);
        travellers.Update();
      }
    }
  }
}

TEST_CASE("a frame that takes all nodes is refused more, and each update has its nodes") {
  BroadPhaseDef def = BroadPhaseDef::ForBodies(16, 4);
  def.max_nodes = 100;
  Travellers travellers(def);
  CHECK(travellers.Frame() > 0);
  for (int update = 0; update < 6; ++update) travellers.Update();
  CHECK(travellers.Frame() == 0);  // near each other at first no more
}

// The batches are kept, and never finalised: they take each node as soon as it is free.
TEST_CASE("batches that take all nodes after each update do not stop the next one") {
  BroadPhaseDef def = BroadPhaseDef::ForBodies(200);
  def.max_nodes = 50;
  const auto broad_phase = std::move(*BroadPhase::Create(def));
  for (std::uint32_t slot = 0; slot < 12; ++slot) {
    REQUIRE(broad_phase->Insert(Body(slot), Layer::kDynamic,
                                Cube(static_cast<float>(10 * slot), 0, 0, 0.5f)));
  }
  std::vector<BroadPhase::Batch> batches;
  for (int frame = 0; frame < 8; ++frame) {
    for (std::uint32_t slot = 12 + static_cast<std::uint32_t>(batches.size()); slot < 200; ++slot) {
      const BroadPhase::Entry entry{Body(slot), Cube(0, 0, 0, 1)};
      auto batch = broad_phase->Prepare(Layer::kStatic, {&entry, 1});
      if (!batch) break;
      batches.push_back(std::move(*batch));
    }
    REQUIRE(batches.size() < 188);  // one was refused
    for (std::uint32_t slot = 0; slot < 12; ++slot) {
      REQUIRE(broad_phase->Move(
          Body(slot), Layer::kDynamic,
          Cube(static_cast<float>(10 * slot), 0, 0, 1.0f + static_cast<float>(frame))));
    }
    REQUIRE(broad_phase->Rebuild());
    broad_phase->Swap();
  }
}

}  // namespace
}  // namespace nowait
