#include "src/apps/player/wall.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nowait {
namespace {

constexpr Vec3 kBrick{0.5f, 0.25f, 0.25f};  // half the extents
constexpr std::uint32_t kAcross = 16;       // bricks of a row
constexpr float kHardEnough = 4.0f;         // metres a second: bricks break out
constexpr float kRest = 3.0f;               // seconds until a brick is rubble
constexpr float kPause = 0.75f;             // between two shots
constexpr Layer kRubble = UserLayer(0);

Vec3 PlaceOfBrick(std::uint32_t number) {
  const std::uint32_t row = number / kAcross, column = number % kAcross;
  const float shift = row % 2 == 0 ? 0.0f : kBrick.x;
  return {2.0f * kBrick.x * (static_cast<float>(column) - 0.5f * kAcross) + shift,
          kBrick.y * (2.0f * static_cast<float>(row) + 1.0f), 0.0f};
}

}  // namespace

Result<std::unique_ptr<World>> Wall::CreateWorld(std::uint32_t bricks, std::uint32_t more) {
  WorldDef def;
  def.max_bodies =
      std::max<std::uint32_t>(4096, 2 + bricks + static_cast<std::uint32_t>(kMostStones) + more);
  def.max_contacts = 16 * def.max_bodies;
  def.user_layers = {{.name = "rubble", .touches = {Layer::kStatic}}};
  return World::Create(def);
}

Result<std::unique_ptr<Wall>> Wall::Create(World& world, std::uint32_t bricks, std::uint64_t seed) {
  auto wall = std::unique_ptr<Wall>(new Wall(seed));
  if (auto made = wall->MakeStones(); !made) return std::unexpected(made.error());
  std::vector<CompoundChild> children;
  for (std::uint32_t i = 0; i < std::clamp(bricks, 1u, kMostBricks); ++i) {
    children.push_back({.shape = Shape::Box(kBrick), .position = PlaceOfBrick(i)});
  }
  auto compound = CompoundShape::Create({.children = children});
  if (!compound) return std::unexpected(compound.error());
  wall->now_ = compound->get();
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Plane({0, 1, 0}, 0.0f);
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Compound(compound->get());
  def.position = (*compound)->centre();
  def.rotation = (*compound)->rotation();
  wall->compounds_.push_back(std::move(*compound));
  WaitTime wait;
  if (const auto made = world.CreateBody(ground, wait); !made) {
    return std::unexpected(made.error());
  }
  const auto id = world.CreateBody(def, wait);
  if (!id) return std::unexpected(id.error());
  wall->wall_ = *id;
  return wall;
}

// One stone, stretched and mirrored in five ways.
Result<void> Wall::MakeStones() {
  Random random(seed_);
  std::vector<Vec3> points;
  for (int i = 0; i < 16; ++i) points.push_back(random.Direction() * 0.4f);
  auto stone = ConvexHull::Create({.points = points});
  if (!stone) return std::unexpected(stone.error());
  stone_ = std::move(*stone);
  constexpr std::array kFactors = {Vec3{1, 1, 1}, Vec3{1.5f, 1, 0.75f}, Vec3{-1, 1, 1},
                                   Vec3{0.75f, -1.25f, 1}, Vec3{1.5f, 1.5f, -1.5f}};
  for (const Vec3& factors : kFactors) {
    auto scaled = Scaled(Shape::Hull(stone_.get()), factors);
    if (!scaled) return std::unexpected(scaled.error());
    stones_.push_back(std::move(*scaled));
  }
  return {};
}

Result<void> Wall::Advance(World& world, float dt) {
  // By ascending number, each once: several stones may hit one brick.
  std::vector<std::uint32_t> hit;
  WaitTime wait;
  const auto events = world.contact_events();
  std::size_t next_hit = 0;
  for (const ContactEvent& event : events) {
    if (event.kind != ContactEvent::Kind::kBegan) continue;
    const ContactHit& at = world.contact_hits()[next_hit++];
    if (now_ == nullptr || (event.a != wall_ && event.b != wall_)) continue;
    const BodyId other = event.a == wall_ ? event.b : event.a;
    const bool is_stone = std::ranges::find(shot_, other) != shot_.end();
    if (!is_stone || at.speed < kHardEnough) continue;
    const auto nearest = world.Read().FindClosest({Shape::Sphere(0.01f), at.place, {}}, 0.5f,
                                                  {.dynamics = false, .ignore = other}, wait);
    if (nearest && *nearest && (*nearest)->body == wall_) hit.push_back((*nearest)->child);
  }
  std::ranges::sort(hit);
  const auto again = std::ranges::unique(hit);
  hit.erase(again.begin(), again.end());
  for (const std::uint32_t brick : hit) {
    if (auto done = BreakOut(world, brick); !done) return done;
  }
  if (auto done = AgeFallen(world, dt); !done) return done;
  if (now_ == nullptr) return {};
  until_shot_ -= dt;
  if (until_shot_ > 0.0f) return {};
  until_shot_ += kPause;
  return Shoot(world);
}

