#include "src/collision/hull_mass.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nowait {
namespace {

using Tensor = std::array<std::array<double, 3>, 3>;

// Products of inertia that are smaller, beside the moments, are rounding of the points: they would
// turn a box by any angle.
constexpr double kDiagonal = 1e-5;
constexpr int kMaxSweeps = 32;  // Jacobi's method converges quadratically: five are the rule

struct Moments {
  double volume = 0.0;
  Double3 first;    // the integral of the place
  Tensor second{};  // the integral of the products of its coordinates
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

// Turns the axes i and k so that the tensor has no product of them.
void Turn(Tensor& tensor, Tensor& axes, std::size_t i, std::size_t k) {
  if (tensor[i][k] == 0.0) return;
  const double ratio = (tensor[k][k] - tensor[i][i]) / (2.0 * tensor[i][k]);
  const double tangent =
      (ratio < 0.0 ? -1.0 : 1.0) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1.0));
  const double cosine = 1.0 / std::sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
  const auto turn = [&](double& x, double& y) {
    const double before = x;
    x = cosine * before - sine * y;
    y = sine * before + cosine * y;
  };
  for (std::size_t row = 0; row < 3; ++row) turn(tensor[row][i], tensor[row][k]);
  for (std::size_t column = 0; column < 3; ++column) turn(tensor[i][column], tensor[k][column]);
  for (std::size_t row = 0; row < 3; ++row) turn(axes[row][i], axes[row][k]);
}

double OffDiagonal(const Tensor& t) {
  return std::max({std::abs(t[0][1]), std::abs(t[0][2]), std::abs(t[1][2])});
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
  Tensor tensor = sum.second;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) tensor[i][k] -= sum.volume * c[i] * c[k];
  }
  Tensor axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  const double largest = std::max({tensor[0][0], tensor[1][1], tensor[2][2]});
  if (OffDiagonal(tensor) > kDiagonal * largest) {
    for (int sweep = 0; sweep < kMaxSweeps && OffDiagonal(tensor) > 1e-15 * largest; ++sweep) {
      Turn(tensor, axes, 0, 1);
      Turn(tensor, axes, 0, 2);
      Turn(tensor, axes, 1, 2);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) mass.axes[k] = {axes[0][k], axes[1][k], axes[2][k]};
  mass.inertia = {tensor[1][1] + tensor[2][2], tensor[0][0] + tensor[2][2],
                  tensor[0][0] + tensor[1][1]};
  return mass;
}

}  // namespace nowait
