#include "src/live/encoder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "src/live/wire.h"

namespace nowait {
namespace {

LiveShape ShapeOf(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return LiveShape::kSphere;
    case ShapeKind::kBox:
      return LiveShape::kBox;
    case ShapeKind::kHeightField:
      return LiveShape::kGround;
    case ShapeKind::kCylinder:
      return LiveShape::kCylinder;
    case ShapeKind::kHull:
      return LiveShape::kHull;
    case ShapeKind::kCapsule:
      return LiveShape::kCapsule;
    case ShapeKind::kMesh:
      return LiveShape::kMesh;
    case ShapeKind::kCompound:
      return LiveShape::kCompound;
    case ShapeKind::kPlane:
      return LiveShape::kPlane;
  }
  return LiveShape::kOther;
}

// The numbers of hulls and compounds are the encoder's.
std::array<float, 3> SizeOf(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {shape.radius, 0.0f, 0.0f};
    case ShapeKind::kBox:
      return {shape.half.x, shape.half.y, shape.half.z};
    case ShapeKind::kCylinder:
    case ShapeKind::kCapsule:
      return {shape.radius, shape.half_height, 0.0f};
    case ShapeKind::kPlane:
      return {shape.normal.x, shape.normal.y, shape.normal.z};
    default:
      return {};
  }
}

LiveBodyRecord RecordOf(const BodySnapshot& body) {
  LiveBodyRecord record{};
  record.slot = body.id.slot();
  record.generation = body.id.generation();
  record.shape = static_cast<std::uint32_t>(ShapeOf(body.shape));
  record.dynamic = body.type == BodyType::kDynamic ? 1 : 0;
  record.layer = static_cast<std::uint32_t>(body.layer);
  record.size = SizeOf(body.shape);
  return record;
}

// Of a plane the point of its surface that is nearest to its frame's origin.
LivePlace PlaceOf(const BodySnapshot& body) {
  const Vec3 from_origin = body.shape.kind == ShapeKind::kPlane
                               ? Rotate(body.rotation, body.shape.normal) * body.shape.distance
                               : Vec3{};
  return ToLivePlace(body.position + from_origin, body.rotation);
}

// The island, zero without an island, and in the lowest bit whether the body sleeps.
std::uint64_t StateOf(const BodySnapshot& body) {
  const std::uint64_t island =
      body.island == BodySnapshot::kNoIsland ? 0 : std::uint64_t{body.island} + 1;
  return island << 1 | (body.asleep ? 1 : 0);
}

std::uint32_t Microseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint32_t>(std::chrono::round<std::chrono::microseconds>(time).count());
}

std::uint32_t Saturated(std::uint64_t count) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Result<EventStream> LiveEncoder::Encode(const LiveFrame& frame, const LiveSight* sight) {
  return OrNoMemory([&]() -> Result<EventStream> {
    writer_.Clear();
    if (last_ == 0) {
      Describe();
      lost_spans_before_ = frame.lost_spans;
    } else {
      dropped_ += frame.number - last_ - 1;
    }
    last_ = frame.number;
    Choose(frame, sight);
    AddGone(frame);
    AddSight();
    AddBodies();
    AddPlaces();
    AddStates();
    if (shown_.threads()) AddThreads();
    AddLights(frame, sight);
    AddSpans(frame);
    AddTasks(frame);
    structures_.Write(shown_, frame, writer_);
    AddLocks(frame);
    AddFrame(frame);
    return EventStream::Open(writer_.bytes());
  });
}

void LiveEncoder::Describe() {
  writer_.Begin(kLiveHello);
  writer_.Value(kLiveVersion);
  writer_.Value(hello_.frame_seconds);
  writer_.Value(kLivePlaceUnit);
  writer_.Value(kLiveRotationUnit);
  writer_.Text(hello_.scene);
  writer_.End();
  const auto name = [this](std::uint32_t type, const std::vector<std::string>& names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      writer_.Begin(type);
      writer_.Value(i);
      writer_.Text(names[i]);
      writer_.End();
    }
  };
  name(kLiveLane, hello_.lanes);
  name(kLiveLayer, hello_.layers);
  writer_.Begin(kLiveBodyLocks);
  writer_.Value(hello_.body_locks);
  writer_.End();
}

