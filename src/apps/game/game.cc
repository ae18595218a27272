#include "src/apps/game/game.h"

#include <algorithm>
#include <utility>

#include "src/jobs/parallel_for.h"
#include "src/script/lua_language.h"
#include "src/script/shared_object.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30.0f;  // seconds
constexpr float kReach = 90.0f;         // metres from the middle
constexpr float kSpeed = 8.0f;          // metres a second
constexpr std::uint32_t kWalls = 40;
constexpr Vec3 kHorse{0.4f, 1.0f, 1.2f};  // half of its box
const Layer kHorses = UserLayer(0);

enum Script : std::uint8_t { kHorseScript, kRiderScript, kArcherScript, kGateScript, kTallyScript };
constexpr const char* kNames[] = {"horse", "rider", "archer", "gate", "tally"};
enum Phase : std::uint8_t { kRun, kRide, kLook };

ScriptValue Value(Vec3 vec3) {
  ScriptValue value{};
  value.vec3 = ToScript(vec3);
  return value;
}
ScriptValue Value(ObjectHandle handle) {
  ScriptValue value{};
  value.handle = BitsOf(handle);
  return value;
}
ScriptValue Value(double number) {
  ScriptValue value{};
  value.number = number;
  return value;
}

// An object and its fields, with the first error.
class Maker {
 public:
  Maker(ScriptSystem& system, std::uint32_t script, Phase phase) : system_(system) {
    const auto object = system.Spawn(script, phase);
    if (object) object_ = *object;
    if (!object) done_ = std::unexpected(object.error());
  }
  Maker& With(const char* field, Vec3 value) { return Set(field, FieldKind::kVec3, Value(value)); }
  Maker& With(const char* field, ObjectHandle value) {
    return Set(field, FieldKind::kHandle, Value(value));
  }
  Maker& With(const char* field, double value) {
    return Set(field, FieldKind::kNumber, Value(value));
  }
  Result<ObjectHandle> Made() const {
    if (!done_) return std::unexpected(done_.error());
    return object_;
  }

 private:
  Maker& Set(const char* field, FieldKind kind, ScriptValue value) {
    if (!done_) return *this;
    done_ = system_.Set(object_, field, kind, value);
    if (!done_ && done_.error().code == ErrorCode::kNotFound) {
      done_ = Fail(ErrorCode::kNotFound, field, 0, "no script has this field of that kind");
    }
    return *this;
  }

  ScriptSystem& system_;
  ObjectHandle object_;
  Result<void> done_;
};

}  // namespace

ScriptResult<std::unique_ptr<Game>> Game::Create(const GameDef& def) {
  std::unique_ptr<Game> game(new Game(def));
  const auto fails = [](const Error& error) {
    return std::unexpected(ScriptError{ToString(error)});
  };
  WorldDef world;
  world.max_bodies = def.objects + kWalls;
  world.user_layers = {{.name = "horses", .touches = {}}};
  auto made = World::Create(world);
  if (!made) return fails(made.error());
  game->world_ = std::move(*made);
  std::vector<std::unique_ptr<ScriptLanguage>> languages;
  languages.push_back(std::make_unique<LuaLanguage>());
  languages.push_back(std::make_unique<SharedObjectLanguage>());
  auto system = ScriptSystem::Create(
      {.objects = def.objects, .threads = def.threads, .seed = def.seed, .twice = def.twice},
      std::move(languages));
  if (!system) return fails(system.error());
  game->system_ = std::move(*system);
  if (auto loaded = game->LoadScripts(); !loaded) return std::unexpected(loaded.error());
  if (auto populated = game->Populate(); !populated) return fails(populated.error());
  return game;
}

ScriptResult<void> Game::LoadScripts() {
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    const auto number = files_.Load(*system_, kNames[i]);
    if (!number) return std::unexpected(number.error());
    scripts_[i] = *number;
  }
  return {};
}

Result<void> Game::Populate() {
  Random random(def_.seed);
  const auto tally = Maker(*system_, scripts_[kTallyScript], kRun).Made();
  if (!tally) return std::unexpected(tally.error());
  tally_ = *tally;
  if (auto added = AddWalls(random); !added) return added;
  if (auto added = AddHerd(random); !added) return added;
  return AddArchersAndGates(random);
}

Result<void> Game::AddWalls(Random& random) {
  std::vector<BodyDef> walls(kWalls);
  for (BodyDef& wall : walls) {
    wall.type = BodyType::kStatic;
    wall.shape = Shape::Box({random.Between(2, 8), 2, 0.5f});
    wall.position = {random.Between(-kReach, kReach), 2, random.Between(-kReach, kReach)};
  }
  auto batch = world_->PrepareBatch(walls);
  if (!batch) return std::unexpected(batch.error());
  WaitTime wait;
  if (auto ids = world_->FinaliseBatch(*batch, wait); !ids) return std::unexpected(ids.error());
  return {};
}

