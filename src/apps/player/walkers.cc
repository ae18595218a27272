#include "src/apps/player/walkers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/bodies/body_def.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kAtATime = 4;  // characters that a job moves
constexpr std::uint32_t kJobs = 256;
constexpr const char* kLayer = "walkers";

// The corners of the course, and a place between them where the way is not straight.
constexpr std::array<Vec3, 7> kPlaces = {{{-15, 0, -10},
                                          {15, 0, -10},
                                          {15, 0, 10},
                                          {2, 0, 10},
                                          {-15, 0, 10},
                                          {-13, 0, 3},
                                          {-16, 0, -3}}};
constexpr float kNear = 1.2f;

// Nothing comes of walking for this long: a jump.
constexpr float kPatience = 0.4f;
constexpr float kJump = 4.6f;
constexpr float kLongestUpdate = 1.0f;  // seconds, of a character's move

constexpr float kFerryRound = 8.0f;  // seconds
constexpr float kFerryWay = 6.0f;    // metres from end to end
constexpr Vec3 kFerryMiddle{-4, 0.1f, 10};

BodyDef Block(Vec3 position, Vec3 half) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box(half);
  def.position = position;
  def.friction = 0.7f;
  return def;
}

std::vector<BodyDef> CourseBodies() {
  std::vector<BodyDef> defs = {Block({0, -1, 0}, {40, 1, 40})};
  // Stairs up to a deck, and a ramp down from it.
  constexpr int kSteps = 6;
  constexpr float kRise = 0.25f, kDepth = 0.5f, kTop = kRise * kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const float top = kRise * static_cast<float>(i + 1);
    defs.push_back(Block({-10 + kDepth * static_cast<float>(i), 0.5f * top, -10},
                         {0.5f * kDepth, 0.5f * top, 3}));
  }
  defs.push_back(Block({-3.625f, 0.5f * kTop, -10}, {3.625f, 0.5f * kTop, 3}));
  BodyDef ramp = Block({}, {2.2f, 0.1f, 3});
  const float length = std::sqrt(kTop * kTop + 16.0f);
  const float sine = kTop / length;  // down over four metres
  const float cosine = 4.0f / length;
  const float half = std::sqrt(0.5f * (1 - cosine));
  ramp.rotation = {0, 0, -half, std::sqrt(0.5f * (1 + cosine))};
  ramp.position = Vec3{2, 0.5f * kTop, -10} - Vec3{sine, cosine, 0} * 0.1f;
  defs.push_back(ramp);
  for (int i = 0; i < 12; ++i) {  // crates
    BodyDef crate;
    crate.shape = Shape::Box({0.4f, 0.4f, 0.4f});
    crate.position = {13.0f + 1.3f * static_cast<float>(i % 4), 0.4f,
                      -4.0f + 3.0f * static_cast<float>(i / 4)};
    crate.density = 60.0f;
    crate.asleep = true;
    defs.push_back(crate);
  }
  for (int i = 0; i < 3; ++i) {  // pillars
    defs.push_back(Block({-12.0f - 2.0f * static_cast<float>(i), 1, 1.5f}, {0.3f, 1, 0.3f}));
  }
  defs.push_back(Block({-15, 0.3f, -6}, {4, 0.3f, 0.15f}));  // the hurdle
  return defs;
}

}  // namespace

Walkers::Walkers() : batch_(kJobs) {}

Result<std::unique_ptr<World>> Walkers::CreateCourse(std::uint32_t count, std::uint32_t more) {
  const std::vector<BodyDef> defs = CourseBodies();
  WorldDef def;
  def.max_bodies = static_cast<std::uint32_t>(defs.size()) + count + more + 1;
  def.max_contacts = 16 * def.max_bodies;
  def.user_layers.push_back({.name = kLayer, .touches = LayerSet()});
  auto world = World::Create(def);
  if (!world) return std::unexpected(world.error());
  WaitTime wait;
  for (const BodyDef& body : defs) {
    if (const auto id = (*world)->CreateBody(body, wait); !id) return std::unexpected(id.error());
  }
  return world;
}

