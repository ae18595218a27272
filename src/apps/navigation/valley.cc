#include "src/apps/navigation/valley.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace nowait {
namespace {

constexpr std::uint32_t kRocks = 90;
constexpr std::uint32_t kHuts = 12;
constexpr float kReach = 58.0f;                    // metres from the middle
constexpr std::array kWalls{-20.0f, 22.0f};        // along x
constexpr std::array kGaps{-34.0f, -2.0f, 30.0f};  // along z, of each wall
constexpr float kPiece = 4.0f;                     // the length of a piece of wall, and of a gap
constexpr Vec3 kGateHalf{0.3f, 2.0f, 0.5f * kPiece};
constexpr float kLifted = 8.0f;         // metres that an open gate is above its place
constexpr std::uint64_t kPeriod = 240;  // frames between the moves of a gate

}  // namespace

const Layer Valley::kWalkers = UserLayer(0);

QueryFilter Valley::Solids() {
  QueryFilter filter{.dynamics = false};
  filter.layers.Drop(kWalkers);
  return filter;
}

Result<std::unique_ptr<Valley>> Valley::Create(const ValleyDef& def) {
  std::unique_ptr<Valley> valley(new Valley(def));
  auto ground = LoadGround(def.terrain);
  if (!ground) return std::unexpected(ground.error());
  valley->ground_ = std::move(*ground);
  std::vector<BodyDef> bodies = FallingBodies(valley->ground_, def.falling, def.seed);
  bodies.push_back(GroundBody(valley->ground_));
  valley->AddRocks(bodies);
  for (const float x : kWalls) valley->AddWall(x, bodies);
  WorldDef world;
  world.max_bodies = static_cast<std::uint32_t>(bodies.size()) + def.walkers + 64;
  world.user_layers = {{.name = "walkers", .touches = {}}};
  auto made = World::Create(world);
  if (!made) return std::unexpected(made.error());
  valley->world_ = std::move(*made);
  WaitTime wait;
  for (const BodyDef& body : bodies) {
    if (auto id = valley->world_->CreateBody(body, wait); !id) return std::unexpected(id.error());
  }
  if (auto added = valley->AddGates(); !added) return std::unexpected(added.error());
  return valley;
}

// Rocks are hulls that are sunk into the ground by a third of their size.
void Valley::AddRocks(std::vector<BodyDef>& bodies) {
  for (std::uint32_t i = 0; i < kRocks + kHuts; ++i) {
    BodyDef def;
    def.type = BodyType::kStatic;
    const float x = random_.Between(-kReach, kReach), z = random_.Between(-kReach, kReach);
    const bool in_the_way = std::any_of(kWalls.begin(), kWalls.end(),
                                        [&](float wall) { return std::abs(x - wall) < 6.0f; });
    if (in_the_way) continue;
    def.position = OnGround(x, z);
    if (i < kHuts) {
      def.shape = Shape::Box({random_.Between(1.5f, 3), 2, random_.Between(1.5f, 3)});
      def.rotation = FromAxisAngle({0, 1, 0}, random_.Between(0, 3));
      bodies.push_back(def);
      continue;
    }
    const Vec3 size = random_.InBox({0.4f, 0.4f, 0.4f}, {2.5f, 1.6f, 2.5f});
    std::vector<Vec3> points;
    for (int point = 0; point < 20; ++point) {
      points.push_back(Multiply(random_.Direction(), size));
    }
    auto hull = ConvexHull::Create({.points = points});
    if (!hull) continue;
    def.position.y += 0.33f * size.y;
    def.shape = Shape::Hull(hull->get());
    def.rotation = (*hull)->rotation();
    hulls_.push_back(std::move(*hull));
    bodies.push_back(def);
  }
}

// From one side of the ground to the other, with a gap for each gate.
void Valley::AddWall(float x, std::vector<BodyDef>& bodies) {
  const float end = ground_.terrain.half_size();
  for (float z = -end; z < end; z += kPiece) {
    const float middle = z + 0.5f * kPiece;
    const bool gap = std::any_of(kGaps.begin(), kGaps.end(),
                                 [&](float at) { return std::abs(at - middle) < 0.5f * kPiece; });
    if (gap) continue;
    BodyDef def;
    def.type = BodyType::kStatic;
    // A little longer than a piece, so that no gap is left between two.
    def.shape = Shape::Box({0.4f, 4.0f, 0.5f * kPiece + 0.05f});
    def.position = OnGround(x, middle);
    bodies.push_back(def);
  }
}

Result<void> Valley::AddGates() {
  WaitTime wait;
  const float end = ground_.terrain.half_size();
  for (const float x : kWalls) {
    for (const float at : kGaps) {
      // The middle of the piece of wall that was left out.
      const float piece = std::floor((at + end) / kPiece);
      BodyDef def;
      def.type = BodyType::kStatic;
      def.shape = Shape::Box(kGateHalf);
      const Vec3 place = OnGround(x, piece * kPiece + 0.5f * kPiece - end) + Vec3{0, 1, 0};
      def.position = place + Vec3{0, kLifted, 0};
      auto id = world_->CreateBody(def, wait);
      if (!id) return std::unexpected(id.error());
      gates_.push_back({*id, place, false, (gates_.size() + 1) * kPeriod / 4});
    }
  }
  return {};
}

Result<void> Valley::MoveGates(std::uint64_t frame, NavBuilder& builder, WaitTime& wait) {
  for (Gate& gate : gates_) {
    if (frame < gate.turn) continue;
    const Vec3 low = gate.place - kGateHalf, high = gate.place + kGateHalf;
    const Bounds<3> box{{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    if (!gate.closed) {
      QueryFilter walkers;
      walkers.layers = {kWalkers};
      Bounds<3> around = box;
      around.min[0] -= 2.0f;  // a walker on its way through
      around.max[0] += 2.0f;
      world_->Read().Collect(around, walkers, in_gate_, wait, 1);
      if (!in_gate_.empty()) continue;
    }
    gate.closed = !gate.closed;
    gate.turn = frame + kPeriod;
    ++gate_moves_;
    const Vec3 to = gate.closed ? gate.place : gate.place + Vec3{0, kLifted, 0};
    if (auto moved = world_->MoveBody(gate.body, to, {}, wait); !moved) return moved;
    if (auto said = builder.Changed(box); !said) return said;
  }
  return {};
}

bool Valley::IsOpenGate(BodyId body) const {
  return std::any_of(gates_.begin(), gates_.end(),
                     [&](const Gate& gate) { return gate.body == body && !gate.closed; });
}

}  // namespace nowait