// A slot that now belongs to another body counts as gone, and then as new. So does one in sight
// whose body has another form; out of sight it stays as it was.
void LiveEncoder::AddGone(const LiveFrame& frame) {
  std::vector<std::uint32_t>& gone = slots_;
  gone.clear();
  std::size_t next = 0, next_seen = 0;
  for (std::uint32_t slot = 0; slot < sent_.size(); ++slot) {
    while (next < frame.bodies.size() && frame.bodies[next].id.slot() < slot) ++next;
    while (next_seen < seen_.size() && seen_[next_seen]->id.slot() < slot) ++next_seen;
    const Sent& sent = sent_[slot];
    const bool same = next < frame.bodies.size() && frame.bodies[next].id == sent.id;
    const bool other_form = next_seen < seen_.size() && seen_[next_seen]->id == sent.id &&
                            seen_[next_seen]->form != sent.form;
    if (!sent.id.valid() || (same && !other_form)) continue;
    gone.push_back(slot);
    Release(sent);
    sent_[slot] = {};
  }
  if (gone.empty()) return;
  writer_.Begin(kLiveGone);
  for (const std::uint32_t slot : gone) writer_.Value(slot);
  writer_.End();
}

void LiveEncoder::Release(const Sent& sent) {
  if (sent.shape == LiveShape::kHull) hulls_.Release(sent.number);
  if (sent.shape == LiveShape::kCompound) compounds_.Release(sent.number);
}

// Both lists are by ascending slot, and of the same moment: each slot in sight is among the bodies.
void LiveEncoder::Choose(const LiveFrame& frame, const LiveSight* sight) {
  seen_.clear();
  std::size_t next = 0;
  for (const BodySnapshot& body : frame.bodies) {
    if (sight != nullptr) {
      const auto& slots = sight->slots;
      while (next < slots.size() && slots[next] < body.id.slot()) ++next;
      if (next == slots.size() || slots[next] != body.id.slot()) continue;
    }
    seen_.push_back(&body);
  }
}

// Known bodies that have left the sight, and those that are in it again.
void LiveEncoder::AddSight() {
  const auto write = [this](std::uint32_t type) {
    if (slots_.empty()) return;
    writer_.Begin(type);
    std::uint32_t next_slot = 0;
    for (const std::uint32_t slot : slots_) {
      writer_.Varint(slot - next_slot);
      next_slot = slot + 1;
    }
    writer_.End();
  };
  slots_.clear();
  std::size_t next = 0;
  for (std::uint32_t slot = 0; slot < sent_.size(); ++slot) {
    while (next < seen_.size() && seen_[next]->id.slot() < slot) ++next;
    const bool seen = next < seen_.size() && seen_[next]->id.slot() == slot;
    if (seen || !sent_[slot].in_sight) continue;
    sent_[slot].in_sight = false;
    slots_.push_back(slot);
  }
  write(kLiveOut);
  slots_.clear();
  for (const BodySnapshot* body : seen_) {
    const std::uint32_t slot = body->id.slot();
    if (slot >= sent_.size() || sent_[slot].id != body->id || sent_[slot].in_sight) continue;
    sent_[slot].in_sight = true;
    slots_.push_back(slot);
  }
  write(kLiveIn);
}

void LiveEncoder::AddBodies() {
  if (!seen_.empty()) {
    const std::size_t slots = seen_.back()->id.slot() + 1;
    if (sent_.size() < slots) sent_.resize(slots);
  }
  bool begun = false;
  std::vector<const BodySnapshot*> new_grounds, new_meshes;
  NewShapes news;
  for (const BodySnapshot* seen : seen_) {
    const BodySnapshot& body = *seen;
    Sent& sent = sent_[body.id.slot()];
    if (sent.id == body.id) continue;
    sent.id = body.id;
    sent.form = body.form;
    sent.in_sight = true;
    if (!begun) writer_.Begin(kLiveBodies);
    begun = true;
    LiveBodyRecord record = RecordOf(body);
    sent.shape = ShapeOf(body.shape);
    if (sent.shape == LiveShape::kHull) {
      sent.number = Use(*body.shape.hull, news);
      record.size[0] = static_cast<float>(sent.number);
    } else if (sent.shape == LiveShape::kCompound) {
      sent.number = Use(*body.shape.compound, news);
      record.size[0] = static_cast<float>(sent.number);
    }
    writer_.Value(record);
    if (body.shape.kind == ShapeKind::kHeightField) new_grounds.push_back(&body);
    if (body.shape.kind == ShapeKind::kMesh) new_meshes.push_back(&body);
  }
  if (begun) writer_.End();
  for (const BodySnapshot* body : new_grounds) AddGround(*body);
  for (const BodySnapshot* body : new_meshes) AddMesh(*body);
  for (const auto& [number, hull] : news.hulls) AddHull(number, *hull);
  for (const auto& [number, children] : news.compounds) {
    writer_.Begin(kLiveCompound);
    writer_.Value(number);
    for (const LiveChildRecord& child : children) writer_.Value(child);
    writer_.End();
  }
}

