// The meaning of a program's small numbers: definitions of bodies and worlds, places, areas,
// filters.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_DICTIONARY_H_
#define NOWAIT_TESTS_WHOLE_WORLD_DICTIONARY_H_

#include <cstdint>
#include <optional>

#include "src/bodies/body_change.h"
#include "src/bodies/body_def.h"
#include "src/dynamics/joint_def.h"
#include "src/world/world_def.h"
#include "src/world/world_view.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// Cells of a world's table of ids, and names beyond them: no id, one of the other world's cells,
// and an id that no world has given.
inline constexpr std::uint32_t kCells = 12;
inline constexpr std::uint32_t kNoId = kCells;
inline constexpr std::uint32_t kOtherWorld = kCells + 1;
inline constexpr std::uint32_t kNeverGiven = kCells + 2;
inline constexpr std::uint32_t kCellNames = kCells + 3;

inline constexpr std::uint32_t kBatches = 4;
inline constexpr std::uint32_t kViews = 2;  // of a thread
inline constexpr std::uint32_t kJointCells = 4;

// Places where bodies touch each other, then some far away, then two where no body can be.
inline constexpr std::uint32_t kNearPlaces = 9;
inline constexpr std::uint32_t kPlaces = 14;
Vec3 PlaceOf(std::uint8_t place);
bool IsPlace(std::uint8_t place);

inline constexpr std::uint32_t kRebuildPlans = 5;
inline constexpr std::uint32_t kLayerNames = 4;  // none of the game's own, then three of these
WorldDef DefOf(const WorldPlan& plan);

// Body `number` of a call's bodies: of kCreate and kPrepare.
BodyDef BodyOf(const Call& call, std::uint32_t number = 0);
// Why the world of this plan refuses the body: an error's subject. Empty: it is taken.
std::optional<const char*> RefusalOf(const BodyDef& def, const WorldPlan& plan);
// Likewise of a kinematic body's target.
std::optional<const char*> RefusalOf(const Call& target);
// Likewise of a change, unless a height field is to be where the body is turned.
std::optional<const char*> RefusalOf(const BodyChange& change, BodyType type,
                                     const WorldPlan& plan);

// Of a kReform.
BodyChange ChangeOf(const Call& call);
Layer LayerOf(const BodyDef& def);

// Of a kMove or a kSetTarget.
Quat RotationOf(const Call& call);
// Of a kSetVelocity. Not finite in one case of sixteen.
Vec3 VelocityOf(const Call& call);

// Of a kFinalise: whether the batch is one that was prepared in the other world.
bool NamesOtherWorld(const Call& call);

// Of a kJoin: where its second body is taken from, and everything but the bodies.
std::uint8_t SecondCellOf(const Call& call);
JointDef JointOf(const Call& call);
// Whether it couples two joints instead, if these are there.
bool IsGear(const Call& call);
std::optional<const char*> RefusalOf(const JointDef& def);

// Of queries. Everything is an area, too.
inline constexpr float kEverywhere = 1e7f;
Bounds<3> BoxOf(const Call& call);
QueryArea AreaOf(const Call& call);
RayCast RayOf(const Call& call, std::uint32_t number = 0);
float DistanceOf(const Call& call);
// The filter's further question: whether a body of this number is accepted.
bool Asks(const Call& call);
inline bool Accepts(std::uint64_t number) { return number % 3 != 0; }
bool Ignores(const Call& call);
// Without `accept` and `ignore`, which the caller adds.
QueryFilter FilterOf(const Call& call);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_DICTIONARY_H_
