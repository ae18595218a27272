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
constexpr std::uint32_t kTeam = 16;       // of so many horses
constexpr std::uint32_t kColumn = 4;      // these go in a column
constexpr Vec3 kHorse{0.4f, 1.0f, 1.2f};  // half of its box
constexpr float kGround = -kHorse.y;      // where horses stand, metres
constexpr float kArrow = 0.1f;            // its radius, metres
const Layer kHorses = UserLayer(0);
const Layer kArrows = UserLayer(1);

enum Script : std::uint8_t {
  kHorseScript,
  kRiderScript,
  kArcherScript,
  kArrowScript,
  kGateScript,
  kTallyScript,
};
constexpr const char* kNames[] = {"horse", "rider", "archer", "arrow", "gate", "tally"};
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

// Where an archer or a gate stands.
Vec3 PlaceOf(Random& random) {
  const float x = random.Between(-kReach, kReach);
  return {x, 1.6f, random.Between(-kReach, kReach)};
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
  world.max_bodies = def.objects + kWalls + 1;
  world.user_layers = {{.name = "horses", .touches = {kArrows}},
                       {.name = "arrows", .touches = {Layer::kStatic, kHorses}}};
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
  auto events = PhysicsEvents::Create(def.save_events, def.replay);
  if (!events) return fails(events.error());
  game->events_ = std::move(*events);
  auto manager = WorldManager::Create({.bodies = world.max_bodies});
  if (!manager) return fails(manager.error());
  game->manager_ = std::move(*manager);
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
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Box({4 * kReach, 1, 4 * kReach});
  ground.position = {0, kGround - 1, 0};
  std::vector<BodyDef> walls(kWalls, ground);
  for (BodyDef& wall : walls) {
    wall.shape = Shape::Box({random.Between(2, 8), 2, 0.5f});
    wall.position = {random.Between(-kReach, kReach), 2, random.Between(-kReach, kReach)};
  }
  walls.push_back(ground);
  auto batch = world_->PrepareBatch(walls);
  if (!batch) return std::unexpected(batch.error());
  WaitTime wait;
  if (auto ids = world_->FinaliseBatch(*batch, wait); !ids) return std::unexpected(ids.error());
  return {};
}

// No object: the horse runs by itself.
ObjectHandle Game::HorseInFront(std::uint32_t horse) const {
  const std::uint32_t place = horse % kTeam;
  return place > 0 && place < kColumn ? horses_[horse - 1] : ObjectHandle{};
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
                           .With("front", HorseInFront(i))
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
  crowd_.emplace(count, kReach);
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
  for (std::uint32_t i = 0; i < count; ++i) {
    if (auto bound = manager_->Bind(bodies_[i], riders_[i]); !bound) return bound;
  }
  return {};
}

Result<void> Game::AddArchersAndGates(Random& random) {
  const std::uint32_t left = def_.objects - 2 * horses() - 1;
  const std::uint32_t archers = left * 2 / 5;  // each has an arrow
  gates_ = left - 2 * archers;
  for (std::uint32_t i = 0; i < gates_; ++i) {
    const auto gate = Maker(*system_, scripts_[kGateScript], kLook)
                          .With("place", PlaceOf(random))
                          .With("tally", tally_)
                          .Made();
    if (!gate) return std::unexpected(gate.error());
  }
  for (std::uint32_t i = 0; i < archers; ++i) {
    if (auto added = AddArcher(random); !added) return added;
  }
  flying_.resize(archers);
  return {};
}

Result<void> Game::AddArcher(Random& random) {
  const auto arrow = Maker(*system_, scripts_[kArrowScript], kRun).Made();
  if (!arrow) return std::unexpected(arrow.error());
  const auto archer = Maker(*system_, scripts_[kArcherScript], kLook)
                          .With("place", PlaceOf(random))
                          .With("target", riders_[random.Below(horses())])
                          .With("arrow", *arrow)
                          .Made();
  if (!archer) return std::unexpected(archer.error());
  archers_.push_back(*archer);
  arrows_.push_back(*arrow);
  return system_->Set(*arrow, "archer", FieldKind::kHandle, Value(*archer));
}

Result<void> Game::MoveBodies(TaskPool& pool) {
  return ParallelFor(pool, horses(), 128, [this](std::uint32_t begin, std::uint32_t end) {
    WaitTime wait;
    for (std::uint32_t i = begin; i < end; ++i) {
      const auto place = system_->Get(horses_[i], "place", FieldKind::kVec3);
      // A script may have put its horse where no body can be; then the body stays where it was.
      if (!place) continue;
      crowd_->Place(i, FromScript(place->vec3));
      static_cast<void>(world_->MoveBody(bodies_[i], FromScript(place->vec3), {}, wait));
    }
  });
}

