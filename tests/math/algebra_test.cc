// Vectors, matrices and quaternions, entry by entry: no entry takes another's place or sign.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/random.h"
#include "src/math/ray.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
// Neither symmetric nor a rotation.
constexpr Mat3 kSkew{{2, 3, -1}, {1, 5, 4}, {-2, 7, 3}};

bool Near(Vec3 a, Vec3 b, float tolerance = 1e-5f) { return Length(a - b) <= tolerance; }

TEST_CASE("a vector's entries are read and set by their axis") {
  Vec3 v{5, 6, 7};
  CHECK(v[0] == 5);
  CHECK(v[1] == 6);
  CHECK(v[2] == 7);
  v.Set(0, 1);
  CHECK(v == Vec3{1, 6, 7});
  v.Set(1, 2);
  CHECK(v == Vec3{1, 2, 7});
  v.Set(2, 3);
  CHECK(v == Vec3{1, 2, 3});
}

TEST_CASE("vectors are added, scaled, compared and multiplied entry by entry") {
  const Vec3 a{1, -2, 3}, b{-4, 5, 7};
  CHECK(a + b == Vec3{-3, 3, 10});
  CHECK(a - b == Vec3{5, -7, -4});
  CHECK(-a == Vec3{-1, 2, -3});
  CHECK(a * 2.0f == Vec3{2, -4, 6});
  CHECK(2.0f * a == Vec3{2, -4, 6});
  CHECK(Multiply(a, b) == Vec3{-4, -10, 21});
  CHECK(Dot(a, b) == 7);
  CHECK(LengthSquared(a) == 14);
  CHECK(Abs(a) == Vec3{1, 2, 3});
  CHECK(Min(a, b) == Vec3{-4, -2, 3});
  CHECK(Max(a, b) == Vec3{1, 5, 7});
  CHECK(Length(Vec3{2, 3, 6}) == 7);
}

TEST_CASE("the cross product is right-handed on all axes, and turns round with its factors") {
  CHECK(Cross(kX, kY) == kZ);
  CHECK(Cross(kY, kZ) == kX);
  CHECK(Cross(kZ, kX) == kY);
  CHECK(Cross({1, 2, 3}, {4, 5, 7}) == Vec3{-1, 5, -3});
  CHECK(Cross({4, 5, 7}, {1, 2, 3}) == Vec3{1, -5, 3});
}

TEST_CASE("a vector and a quaternion are finite only if each entry is") {
  const float bad =
      GENERATE(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
               -std::numeric_limits<float>::infinity());
  CHECK(IsFinite(Vec3{1, 2, 3}));
  CHECK_FALSE(IsFinite(Vec3{bad, 2, 3}));
  CHECK_FALSE(IsFinite(Vec3{1, bad, 3}));
  CHECK_FALSE(IsFinite(Vec3{1, 2, bad}));
  CHECK(IsFinite(Quat{1, 2, 3, 4}));
  CHECK_FALSE(IsFinite(Quat{bad, 2, 3, 4}));
  CHECK_FALSE(IsFinite(Quat{1, bad, 3, 4}));
  CHECK_FALSE(IsFinite(Quat{1, 2, bad, 4}));
  CHECK_FALSE(IsFinite(Quat{1, 2, 3, bad}));
}

TEST_CASE("a vector keeps its direction when it is made of length one, however short it is") {
  CHECK(Near(NormaliseOr({0, -3e5f, 4e5f}, kX), {0, -0.6f, 0.8f}));
  CHECK(Near(NormaliseOr({0, -3e-11f, 4e-11f}, kX), {0, -0.6f, 0.8f}));
  CHECK(NormaliseOr({0, -3e-13f, 4e-13f}, kX) == kX);
}

TEST_CASE("a normal along an axis, either way, has tangents of length one too") {
  for (const Vec3 axis : {kX, kY, kZ}) {
    for (const Vec3 n : {axis, -axis}) {
      CAPTURE(n.x, n.y, n.z);
      const Tangents t = TangentsOf(n);
      CHECK(Length(t.first) == Approx(1.0f));
      CHECK(Dot(t.first, n) == 0.0f);
      CHECK(Near(Cross(t.first, t.second), n));
    }
  }
}

