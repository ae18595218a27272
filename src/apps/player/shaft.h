// The player's scene of a hole in the ground: a funnel of slippery ground with a shaft in its
// middle, and bodies that slide in and bounce on its floor, each as high as its own material says.
#ifndef NOWAIT_SRC_APPS_PLAYER_SHAFT_H_
#define NOWAIT_SRC_APPS_PLAYER_SHAFT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/height_field.h"

namespace nowait {

// The half width of the shaft and its depth, metres.
inline constexpr float kShaftHalf = 2.0f, kShaftDepth = 6.0f;

// The ground of the funnel, into which the shaft is dug. The errors are those of HeightField.
Result<std::unique_ptr<const HeightField>> MakeFunnel();

// The bodies of the scene; `bodies` of them move. The shaft has walls and a floor of boxes, round
// the y axis.
std::vector<BodyDef> BodiesOverShaft(const HeightField& funnel, std::uint32_t bodies,
                                     std::uint64_t seed);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_SHAFT_H_
