// IsRidgeContact against places all over two triangles.
#include <algorithm>
#include <cmath>

#include "lectures/judge.h"
#include "src/collision/mesh_features.h"
#include "src/math/random.h"

namespace nowait {
namespace {

struct Ridge {
  Vec3 from, to, left, right;
};

// The edge lies along x; its triangles rise or fall to both sides.
Ridge SomeRidge(Random& random) {
  const Vec3 from{-1, 0, 0}, to{1, 0, 0};
  return {from,
          to,
          {random.Between(-1, 1), random.Between(-1, 1), random.Between(-2, -0.5f)},
          {random.Between(-1, 1), random.Between(-1, 1), random.Between(0.5f, 2)}};
}

bool IsContactOf(const Ridge& ridge, Vec3 out) {
  return IsRidgeContact(ridge.from, ridge.to, ridge.left, ridge.right, out);
}

// By how much the distance from a body shrinks at most, on a way of length one into a triangle.
float Shrinks(Vec3 middle, Vec3 from, Vec3 to, Vec3 third, Vec3 out) {
  float most = -1.0f;
  for (int i = 0; i <= 40; ++i) {
    const float part = static_cast<float>(i) / 40.0f;
    for (const Vec3& end : {from + (third - from) * part, to + (third - to) * part}) {
      const Vec3 way = end - middle;
      if (Length(way) > 0.0f) most = std::max(most, Dot(out, way) / Length(way));
    }
  }
  return most;
}

int Main() {
  Random random(73);
  bool nothing_closer = true, all_contacts = true, any_size = true, any_side = true;
  int contacts = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Ridge ridge = SomeRidge(random);
    const float angle = random.Between(0.0f, 6.28318f);
    const Vec3 out{0.0f, std::sin(angle), std::cos(angle)};
    const bool is_contact = IsContactOf(ridge, out);
    const Vec3 middle = (ridge.from + ridge.to) * 0.5f;
    const float most = std::max(Shrinks(middle, ridge.from, ridge.to, ridge.left, out),
                                Shrinks(middle, ridge.from, ridge.to, ridge.right, out));
    contacts += is_contact ? 1 : 0;
    nothing_closer = nothing_closer && !(is_contact && most > 1e-2f);
    all_contacts = all_contacts && (is_contact || most > -1e-3f);
    const Ridge turned{ridge.to, ridge.from, ridge.right, ridge.left};
    any_side = any_side && IsContactOf(turned, out) == is_contact;
    for (const float size : {1.0f / 1024, 1024.0f}) {
      const Ridge other{ridge.from * size, ridge.to * size, ridge.left * size, ridge.right * size};
      any_size = any_size && IsContactOf(other, out) == is_contact;
    }
  }
  const Ridge flat{{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
  const bool level = IsContactOf(flat, {0, 1, 0}) && !IsContactOf(flat, {0, 0, 1}) &&
                     !IsContactOf(flat, {0, 0, -1});

  Judge judge;
  judge.Ask(nothing_closer, "from a contact no place of the two triangles is closer");
  judge.Ask(all_contacts && contacts > 1'000, "where no place is closer there is a contact");
  judge.Ask(level, "on flat ground: straight up, and not along the ground");
  judge.Ask(any_size, "the size of the triangles does not matter");
  judge.Ask(any_side, "which triangle is the left one does not matter");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
