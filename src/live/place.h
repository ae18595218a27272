// LivePlace: a body's position and rotation in whole numbers, as they are sent.
//
// Positions are multiples of 1/512 m, so that each coordinate is off by at most 1/1024 m.
// Coordinates beyond 4,000 km are sent as 4,000 km. A rotation leaves out the component of its unit
// quaternion with the largest absolute value; the other three are multiples of 1/1448, which keeps
// the rotation within 0.14 degrees.
//
// Thread safety: the functions have no state. Source: the smallest three of a quaternion:
// [fiedler2015].
#ifndef NOWAIT_SRC_LIVE_PLACE_H_
#define NOWAIT_SRC_LIVE_PLACE_H_

#include <array>
#include <cstdint>
#include <optional>

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct LivePlace {
  static constexpr int kNumbers = 6;

  std::array<std::int32_t, kNumbers> numbers{};  // x, y, z; then the three components in order
  std::uint8_t largest = 3;                      // the omitted component: 0 .. 3 for x, y, z, w

  friend bool operator==(const LivePlace&, const LivePlace&) = default;
};

inline constexpr float kLivePlaceUnit = 1.0f / 512.0f;
inline constexpr float kLiveFarthest = 4e6f;  // metres: 512 times this fits into 32 bits
inline constexpr float kLiveRotationUnit = 1.0f / 1448.0f;

// A coordinate in units of kLivePlaceUnit, limited to 4,000 km from zero.
std::int32_t ToLiveUnits(float metres);

// Adds a change that was sent; returns nothing if the sum does not fit.
std::optional<std::int32_t> AddChange(std::int32_t number, std::int64_t change);

// position: finite. rotation: of unit length within 1e-3.
LivePlace ToLivePlace(Vec3 position, Quat rotation);

Vec3 PositionOf(const LivePlace& place);
// A rotation of unit length. If the three numbers leave no room for the fourth, the fourth is zero.
Quat RotationOf(const LivePlace& place);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_PLACE_H_
