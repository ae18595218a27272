#include "src/apps/openworld/folk.h"

#include <algorithm>
#include <utility>

#include "src/bodies/body_def.h"
#include "src/bodies/shape.h"
#include "src/jobs/parallel_for.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr LayerSet kSolid{Layer::kStatic, Layer::kDynamic};  // what they meet

constexpr std::uint64_t kHorseEvery = 2;       // walkers
constexpr float kBeside = 2.5f;                // metres from a spawn point, where a machine appears
constexpr float kAbove = 8.0f, kDeep = 30.0f;  // metres, of the look for ground
constexpr float kLowest = -200.0f;             // metres: no ground is below
constexpr float kArrived = 1.5f;               // metres
constexpr float kPatience = 2.0f;              // seconds without getting on
constexpr float kJump = 4.0f;                  // metres a second
constexpr float kSight = 60.0f;                // metres

struct Kind {
  float radius, half_height;  // metres, of the capsule
  float mass;                 // kilograms
  float speed;                // metres a second
  float roam;                 // metres from its home
};
constexpr Kind kVillager{0.3f, 0.6f, 75.0f, 1.5f, 12.0f};
constexpr Kind kHorse{0.5f, 0.35f, 450.0f, 6.0f, 30.0f};

constexpr float kRiderHalf = 0.4f, kRiderRadius = 0.25f;  // metres
constexpr Vec3 kSaddle{0, kHorse.half_height + kHorse.radius + kRiderHalf + kRiderRadius, 0};

const Kind& KindOf(bool rides) { return rides ? kHorse : kVillager; }

Vec3 Level(Vec3 v) { return {v.x, 0.0f, v.z}; }

}  // namespace

Result<std::unique_ptr<Folk>> Folk::Create(World& world, TaskPool& pool) {
  const auto layer = world.FindLayer(kLayer);
  if (!layer) return std::unexpected(layer.error());
  return std::unique_ptr<Folk>(new Folk(world, pool, *layer));
}

std::optional<Vec3> Folk::GroundBeside(Vec3 place) {
  const auto hit = world_.CastRay({place + Vec3{kBeside, kAbove, 0}, {0, -kDeep, 0}},
                                  {.dynamics = false, .layers = kSolid}, counts_.wait);
  return hit ? std::optional(hit->point) : std::nullopt;
}

Result<void> Folk::Appear(SceneNumber scene, std::span<const Vec3> spawn_points) {
  for (const Vec3 point : spawn_points) {
    if (walkers_.size() == kMost) return {};
    const std::optional<Vec3> ground = GroundBeside(point);
    if (!ground) continue;
    const bool rides = counts_.appeared % kHorseEvery == 0;
    const Kind& kind = KindOf(rides);
    CharacterDef def;
    def.radius = kind.radius;
    def.half_height = kind.half_height;
    def.mass = kind.mass;
    def.layers = kSolid;
    def.position = *ground + Vec3{0, kind.radius + kind.half_height + 2 * CapsuleMover::kSkin, 0};
    auto character = Character::Create(def);
    if (!character) return std::unexpected(character.error());
    Walker walker{.character = std::move(*character),
                  .scene = scene,
                  .home = def.position,
                  .goal = def.position,
                  .random = Random(counts_.appeared)};
    if (rides) {
      const auto mounted = Mount(walker);
      if (!mounted && mounted.error().code == ErrorCode::kCapacity) return {};
      if (!mounted) return mounted;
      ++counts_.riders;
    }
    DrawGoal(walker);
    walkers_.push_back(std::move(walker));
    ++counts_.appeared;
  }
  return {};
}

Result<void> Folk::Mount(Walker& walker) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.layer = layer_;
  def.shape = Shape::Capsule(kRiderHalf, kRiderRadius);
  def.position = walker.character.position() + kSaddle;
  const auto body = world_.CreateBody(def, counts_.wait);
  if (!body) return std::unexpected(body.error());
  walker.rider = *body;
  return {};
}

