#include "tests/whole/world/actor.h"

#include <algorithm>
#include <utility>

#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::world_programs {
namespace {

using whole::MeetingFaults;

std::uint64_t Secret(std::uint64_t number) { return number * 0x9e3779b97f4a7c15u + 1; }

// A batch slot for one call, or not.
class Taken {
 public:
  explicit Taken(BatchSlot& slot)
      // acquire: pairs with the release of the thread that had it before.
      : slot_(slot), has_(!slot.is_taken.exchange(true, std::memory_order_acquire)) {}
  ~Taken() {
    if (has_) slot_.is_taken.store(false, std::memory_order_release);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  explicit operator bool() const { return has_; }

 private:
  BatchSlot& slot_;
  const bool has_;
};

}  // namespace

Shared::Shared(const WorldProgram& of)
    : program(of),
      cells(of.worlds.size()),
      joints(of.worlds.size()),
      batches(of.worlds.size() * kBatches),
      next_number(of.worlds.size()),
      written(of.worlds.size() * kMostBodies, 0) {
  for (auto& table : cells) {
    for (auto& cell : table) cell.store(BodyId().bits(), std::memory_order_relaxed);
  }
  for (auto& table : joints) {
    for (auto& cell : table) cell.store(JointId(), std::memory_order_relaxed);
  }
}

template <class T>
bool Actor::Keep(const Result<T>& result, Record& record) {
  if (!result) record.error = result.error();
  return result.has_value();
}

void Actor::Do(const Call& call) {
  const whole::ApiCall shown(NameOf(call.kind), call.cell);
  World& world = *shared_.worlds[call.world % shared_.worlds.size()];
  skipped_ = false;
  Record record;
  record.call = call;
  record.call.world = static_cast<std::uint8_t>(call.world % shared_.worlds.size());
  record.by = name_;
  record.id = Look(record.call.world, call.cell);
  record.begin = shared_.Now();
  if (call.kind < kFirstAnyTime) {
    Change(world, record);
  } else if (call.kind == Kind::kPrepare) {
    Prepare(world, record);
  } else if (call.kind == Kind::kAbort) {
    Abort(world, record);
  } else if (call.kind == Kind::kRead) {
    views_[call.slot % kViews].emplace(Held{record.call.world, world.Read()});
  } else if (call.kind == Kind::kDrop) {
    views_[call.slot % kViews].reset();
  } else {
    const std::optional<Held>& held = views_[call.slot % kViews];
    const bool fits = held && held->world == record.call.world;
    Query(world, fits ? &held->view : nullptr, record);
  }
  record.end = shared_.Now();
  if (!skipped_) records_.push_back(std::move(record));
}

void Actor::DoStill(const Call& call) {
  if (call.kind == Kind::kRead || call.kind == Kind::kDrop || call.kind < kFirstAnyTime) return;
  skipped_ = false;
  Record record;
  record.call = call;
  record.call.world = static_cast<std::uint8_t>(call.world % shared_.worlds.size());
  record.by = name_;
  record.id = Look(record.call.world, call.cell);
  const World& world = *shared_.worlds[record.call.world];
  record.begin = shared_.Now();
  const WorldView view = world.ReadNoLock();
  Query(world, &view, record);
  record.end = shared_.Now();
  records_.push_back(std::move(record));
}

void Actor::Fail(std::string promise) { failures_.emplace_back(std::move(promise), shared_.Now()); }

void Actor::DropViews() {
  for (auto& view : views_) view.reset();
}

BodyId Actor::Look(std::uint8_t world, std::uint8_t cell) const {
  const std::uint32_t name = cell % kCellNames;
  if (name == kNoId) return {};
  if (name == kNeverGiven) return BodyId::FromBits(static_cast<IdBits>(0x7ff0'1234'0010'0001u));
  const std::size_t from = name == kOtherWorld ? (world + 1u) % shared_.cells.size() : world;
  const auto& table = shared_.cells[from];
  return BodyId::FromBits(table[name % kCells].load(std::memory_order_relaxed));
}

void Actor::Put(const Record& record, std::size_t offset, BodyId id) {
  auto& table = shared_.cells[record.call.world];
  table[(record.call.cell + offset) % kCells].store(id.bits(), std::memory_order_relaxed);
}

// A body that was found carries its number; what was written before it was made must be visible.
void Actor::Found(const BodySnapshot& body) {
  if (body.user >= shared_.written.size()) {
    Fail(name_ + ": a body with a number that no body was given");
  } else if (shared_.written[body.user] != Secret(body.user)) {
    Fail(name_ + ": what was written before body " + std::to_string(body.user) +
         " was made is not there when the body is found");
  }
}

std::vector<BodyDef> Actor::Number(const Call& call) {
  const std::uint32_t count = call.kind == Kind::kCreate ? 1 : call.count;
  const std::size_t world = call.world % shared_.worlds.size();
  const std::uint64_t first =
      world * kMostBodies + shared_.next_number[world].fetch_add(count, std::memory_order_relaxed);
  std::vector<BodyDef> defs;
  for (std::uint32_t i = 0; i < count; ++i) {
    BodyDef def = BodyOf(call, i);
    def.user = first + i;
    shared_.written.at(def.user) = Secret(def.user);
    defs.push_back(def);
  }
  return defs;
}

void Actor::Change(World& world, Record& record) {
  const Call& call = record.call;
  switch (call.kind) {
    case Kind::kCreate: {
      record.defs = Number(call);
      const auto id = MeetingFaults([&] { return world.CreateBody(record.defs.front(), wait_); });
      if (!Keep(id, record)) return;
      record.ids.push_back(*id);
      return Put(record, 0, *id);
    }
    case Kind::kDestroy:
      Keep(MeetingFaults([&] { return world.DestroyBody(record.id, wait_); }), record);
      return;
    case Kind::kMove:
      Keep(MeetingFaults([&] {
             return world.MoveBody(record.id, PlaceOf(call.place), RotationOf(call), wait_);
           }),
           record);
      return;
    case Kind::kSetVelocity:
      Keep(MeetingFaults([&] { return world.SetVelocity(record.id, VelocityOf(call), {}, wait_); }),
           record);
      return;
    case Kind::kSetTarget:
      Keep(MeetingFaults([&] {
             return world.SetTarget(record.id, PlaceOf(call.place), RotationOf(call), wait_);
           }),
           record);
      return;
    case Kind::kWake:
      Keep(MeetingFaults([&] { return world.WakeBody(record.id, wait_); }), record);
      return;
    case Kind::kReform:
      Keep(MeetingFaults([&] { return world.SetProperties(record.id, ChangeOf(call), wait_); }),
           record);
      return;
    case Kind::kFinalise:
      return Finalise(world, record);
    case Kind::kJoin:
      return Join(world, record);
    case Kind::kUnjoin:
      return Unjoin(world, record);
    default:
      return Remove(world, record);
  }
}

BatchSlot& Actor::SlotOf(const Call& call, std::size_t world) {
  return shared_.batches[world % shared_.worlds.size() * kBatches + call.slot % kBatches];
}

void Actor::Prepare(World& world, Record& record) {
  BatchSlot& slot = SlotOf(record.call, record.call.world);
  const Taken taken(slot);
  skipped_ = !taken || !slot.batch.empty();
  if (skipped_) return;
  record.defs = Number(record.call);
  auto batch = MeetingFaults([&] { return world.PrepareBatch(record.defs); });
  if (!Keep(batch, record)) return;
  slot.batch = std::move(*batch);
  const auto ids = slot.batch.bodies();
  record.ids.assign(ids.begin(), ids.end());
  for (std::size_t i = 0; i < ids.size(); ++i) Put(record, i, ids[i]);
}

void Actor::Finalise(World& world, Record& record) {
  const bool is_others = NamesOtherWorld(record.call) && shared_.worlds.size() > 1;
  BatchSlot& slot = SlotOf(record.call, record.call.world + (is_others ? 1u : 0u));
  const Taken taken(slot);
  skipped_ = !taken;
  if (skipped_) return;
  const auto prepared = slot.batch.bodies();
  record.ids.assign(prepared.begin(), prepared.end());
  const auto ids = MeetingFaults([&] { return world.FinaliseBatch(slot.batch, wait_); });
  if (!Keep(ids, record)) {
    if (slot.batch.bodies().size() != record.ids.size()) {
      Fail(name_ + ": a batch that was refused is not as it was");
    }
    return;
  }
  if (is_others) Fail(name_ + ": a batch of another world was finalised");
  for (std::size_t i = 0; i < ids->size(); ++i) Put(record, i, (*ids)[i]);
  if (!std::equal(ids->begin(), ids->end(), record.ids.begin(), record.ids.end())) {
    Fail(name_ + ": FinaliseBatch returned other ids than the batch had");
  }
}

void Actor::Abort(World& world, Record& record) {
  BatchSlot& slot = SlotOf(record.call, record.call.world);
  const Taken taken(slot);
  skipped_ = !taken;
  if (skipped_) return;
  const auto ids = slot.batch.bodies();
  record.ids.assign(ids.begin(), ids.end());
  if (auto aborted = MeetingFaults([&] { return world.AbortBatch(slot.batch); }); !aborted) {
    Fail(name_ + ": AbortBatch: " + ToString(aborted.error()));
  }
  if (!slot.batch.empty()) Fail(name_ + ": an aborted batch is not empty");
}

void Actor::Join(World& world, Record& record) {
  record.joint_def = JointOf(record.call);
  record.joint_def.a = record.id;
  record.joint_def.b = Look(record.call.world, SecondCellOf(record.call));
  if (IsGear(record.call)) Gear(world, record);
  const auto joint = MeetingFaults([&] { return world.CreateJoint(record.joint_def, wait_); });
  if (!Keep(joint, record)) return;
  record.joint = *joint;
  shared_.joints[record.call.world][record.call.slot % kJointCells].store(
      *joint, std::memory_order_relaxed);
}

// Of two joints, and of a body of each if they are still there.
void Actor::Gear(const World& world, Record& record) {
  const auto& table = shared_.joints[record.call.world];
  const auto joint = [&](std::uint32_t cell) {
    return table[cell % kJointCells].load(std::memory_order_relaxed);
  };
  const GearJoint gear{joint(record.call.slot), joint(record.call.slot + 1u),
                       record.call.shape % 2 == 0 ? 2.0f : -0.5f};
  const auto first = world.GetJoint(gear.first);
  const auto second = world.GetJoint(gear.second);
  if (!first || !second) return;
  record.joint_def.kind = gear;
  record.joint_def.a = first->def.b;
  record.joint_def.b = second->def.a == first->def.b ? second->def.b : second->def.a;
}

void Actor::Unjoin(World& world, Record& record) {
  const std::size_t from = NamesOtherWorld(record.call)
                               ? (record.call.world + 1u) % shared_.joints.size()
                               : record.call.world;
  record.joint =
      shared_.joints[from][record.call.slot % kJointCells].load(std::memory_order_relaxed);
  Keep(MeetingFaults([&] { return world.DestroyJoint(record.joint, wait_); }), record);
}

void Actor::Remove(World& world, Record& record) {
  for (std::uint32_t i = 0; i < record.call.count; ++i) {
    // Each third id stands in the list twice.
    const auto cell = static_cast<std::uint8_t>(record.call.cell + i - (i % 3 == 2 ? 1 : 0));
    record.ids.push_back(Look(record.call.world, cell));
  }
  record.removed = MeetingFaults([&] { return world.RemoveBodies(record.ids, wait_); });
}

void Actor::Query(const World& world, const WorldView* view, Record& record) {
  const Call& call = record.call;
  if (call.kind == Kind::kGet) {
    const auto body = world.GetBody(record.id, wait_);
    if (!Keep(body, record)) return;
    Found(*body);
    record.bodies.push_back(*body);
    return;
  }
  QueryFilter filter = FilterOf(call);
  if (Ignores(call)) {
    filter.ignore = record.id;
  } else {
    record.id = {};
  }
  WaitTime inner;
  if (Asks(call)) {
    // It may call what the querying thread may: here, a query of its own.
    filter.accept = [&](const BodySnapshot& body) {
      Found(body);
      static_cast<void>(world.GetBody(body.id, inner));
      return Accepts(body.user);
    };
  }
  if (call.kind == Kind::kRay && view == nullptr) {
    record.hits.push_back(world.CastRay(RayOf(call), filter, wait_));
  } else if (view != nullptr) {
    QueryView(*view, filter, record);
  } else {
    QueryView(world.Read(), filter, record);
  }
  for (const BodySnapshot& body : record.bodies) Found(body);
  if (!puts_) return;
  std::size_t offset = 0;
  for (const BodyId id : record.ids) Put(record, offset++, id);
}

void Actor::QueryView(const WorldView& view, const QueryFilter& filter, Record& record) {
  const Call& call = record.call;
  const Vec3 place = PlaceOf(call.place);
  switch (call.kind) {
    case Kind::kRay:
      record.hits.push_back(view.CastRay(RayOf(call), filter, wait_));
      break;
    case Kind::kRays: {
      std::vector<RayCast> rays;
      for (std::uint32_t i = 0; i < call.count; ++i) rays.push_back(RayOf(call, i));
      record.hits.resize(rays.size());
      view.CastRays(rays, filter, record.hits, wait_);
      break;
    }
    case Kind::kFind:
      view.FindInBox(BoxOf(call), filter, record.ids, wait_);
      break;
    case Kind::kCollect: {
      const std::size_t limit = call.count < 8 ? 1000 : call.count - 8;
      view.Collect(AreaOf(call), filter, record.bodies, wait_, limit);
      break;
    }
    case Kind::kNearest: {
      const auto near = view.FindNearest(place, DistanceOf(call), filter, wait_);
      if (near) {
        record.ids.push_back(near->body);
        record.distances.push_back(near->distance);
      }
      break;
    }
    default: {
      std::vector<NearSnapshot> near;
      view.CollectNearest(place, DistanceOf(call), call.count, filter, near, wait_);
      for (const NearSnapshot& one : near) {
        record.bodies.push_back(one.body);
        record.distances.push_back(one.distance);
      }
      break;
    }
  }
  for (const BodySnapshot& body : record.bodies) record.ids.push_back(body.id);
}

}  // namespace nowait::world_programs
