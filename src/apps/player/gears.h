// The player's scene of joints: a motor turns a train of gears, whose crank lifts and lowers a load
// on a pulley; and cars with wheels on sprung, driven axles go round over bumps.
//
// Thread safety: one thread.
// Determinism: +, *, / and the square root alone.
#ifndef NOWAIT_SRC_APPS_PLAYER_GEARS_H_
#define NOWAIT_SRC_APPS_PLAYER_GEARS_H_

#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/world/world.h"

namespace nowait {

inline constexpr std::uint32_t kBodiesOfACar = 5;
inline constexpr std::uint32_t kBodiesOfGears = 8;
inline constexpr std::uint32_t kMostCars = 200;  // a world's joints by default are four a car

struct GearsScene {
  BodyId load;
  std::vector<BodyId> cars;  // without their wheels
};

// The floor, the wall behind the gears, and bumps for `cars` cars.
std::vector<BodyDef> GroundForGears(std::uint32_t cars);

// Puts the gears and the cars into a world that has their ground. cars: 1 .. kMostCars. The errors
// are CreateBody's and CreateJoint's.
Result<GearsScene> AddGears(World& world, std::uint32_t cars);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_GEARS_H_