void Folk::Vanish(SceneNumber scene) {
  std::erase_if(walkers_, [&](const Walker& walker) {
    if (walker.scene != scene) return false;
    // Nothing else removes a rider.
    if (walker.rider) static_cast<void>(world_.DestroyBody(*walker.rider, counts_.wait));
    return true;
  });
}

void Folk::DrawGoal(Walker& walker) {
  const float roam = KindOf(walker.rider.has_value()).roam;
  walker.goal =
      walker.home + Vec3{walker.random.Between(-roam, roam), 0, walker.random.Between(-roam, roam)};
  walker.stuck = 0.0f;
}

Result<void> Folk::Advance(float dt, Vec3 player) {
  const ProfileScope scope("folk");
  const auto count = static_cast<std::uint32_t>(walkers_.size());
  const auto each = [&](auto one) {
    return ParallelFor(pool_, count, 1, [&](std::uint32_t begin, std::uint32_t end) {
      const ProfileScope piece("walk");
      const WorldView view = world_.Read();
      for (std::uint32_t i = begin; i < end; ++i) one(walkers_[i], view);
    });
  };
  auto moved = each([&](Walker& walker, const WorldView& view) { MoveOne(walker, view, dt); });
  if (!moved) return moved;
  for (Walker& walker : walkers_) {
    if (auto settled = Settle(walker, dt); !settled) return settled;
  }
  auto looked = each([&](Walker& walker, const WorldView& view) {
    if (walker.rider) LookFromSaddle(walker, view, player);
  });
  if (!looked) return looked;
  for (Walker& walker : walkers_) {
    counts_.wait += std::exchange(walker.wait, {});
    if (!walker.rider) continue;
    if (auto put = PutRider(walker); !put) return put;
  }
  return {};
}

void Folk::MoveOne(Walker& walker, const WorldView& view, float dt) const {
  const float speed = KindOf(walker.rider.has_value()).speed;
  const Vec3 way = Level(walker.goal - walker.character.position());
  CharacterWish wish{.velocity = way * (speed / std::max(Length(way), 0.1f))};
  if (walker.stuck > 0.5f * kPatience) wish.jump = kJump;
  walker.pushes.clear();
  walker.moved = walker.character.Move({world_, view, walker.wait}, wish, dt, walker.pushes);
}

Result<void> Folk::Settle(Walker& walker, float dt) {
  if (!walker.moved) return walker.moved;
  ApplyPushes(world_, walker.pushes, counts_.wait);
  ++counts_.moves;
  counts_.queries += walker.character.queries();
  counts_.pushes += walker.pushes.size();
  const Vec3 place = walker.character.position();
  const float speed = Length(Level(walker.character.velocity()));
  counts_.metres += static_cast<double>(speed * dt);
  if (place.y < kLowest) {
    ++counts_.fallen;
    return walker.character.Place(walker.home);
  }
  const bool gets_on = speed > 0.2f * KindOf(walker.rider.has_value()).speed;
  walker.stuck = gets_on ? 0.0f : walker.stuck + dt;
  if (LengthSquared(Level(walker.goal - place)) < kArrived * kArrived) {
    ++counts_.goals;
    DrawGoal(walker);
  } else if (walker.stuck > kPatience) {
    DrawGoal(walker);
  }
  return {};
}

void Folk::LookFromSaddle(Walker& walker, const WorldView& view, Vec3 player) const {
  const Vec3 eyes = walker.character.position() + kSaddle;
  const Vec3 way = player - eyes;
  walker.sees = false;
  if (LengthSquared(way) >= kSight * kSight) return;
  // Up to the player, which is a body as well.
  walker.sees = !view.IsBlocked({eyes, 0.95f * way}, {.layers = kSolid}, walker.wait);
}

Result<void> Folk::PutRider(Walker& walker) {
  if (walker.sees) ++counts_.seen;
  const Vec3 saddle = walker.character.position() + kSaddle;
  const auto body = world_.GetBody(*walker.rider, counts_.wait);
  if (!body) return std::unexpected(body.error());
  counts_.behind = std::max(counts_.behind, Length(body->position - saddle));
  return world_.MoveBody(*walker.rider, saddle, {}, counts_.wait);
}

}  // namespace nowait
