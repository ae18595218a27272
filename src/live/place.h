// LivePlace: a body's position and rotation in whole numbers, as they are sent.
//
// Positions are multiples of 1/512 m, so that each coordinate is at most 1/1024 m off. Coordinates
// beyond 4,000 km are sent as if they lay there. A rotation leaves out the component of its unit
// quaternion that is largest in size; the other three are multiples of 1/1448, within 0.14 degrees
// of the rotation.
//
// Thread safety: none of it has a state. Source: the smallest three of a quaternion: [fiedler2015].
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

  std::array<std::int32_t, kNumbers> numbers{};  // x, y, z; the three components in their order
  std::uint8_t largest = 3;                      // the component left out: 0 .. 3 for x, y, z, w

  friend bool operator==(const LivePlace&, const LivePlace&) = default;
};

inline constexpr float kLivePlaceUnit = 1.0f / 512.0f;
inline constexpr float kLiveRotationUnit = 1.0f / 1448.0f;

// A coordinate in units of kLivePlaceUnit, at most 4,000 km from zero.
std::int32_t ToLiveUnits(float metres);

// A number that was sent as its change; nothing where the sum does not fit.
std::optional<std::int32_t> AddChange(std::int32_t number, std::int64_t change);

// position: finite. rotation: of unit length within 1e-3.
LivePlace ToLivePlace(Vec3 position, Quat rotation);

Vec3 PositionOf(const LivePlace& place);
// Of unit length. Where the three numbers leave no room for the fourth one, it is zero.
Quat RotationOf(const LivePlace& place);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_PLACE_H_