// At a brick that is there. Each shot draws from its own number, so that a saved wall goes on.
Result<void> Wall::Shoot(World& world) {
  Random random(seed_ + ++shots_);
  WaitTime wait;
  if (shot_.size() == kMostStones) {
    if (auto gone = world.DestroyBody(shot_.front(), wait); !gone) return gone;
    shot_.pop_front();
  }
  const auto children = now_->children();
  const auto aim = random.Below(static_cast<std::uint32_t>(children.size()));
  const auto wall = world.GetBody(wall_, wait);
  if (!wall) return std::unexpected(wall.error());
  const Vec3 target = wall->position + Rotate(wall->rotation, children[aim].position);
  BodyDef def;
  def.shape = stones_[random.Below(static_cast<std::uint32_t>(stones_.size()))].shape;
  def.position = target + Vec3{random.Between(-2, 2), 1.0f, 12.0f};
  def.rotation = random.Rotation();
  def.linear_velocity = (target - def.position) * 2.0f + Vec3{0, 2.5f, 0};
  def.density = 3000.0f;
  const auto id = world.CreateBody(def, wait);
  if (!id) return std::unexpected(id.error());
  shot_.push_back(*id);
  return {};
}

Result<void> Wall::BreakOut(World& world, std::uint32_t brick) {
  WaitTime wait;
  const auto wall = world.GetBody(wall_, wait);
  if (!wall) return std::unexpected(wall.error());
  const auto child = std::ranges::find(now_->children(), brick, &CompoundShape::Child::number);
  if (child == now_->children().end()) return {};
  BodyDef def;
  def.shape = child->shape;
  def.position = wall->position + Rotate(wall->rotation, child->position);
  def.rotation = Normalise(wall->rotation * child->rotation);
  if (now_->children().size() == 1) {
    now_ = nullptr;
    if (auto gone = world.DestroyBody(wall_, wait); !gone) return gone;
  } else {
    const std::array removed = {brick};
    auto left = now_->Edited({.removed = removed});
    if (!left) return std::unexpected(left.error());
    BodyChange change;
    change.shape = Shape::Compound(left->get());
    change.frame = ShapeFrame{(*left)->centre(), (*left)->rotation()};
    if (auto done = world.SetProperties(wall_, change, wait); !done) return done;
    now_ = left->get();
    compounds_.push_back(std::move(*left));
  }
  const auto id = world.CreateBody(def, wait);
  if (!id) return std::unexpected(id.error());
  fallen_.push_back({*id});
  return {};
}

Result<void> Wall::AgeFallen(World& world, float dt) {
  WaitTime wait;
  BodyChange rubble;
  rubble.layer = kRubble;
  for (Fallen& brick : fallen_) brick.age += dt;
  while (!fallen_.empty() && fallen_.front().age > kRest) {
    if (auto done = world.SetProperties(fallen_.front().body, rubble, wait); !done) return done;
    fallen_.pop_front();
  }
  return {};
}

SavedWall Wall::Save() const {
  SavedWall saved{.wall = now_ == nullptr ? SavedWall::kNoWall : wall_.slot(),
                  .shots = shots_,
                  .until_shot = until_shot_,
                  .stones = {},
                  .fallen = {}};
  for (const BodyId stone : shot_) saved.stones.push_back(stone.slot());
  for (const Fallen& brick : fallen_) saved.fallen.push_back({brick.body.slot(), brick.age});
  return saved;
}

Result<void> Wall::Restore(const World& world, const SavedWall& saved) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  const auto find = [&](const char* what, std::uint32_t slot,
                        BodyType type) -> Result<const BodySnapshot*> {
    const auto at =
        std::ranges::find(bodies, slot, [](const BodySnapshot& body) { return body.id.slot(); });
    if (at == bodies.end() || at->type != type) {
      return Fail(ErrorCode::kCorrupt, what, slot, "the world has no such body");
    }
    return &*at;
  };
  if (!(saved.until_shot > -kPause && saved.until_shot <= kPause)) {
    return Fail(ErrorCode::kCorrupt, "wall", 0, "its next shot is too far away");
  }
  if (saved.stones.size() > kMostStones || saved.fallen.size() > kMostBricks) {
    return Fail(ErrorCode::kCorrupt, "wall", 0, "it has too many stones or bricks");
  }
  std::deque<BodyId> shot;
  for (const std::uint32_t slot : saved.stones) {
    const auto stone = find("stone", slot, BodyType::kDynamic);
    if (!stone) return std::unexpected(stone.error());
    shot.push_back((*stone)->id);
  }
  std::deque<Fallen> fallen;
  for (const SavedWall::Fallen& from : saved.fallen) {
    const auto brick = find("brick", from.slot, BodyType::kDynamic);
    if (!brick) return std::unexpected(brick.error());
    if (!(from.age >= 0.0f && from.age <= 2.0f * kRest)) {
      return Fail(ErrorCode::kCorrupt, "brick", from.slot, "no brick is so old");
    }
    fallen.push_back({(*brick)->id, from.age});
  }
  const CompoundShape* now = nullptr;
  if (saved.wall != SavedWall::kNoWall) {
    const auto wall = find("wall", saved.wall, BodyType::kStatic);
    if (!wall) return std::unexpected(wall.error());
    now = (*wall)->shape.compound;
    if (now == nullptr) return Fail(ErrorCode::kCorrupt, "wall", saved.wall, "it has no bricks");
    wall_ = (*wall)->id;
  }
  now_ = now;
  shots_ = saved.shots;
  until_shot_ = saved.until_shot;
  shot_ = std::move(shot);
  fallen_ = std::move(fallen);
  return {};
}

}  // namespace nowait
