// WorldDef: the sizes and constants that a world is created with.
#ifndef NOWAIT_SRC_WORLD_WORLD_DEF_H_
#define NOWAIT_SRC_WORLD_WORLD_DEF_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "src/dynamics/rest.h"
#include "src/dynamics/solver_def.h"
#include "src/math/vec3.h"
#include "src/sync/policy.h"
#include "src/world/contact_hook.h"
#include "src/world/layer_def.h"

namespace nowait {

// A clock for the times in UpdateStats; injected so that tests need no real time.
using ClockFunction = std::chrono::nanoseconds (*)();
inline std::chrono::nanoseconds SteadyNow() { return EngineSync::clock::now().time_since_epoch(); }

struct WorldDef {
  // Capacities. Reaching one is an Error that names it: "bodies", "contacts", "joints",
  // "tree nodes".
  std::uint32_t max_bodies = 4096;     // at most BodyId::kMaxBodies
  std::uint32_t max_contacts = 32768;  // pairs of bodies that touch or nearly touch, asleep or not
  std::uint32_t max_joints = 1024;     // 0 .. JointId::kMaxJoints
  std::uint32_t body_locks = 32;       // reader-writer locks that all bodies share; 1 .. 1024

  // The layers that the game defines, from UserLayer(0) on (src/bodies/layers.h): at most
  // kMaxUserLayers. A body names its layer when it is made; its contacts are with bodies of layers
  // that touch its own.
  std::vector<LayerDef> user_layers;
  RebuildPolicy static_rebuild = RebuildPolicy::kByTurns;
  RebuildPolicy dynamic_rebuild = RebuildPolicy::kByTurns;

  Vec3 gravity{0.0f, -9.81f, 0.0f};
  RestDef rest;
  SolverDef solver;
  ContactHook contact_hook{};  // empty: each contact is as its bodies say

  ClockFunction now = &SteadyNow;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_DEF_H_