// One thread, in the order of the arrows: the bodies' ids are the same for any number of threads.
Result<void> Game::FlyArrows() {
  WaitTime wait;
  for (std::size_t i = 0; i < arrows_.size(); ++i) {
    const auto flying = system_->Get(arrows_[i], "flying", FieldKind::kBoolean);
    if (!flying) return std::unexpected(flying.error());
    BodyId& body = flying_[i];
    if ((flying->boolean != 0) == body.valid()) continue;
    if (body.valid()) {
      manager_->Unbind(body);
      if (auto gone = world_->DestroyBody(body, wait); !gone) return gone;
      body = {};
      continue;
    }
    const auto place = system_->Get(arrows_[i], "place", FieldKind::kVec3);
    if (!place) return std::unexpected(place.error());
    const auto velocity = system_->Get(arrows_[i], "velocity", FieldKind::kVec3);
    if (!velocity) return std::unexpected(velocity.error());
    BodyDef def;
    def.layer = kArrows;
    def.shape = Shape::Sphere(kArrow);
    def.position = FromScript(place->vec3);
    def.linear_velocity = FromScript(velocity->vec3);
    const auto made = world_->CreateBody(def, wait);
    // A script may have shot it from where no body can be, or too fast; then there is no body.
    if (!made && made.error().code == ErrorCode::kInvalidArgument) continue;
    if (!made) return std::unexpected(made.error());
    body = *made;
    if (auto bound = manager_->Bind(body, arrows_[i], {.persists = true}); !bound) return bound;
  }
  return {};
}

// From the physics to the callbacks of the objects.
Result<void> Game::RunPhysics(TaskPool& pool) {
  const auto stream = events_->TakeFrame(frame_, *world_);
  if (!stream) return std::unexpected(stream.error());
  manager_->Consume(*stream);
  return system_->RunPhysics(pool, manager_->calls());
}

// However a frame ends, the next one changes the map, and the game may end.
struct Game::WaitedFor {
  ~WaitedFor() { static_cast<void>(pool.Wait(task)); }
  TaskPool& pool;
  TaskId task;
};

Result<void> Game::Look(TaskPool& pool, TaskId counted) {
  WorldQueries queries(*world_, system_->workers(), {.layers = {Layer::kStatic}},
                       {.layers = {kHorses}});
  const ScriptQuestion crowd{"crowd", counted, &CrowdMap::At, &*crowd_};
  return system_->RunPhase(pool, kLook, &queries, {&crowd, 1});
}

Result<void> Game::RunTick(TaskPool& pool) {
  auto done = system_->BeginTick(pool, frame_, static_cast<double>(kFrame));
  if (done) done = system_->RunPhase(pool, kRun);
  if (done) done = MoveBodies(pool);
  if (!done) return done;
  const auto counted = pool.Add({.work = crowd_->Counting()});
  if (!counted) return std::unexpected(counted.error());
  const WaitedFor at_the_end{pool, *counted};
  done = FlyArrows();
  if (done) done = world_->Update(kFrame, pool);
  if (done) done = RunPhysics(pool);
  if (done) done = system_->RunPhase(pool, kRide);
  if (done) done = Look(pool, *counted);
  if (done) done = system_->EndTick();
  return done;
}

Result<std::vector<std::string>> Game::Frame(TaskPool& pool) {
  std::vector<std::string> lines = files_.Poll(*system_);
  const auto done = RunTick(pool);
  ++frame_;
  if (!done) return std::unexpected(done.error());
  for (const ScriptFault& fault : system_->faults()) lines.push_back(fault.text);
  if (const auto loop = system_->lost_from()) {
    lines.push_back("events found no room, from loop " + std::to_string(*loop) + " on");
  }
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
              {&totals.hidden, archers_, "hidden"},    {&totals.hits, archers_, "hits"},
              {&totals.missed, archers_, "missed"},    {&totals.spared, archers_, "spared"},
              {&totals.wounds, riders_, "hits"}};
  for (const auto& sum : sums) {
    const auto value = Sum(sum.of, sum.field);
    if (!value) return std::unexpected(value.error());
    *sum.into = *value;
  }
  return totals;
}

}  // namespace nowait
