#include "src/apps/player/lamps.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "src/bodies/body_snapshot.h"

namespace nowait {
namespace {

// Told apart by readers who do not see all colours: Okabe and Ito, "Color universal design", 2008.
constexpr std::array<std::array<float, 3>, 6> kColours = {{{0.90f, 0.62f, 0.00f},
                                                           {0.34f, 0.71f, 0.91f},
                                                           {0.00f, 0.62f, 0.45f},
                                                           {0.94f, 0.89f, 0.26f},
                                                           {0.84f, 0.37f, 0.00f},
                                                           {0.80f, 0.47f, 0.65f}}};

}  // namespace

Lamps::Lamps(const World& world, std::uint32_t count) {
  if (count == 0) return;
  std::vector<BodySnapshot> all;
  world.Snapshot(all);
  std::erase_if(all, [](const BodySnapshot& body) { return body.type != BodyType::kDynamic; });
  const std::size_t lamps = std::min<std::size_t>(count, all.size());
  for (std::size_t i = 0; i < lamps; ++i) bodies_.push_back(all[i * all.size() / lamps].id);
}

std::vector<LiveLight> Lamps::LightsOf(const World& world) const {
  std::vector<LiveLight> lights;
  WaitTime wait;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto body = world.GetBody(bodies_[i], wait);
    if (!body) continue;
    lights.push_back({.position = body->position + Vec3{0, kAbove, 0},
                      .reach = kReach,
                      .colour = kColours[i % kColours.size()]});
  }
  return lights;
}

}  // namespace nowait
