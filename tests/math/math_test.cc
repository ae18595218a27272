#include <xmmintrin.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "src/math/float_mode.h"
#include "src/math/hash.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

bool Near(Vec3 a, Vec3 b, float tolerance = 1e-5f) { return Length(a - b) <= tolerance; }

TEST_CASE("tangents and their normal are a right-handed frame") {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Vec3 n = random.Direction();
    const Tangents t = TangentsOf(n);
    CHECK(std::abs(Dot(t.first, n)) < 1e-6f);
    CHECK(Near(Cross(t.first, t.second), n));
    CHECK(Length(t.first) == Approx(1.0f));
  }
}

TEST_CASE("a vector without length takes the fallback, and NaN too") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(NormaliseOr({}, {0, 1, 0}) == Vec3{0, 1, 0});
  CHECK(NormaliseOr({nan, 0, 0}, {0, 1, 0}) == Vec3{0, 1, 0});
  CHECK(Normalise(Quat{0, 0, 0, 0}) == Quat{});
  CHECK_FALSE(IsFinite(Vec3{0, nan, 0}));
}

TEST_CASE("quaternion, matrix and composition turn alike") {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Quat p = random.Rotation(), q = random.Rotation();
    const Vec3 v = random.InBox({-5, -5, -5}, {5, 5, 5});
    CHECK(Near(Rotate(q, v), ToMatrix(q) * v, 1e-4f));
    CHECK(Near(Rotate(p * q, v), Rotate(p, Rotate(q, v)), 1e-4f));
    CHECK(Near(TransposeTimes(ToMatrix(q), Rotate(q, v)), v, 1e-4f));
    CHECK(Near(Rotate(Conjugate(q), Rotate(q, v)), v, 1e-4f));
  }
}

TEST_CASE("a steady spin, integrated, is the rotation about its axis") {
  Quat q;
  for (int i = 0; i < 240; ++i) q = Integrate(q, {0, 1.5f, 0}, 1.0f / 240.0f);
  const Quat exact = FromAxisAngle({0, 1, 0}, 1.5f);
  CHECK(q.y == Approx(exact.y).epsilon(1e-4));
  CHECK(q.w == Approx(exact.w).epsilon(1e-4));
}

TEST_CASE("a matrix times its inverse is the identity, whatever its size") {
  Random random(3);
  for (const float scale : {1e-18f, 1e-3f, 1.0f, 1e12f}) {
    const Mat3 m = RotateDiagonal(ToMatrix(random.Rotation()), Vec3{1, 2, 5} * scale);
    const Mat3 one = m * Inverse(m);
    CHECK(Near(one.x, {1, 0, 0}, 1e-4f));
    CHECK(Near(one.y, {0, 1, 0}, 1e-4f));
    CHECK(Near(one.z, {0, 0, 1}, 1e-4f));
  }
  CHECK(Near(Inverse(Mat3{{}, {}, {}}).x, {}));
}

TEST_CASE("the hash is FNV-1a and distinguishes zero from minus zero") {
  Hash hash;
  hash.AddByte('a');
  CHECK(hash.value() == 0xaf63dc4c8601ec8cull);  // from the FNV authors' test vectors
  Hash plus, minus;
  plus.Add(0.0f);
  minus.Add(-0.0f);
  CHECK(plus.value() != minus.value());
}

TEST_CASE("the generator is the same everywhere and keeps its ranges") {
  Random a(42), b(42), c(43);
  int different = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t x = a.Next();
    REQUIRE(x == b.Next());
    different += x != c.Next() ? 1 : 0;
    REQUIRE(a.Below(7) < 7);
    const float u = a.Unit();
    REQUIRE((u >= 0.0f && u < 1.0f));
    REQUIRE(Length(a.Direction()) == Approx(1.0f));
    b = a;
    c.Next();
  }
  CHECK(different > 990);
}

TEST_CASE("a float mode scope keeps denormals and puts the thread's mode back") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  const unsigned flushing = _mm_getcsr();
  volatile float tiny = 1e-30f;
  {
    const FloatModeScope scope;
    volatile float product = tiny * 1e-10f;
    CHECK(product > 0.0f);
  }
  CHECK(_mm_getcsr() == flushing);
  _mm_setcsr(before);
}

}  // namespace
}  // namespace nowait