std::uint32_t LiveEncoder::Use(const ConvexHull& hull, NewShapes& news) {
  const auto [number, is_new] = hulls_.Use(std::as_bytes(hull.block()));
  if (is_new) news.hulls.emplace_back(number, &hull);
  return number;
}

// A compound uses its hulls until the viewer has another one in its place.
std::uint32_t LiveEncoder::Use(const CompoundShape& compound, NewShapes& news) {
  std::vector<LiveChildRecord> children;
  std::vector<std::uint32_t> hulls;
  for (const CompoundShape::Child& child : compound.children()) {
    LiveChildRecord record{
        static_cast<std::uint32_t>(ShapeOf(child.shape)),
        SizeOf(child.shape),
        {child.position.x, child.position.y, child.position.z},
        {child.rotation.x, child.rotation.y, child.rotation.z, child.rotation.w}};
    if (child.shape.kind == ShapeKind::kHull) {
      hulls.push_back(Use(*child.shape.hull, news));
      record.size[0] = static_cast<float>(hulls.back());
    }
    children.push_back(record);
  }
  const auto [number, is_new] = compounds_.Use(std::as_bytes(std::span(children)));
  if (is_new) {
    news.compounds.emplace_back(number, std::move(children));
    if (hulls_of_.size() <= number) hulls_of_.resize(number + std::size_t{1});
    hulls_of_[number].swap(hulls);
  }
  for (const std::uint32_t hull : hulls) hulls_.Release(hull);
  return number;
}

void LiveEncoder::AddHull(std::uint32_t number, const ConvexHull& hull) {
  writer_.Begin(kLiveHull);
  writer_.Value(number);
  writer_.Value(static_cast<std::uint32_t>(hull.vertices().size()));
  for (const Vec3& vertex : hull.vertices()) writer_.Value(vertex);
  for (std::size_t face = 0; face < hull.planes().size(); ++face) {
    writer_.Varint(hull.CornersOf(face).size());
    for (const std::uint8_t corner : hull.CornersOf(face)) writer_.Value(corner);
  }
  writer_.End();
}

void LiveEncoder::AddGround(const BodySnapshot& body) {
  const HeightField& field = *body.shape.height_field;
  constexpr float kMost = std::numeric_limits<std::uint16_t>::max();
  const float low = field.min_height();
  const float unit = std::max((field.max_height() - low) / kMost, 1e-6f);
  writer_.Begin(kLiveGround);
  writer_.Value(body.id.slot());
  writer_.Value(field.columns());
  writer_.Value(field.rows());
  writer_.Value(field.spacing());
  writer_.Value(low);
  writer_.Value(unit);
  for (std::uint32_t k = 0; k < field.rows(); ++k) {
    for (std::uint32_t i = 0; i < field.columns(); ++i) {
      const float steps = std::clamp((field.HeightOf(i, k) - low) / unit + 0.5f, 0.0f, kMost);
      writer_.Value(static_cast<std::uint16_t>(steps));
    }
  }
  writer_.End();
  if (field.has_holes()) AddHoles(body);
}

void LiveEncoder::AddHoles(const BodySnapshot& body) {
  const HeightField& field = *body.shape.height_field;
  const std::uint32_t columns = field.columns() - 1, cells = columns * (field.rows() - 1);
  const auto is_hole = [&](std::uint32_t cell) {
    return field.IsHole(cell % columns, cell / columns);
  };
  writer_.Begin(kLiveHoles);
  writer_.Value(body.id.slot());
  std::uint32_t end = 0;  // of the run before
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    if (!is_hole(cell)) continue;
    const std::uint32_t first = cell;
    while (cell < cells && is_hole(cell)) ++cell;
    writer_.Varint(first - end);
    writer_.Varint(cell - first);
    end = cell;
  }
  writer_.End();
}

void LiveEncoder::AddMesh(const BodySnapshot& body) {
  const TriangleMesh& mesh = *body.shape.mesh;
  writer_.Begin(kLiveMesh);
  writer_.Value(body.id.slot());
  writer_.Value(mesh.vertices());
  writer_.Value(mesh.triangles());
  for (std::uint32_t i = 0; i < mesh.vertices(); ++i) writer_.Value(mesh.Vertex(i));
  for (std::uint32_t i = 0; i < mesh.triangles(); ++i) {
    for (const std::uint32_t corner : mesh.CornersOf(i)) writer_.Value(corner);
  }
  writer_.End();
}

