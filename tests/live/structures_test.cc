// A viewer knows the boxes and links of the last message, whatever it has missed or not asked for.
#include "src/live/structures.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "src/events/stream.h"
#include "src/live/place.h"
#include "src/live/wire.h"
#include "src/math/random.h"

namespace nowait {
namespace {

// Boxes that come, change and go at random, and links.
class Engine {
 public:
  explicit Engine(std::uint64_t seed) : random_(seed) {}

  LiveFrame Next() {
    LiveFrame frame;
    frame.parts.bits = LiveParts::kAll;
    for (std::uint32_t node = 0; node < 50; ++node) {
      if (random_.Below(8) == 0 && boxes_.erase(node) == 0) boxes_[node] = Box(node);
      if (random_.Below(4) == 0 && boxes_.contains(node)) boxes_[node] = Box(node);
    }
    for (const auto& [node, box] : boxes_) frame.tree.boxes.push_back(box);
    // The engine's order is another one than that of the nodes.
    std::ranges::reverse(frame.tree.boxes);
    frame.tree.trees = {{Layer::kStatic, 0, 0}, {Layer::kDynamic, random_.Below(9), 70'000}};
    frame.stats.rebuilds.rebuilds[1] = 2;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t a = random_.Below(20);
      const BodyLink link{a, a + 1 + random_.Below(2'000'000), random_.Below(2) == 0};
      if (random_.Below(2) == 0) links_.insert(link);
      if (!links_.empty() && random_.Below(3) == 0) links_.erase(links_.begin());
    }
    frame.links.links.assign(links_.begin(), links_.end());
    frame.links.left_out = random_.Below(3);
    return frame;
  }

 private:
  TreeBox Box(std::uint32_t node) {
    TreeBox box{.node = 7 * node,
                .level = random_.Below(40),
                .layer = static_cast<Layer>(random_.Below(16)),
                .bodies = static_cast<std::uint8_t>(random_.Below(5)),
                .open = random_.Below(2) == 0,
                .changed = random_.Below(2) == 0,
                .box = Bounds<3>::Empty()};
    if (random_.Below(9) == 0) box.box = Bounds<3>::Everywhere();
    if (random_.Below(3) != 0) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.box.min[axis] = random_.Between(-900.0f, 900.0f);
        box.box.max[axis] = box.box.min[axis] + random_.Between(0.0f, 9.0f);
      }
    }
    return box;
  }

  Random random_;
  std::map<std::uint32_t, TreeBox> boxes_;
  std::set<BodyLink> links_;
};

void CheckTree(const LiveStructures& read, const LiveFrame& frame) {
  REQUIRE(read.boxes.size() == frame.tree.boxes.size());
  for (const TreeBox& box : frame.tree.boxes) {
    REQUIRE(read.boxes.contains(box.node));
    const LiveBox& live = read.boxes.at(box.node);
    REQUIRE(live.layer() == IndexOf(box.layer));
    REQUIRE(live.level() == box.level);
    REQUIRE(live.bodies() == box.bodies);
    REQUIRE(live.open() == box.open);
    REQUIRE(live.changed() == box.changed);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      REQUIRE(live.numbers[axis] == ToLiveUnits(box.box.min[axis]));
      REQUIRE(live.numbers[axis + 3] == ToLiveUnits(box.box.max[axis]));
    }
  }
  REQUIRE(read.trees.size() == 2);
  REQUIRE(read.trees[1].rebuilds == 2);
  REQUIRE(read.trees[1].staged == frame.tree.trees[1].staged);
  REQUIRE(read.trees[1].left_out == 70'000);
}

void CheckLinks(const LiveStructures& read, const LiveFrame& frame) {
  std::set<std::uint64_t> keys;
  for (const BodyLink& link : frame.links.links) keys.insert(KeyOf(link));
  REQUIRE(keys.size() == frame.links.links.size());
  REQUIRE(read.links == keys);
  REQUIRE(read.links_left_out == frame.links.left_out);
}

bool Read(LiveStructures& structures, std::span<const std::byte> bytes) {
  const auto stream = EventStream::Open(bytes);
  REQUIRE(stream);
  for (const EventView event : *stream) {
    const EventCursor cursor(event.data());
    if (!(event.type() == kLiveTree ? structures.ReadTree(cursor) : structures.ReadLinks(cursor))) {
      return false;
    }
  }
  return true;
}

TEST_CASE("a viewer knows the structures of the last message, whatever it has missed") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Engine engine(seed);
    Random random(seed);
    StructuresWriter sender;
    LiveStructures structures;
    for (int i = 0; i < 60; ++i) {
      LiveFrame frame = engine.Next();
      // The viewer misses a frame, or shows other parts, or the engine has not heard of it yet.
      if (random.Below(4) == 0) continue;
      const LiveParts shown{random.Below(6) == 0 ? random.Below(4) : LiveParts::kAll};
      if (random.Below(6) == 0) frame.parts.bits = random.Below(4);
      EventWriter writer;
      sender.Write(shown, frame, writer);
      REQUIRE(Read(structures, writer.bytes()));
      if (shown.tree() && frame.parts.tree()) CheckTree(structures, frame);
      if (shown.links() && frame.parts.links()) CheckLinks(structures, frame);
    }
  }
}

