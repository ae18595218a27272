// Valley: measured ground with rocks, huts and two long walls, whose gates open and close.
//
// The same seed gives the same valley. Thread safety: one thread, in the game update.
#ifndef NOWAIT_SRC_APPS_NAVIGATION_VALLEY_H_
#define NOWAIT_SRC_APPS_NAVIGATION_VALLEY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/collision/convex_hull.h"
#include "src/math/random.h"
#include "src/navigation/nav_builder.h"
#include "src/world/world.h"

namespace nowait {

struct ValleyDef {
  std::string terrain;        // the path of an elevation file
  std::uint32_t falling = 0;  // bodies that fall on the ground
  std::uint32_t walkers = 0;  // bodies that there is room for
  std::uint64_t seed = 1;
};

class Valley {
 public:
  static const Layer kWalkers;  // touches nothing

  static Result<std::unique_ptr<Valley>> Create(const ValleyDef& def);

  World& world() { return *world_; }
  const Ground& ground() const { return ground_; }
  // Ground, rocks, huts, walls and gates: all that walkers walk on and around.
  static QueryFilter Solids();

  // Moves the gates whose time has come, and names the changed boxes to the builder. A gate does
  // not close on a walker.
  Result<void> MoveGates(std::uint64_t frame, NavBuilder& builder, WaitTime& wait);
  bool IsOpenGate(BodyId body) const;
  std::size_t gates() const { return gates_.size(); }
  std::uint64_t gate_moves() const { return gate_moves_; }

 private:
  struct Gate {
    BodyId body;
    Vec3 place;  // where it is closed
    bool closed = false;
    std::uint64_t turn = 0;  // the frame in which it moves next
  };

  explicit Valley(const ValleyDef& def) : def_(def), random_(def.seed) {}
  void AddRocks(std::vector<BodyDef>& bodies);
  void AddWall(float x, std::vector<BodyDef>& bodies);
  Result<void> AddGates();
  Vec3 OnGround(float x, float z) const { return {x, ground_.HeightAt(x, z), z}; }

  const ValleyDef def_;
  Random random_;
  Ground ground_;
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
  std::unique_ptr<World> world_;
  std::vector<Gate> gates_;
  std::vector<BodySnapshot> in_gate_;
  std::uint64_t gate_moves_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_NAVIGATION_VALLEY_H_