// Nine of ten objects are a horse or its rider.
Result<void> Game::AddHerd(Random& random) {
  const std::uint32_t count = def_.objects * 9 / 20;
  std::vector<BodyDef> bodies(count);
  ObjectHandle next;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 place = {random.Between(-kReach, kReach), 0, random.Between(-kReach, kReach)};
    const Vec3 velocity = {random.Between(-kSpeed, kSpeed), 0, random.Between(-kSpeed, kSpeed)};
    const auto horse = Maker(*system_, scripts_[kHorseScript], kRun)
                           .With("place", place)
                           .With("velocity", velocity)
                           .With("number", static_cast<double>(i))
                           .With("tally", tally_)
                           .Made();
    if (!horse) return std::unexpected(horse.error());
    const auto rider = Maker(*system_, scripts_[kRiderScript], kRide)
                           .With("horse", *horse)
                           .With("next", next)
                           .Made();
    if (!rider) return std::unexpected(rider.error());
    horses_.push_back(*horse);
    riders_.push_back(*rider);
    next = *rider;
    bodies[i].type = BodyType::kStatic;
    bodies[i].layer = kHorses;
    bodies[i].shape = Shape::Box(kHorse);
    bodies[i].position = place;
  }
  // The riders are a ring.
  if (auto closed = system_->Set(riders_.front(), "next", FieldKind::kHandle, Value(next));
      !closed) {
    return closed;
  }
  auto batch = world_->PrepareBatch(bodies);
  if (!batch) return std::unexpected(batch.error());
  WaitTime wait;
  auto ids = world_->FinaliseBatch(*batch, wait);
  if (!ids) return std::unexpected(ids.error());
  bodies_ = std::move(*ids);
  return {};
}

Result<void> Game::AddArchersAndGates(Random& random) {
  const std::uint32_t left = def_.objects - 2 * horses() - 1;
  gates_ = left / 5;
  for (std::uint32_t i = 0; i < left; ++i) {
    const Vec3 place = {random.Between(-kReach, kReach), 1.6f, random.Between(-kReach, kReach)};
    if (i < gates_) {
      const auto gate = Maker(*system_, scripts_[kGateScript], kLook)
                            .With("place", place)
                            .With("tally", tally_)
                            .Made();
      if (!gate) return std::unexpected(gate.error());
      continue;
    }
    const auto archer = Maker(*system_, scripts_[kArcherScript], kLook)
                            .With("place", place)
                            .With("target", riders_[random.Below(horses())])
                            .Made();
    if (!archer) return std::unexpected(archer.error());
    archers_.push_back(*archer);
  }
  return {};
}

Result<void> Game::MoveBodies(TaskPool& pool) {
  return ParallelFor(pool, horses(), 128, [this](std::uint32_t begin, std::uint32_t end) {
    WaitTime wait;
    for (std::uint32_t i = begin; i < end; ++i) {
      const auto place = system_->Get(horses_[i], "place", FieldKind::kVec3);
      // A script may have put its horse where no body can be; then the body stays where it was.
      if (place) static_cast<void>(world_->MoveBody(bodies_[i], FromScript(place->vec3), {}, wait));
    }
  });
}

Result<std::vector<std::string>> Game::Frame(TaskPool& pool) {
  std::vector<std::string> lines = files_.Poll(*system_);
  auto done = system_->BeginTick(pool, frame_++, static_cast<double>(kFrame));
  if (done) done = system_->RunPhase(pool, kRun);
  if (done) done = MoveBodies(pool);
  if (done) done = world_->Update(kFrame, pool);
  if (done) done = system_->RunPhase(pool, kRide);
  if (done) {
    WorldQueries queries(*world_, system_->workers(), {.layers = {Layer::kStatic}},
                         {.layers = {kHorses}});
    done = system_->RunPhase(pool, kLook, &queries);
  }
  if (done) done = system_->EndTick();
  if (!done) return std::unexpected(done.error());
  for (const ScriptFault& fault : system_->faults()) lines.push_back(fault.text);
  return lines;
}

Result<double> Game::Sum(const std::vector<ObjectHandle>& objects, const char* field) {
  double sum = 0;
  for (const ObjectHandle object : objects) {
    const auto value = system_->Get(object, field, FieldKind::kNumber);
    if (!value) return std::unexpected(value.error());
    sum += value->number;
  }
  return sum;
}

Result<GameTotals> Game::Totals() {
  GameTotals totals;
  const std::vector<ObjectHandle> tally = {tally_};
  const struct {
    double* into;
    const std::vector<ObjectHandle>& of;
    const char* field;
  } sums[] = {{&totals.crossings, tally, "crossings"}, {&totals.steps, tally, "steps"},
              {&totals.opened, tally, "opened"},       {&totals.shots, archers_, "shots"},
              {&totals.hidden, archers_, "hidden"},    {&totals.hits, riders_, "hits"}};
  for (const auto& sum : sums) {
    const auto value = Sum(sum.of, sum.field);
    if (!value) return std::unexpected(value.error());
    *sum.into = *value;
  }
  return totals;
}

}  // namespace nowait
