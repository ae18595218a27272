#include "src/navigation/walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace nowait {
namespace {

constexpr float kFarthest = 1e6f;  // metres, on each axis: places of a world

// False for a point that is not finite.
bool IsWithin(Vec3 point, float most) {
  const Vec3 size = Abs(point);
  return size.x <= most && size.y <= most && size.z <= most;
}

class Walk {
 public:
  Walk(const WorldView& view, const NavSettings& settings, const QueryFilter& filter,
       WaitTime& wait)
      : view_(view), settings_(settings), filter_(filter), wait_(wait) {
    // A capsule on a slope has to be lifted, too. And the mesh takes a voxel to be as high as its
    // highest place, so that a step up from a slope may be higher by what the slope rises in it.
    const float slope = settings.max_slope;
    const float on_slope = settings.agent_radius * (std::sqrt(1.0f + slope * slope) - 1.0f);
    lift_ = std::max(settings.max_climb + slope * settings.voxel, on_slope) + settings.voxel_height;
    const float height = std::max(settings.agent_height - lift_, 2.0f * settings.agent_radius);
    half_height_ = std::max(0.5f * height - settings.agent_radius, 0.001f);
  }

  // The ground below or above `feet`, within a step; or the body that is in the way of the ball
  // that looks for it. A ball, because the agent does not fall into a crack between two stones.
  struct Ground {
    std::optional<Vec3> at;
    std::optional<BodyId> blocked_by;
  };
  Result<Ground> GroundAt(Vec3 feet) const {
    const float ball = 0.9f * settings_.agent_radius;
    const PlacedShape foot{Shape::Sphere(ball), {feet.x, feet.y + lift_ + ball, feet.z}, {}};
    const auto hit = view_.CastShape(foot, {0, -2.0f * lift_, 0}, filter_, wait_);
    if (!hit) return std::unexpected(hit.error());
    if (!*hit) return Ground{};
    if ((*hit)->fraction == 0.0f) return Ground{{}, (*hit)->body};
    return Ground{Vec3{feet.x, feet.y + lift_ * (1.0f - 2.0f * (*hit)->fraction), feet.z}, {}};
  }

  float StepLength() const { return 0.5f * settings_.agent_radius; }

  Result<std::optional<Obstacle>> Step(Vec3 from, Vec3 to) const {
    const PlacedShape capsule{
        Shape::Capsule(half_height_, settings_.agent_radius), Middle(from), {}};
    const auto hit = view_.CastShape(capsule, to - from, filter_, wait_);
    if (!hit) return std::unexpected(hit.error());
    if (!*hit) return std::nullopt;
    return Obstacle{from + (to - from) * (*hit)->fraction, (*hit)->body};
  }

 private:
  Vec3 Middle(Vec3 feet) const {
    return {feet.x, feet.y + lift_ + half_height_ + settings_.agent_radius, feet.z};
  }

  const WorldView& view_;
  const NavSettings& settings_;
  const QueryFilter& filter_;
  WaitTime& wait_;
  float lift_ = 0.0f;
  float half_height_ = 0.0f;
};

}  // namespace

Result<WalkEnd> WalkAlong(const WorldView& view, const NavSettings& settings,
                          std::span<const Vec3> points, const QueryFilter& filter, WaitTime& wait) {
  if (points.empty()) return Fail(ErrorCode::kInvalidArgument, "points", 0, "at least one");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (IsWithin(points[i], kFarthest)) continue;
    return Fail(ErrorCode::kInvalidArgument, "points", static_cast<std::int64_t>(i),
                "not within 1e6 metres");
  }
  const Walk walk(view, settings, filter, wait);
  const auto start = walk.GroundAt(points[0]);
  if (!start) return std::unexpected(start.error());
  if (!start->at) return WalkEnd{points[0], Obstacle{points[0], start->blocked_by}};
  Vec3 feet = *start->at;
  for (const Vec3 point : points.subspan(1)) {
    const Vec3 from = feet;
    const Vec3 way{point.x - from.x, 0, point.z - from.z};
    const auto steps = static_cast<std::uint32_t>(std::ceil(Length(way) / walk.StepLength()));
    for (std::uint32_t step = 1; step <= steps; ++step) {
      Vec3 next = from + way * (static_cast<float>(step) / static_cast<float>(steps));
      next.y = feet.y;
      const auto ground = walk.GroundAt(next);
      if (!ground) return std::unexpected(ground.error());
      if (!ground->at) return WalkEnd{feet, Obstacle{next, ground->blocked_by}};
      const auto met = walk.Step(feet, *ground->at);
      if (!met) return std::unexpected(met.error());
      if (*met) return WalkEnd{feet, *met};
      feet = *ground->at;
    }
  }
  return WalkEnd{feet, {}};
}

}  // namespace nowait
