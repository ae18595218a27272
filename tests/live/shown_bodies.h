// Frames of bodies at random for the encoder, and checks that a reader has them as they were sent.
//
// Thread safety: one thread.
#ifndef NOWAIT_TESTS_LIVE_SHOWN_BODIES_H_
#define NOWAIT_TESTS_LIVE_SHOWN_BODIES_H_

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/events/stream.h"
#include "src/live/frame.h"
#include "src/live/place.h"
#include "src/live/reader.h"
#include "src/math/random.h"

namespace nowait {

// Frames whose bodies come, move, sleep and go at random.
class Bodies {
 public:
  explicit Bodies(std::uint64_t seed) : random_(seed) {
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      std::vector<Vec3> points;
      for (std::uint32_t k = 0; k < 6 + 4 * i; ++k) points.push_back(random_.Direction());
      hulls_.push_back(std::move(*ConvexHull::Create({.points = points})));
    }
  }

  LiveFrame Next() {
    LiveFrame frame;
    frame.number = ++number_;
    for (std::uint32_t slot = 0; slot < 60; ++slot) {
      if (random_.Below(12) == 0) Toggle(slot);
    }
    for (auto& [slot, body] : bodies_) {
      if (!body.asleep) {
        body.position = body.position + random_.InBox({-1, -1, -1}, {1, 1, 1});
        if (random_.Below(2) == 0) body.rotation = random_.Rotation();
      }
      if (random_.Below(8) == 0) Reform(body);
      if (random_.Below(6) == 0) body.asleep = !body.asleep;
      if (random_.Below(4) == 0) {
        body.island = random_.Below(3) == 0 ? BodySnapshot::kNoIsland : random_.Below(60);
      }
      if (random_.Below(3) == 0) {
        body.lane = static_cast<std::uint16_t>(random_.Below(4) == 0 ? BodySnapshot::kNoLane
                                                                     : random_.Below(3));
      }
      frame.bodies.push_back(body);
    }
    frame.moment = {.step = number_, .begin = 1'000'000 * number_, .end = 1'000'000 * number_ + 5};
    for (std::uint32_t i = random_.Below(5); i > 0; --i) {
      const std::uint64_t begin = frame.moment.begin + random_.Below(1000) - 500;
      const std::uint32_t about = i < 3 ? Span::kAboutNothing : random_.Below(1u << 31);
      const std::uint16_t begin_core = AnyCore();
      const std::uint16_t end_core = random_.Below(2) == 0 ? begin_core : AnyCore();
      frame.spans.push_back(
          {random_.Below(3),
           {i % 2 == 0 ? "wait" : "task", begin, begin + i, about, begin_core, end_core}});
    }
    frame.lost_spans = number_ / 2;
    return frame;
  }

 private:
  void Toggle(std::uint32_t slot) {
    if (bodies_.erase(slot) > 0 && random_.Below(2) == 0) return;
    BodySnapshot body;
    body.id = BodyId(1, slot, ++generation_);
    body.type = random_.Below(5) == 0 ? BodyType::kStatic : BodyType::kDynamic;
    body.shape = AnyShape();
    body.position = random_.InBox({-90, -90, -90}, {90, 90, 90});
    bodies_[slot] = body;
  }

  void Reform(BodySnapshot& body) {
    body.shape = AnyShape();
    body.layer = random_.Below(2) == 0 ? Layer::kStatic : Layer::kDynamic;
    if (random_.Below(2) == 0) body.type = BodyType::kKinematic;
    body.form = ++forms_;
  }

  Shape AnyShape() {
    switch (random_.Below(5)) {
      case 0:
        return Shape::Sphere(random_.Between(0.1f, 2.0f));
      case 1:
        return Shape::Cylinder(random_.Between(0.1f, 2.0f), 0.5f);
      case 2:
        return Shape::Capsule(random_.Between(0.1f, 2.0f), 0.5f);
      case 3:
        return Shape::Hull(hulls_[random_.Below(kHulls)].get());
      default:
        return Shape::Box(random_.InBox({0.1f, 0.1f, 0.1f}, {2, 2, 2}));
    }
  }

  // Few, so that a lane stays on its core at times; the greatest, and none.
  std::uint16_t AnyCore() {
    constexpr std::array<std::uint16_t, 4> kCores = {0, 200, kNoCore - 1, kNoCore};
    return kCores[random_.Below(random_.Below(2) == 0 ? 1 : 4)];
  }

