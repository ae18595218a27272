// Random: a small generator whose sequence is the same everywhere.
//
// The standard leaves its distributions to the library, so a scene made with them differs between
// libraries. This generator is PCG-XSH-RR 64/32; floats are made from its top 24 bits.
//
// Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation", HMC-CS-2014-0905.
#ifndef NOWAIT_SRC_MATH_RANDOM_H_
#define NOWAIT_SRC_MATH_RANDOM_H_

#include <bit>
#include <cstdint>

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) {
    Next();
    state_ += seed;
    Next();
  }

  constexpr std::uint32_t Next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ull + 1442695040888963407ull;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    return std::rotr(shifted, static_cast<int>(old >> 59));
  }

  // One of 0 .. count-1. The bias is below count / 2^32.
  constexpr std::uint32_t Below(std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{Next()} * count) >> 32);
  }

  // In [0, 1), a multiple of 2^-24.
  constexpr float Unit() { return static_cast<float>(Next() >> 8) * 0x1p-24f; }

  constexpr float Between(float low, float high) { return low + (high - low) * Unit(); }

  constexpr Vec3 InBox(Vec3 low, Vec3 high) {
    const float x = Between(low.x, high.x);
    const float y = Between(low.y, high.y);
    const float z = Between(low.z, high.z);
    return {x, y, z};
  }

  // Uniform on the sphere: a random point of the cube that lies well inside the ball is kept and
  // normalised.
  Vec3 Direction() {
    for (;;) {
      const Vec3 v = InBox({-1, -1, -1}, {1, 1, 1});
      const float length = Length(v);
      if (length > 0.1f && length <= 1.0f) return v * (1.0f / length);
    }
  }

  Quat Rotation() {
    for (;;) {
      const float x = Between(-1, 1);
      const float y = Between(-1, 1);
      const float z = Between(-1, 1);
      const Quat q{x, y, z, Between(-1, 1)};
      const float length = LengthSquared(q);
      if (length > 0.01f && length <= 1.0f) return Normalise(q);
    }
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_RANDOM_H_
