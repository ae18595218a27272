#include "src/collision/hull_mass.h"

#include <array>
#include <cstddef>

#include "src/collision/principal_axes.h"

namespace nowait {
namespace {

struct Moments {
  double volume = 0.0;
  Double3 first;           // the integral of the place
  SecondMoments second{};  // the integral of the products of its coordinates
};

void AddTetrahedron(const Double3& a, const Double3& b, const Double3& c, Moments& sum) {
  const double six_volumes = Dot(a, Cross(b, c));
  const Double3 corners = (a + b) + c;
  sum.volume += six_volumes / 6.0;
  sum.first = sum.first + corners * (six_volumes / 24.0);
  const auto array = [](const Double3& v) { return std::array{v.x, v.y, v.z}; };
  const auto of_a = array(a), of_b = array(b), of_c = array(c), of_all = array(corners);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double squares = (of_a[i] * of_a[k] + of_b[i] * of_b[k]) + of_c[i] * of_c[k];
      sum.second[i][k] += six_volumes / 120.0 * (of_all[i] * of_all[k] + squares);
    }
  }
}

}  // namespace

HullMass MassOfHull(const HullFaces& faces) {
  // From a point of the solid the sums lose no digits to its distance from the origin.
  const Double3 from = ToDouble(faces.vertices[0]);
  Moments sum;
  for (std::size_t face = 0; face < faces.count(); ++face) {
    const auto corners = faces.CornersOf(face);
    const auto at = [&](std::size_t i) { return ToDouble(faces.vertices[corners[i]]) - from; };
    for (std::size_t i = 2; i < corners.size(); ++i) {
      AddTetrahedron(at(0), at(i - 1), at(i), sum);
    }
  }
  HullMass mass;
  mass.volume = sum.volume;
  const Double3 centre = sum.first * (1.0 / sum.volume);
  mass.centre = from + centre;
  // To the centre (Steiner).
  const std::array c = {centre.x, centre.y, centre.z};
  SecondMoments second = sum.second;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) second[i][k] -= sum.volume * c[i] * c[k];
  }
  const PrincipalAxes principal = PrincipalAxesOf(second);
  mass.axes = principal.axes;
  mass.inertia = principal.inertia;
  return mass;
}

}  // namespace nowait