TEST_CASE("a matrix is a matrix of columns: to a vector, to a matrix, by number and transposed") {
  CHECK(kSkew * kX == kSkew.x);
  CHECK(kSkew * kY == kSkew.y);
  CHECK(kSkew * kZ == kSkew.z);
  for (int i = 0; i < 3; ++i)
    CHECK(kSkew.Column(i) == (i == 0 ? kSkew.x : i == 1 ? kSkew.y : kSkew.z));
  const Mat3 turned = Transpose(kSkew);
  CHECK(turned.x == Vec3{2, 1, -2});
  CHECK(turned.y == Vec3{3, 5, 7});
  CHECK(turned.z == Vec3{-1, 4, 3});
  const Vec3 v{1, -2, 3};
  CHECK(TransposeTimes(kSkew, v) == turned * v);
  const Mat3 other{{0, 1, 2}, {3, 0, 1}, {1, 1, 0}};
  CHECK((kSkew * other) * v == kSkew * (other * v));
  CHECK((kSkew + other) * v == kSkew * v + other * v);
}

TEST_CASE("a diagonal tensor that is turned has its moments along the turned axes") {
  Random random(4);
  const Mat3 r = ToMatrix(random.Rotation());
  const Vec3 d{1, 2, 5};
  const Mat3 tensor = RotateDiagonal(r, d);
  for (int i = 0; i < 3; ++i) CHECK(Near(tensor * r.Column(i), r.Column(i) * d[i]));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      CHECK(tensor.Column(i)[k] == Approx(tensor.Column(k)[i]).margin(1e-6));
    }
  }
}

TEST_CASE("the solution of a system that is not symmetric solves it, and not the transposed one") {
  for (const Vec3 b : {kX, kY, kZ, Vec3{3, -1, 2}}) {
    CAPTURE(b.x, b.y, b.z);
    CHECK(Near(kSkew * Solve(kSkew, b), b));
    CHECK(Near(kSkew * (Inverse(kSkew) * b), b));
  }
}

TEST_CASE("a singular system has the solution zero, and a singular matrix the inverse zero") {
  const Mat3 flat{{1, 2, 3}, {2, 4, 6}, {0, 1, 0}};
  CHECK(Solve(flat, {1, 2, 3}) == Vec3{});
  const Mat3 inverse = Inverse(flat);
  CHECK(inverse.x == Vec3{});
  CHECK(inverse.y == Vec3{});
  CHECK(inverse.z == Vec3{});
}

TEST_CASE("a quarter turn about each axis takes the next axis to the one after it") {
  constexpr float kQuarter = 1.57079633f;
  const std::array<Vec3, 3> axes = {kX, kY, kZ};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const Quat turn = FromAxisAngle(axes[i], kQuarter);
    CHECK(Near(Rotate(turn, axes[(i + 1) % 3]), axes[(i + 2) % 3]));
    CHECK(Near(ToMatrix(turn) * axes[(i + 1) % 3], axes[(i + 2) % 3]));
    CHECK(Near(Rotate(turn, axes[i]), axes[i]));
  }
}

TEST_CASE("a spin is about the world's axes, however the body lies, and in the sense of its sign") {
  Random random(5);
  const std::array<Vec3, 3> axes = {kX, kY, kZ};
  for (const Vec3 axis : axes) {
    for (const float sign : {-1.0f, 1.0f}) {
      const Quat before = random.Rotation();
      const Quat after = Integrate(before, axis * sign, 0.01f);
      const Vec3 v = random.InBox({-1, -1, -1}, {1, 1, 1});
      const Vec3 expected = Rotate(FromAxisAngle(axis, sign * 0.01f), Rotate(before, v));
      CHECK(Near(Rotate(after, v), expected));
      CHECK(LengthSquared(after) == Approx(1.0f));
    }
  }
}

TEST_CASE("a quaternion of any length becomes one of length one and of the same rotation") {
  const Quat q = Normalise(Quat{1, -2, 3, 4});
  CHECK(LengthSquared(q) == Approx(1.0f));
  CHECK(q.y / q.x == Approx(-2.0f));
  CHECK(q.z / q.x == Approx(3.0f));
  CHECK(q.w / q.x == Approx(4.0f));
  CHECK(LengthSquared(Quat{1, -2, 3, 4}) == 30);
  CHECK(Quat{} == Quat{0, 0, 0, 1});
}

TEST_CASE("a ray ends where its displacement does unless it is cut off") {
  CHECK(Ray<3>{}.max_fraction == 1.0f);
}

}  // namespace
}  // namespace nowait
