#include "src/live/place.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

constexpr double kFarthest = kLiveFarthest;

// NaN becomes 0: a viewer is for looking at a simulation that has gone wrong, too.
std::int32_t Round(double value) {
  return std::isnan(value) ? 0 : static_cast<std::int32_t>(std::floor(value + 0.5));
}

}  // namespace

std::int32_t ToLiveUnits(float metres) {
  return Round(std::clamp<double>(metres, -kFarthest, kFarthest) / kLivePlaceUnit);
}

std::optional<std::int32_t> AddChange(std::int32_t number, std::int64_t change) {
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  if (change < -kMost || change > kMost) return std::nullopt;
  const std::int64_t sum = number + change;
  if (sum != static_cast<std::int32_t>(sum)) return std::nullopt;
  return static_cast<std::int32_t>(sum);
}

LivePlace ToLivePlace(Vec3 position, Quat rotation) {
  const std::array<float, 4> parts = {rotation.x, rotation.y, rotation.z, rotation.w};
  LivePlace place;
  place.numbers = {
      ToLiveUnits(position.x), ToLiveUnits(position.y), ToLiveUnits(position.z), 0, 0, 0};
  const auto by_size = [](float a, float b) { return std::abs(a) < std::abs(b); };
  const auto largest = std::max_element(parts.begin(), parts.end(), by_size) - parts.begin();
  place.largest = static_cast<std::uint8_t>(largest);
  // A quaternion and its negative are the same rotation: the part left out is not negative.
  const double sign = parts[static_cast<std::size_t>(largest)] < 0.0f ? -1.0 : 1.0;
  int next = 3;
  for (int i = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double part = std::clamp<double>(parts[static_cast<std::size_t>(i)], -1.0, 1.0);
    place.numbers[static_cast<std::size_t>(next++)] = Round(sign * part / kLiveRotationUnit);
  }
  return place;
}

Vec3 PositionOf(const LivePlace& place) {
  return {static_cast<float>(place.numbers[0]) * kLivePlaceUnit,
          static_cast<float>(place.numbers[1]) * kLivePlaceUnit,
          static_cast<float>(place.numbers[2]) * kLivePlaceUnit};
}

Quat RotationOf(const LivePlace& place) {
  std::array<float, 4> parts{};
  float squares = 0.0f;
  std::size_t next = 3;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == place.largest) continue;
    parts[i] = static_cast<float>(place.numbers[next++]) * kLiveRotationUnit;
    squares += parts[i] * parts[i];
  }
  parts[place.largest & 3] = std::sqrt(std::max(0.0f, 1.0f - squares));
  return Normalise({parts[0], parts[1], parts[2], parts[3]});
}

}  // namespace nowait
