#include "tests/whole/numbers/run_program.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "src/collision/height_field.h"
#include "src/jobs/task_pool.h"
#include "src/math/hash.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::number_programs {
namespace {

// The most that rounding may add to a speed that was set to its limit.
constexpr float kRounding = 1.000001f;

using whole::AskTwice;
using whole::MeetingFaults;

class Runner {
 public:
  Runner(const NumberProgram& program, std::uint32_t threads, whole::Camera* camera)
      : program_(program),
        camera_(camera),
        pool_(AskTwice([threads] {
                TaskPoolDef def{.workers = threads - 1};
                return MeetingFaults([&def] { return TaskPool::Create(std::move(def)); });
              }).value()),
        registration_(AskTwice([this] {
                        return MeetingFaults([this] { return pool_->Register("main"); });
                      }).value()) {}

  Outcome Run() {
    Create();
    if (!outcome_.broken.empty()) Show();
    for (std::size_t i = 0; i < program_.frames.size() && outcome_.broken.empty(); ++i) {
      RunFrame(program_.frames[i]);
      if (!outcome_.broken.empty()) outcome_.broken += fmt::format(" (frame {})", i);
    }
    return std::move(outcome_);
  }

 private:
  void Show() {
    if (camera_ != nullptr && world_) camera_->Take(0, *world_);
  }

  void Break(std::string promise) {
    if (outcome_.broken.empty()) outcome_.broken = std::move(promise);
  }

  void Create() {
    auto world = AskTwice(
        [this] { return MeetingFaults([this] { return World::Create(program_.world); }); });
    if (!world)
      return Break("World::Create refuses an accepted definition: " + ToString(world.error()));
    world_ = std::move(*world);
    if (program_.ground) CreateGround(*program_.ground);
    for (const BodyDef& def : program_.bodies) {
      const Result<BodyId> id =
          AskTwice([&] { return MeetingFaults([&] { return world_->CreateBody(def, wait_); }); });
      if (!id) return Break("CreateBody refuses an accepted definition: " + ToString(id.error()));
      ids_.push_back(*id);
    }
  }

  void CreateGround(const GroundDef& ground) {
    Random random(ground.seed);
    std::vector<float> heights;
    for (std::uint32_t i = 0; i < ground.samples * ground.samples; ++i) {
      heights.push_back(random.Between(-ground.height, ground.height));
    }
    const std::array<SurfaceMaterial, 1> table{};
    std::vector<std::uint8_t> cells;
    for (std::uint32_t i = 0; ground.has_holes && i < (ground.samples - 1) * (ground.samples - 1);
         ++i) {
      cells.push_back(i > 0 && random.Below(4) == 0 ? SurfaceMaterials::kHole : std::uint8_t{0});
    }
    HeightFieldDef field{ground.samples, ground.samples, ground.spacing, heights};
    if (ground.has_holes) field.materials = {table, cells};
    field_ = std::move(*HeightField::Create(field));
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Ground(field_.get());
    def.position = ground.position;
    if (const auto id = world_->CreateBody(def, wait_); !id) Break(ToString(id.error()));
  }

  void Apply(const Change& change) {
    const BodyId id = ids_[change.body];
    // A stale id and the velocity of a static body are refused, which is as good.
    switch (change.kind) {
      case Change::Kind::kMove:
        (void)world_->MoveBody(id, change.linear, {}, wait_);
        break;
      case Change::Kind::kSetVelocity:
        (void)world_->SetVelocity(id, change.linear, change.angular, wait_);
        break;
      case Change::Kind::kWake:
        (void)world_->WakeBody(id, wait_);
        break;
      case Change::Kind::kDestroy:
        (void)world_->DestroyBody(id, wait_);
        break;
    }
  }

  void RunFrame(const Frame& frame) {
    for (const Change& change : frame.changes) Apply(change);
    Show();
    const Result<void> done =
        MeetingFaults([&] { return world_->Update(frame.dt, *pool_, frame.steps); });
    Show();
    if (!done && !whole::IsOfFault(done.error()) &&
        !(done.error().code == ErrorCode::kCapacity &&
          std::string_view(done.error().subject) == "contacts")) {
      Break("Update: " + ToString(done.error()));
    }
    CheckBodies();
    Hash hash;
    AddState(hash);
    for (const RayCast& ray : frame.rays) AddRay(ray, hash);
    for (const Bounds<3>& box : frame.boxes) AddBox(box, hash);
    outcome_.hashes.push_back(hash.value());
  }

