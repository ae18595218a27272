// Radii: how far the surface of a convex shape is from its centre. Made by RadiiOf
// (src/collision/shape_geometry.h).
#ifndef NOWAIT_SRC_BODIES_RADII_H_
#define NOWAIT_SRC_BODIES_RADII_H_

namespace nowait {

// Metres.
struct Radii {
  float inner = 0.0f;  // of the largest ball around the centre inside of the shape
  float outer = 0.0f;  // of the smallest ball around the centre that contains the shape
  // How far from the centre a turn moves anything: `outer`, less the radius of a ball or capsule.
  float reach = 0.0f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_RADII_H_