void LiveEncoder::AddPlaces() {
  moved_.clear();
  for (const BodySnapshot* body : seen_) {
    if (PlaceOf(*body) != sent_[body->id.slot()].place) moved_.push_back(body);
  }
  if (moved_.empty()) return;
  writer_.Begin(kLivePlaces);
  std::uint32_t next_slot = 0;
  for (const BodySnapshot* body : moved_) {
    const std::uint32_t slot = body->id.slot();
    LivePlace& sent = sent_[slot].place;
    const LivePlace place = PlaceOf(*body);
    const bool turned = place.largest != sent.largest;
    writer_.Varint(std::uint64_t{slot - next_slot} << 1 | (turned ? 1 : 0));
    if (turned) writer_.Value(place.largest);
    for (std::size_t n = 0; n < LivePlace::kNumbers; ++n) {
      writer_.SignedVarint(std::int64_t{place.numbers[n]} - sent.numbers[n]);
    }
    sent = place;
    next_slot = slot + 1;
  }
  writer_.End();
}

void LiveEncoder::AddStates() {
  bool begun = false;
  std::uint32_t next_slot = 0;
  for (const BodySnapshot* seen : seen_) {
    const BodySnapshot& body = *seen;
    const std::uint32_t slot = body.id.slot();
    const std::uint64_t state = StateOf(body);
    if (state == sent_[slot].state) continue;
    if (!begun) writer_.Begin(kLiveStates);
    begun = true;
    writer_.Varint(slot - next_slot);
    writer_.Varint(state);
    sent_[slot].state = state;
    next_slot = slot + 1;
  }
  if (begun) writer_.End();
}

void LiveEncoder::AddThreads() {
  bool begun = false;
  std::uint32_t next_slot = 0;
  for (const BodySnapshot* seen : seen_) {
    const BodySnapshot& body = *seen;
    const std::uint32_t slot = body.id.slot();
    const std::uint32_t thread = body.lane == BodySnapshot::kNoLane ? 0 : body.lane + 1u;
    if (thread == sent_[slot].thread) continue;
    if (!begun) writer_.Begin(kLiveThreads);
    begun = true;
    writer_.Varint(slot - next_slot);
    writer_.Varint(thread);
    sent_[slot].thread = thread;
    next_slot = slot + 1;
  }
  if (begun) writer_.End();
}

void LiveEncoder::AddLights(const LiveFrame& frame, const LiveSight* sight) {
  const std::vector<LiveLight>& all = frame.moment.lights;
  shining_.clear();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (sight == nullptr || std::ranges::binary_search(sight->lights, i))
      shining_.push_back(all[i]);
  }
  if (shining_ == lights_ && all.size() == lights_of_scene_) return;
  lights_ = shining_;
  lights_of_scene_ = all.size();
  writer_.Begin(kLiveLights);
  writer_.Value(static_cast<std::uint32_t>(all.size()));
  for (const LiveLight& light : lights_) writer_.Value(light);
  writer_.End();
}

void LiveEncoder::AddLocks(const LiveFrame& frame) {
  const UpdateStats& stats = frame.stats;
  const LiveLocks locks = {.acquisitions = stats.body_locks.acquisitions,
                           .contended = stats.body_locks.contended,
                           .waited = static_cast<std::uint64_t>(stats.body_locks.waited.count()),
                           .waiting_nodes = stats.waiting_nodes,
                           .steps_held = stats.steps_held};
  if (locks_ == locks) return;
  writer_.Begin(kLiveLocks);
  writer_.Varint(locks.acquisitions);
  writer_.Varint(locks.contended);
  writer_.Varint(locks.waited);
  writer_.Varint(locks.waiting_nodes);
  writer_.Varint(locks.steps_held);
  writer_.End();
  locks_ = locks;
}

void LiveEncoder::AddFrame(const LiveFrame& frame) {
  const UpdateStats& stats = frame.stats;
  LiveFrameEvent event{};
  event.number = frame.number;
  event.step = frame.moment.step;
  event.begin = frame.moment.begin;
  event.end = frame.moment.end;
  event.seed = frame.moment.seed;
  event.paused = frame.moment.paused ? 1 : 0;
  event.speed_permil = static_cast<std::uint32_t>(frame.moment.speed * 1000.0f + 0.5f);
  event.bodies = static_cast<std::uint32_t>(frame.bodies.size());
  event.awake = stats.awake;
  event.pairs = stats.pairs;
  event.contacts = stats.contacts;
  event.islands = stats.islands;
  event.largest_island = stats.largest_island;
  event.phases_us = {Microseconds(stats.times.begin), Microseconds(stats.times.collide),
                     Microseconds(stats.times.finalise), Microseconds(stats.times.solve),
                     Microseconds(stats.times.finish)};
  event.dropped = Saturated(dropped_);
  event.lost_spans = Saturated(frame.lost_spans - lost_spans_before_);
  writer_.Add(event);
}

}  // namespace nowait