  // Also where the update failed. But a velocity that the game has given is as it was given, until
  // a step is taken.
  void CheckBodies() {
    const bool limited = world_->stats().steps > 0;
    std::vector<BodySnapshot> bodies;
    world_->Snapshot(bodies);
    const SolverDef& solver = program_.world.solver;
    for (const BodySnapshot& body : bodies) {
      const auto promise = [&](bool kept, const char* what) {
        if (!kept) {
          const Vec3 p = body.position, v = body.linear_velocity, w = body.angular_velocity;
          Break(
              fmt::format("{}: slot {}, position ({}, {}, {}), velocity ({}, {}, {}), "
                          "angular ({}, {}, {})",
                          what, body.id.slot(), p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z));
        }
      };
      promise(IsFinite(body.position) && IsFinite(body.rotation), "a place is finite");
      promise(std::abs(LengthSquared(body.rotation) - 1.0f) < 1e-3f, "a rotation has length one");
      promise(IsFinite(body.linear_velocity) && IsFinite(body.angular_velocity),
              "a velocity is finite");
      promise(!limited || Length(body.linear_velocity) <= solver.max_linear_speed * kRounding,
              "a speed keeps max_linear_speed");
      promise(!limited || Length(body.angular_velocity) <= solver.max_angular_speed * kRounding,
              "a speed keeps max_angular_speed");
    }
  }

  void AddId(BodyId id, Hash& hash) { hash.Add(static_cast<std::uint32_t>(id.slot())); }

  void AddState(Hash& hash) {
    const std::uint64_t state = world_->StateHash();
    hash.Add(static_cast<std::uint32_t>(state));
    hash.Add(static_cast<std::uint32_t>(state >> 32));
    for (const ContactEvent& event : world_->contact_events()) {
      hash.AddByte(static_cast<std::uint8_t>(event.kind));
      AddId(event.a, hash);
      AddId(event.b, hash);
    }
    for (const SleepEvent& event : world_->sleep_events()) {
      hash.AddByte(static_cast<std::uint8_t>(event.kind));
      AddId(event.body, hash);
    }
    hash.Add(world_->stats().contact_points);
  }

  void AddRay(const RayCast& ray, Hash& hash) {
    if (!IsFinite(ray.origin) || !IsFinite(ray.translation)) return;
    const std::optional<RayHit> hit = world_->CastRay(ray, {}, wait_);
    hash.AddByte(hit ? 1 : 0);
    if (!hit) return;
    AddId(hit->body, hash);
    hash.Add(hit->fraction);
    if (!(hit->fraction >= 0.0f && hit->fraction <= 1.0f)) Break("a hit lies on its ray");
    if (!IsFinite(hit->point)) Break("a hit's point is finite");
    if (!(std::abs(Length(hit->normal) - 1.0f) < 1e-3f)) Break("a hit's normal has length one");
  }

  void AddBox(const Bounds<3>& box, Hash& hash) {
    std::vector<BodyId> found;
    world_->Read().FindInBox(box, {}, found, wait_);
    for (const BodyId id : found) AddId(id, hash);
  }

  const NumberProgram& program_;
  whole::Camera* const camera_;
  const std::unique_ptr<TaskPool> pool_;
  const TaskPool::Registration registration_;
  std::unique_ptr<const HeightField> field_;  // outlives the world
  std::unique_ptr<World> world_;
  std::vector<BodyId> ids_;
  Outcome outcome_;
  WaitTime wait_;
};

}  // namespace

Outcome RunProgram(const NumberProgram& program, std::uint32_t threads, whole::Camera* camera) {
  if (camera != nullptr) camera->BeginRun(fmt::format("{} threads", threads));
  return Runner(program, threads, camera).Run();
}

std::optional<std::string> Check(const NumberProgram& program,
                                 const std::vector<std::uint32_t>& threads, whole::Camera* camera) {
  // A run ends with the frame that breaks a promise: its last picture shows it.
  const Outcome one = RunProgram(program, 1, camera);
  if (!one.broken.empty()) return one.broken;
  for (const std::uint32_t count : threads) {
    const Outcome several = RunProgram(program, count, camera);
    if (!several.broken.empty()) return fmt::format("{}, on {} threads", several.broken, count);
    // A step that a fault has cut short is done in one of the runs alone.
    if (whole::FaultHasStruck()) return std::nullopt;
    for (std::size_t i = 0; i < one.hashes.size(); ++i) {
      if (several.hashes[i] == one.hashes[i]) continue;
      if (camera != nullptr) camera->Mark(whole::AfterUpdate(i));
      return fmt::format("the same state on {} threads as on one: not after frame {}", count, i);
    }
  }
  return std::nullopt;
}

}  // namespace nowait::number_programs