  static constexpr std::uint32_t kHulls = 4;

  Random random_;
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
  std::uint64_t number_ = 0;
  std::uint32_t generation_ = 0;
  std::uint32_t forms_ = 0;
  std::map<std::uint32_t, BodySnapshot> bodies_;
};

inline void CheckBody(const LiveBody& read, const BodySnapshot& sent) {
  REQUIRE(read.record.generation == sent.id.generation());
  REQUIRE(read.record.layer == static_cast<std::uint32_t>(sent.layer));
  REQUIRE(read.record.dynamic == (sent.type == BodyType::kDynamic ? 1 : 0));
  if (sent.shape.kind == ShapeKind::kSphere) REQUIRE(read.record.size[0] == sent.shape.radius);
  if (sent.shape.kind == ShapeKind::kBox) REQUIRE(read.record.size[2] == sent.shape.half.z);
  if (sent.shape.kind == ShapeKind::kCylinder || sent.shape.kind == ShapeKind::kCapsule) {
    const bool is_capsule = sent.shape.kind == ShapeKind::kCapsule;
    REQUIRE(read.record.shape ==
            static_cast<std::uint32_t>(is_capsule ? LiveShape::kCapsule : LiveShape::kCylinder));
    REQUIRE(read.record.size[0] == sent.shape.radius);
    REQUIRE(read.record.size[1] == sent.shape.half_height);
  }
  REQUIRE(read.place == ToLivePlace(sent.position, sent.rotation));
  REQUIRE(read.asleep == sent.asleep);
  REQUIRE(read.island == sent.island);
}

inline void CheckHull(const LiveScene& scene, const LiveBody& read, const ConvexHull& sent) {
  REQUIRE(read.record.shape == static_cast<std::uint32_t>(LiveShape::kHull));
  const LiveHull& hull = scene.hulls.at(static_cast<std::uint32_t>(read.record.size[0]));
  REQUIRE(std::ranges::equal(hull.vertices, sent.vertices()));
  REQUIRE(hull.faces.size() == sent.planes().size());
  for (std::size_t face = 0; face < hull.faces.size(); ++face) {
    REQUIRE(std::ranges::equal(hull.faces[face], sent.CornersOf(face)));
  }
}

inline void CheckScene(const LiveScene& scene, const LiveFrame& frame) {
  REQUIRE(scene.bodies.size() == frame.bodies.size());
  for (const BodySnapshot& body : frame.bodies) {
    REQUIRE(scene.bodies.contains(body.id.slot()));
    const LiveBody& read = scene.bodies.at(body.id.slot());
    CheckBody(read, body);
    if (body.shape.kind == ShapeKind::kHull) CheckHull(scene, read, *body.shape.hull);
  }
  REQUIRE(scene.spans.size() == frame.spans.size());
  for (std::size_t i = 0; i < frame.spans.size(); ++i) {
    REQUIRE(scene.names.at(scene.spans[i].name) == frame.spans[i].span.name);
    REQUIRE(scene.spans[i].lane == frame.spans[i].lane);
    REQUIRE(scene.spans[i].begin == frame.spans[i].span.begin);
    REQUIRE(scene.spans[i].end == frame.spans[i].span.end);
    REQUIRE(scene.spans[i].about == frame.spans[i].span.about);
    REQUIRE(scene.spans[i].begin_core == frame.spans[i].span.begin_core);
    REQUIRE(scene.spans[i].end_core == frame.spans[i].span.end_core);
  }
  REQUIRE(scene.frame->number == frame.number);
}

inline void CheckThreads(const LiveScene& scene, const LiveFrame& frame) {
  for (const BodySnapshot& body : frame.bodies) {
    const std::optional<std::uint32_t> lane = scene.bodies.at(body.id.slot()).lane;
    REQUIRE(lane.value_or(BodySnapshot::kNoLane) == body.lane);
  }
}

inline std::size_t CountOf(const EventStream& message, std::uint32_t type) {
  return static_cast<std::size_t>(
      std::count_if(message.begin(), message.end(),
                    [type](const EventView& event) { return event.type() == type; }));
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_LIVE_SHOWN_BODIES_H_