Result<std::unique_ptr<Walkers>> Walkers::Create(World& world, std::uint32_t count,
                                                 std::uint64_t seed) {
  auto walkers = std::unique_ptr<Walkers>(new Walkers);
  WaitTime wait;
  const auto layer = world.FindLayer(kLayer);
  if (!layer) return std::unexpected(layer.error());
  const auto ferry =
      world.CreateBody(Block(kFerryMiddle - Vec3{0.5f * kFerryWay, 0, 0}, {1.5f, 0.1f, 2}), wait);
  if (!ferry) return std::unexpected(ferry.error());
  walkers->ferry_ = *ferry;
  Random random(seed);
  for (std::uint32_t i = 0; i < count; ++i) {
    CharacterDef def;
    // In rows behind the first corner.
    def.position = {-17.0f - 1.0f * static_cast<float>(i / 8), 0.95f,
                    -13.0f + 0.9f * static_cast<float>(i % 8)};
    BodyDef body;
    body.type = BodyType::kStatic;  // for queries; it touches no body
    body.layer = *layer;
    body.shape = Shape::Capsule(def.half_height, def.radius);
    body.position = def.position;
    const auto id = world.CreateBody(body, wait);
    if (!id) return std::unexpected(id.error());
    def.body = *id;
    auto character = Character::Create(def);
    if (!character) return std::unexpected(character.error());
    walkers->walkers_.push_back(
        {std::move(*character), *id, random.Between(1.4f, 2.6f), 1, 0.0f, {}, {}});
  }
  return walkers;
}

Result<void> Walkers::Advance(World& world, float dt, TaskPool& pool) {
  if (auto ferried = MoveFerry(world, dt); !ferried) return ferried;
  auto move = [&](std::uint32_t begin, std::uint32_t end) {
    const WorldView view = world.Read();
    for (std::uint32_t i = begin; i < end; ++i) MoveOne(walkers_[i], world, view, dt);
  };
  const auto count = static_cast<std::uint32_t>(walkers_.size());
  if (auto added = batch_.AddLoop(count, kAtATime, move); !added) return added;
  if (auto ran = batch_.Run(pool); !ran) return ran;
  WaitTime wait;
  for (const Walker& walker : walkers_) {
    if (!walker.moved) return walker.moved;
    ApplyPushes(world, walker.pushes, wait);
    auto put = world.MoveBody(walker.body, walker.character.position(), {}, wait);
    if (!put) return put;
  }
  return {};
}

// There and back, with the speed of a parabola's slope in each half: it starts and stops softly.
Result<void> Walkers::MoveFerry(World& world, float dt) {
  ferry_time_ += dt;
  while (ferry_time_ >= kFerryRound) ferry_time_ -= kFerryRound;
  const float half = 0.5f * kFerryRound;
  const float t = (ferry_time_ < half ? ferry_time_ : kFerryRound - ferry_time_) / half;
  const float eased = t * t * (3 - 2 * t);
  WaitTime wait;
  return world.MoveBody(ferry_, kFerryMiddle + Vec3{(eased - 0.5f) * kFerryWay, 0, 0}, {}, wait);
}

void Walkers::MoveOne(Walker& walker, const World& world, const WorldView& view, float dt) const {
  Vec3 way = kPlaces[walker.next] - walker.character.position();
  way.y = 0.0f;
  if (Length(way) < kNear) walker.next = (walker.next + 1) % kPlaces.size();
  CharacterWish wish{.velocity = way * (walker.speed / std::max(Length(way), 0.1f))};
  if (walker.stuck > kPatience) {
    wish.jump = kJump;
    walker.stuck = 0.0f;
  }
  WaitTime wait;
  walker.pushes.clear();
  walker.moved = walker.character.Move({world, view, wait}, wish, dt, walker.pushes);
  const Vec3 velocity = walker.character.velocity();
  const bool goes_on = Dot(velocity, wish.velocity) > 0.2f * LengthSquared(wish.velocity);
  walker.stuck = goes_on ? 0.0f : walker.stuck + dt;
}

