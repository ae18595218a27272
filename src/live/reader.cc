#include "src/live/reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/base/or_no_memory.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_locks.h"
#include "src/bodies/layers.h"

namespace nowait {
namespace {

constexpr std::uint32_t kMostSamples = 4096;  // on one side of a ground (HeightFieldDef)
constexpr std::uint32_t kMostTexts = 4096;    // of lanes, and of names

constexpr std::uint64_t kMostPriorities = 3;  // of tasks

constexpr std::uint32_t kMostVertices = 255;  // of a hull
constexpr std::size_t kMostChildren = 256;    // of a compound

constexpr std::size_t kBytesOfTriangle = 3 * sizeof(std::uint32_t);

// number: at most kNoCore; zero: not known.
std::uint16_t CoreOf(std::uint64_t number) {
  return number == 0 ? kNoCore : static_cast<std::uint16_t>(number - 1);
}

bool IsSize(float size) { return std::isfinite(size) && size >= 0.0f; }

}  // namespace

Result<void> LiveReader::Read(const EventStream& message) {
  return OrNoMemory([&]() -> Result<void> {
    scene_.spans.clear();
    scene_.tasks.clear();
    scene_.structures.ray.reset();
    std::int64_t place = 0;
    for (const EventView event : message) {
      if (!ReadEvent(event)) {
        return greeted_ ? Fail(ErrorCode::kCorrupt, "live event", place, "its content is wrong")
                        : Fail(ErrorCode::kCorrupt, "live wire", place,
                               "no greeting of a version from 1 to 7 comes first");
      }
      place += static_cast<std::int64_t>(BytesInStream(event.size()));
    }
    return {};
  });
}

bool LiveReader::ReadEvent(const EventView& event) {
  EventCursor cursor(event.data());
  if (!greeted_) return event.type() == kLiveHello && ReadHello(cursor);
  switch (event.type()) {
    case kLiveHello:
      return ReadHello(cursor);
    case kLiveLane:
      return ReadText(cursor, scene_.lanes);
    case kLiveName:
      return ReadText(cursor, scene_.names);
    case kLiveGround:
      return ReadGround(cursor);
    case kLiveHoles:
      return ReadHoles(cursor);
    case kLiveMesh:
      return ReadMesh(cursor);
    case kLiveHull:
      return ReadHull(cursor);
    case kLiveCompound:
      return ReadCompound(cursor);
    case kLiveGone:
      return ReadGone(cursor);
    case kLiveBodies:
      return ReadBodies(cursor);
    case kLivePlaces:
      return ReadPlaces(cursor);
    case kLiveOut:
      return ReadSight(cursor, false);
    case kLiveIn:
      return ReadSight(cursor, true);
    case kLiveStates:
      return ReadStates(cursor);
    case kLiveThreads:
      return ReadThreads(cursor);
    case kLiveBodyLocks:
      return ReadBodyLocks(cursor);
    case kLiveSpans:
      return ReadSpans(cursor);
    case kLiveTasks:
      return ReadTasks(cursor);
    case kLiveLayer:
      return ReadText(cursor, scene_.layers);
    case kLiveTree:
      return scene_.structures.ReadTree(cursor);
    case kLiveLinks:
      return scene_.structures.ReadLinks(cursor);
    case kLiveRay:
      return scene_.structures.ReadRay(cursor);
    case kLiveLights:
      return ReadLights(cursor);
    case kLiveLocks:
      return ReadLocks(cursor);
    case LiveFrameEvent::kType:
      if (const auto* frame = event.As<LiveFrameEvent>()) {
        scene_.frame = *frame;
        return true;
      }
      return false;
    default:
      return true;  // from a later version
  }
}

// A greeting starts the scene over.
bool LiveReader::ReadHello(EventCursor cursor) {
  const auto version = cursor.Value<std::uint32_t>();
  const auto seconds = cursor.Value<float>();
  const auto place_unit = cursor.Value<float>();
  const auto rotation_unit = cursor.Value<float>();
  if (cursor.failed() || version < kLiveOldestVersion || version > kLiveVersion ||
      !(seconds > 0.0f && seconds <= 10.0f) || place_unit != kLivePlaceUnit ||
      rotation_unit != kLiveRotationUnit) {
    return false;
  }
  scene_ = {};
  scene_.version = version;
  scene_.frame_seconds = seconds;
  scene_.name = cursor.Text();
  greeted_ = true;
  return true;
}

bool LiveReader::ReadText(EventCursor cursor, std::map<std::uint32_t, std::string>& to) {
  const auto number = cursor.Value<std::uint32_t>();
  if (cursor.failed() || number >= kMostTexts) return false;
  to[number] = cursor.Text();
  return true;
}

bool LiveReader::ReadGround(EventCursor cursor) {
  const auto slot = cursor.Value<std::uint32_t>();
  LiveGround ground;
  ground.columns = cursor.Value<std::uint32_t>();
  ground.rows = cursor.Value<std::uint32_t>();
  ground.spacing = cursor.Value<float>();
  const auto low = cursor.Value<float>();
  const auto unit = cursor.Value<float>();
  const auto is_side = [](std::uint32_t samples) {
    return samples >= 2 && samples <= kMostSamples;
  };
  if (cursor.failed() || Find(slot) == nullptr || !is_side(ground.columns) ||
      !is_side(ground.rows) || !IsSize(ground.spacing) || !std::isfinite(low) || !IsSize(unit)) {
    return false;
  }
  const std::size_t samples = std::size_t{ground.columns} * ground.rows;
  if (cursor.left() != samples * sizeof(std::uint16_t)) return false;
  ground.heights.reserve(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    ground.heights.push_back(low + unit * static_cast<float>(cursor.Value<std::uint16_t>()));
  }
  scene_.grounds[slot] = std::move(ground);
  return true;
}

bool LiveReader::ReadHoles(EventCursor cursor) {
  const auto at = scene_.grounds.find(cursor.Value<std::uint32_t>());
  if (cursor.failed() || at == scene_.grounds.end()) return false;
  LiveGround& ground = at->second;
  const std::size_t cells = std::size_t{ground.columns - 1} * (ground.rows - 1);
  std::vector<bool> holes(cells, false);
  std::size_t end = 0;  // of the run before
  while (cursor.left() != 0) {
    const std::uint64_t before = cursor.Varint(), count = cursor.Varint();
    if (cursor.failed() || count == 0 || before > cells - end || count > cells - end - before) {
      return false;
    }
    const std::size_t first = end + before;
    end = first + count;
    for (std::size_t cell = first; cell < end; ++cell) holes[cell] = true;
  }
  ground.holes = std::move(holes);
  return true;
}

bool LiveReader::ReadMesh(EventCursor cursor) {
  const auto slot = cursor.Value<std::uint32_t>();
  const auto vertices = cursor.Value<std::uint32_t>();
  const auto triangles = cursor.Value<std::uint32_t>();
  if (cursor.failed() || Find(slot) == nullptr ||
      cursor.left() != vertices * sizeof(Vec3) + triangles * kBytesOfTriangle) {
    return false;
  }
  LiveMesh mesh;
  mesh.vertices.reserve(vertices);
  for (std::uint32_t i = 0; i < vertices; ++i) {
    mesh.vertices.push_back(cursor.Value<Vec3>());
    if (!IsFinite(mesh.vertices.back())) return false;
  }
  mesh.corners.reserve(3 * std::size_t{triangles});
  while (cursor.left() > 0) {
    mesh.corners.push_back(cursor.Value<std::uint32_t>());
    if (mesh.corners.back() >= vertices) return false;
  }
  scene_.meshes[slot] = std::move(mesh);
  return true;
}

bool LiveReader::ReadHull(EventCursor cursor) {
  const auto number = cursor.Value<std::uint32_t>();
  const auto vertices = cursor.Value<std::uint32_t>();
  if (cursor.failed() || vertices < 4 || vertices > kMostVertices) return false;
  LiveHull hull;
  for (std::uint32_t i = 0; i < vertices; ++i) {
    hull.vertices.push_back(cursor.Value<Vec3>());
    if (!IsFinite(hull.vertices.back())) return false;
  }
  while (!cursor.failed() && cursor.left() > 0) {
    const std::uint64_t corners = cursor.Varint();
    if (corners < 3 || corners > vertices) return false;
    std::vector<std::uint8_t>& face = hull.faces.emplace_back();
    for (std::uint64_t i = 0; i < corners; ++i) {
      face.push_back(cursor.Value<std::uint8_t>());
      if (face.back() >= vertices) return false;
    }
  }
  if (cursor.failed()) return false;
  scene_.hulls[number] = std::move(hull);
  return true;
}

// A child is drawn like a body of its shape.
bool LiveReader::ReadCompound(EventCursor cursor) {
  const auto number = cursor.Value<std::uint32_t>();
  std::vector<LiveChildRecord> children;
  while (!cursor.failed() && cursor.left() > 0) {
    const auto& child = children.emplace_back(cursor.Value<LiveChildRecord>());
    const auto is_finite = [](float value) { return std::isfinite(value); };
    if (!std::ranges::all_of(child.size, IsSize) ||
        !std::ranges::all_of(child.position, is_finite) ||
        !std::ranges::all_of(child.rotation, is_finite)) {
      return false;
    }
  }
  if (cursor.failed() || children.empty() || children.size() > kMostChildren) return false;
  scene_.compounds[number] = std::move(children);
  return true;
}

bool LiveReader::ReadGone(EventCursor cursor) {
  while (cursor.left() > 0) {
    const auto slot = cursor.Value<std::uint32_t>();
    if (cursor.failed() || scene_.bodies.erase(slot) == 0) return false;
    scene_.grounds.erase(slot);
    scene_.meshes.erase(slot);
  }
  return true;
}

bool LiveReader::ReadBodies(EventCursor cursor) {
  while (cursor.left() > 0) {
    LiveBody body;
    body.record = cursor.Value<LiveBodyRecord>();
    if (cursor.failed() || body.record.slot >= BodyId::kMaxBodies || body.record.dynamic > 1 ||
        body.record.layer >= kMaxLayers) {
      return false;
    }
    if (scene_.version == kLiveOldestVersion) body.record.layer = body.record.dynamic;
    for (const float size : body.record.size) {
      if (!IsSize(size)) return false;
    }
    if (!scene_.bodies.try_emplace(body.record.slot, body).second) return false;
  }
  return true;
}

LiveBody* LiveReader::Find(std::uint64_t slot) {
  if (slot >= BodyId::kMaxBodies) return nullptr;
  const auto body = scene_.bodies.find(static_cast<std::uint32_t>(slot));
  return body == scene_.bodies.end() ? nullptr : &body->second;
}

bool LiveReader::ReadPlaces(EventCursor cursor) {
  std::uint64_t next_slot = 0;
  while (cursor.left() > 0) {
    const std::uint64_t word = cursor.Varint();
    if (word >> 1 >= BodyId::kMaxBodies) return false;
    const std::uint64_t slot = next_slot + (word >> 1);
    LiveBody* const body = Find(slot);
    if (body == nullptr) return false;
    LivePlace place = body->place;
    if ((word & 1) != 0) place.largest = cursor.Value<std::uint8_t>();
    if (place.largest > 3) return false;
    for (std::int32_t& number : place.numbers) {
      const auto sum = AddChange(number, cursor.SignedVarint());
      if (!sum) return false;
      number = *sum;
    }
    if (cursor.failed()) return false;
    body->place = place;
    next_slot = slot + 1;
  }
  return !cursor.failed();
}

bool LiveReader::ReadStates(EventCursor cursor) {
  std::uint64_t next_slot = 0;
  while (cursor.left() > 0) {
    const std::uint64_t gap = cursor.Varint();
    const std::uint64_t state = cursor.Varint();
    if (cursor.failed() || gap >= BodyId::kMaxBodies || state >> 1 > BodyId::kMaxBodies) {
      return false;
    }
    LiveBody* const body = Find(next_slot + gap);
    if (body == nullptr) return false;
    body->asleep = (state & 1) != 0;
    body->island =
        state >> 1 == 0 ? BodySnapshot::kNoIsland : static_cast<std::uint32_t>((state >> 1) - 1);
    next_slot += gap + 1;
  }
  return !cursor.failed();
}

bool LiveReader::ReadThreads(EventCursor cursor) {
  std::uint64_t next_slot = 0;
  while (cursor.left() > 0) {
    const std::uint64_t gap = cursor.Varint();
    const std::uint64_t thread = cursor.Varint();
    if (cursor.failed() || gap >= BodyId::kMaxBodies || thread > kMostTexts) return false;
    LiveBody* const body = Find(next_slot + gap);
    if (body == nullptr) return false;
    body->lane.reset();
    if (thread > 0) body->lane = static_cast<std::uint32_t>(thread - 1);
    next_slot += gap + 1;
  }
  return !cursor.failed();
}

bool LiveReader::ReadSight(EventCursor cursor, bool in_sight) {
  std::uint64_t next_slot = 0;
  while (cursor.left() > 0) {
    const std::uint64_t gap = cursor.Varint();
    if (cursor.failed() || gap >= BodyId::kMaxBodies) return false;
    LiveBody* const body = Find(next_slot + gap);
    if (body == nullptr || body->in_sight == in_sight) return false;
    body->in_sight = in_sight;
    next_slot += gap + 1;
  }
  return true;
}

bool LiveReader::ReadBodyLocks(EventCursor cursor) {
  const auto locks = cursor.Value<std::uint32_t>();
  if (cursor.failed() || cursor.left() > 0 || locks < 1 || locks > BodyLocks::kMaxLocks) {
    return false;
  }
  scene_.body_locks = locks;
  return true;
}

bool LiveReader::ReadSpans(EventCursor cursor) {
  const bool may_be_about = scene_.version >= kLiveAboutVersion;
  const bool may_have_cores = scene_.version >= kLiveCoreVersion;
  std::map<std::uint64_t, std::uint64_t> cores;  // by lane: where the span before ended, and one
  auto before = cursor.Value<std::uint64_t>();
  while (cursor.left() > 0) {
    const std::uint64_t lane = cursor.Varint();
    std::uint64_t name = cursor.Varint();
    std::uint64_t about = Span::kAboutNothing;
    const bool stays = !may_have_cores || (name & 2) == 0;
    if (may_be_about) {
      if ((name & 1) != 0) about = cursor.Varint();
      name >>= may_have_cores ? 2 : 1;
    }
    std::uint64_t& core = cores[lane];
    const std::uint64_t begin_core = stays ? core : cursor.Varint();
    if (!stays) core = cursor.Varint();
    before += static_cast<std::uint64_t>(cursor.SignedVarint());
    const std::uint64_t duration = cursor.Varint();
    if (cursor.failed() || lane >= kMostTexts || name >= kMostTexts || about >> 32 != 0 ||
        begin_core > kNoCore || core > kNoCore) {
      return false;
    }
    scene_.spans.push_back({static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(name),
                            before, before + duration, static_cast<std::uint32_t>(about),
                            CoreOf(begin_core), CoreOf(core)});
  }
  return !cursor.failed();
}

bool LiveReader::ReadTasks(EventCursor cursor) {
  auto before = cursor.Value<std::uint64_t>();
  while (cursor.left() > 0) {
    const std::uint64_t lane = cursor.Varint();
    const std::uint64_t word = cursor.Varint();
    const std::uint64_t task = cursor.Varint();
    const std::uint64_t parent = (word & 1) != 0 ? cursor.Varint() : TaskRecord::kNoTask;
    const std::uint64_t dependency = (word & 2) != 0 ? cursor.Varint() : TaskRecord::kNoTask;
    before += static_cast<std::uint64_t>(cursor.SignedVarint());
    const std::uint64_t kind = word >> 3 & 7, priority = word >> 6;
    if (cursor.failed() || lane >= kMostTexts || task >= TaskRecord::kNoTask ||
        parent > TaskRecord::kNoTask || dependency > TaskRecord::kNoTask ||
        kind > static_cast<std::uint64_t>(TaskRecord::Kind::kLink) || priority >= kMostPriorities) {
      return false;
    }
    scene_.tasks.push_back({static_cast<std::uint32_t>(lane),
                            {.time = before,
                             .task = static_cast<std::uint32_t>(task),
                             .parent = static_cast<std::uint32_t>(parent),
                             .dependency = static_cast<std::uint32_t>(dependency),
                             .kind = static_cast<TaskRecord::Kind>(kind),
                             .priority = static_cast<std::uint8_t>(priority),
                             .bound = (word & 4) != 0}});
  }
  return !cursor.failed();
}

bool LiveReader::ReadLights(EventCursor cursor) {
  const auto of_scene = cursor.Value<std::uint32_t>();
  std::vector<LiveLight> lights;
  while (cursor.left() > 0) {
    const auto light = cursor.Value<LiveLight>();
    const Vec3 colour = {light.colour[0], light.colour[1], light.colour[2]};
    const bool is_light = IsFinite(light.position) && IsSize(light.reach) && IsFinite(colour);
    if (cursor.failed() || !is_light || lights.size() == kMostLights) return false;
    lights.push_back(light);
  }
  if (cursor.failed() || lights.size() > of_scene || of_scene > kMostLights) return false;
  scene_.lights_of_scene = of_scene;
  scene_.lights = std::move(lights);
  return true;
}

bool LiveReader::ReadLocks(EventCursor cursor) {
  LiveLocks locks;
  locks.acquisitions = cursor.Varint();
  locks.contended = cursor.Varint();
  locks.waited = cursor.Varint();
  locks.waiting_nodes = cursor.Varint();
  locks.steps_held = cursor.Varint();
  if (cursor.failed() || cursor.left() > 0) return false;
  scene_.locks = locks;
  return true;
}

}  // namespace nowait