TEST_CASE("structures at rest cost a few bytes") {
  LiveFrame frame = Engine(4).Next();
  StructuresWriter sender;
  EventWriter writer;
  sender.Write({LiveParts::kAll}, frame, writer);
  writer.Clear();
  sender.Write({LiveParts::kAll}, frame, writer);
  CHECK(writer.bytes().size() <= 48);
}

TEST_CASE("as many boxes and links as there may be are replaced by as many others") {
  StructuresWriter sender;
  LiveStructures structures;
  for (const std::uint32_t odd : {0u, 1u, 0u}) {
    LiveFrame frame;
    frame.parts.bits = LiveParts::kAll;
    for (std::uint32_t i = 0; i < LiveParts::kMostLinks; ++i) {
      frame.links.links.push_back({2 * i + odd, 100'000, false});
    }
    for (std::size_t layer = 0; layer < kMaxLayers; ++layer) {
      for (std::uint32_t i = 0; i < LiveParts::kMostBoxes; ++i) {
        frame.tree.boxes.push_back(
            {.node = static_cast<std::uint32_t>(2 * (layer * LiveParts::kMostBoxes + i) + odd),
             .level = 1,
             .layer = static_cast<Layer>(layer),
             .bodies = 4,
             .open = false,
             .changed = false,
             .box = {}});
      }
    }
    EventWriter writer;
    sender.Write({LiveParts::kAll}, frame, writer);
    REQUIRE(Read(structures, writer.bytes()));
    CheckLinks(structures, frame);
    REQUIRE(structures.boxes.size() == frame.tree.boxes.size());
    REQUIRE(structures.boxes.contains(odd));
  }
}

// Of numbers, each a varint.
bool ReadsTree(LiveStructures structures, std::initializer_list<std::uint64_t> numbers) {
  EventWriter writer;
  writer.Begin(kLiveTree);
  for (const std::uint64_t number : numbers) writer.Varint(number);
  writer.End();
  return Read(structures, writer.bytes());
}
bool ReadsLinks(LiveStructures structures, std::initializer_list<std::uint64_t> numbers) {
  EventWriter writer;
  writer.Begin(kLiveLinks);
  for (const std::uint64_t number : numbers) writer.Varint(number);
  writer.End();
  return Read(structures, writer.bytes());
}

TEST_CASE("wrong boxes and links are refused") {
  const LiveStructures none;
  CHECK(ReadsTree(none, {0}));
  CHECK(ReadsTree(none, {1, 3, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0}));
  CHECK(!ReadsTree(none, {17}));                         // more trees than layers
  CHECK(!ReadsTree(none, {1, 16, 0, 0, 0, 0}));          // no such layer
  CHECK(!ReadsTree(none, {1, 3, 0, 0}));                 // cut off
  CHECK(!ReadsTree(none, {0, 5, 0}));                    // a box goes that is not there
  CHECK(!ReadsTree(none, {0, 5, 2, 0, 0, 0, 0, 0, 0}));  // neither there nor gone
  CHECK(!ReadsTree(none, {0, 5, 1, 0, 0, 0}));           // half a box
  CHECK(!ReadsTree(none, {0, std::uint64_t{1} << 31, 1, 0, 0, 0, 0, 0, 0}));
  CHECK(!ReadsTree(none, {0, 5, 1, std::uint64_t{1} << 33, 0, 0, 0, 0, 0}));
  CHECK(ReadsLinks(none, {0, 8, 3}));
  CHECK(!ReadsLinks(none, {}));
  CHECK(!ReadsLinks(none, {0, std::uint64_t{1} << 43}));
  LiveStructures full;
  for (std::uint64_t key = 0; key < LiveParts::kMostLinks; ++key) full.links.insert(2 * key);
  CHECK(ReadsLinks(full, {0, 2}));   // goes
  CHECK(!ReadsLinks(full, {0, 1}));  // one more than there may be
}

LiveFrame WithRay(std::size_t visits, bool hits) {
  LiveFrame frame;
  frame.number = 1;
  RayTrace& trace = frame.ray.emplace();
  trace.ray = {{1, 2, 3}, {-4, 5, 600}};
  trace.bodies = 7;
  if (hits) trace.hit = RayHit{BodyId(1, 12, 3), 0.25f, {}, {}};
  Random random(5);
  for (std::size_t i = 0; i < visits; ++i) {
    const Vec3 low = random.InBox({-90, -90, -90}, {90, 90, 90});
    trace.nodes.push_back({{low.x, low.y, low.z}, {low.x + 1, low.y + 2, low.z + 3}});
  }
  if (visits > 3) trace.nodes[3] = Bounds<3>::Empty();
  return frame;
}

TEST_CASE("a viewer that shows the ray has its way, and the visits beyond the most are counted") {
  const std::size_t visits = GENERATE(0u, 1u, 20u, LiveParts::kMostVisits + 30);
  const bool hits = GENERATE(false, true);
  const LiveFrame frame = WithRay(visits, hits);
  StructuresWriter structures;
  EventWriter writer;
  structures.Write({LiveParts::kAll & ~LiveParts::kRay}, frame, writer);
  REQUIRE(writer.bytes().empty());
  structures.Write({LiveParts::kRay}, frame, writer);
  const auto stream = EventStream::Open(writer.bytes());
  LiveStructures read;
  for (const EventView event : *stream) REQUIRE(read.ReadRay(EventCursor(event.data())));
  REQUIRE(read.ray);
  CHECK(read.ray->origin == Vec3{1, 2, 3});
  CHECK(read.ray->translation == Vec3{-4, 5, 600});
  CHECK(read.ray->bodies == 7);
  CHECK(read.ray->fraction == (hits ? 0.25f : 1.0f));
  CHECK(read.ray->hit == (hits ? std::optional(12u) : std::nullopt));
  REQUIRE(read.ray->nodes.size() == std::min(visits, LiveParts::kMostVisits));
  CHECK(read.ray->left_out == visits - read.ray->nodes.size());
  for (std::size_t i = 0; i < read.ray->nodes.size(); ++i) {
    REQUIRE(read.ray->nodes[i] == LiveBox::NumbersOf(frame.ray->nodes[i]));
  }
}

TEST_CASE("a ray that ends nowhere or is cut off, and too many visits are refused") {
  const auto event = [](float x, float fraction, std::uint64_t hit, std::size_t numbers) {
    EventWriter writer;
    writer.Begin(kLiveRay);
    for (int i = 0; i < 6; ++i) writer.Value(x);
    writer.Value(fraction);
    for (const std::uint64_t value : {hit, std::uint64_t{0}, std::uint64_t{0}}) {
      writer.Varint(value);
    }
    for (std::size_t i = 0; i < numbers; ++i) writer.SignedVarint(1);
    writer.End();
    LiveStructures read;
    const auto stream = EventStream::Open(writer.bytes());
    return read.ReadRay(EventCursor((*stream->begin()).data()));
  };
  CHECK(event(1.0f, 1.0f, 0, 12));
  CHECK(!event(std::numeric_limits<float>::infinity(), 1.0f, 0, 12));
  CHECK(!event(1.0f, 1.5f, 0, 12));
  CHECK(!event(1.0f, std::numeric_limits<float>::quiet_NaN(), 0, 12));
  CHECK(!event(1.0f, 1.0f, std::uint64_t{1} << 40, 12));
  CHECK(!event(1.0f, 1.0f, 0, 13));
  CHECK(event(1.0f, 1.0f, 0, 6 * LiveParts::kMostVisits));
  CHECK(!event(1.0f, 1.0f, 0, 6 * LiveParts::kMostVisits + 6));
}

}  // namespace
}  // namespace nowait