SavedWalkers Walkers::Save() const {
  SavedWalkers saved{.ferry_time = ferry_time_, .walkers = {}};
  for (const Walker& walker : walkers_) {
    const CharacterState& state = walker.character.state();
    SavedWalkers::Walker one{};
    one.velocity = state.velocity;
    one.drift = state.drift;
    one.rise = state.rise;
    one.ground = SavedWalkers::kInTheAir;
    if (state.ground) {
      one.ground = state.ground->body.slot();
      one.ground_generation = state.ground->body.generation();
      one.ground_normal = state.ground->normal;
      one.ground_position = state.ground->position;
      one.ground_rotation = state.ground->rotation;
    }
    one.next = static_cast<std::uint32_t>(walker.next);
    one.stuck = walker.stuck;
    saved.walkers.push_back(one);
  }
  return saved;
}

Result<CharacterState> Walkers::StateOf(const SavedWalkers::Walker& saved, const World& world,
                                        BodyId body) {
  WaitTime wait;
  const auto there = world.GetBody(body, wait);
  if (!there || there->type != BodyType::kStatic) {
    return Fail(ErrorCode::kCorrupt, "walker", body.slot(), "the world has no such body");
  }
  if (saved.next >= kPlaces.size()) {
    return Fail(ErrorCode::kCorrupt, "walker", body.slot(), "it goes to a place that is not there");
  }
  if (!(saved.stuck >= 0.0f && saved.stuck <= kPatience + kLongestUpdate)) {
    return Fail(ErrorCode::kCorrupt, "walker", body.slot(), "none is stuck for so long");
  }
  CharacterState state{.position = there->position,
                       .velocity = saved.velocity,
                       .drift = saved.drift,
                       .rise = saved.rise,
                       .ground = {}};
  if (saved.ground != SavedWalkers::kInTheAir) {
    // The body may be gone by now: the next move looks for it.
    if (saved.ground >= world.def().max_bodies) {
      return Fail(ErrorCode::kCorrupt, "walker", body.slot(), "no body has the slot of its ground");
    }
    state.ground =
        CharacterGround{BodyId(body.world(), saved.ground, saved.ground_generation),
                        saved.ground_normal, saved.ground_position, saved.ground_rotation};
  }
  return state;
}

Result<void> Walkers::Restore(const World& world, const SavedWalkers& saved) {
  WaitTime wait;
  const auto ferry = world.GetBody(ferry_, wait);
  if (!ferry || ferry->type != BodyType::kStatic) {
    return Fail(ErrorCode::kCorrupt, "ferry", ferry_.slot(), "the world has no such body");
  }
  if (!(saved.ferry_time >= 0.0f && saved.ferry_time < kFerryRound)) {
    return Fail(ErrorCode::kCorrupt, "ferry", ferry_.slot(), "its time is beyond its round");
  }
  if (saved.walkers.size() != walkers_.size()) {
    return Fail(ErrorCode::kCorrupt, "walkers", saved.walkers.size(),
                "the scene has another number");
  }
  std::vector<Character> characters;
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    const BodyId body = walkers_[i].body;
    const auto state = StateOf(saved.walkers[i], world, body);
    if (!state) return std::unexpected(state.error());
    characters.push_back(walkers_[i].character);
    if (const auto restored = characters.back().Restore(*state); !restored) {
      return Fail(ErrorCode::kCorrupt, "walker", body.slot(), restored.error().subject);
    }
  }
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    walkers_[i].character = std::move(characters[i]);
    walkers_[i].next = saved.walkers[i].next;
    walkers_[i].stuck = saved.walkers[i].stuck;
  }
  ferry_time_ = saved.ferry_time;
  return {};
}

}  // namespace nowait
