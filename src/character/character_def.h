// CharacterDef: what a character is made from. Lengths are metres, speeds metres a second.
#ifndef NOWAIT_SRC_CHARACTER_CHARACTER_DEF_H_
#define NOWAIT_SRC_CHARACTER_CHARACTER_DEF_H_

#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/math/vec3.h"

namespace nowait {

struct CharacterDef {
  Vec3 position;              // of the middle of the capsule, within 1e6
  float radius = 0.3f;        // 0.05 .. 10
  float half_height = 0.6f;   // half the length of the capsule's segment, 0.001 .. 10
  float step_height = 0.35f;  // it climbs a step of this height, and goes down one; 0 .. 10
  // The cosine of the steepest slope on which it stands: about 50 degrees. 0.001 .. 1.
  float steepest_cosine = 0.64f;
  float gravity = 9.81f;              // 0 .. 1000
  float fastest_fall = 60.0f;         // 0.1 .. 1000
  float mass = 80.0f;                 // kilograms, for pushing; 0.01 .. 1e6
  float most_force = 1'000.0f;        // newtons with which it pushes at most; 0 .. 1e9
  LayerSet layers = LayerSet::All();  // whose bodies it meets
  // The body that stands for it in the queries of others; it does not meet that one. The game moves
  // it, best in a layer that touches no layer. By default no body.
  BodyId body{};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_CHARACTER_CHARACTER_DEF_H_
