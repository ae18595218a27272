// The scenes of the player, by name.
//
//   terrain   the demo's: a block of spheres and boxes falls on measured ground
//   pile      spheres and boxes fall into a pit
//   pyramid   a pyramid of boxes, at rest until something is thrown at it
//   shapes    every shape falls on the same ground and on a mesh, between pillars and ramps
//   chute     round and angular bodies go down in spiral chutes, which are meshes, onto conveyors
//   shaft     bodies slide down a funnel into a hole in the ground, and bounce on its floor
//   gears     a train of gears lifts a load on a pulley; cars go round on sprung wheels
//   machines  a lift, a turntable and a sweeping arm move three heaps
//   wall      stones break bricks out of a wall
//   course    characters walk round a course of stairs, crates, a ferry and a hurdle
//
// And the scenes of other engines, by their names (src/apps/peer_scenes/peer_scene.h).
//
// The same name, number of bodies and seed give the same world, everywhere.
#ifndef NOWAIT_SRC_APPS_PLAYER_SCENES_H_
#define NOWAIT_SRC_APPS_PLAYER_SCENES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/apps/peer_scenes/peer_scene.h"
#include "src/apps/player/chute.h"
#include "src/apps/player/deck.h"
#include "src/apps/player/gears.h"
#include "src/apps/player/machines.h"
#include "src/apps/player/shaft.h"
#include "src/apps/player/shapes.h"
#include "src/apps/player/walkers.h"
#include "src/apps/player/wall.h"
#include "src/base/result.h"
#include "src/world/world.h"

namespace nowait {

std::vector<std::string> SceneNames();
bool IsScene(const std::string& name);

class PlayerScene {
 public:
  // name: of SceneNames(). terrain: read for the scenes terrain and shapes; the errors are
  // LoadGround's, MakeHulls's, MakeCompounds's, MakeDeck's, MakeChute's, MakeFunnel's and
  // MakePeerShapes's.
  static Result<PlayerScene> Load(const std::string& name, const std::string& terrain);

  // A world with the scene in it, and room for `more` bodies; the scene outlives it. bodies: how
  // many can move; not given: as many as the scene is made for. A pyramid has whole layers, and the
  // scenes of other engines have one of their sizes: at least `bodies`, if there is such a size. Of
  // a course, how many characters; of gears, how many bodies its cars have: 1 .. 200 cars of five;
  // of a wall, how many bricks.
  Result<std::unique_ptr<World>> Create(std::optional<std::uint32_t> bodies, std::uint32_t more,
                                        std::uint64_t seed) const;

  // The characters of a world that Create has made, with the same arguments; null for a scene
  // without them.
  Result<std::unique_ptr<Walkers>> CreateWalkers(World& world, std::optional<std::uint32_t> bodies,
                                                 std::uint64_t seed) const;

  // The machines of a world that Create has made; null for a scene without them.
  Result<std::unique_ptr<Machines>> CreateMachines(World& world) const;

  // The wall of a world that Create has made, with the same arguments; null for other scenes.
  Result<std::unique_ptr<Wall>> CreateWall(World& world, std::optional<std::uint32_t> bodies,
                                           std::uint64_t seed) const;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::optional<Ground> ground_;
  Hulls hulls_;                               // of the scenes shapes and chute
  Compounds compounds_;                       // of shapes
  std::unique_ptr<const TriangleMesh> deck_;  // likewise
  std::unique_ptr<const TriangleMesh> chute_;
  std::unique_ptr<const HeightField> funnel_;  // of the scene shaft
  PeerShapes peer_shapes_;                     // of the scenes of other engines
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_SCENES_H_
