#include "src/collision/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nowait {
namespace {

// Products of inertia that are smaller, beside the moments, are rounding of the points: they would
// turn a box by any angle.
constexpr double kDiagonal = 1e-5;
constexpr int kMaxSweeps = 32;  // Jacobi's method converges quadratically: five are the rule

// Turns the axes i and k so that the tensor has no product of them.
void Turn(SecondMoments& tensor, SecondMoments& axes, std::size_t i, std::size_t k) {
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

double OffDiagonal(const SecondMoments& t) {
  return std::max({std::abs(t[0][1]), std::abs(t[0][2]), std::abs(t[1][2])});
}

}  // namespace

PrincipalAxes PrincipalAxesOf(SecondMoments moments) {
  SecondMoments axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  const double largest = std::max({moments[0][0], moments[1][1], moments[2][2]});
  if (OffDiagonal(moments) > kDiagonal * largest) {
    for (int sweep = 0; sweep < kMaxSweeps && OffDiagonal(moments) > 1e-15 * largest; ++sweep) {
      Turn(moments, axes, 0, 1);
      Turn(moments, axes, 0, 2);
      Turn(moments, axes, 1, 2);
    }
  }
  PrincipalAxes principal;
  for (std::size_t k = 0; k < 3; ++k) principal.axes[k] = {axes[0][k], axes[1][k], axes[2][k]};
  principal.inertia = {moments[1][1] + moments[2][2], moments[0][0] + moments[2][2],
                       moments[0][0] + moments[1][1]};
  return principal;
}

// The axes are the columns of the rotation's matrix. Of the four numbers the largest is found
// first. Source: S. Shepperd, "Quaternion from Rotation Matrix", Journal of Guidance and Control
// 1(3), 1978.
Quat RotationTo(const std::array<Double3, 3>& m) {
  const double trace = (m[0].x + m[1].y) + m[2].z;
  std::array<double, 4> q;  // x, y, z, w
  if (trace >= std::max({m[0].x, m[1].y, m[2].z})) {
    q = {m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, 1.0 + trace};
  } else if (m[0].x >= std::max(m[1].y, m[2].z)) {
    q = {1.0 + m[0].x - m[1].y - m[2].z, m[0].y + m[1].x, m[2].x + m[0].z, m[1].z - m[2].y};
  } else if (m[1].y >= m[2].z) {
    q = {m[0].y + m[1].x, 1.0 + m[1].y - m[0].x - m[2].z, m[1].z + m[2].y, m[2].x - m[0].z};
  } else {
    q = {m[2].x + m[0].z, m[1].z + m[2].y, 1.0 + m[2].z - m[0].x - m[1].y, m[0].y - m[1].x};
  }
  const double length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  const auto part = [&](std::size_t i) { return static_cast<float>(q[i] / length); };
  return {part(0), part(1), part(2), part(3)};
}

}  // namespace nowait
