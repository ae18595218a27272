// NumberProgram: a world of extreme but accepted numbers, and what is done with it.
//
// Every field of BodyDef, WorldDef, SolverDef and RestDef takes its smallest value, its largest,
// its default, or one between them (by its logarithm); so do dt, steps, places and rays. The bodies
// lie close together for their sizes, so that they touch.
//
// A program is made from its seed alone. It is plain data: Shorten (shorten.h) takes parts
// away, and Print writes down the rest.
#ifndef NOWAIT_TESTS_WHOLE_NUMBERS_NUMBER_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_NUMBERS_NUMBER_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/bodies/body_def.h"
#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/world/world_def.h"

namespace nowait::number_programs {

// A change between two updates, of the body at `body` in the program's list.
struct Change {
  enum class Kind : std::uint8_t { kMove, kSetVelocity, kWake, kDestroy } kind;
  std::size_t body;
  Vec3 linear;   // of kMove: the position
  Vec3 angular;  // of kSetVelocity
};

struct Frame {
  std::vector<Change> changes;
  float dt;
  std::uint32_t steps;
  std::vector<RayCast> rays;     // after the update
  std::vector<Bounds<3>> boxes;  // likewise, for FindInBox
};

// The ground, if there is one: a height field with its corner at `position`.
struct GroundDef {
  std::uint32_t samples;
  float spacing;
  float height;  // heights lie within it
  Vec3 position;
  std::uint64_t seed;
  bool has_holes = false;
};

struct NumberProgram {
  std::uint64_t seed = 0;
  WorldDef world;
  std::optional<GroundDef> ground;
  std::vector<BodyDef> bodies;
  std::vector<Frame> frames;
};

NumberProgram MakeProgram(std::uint64_t seed);

// A line for each part, for a person.
std::string Print(const NumberProgram& program);

}  // namespace nowait::number_programs

#endif  // NOWAIT_TESTS_WHOLE_NUMBERS_NUMBER_PROGRAM_H_
