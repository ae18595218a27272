// Camera: an eye on a ball around the place that it looks at, and the ray through each of its
// pixels.
//
// Thread safety: a value.
#ifndef NOWAIT_SRC_APPS_TERMINAL_CAMERA_H_
#define NOWAIT_SRC_APPS_TERMINAL_CAMERA_H_

#include <cstdint>

#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

// Of a picture, in pixels, which are square.
struct PictureSize {
  std::uint32_t columns = 0;
  std::uint32_t lines = 0;
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

class Camera {
 public:
  // Sees all of `bounds`, from above and from one side.
  explicit Camera(const Bounds<3>& bounds);

  // Turns by angles in radians: round the vertical axis, and up. The eye stays between a little
  // below the place and straight above it.
  void Turn(float around, float up);
  // The eye's distance becomes so many times what it is, from half a metre to 2 km.
  void Approach(float factor);

  Vec3 eye() const;
  // Of length one.
  Vec3 direction() const { return -outward(); }
  // From the eye through the middle of a pixel, counted from the upper left corner, and on for as
  // far as anything can be seen.
  RayCast RayThrough(std::uint32_t column, std::uint32_t line, PictureSize size) const;

  friend bool operator==(const Camera&, const Camera&) = default;

 private:
  // From the place to the eye, of length one.
  Vec3 outward() const;

  Vec3 place_;
  float distance_;
  float around_ = 0.6f;
  float up_ = 0.45f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_CAMERA_H_
