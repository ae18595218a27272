// Random islands for the solver: bodies of every kind that it knows, contacts that may have
// everything that a contact can have, and joints beside them.
#ifndef NOWAIT_TESTS_DYNAMICS_RANDOM_ISLAND_H_
#define NOWAIT_TESTS_DYNAMICS_RANDOM_ISLAND_H_

#include <cstdint>
#include <vector>

#include "src/bodies/body.h"
#include "src/dynamics/contact_block.h"
#include "src/dynamics/island_solver.h"
#include "src/dynamics/joint.h"

namespace nowait {

struct RandomBody {
  Body body;
  bool driven = false;  // kinematic: no mass, and moves with its velocities
};

struct RandomContact {
  std::uint32_t a;
  std::uint32_t b;
  Contact contact;
};

struct RandomJoint {
  std::uint32_t a;
  std::uint32_t b;
  Joint joint;
};

struct RandomIsland {
  std::vector<RandomBody> bodies;
  std::vector<RandomContact> contacts;
  std::vector<RandomJoint> joints;

  // A cube of one metre and a tonne that falls at a metre a second.
  std::uint32_t Add(Vec3 position);
  // One point of contact with a body that is fixed, from below.
  void TouchGround(std::uint32_t body);
};

RandomIsland MakeRandomIsland(std::uint64_t seed);

// Of everything that a step changes.
std::vector<std::uint32_t> BitsOf(const RandomIsland& island);
bool IsFinite(const RandomIsland& island);

// An island as the solver has it. The contacts are in the order of their plan: blocks and then the
// rest; or, not in blocks, all of them one by one.
class PreparedIsland {
 public:
  PreparedIsland(const RandomIsland& island, bool in_blocks);
  PreparedIsland(const PreparedIsland&) = delete;
  PreparedIsland& operator=(const PreparedIsland&) = delete;

  // Writes the result of the step back.
  void Keep(RandomIsland& island) const;

  const SubstepDef def;
  std::vector<SolverBody> bodies;
  std::vector<SolverBody> driven;  // one for each constraint that has one
  std::vector<JointConstraint> joints;
  std::vector<ContactBlock> blocks;
  std::vector<ContactConstraint> contacts;

 private:
  SolverBody& BodyOf(const RandomIsland& island, std::uint32_t body);
  ContactConstraint ConstraintOf(const RandomIsland& island, const RandomContact& contact);

  std::vector<JointRow> joint_rows_;
  std::vector<PointConstraint> points_;
  std::vector<BlockPoint> block_points_;
  std::vector<std::uint32_t> order_;           // of all contacts
  std::vector<std::uint32_t> first_of_block_;  // in the order
};

struct IslandCounts {
  int blocks = 0, padded = 0, mixed = 0, pairs = 0, plain = 0;
  int rolling = 0, bouncing = 0, sliding = 0, fixed = 0, driven = 0, joints = 0, kept = 0;

  IslandCounts& operator+=(const IslandCounts& other);
};
IslandCounts CountsOf(const RandomIsland& island);

}  // namespace nowait

#endif  // NOWAIT_TESTS_DYNAMICS_RANDOM_ISLAND_H_
