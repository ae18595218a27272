// Source: the walk: J. Amanatides, A. Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing",
// Eurographics 1987.
#include "src/collision/ray_cast_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/collision/ray_triangle.h"

namespace nowait {
namespace {

constexpr double kNever = double{std::numeric_limits<float>::max()};

// Of a cell: a triangle is met beside its cell by at most two kSeam.
constexpr double kBeside = 3.0 * kSeam;

// A triangle of cell (i, k). Its front is its upper side; its normal takes a root, and few are hit.
void LookAt(const RayCast& ray, const HeightField& field, std::uint32_t i, std::uint32_t k,
            std::uint32_t which, std::optional<ShapeHit>& best, float& max_fraction) {
  const auto fraction = CastAgainstTriangle(ray, field.VerticesAt(i, k, which));
  if (!fraction || !(*fraction <= max_fraction)) return;
  best = ShapeHit{*fraction, field.TriangleAt(i, k, which).normal, 0, field.MaterialOf(i, k)};
  max_fraction = *fraction;
}

// Narrows [enter, leave] to where from + t * along lies within low .. high. False: nowhere.
bool ClipTo(double from, double along, double low, double high, double& enter, double& leave) {
  if (along == 0.0) return from >= low && from <= high;
  double near = (low - from) / along;
  double far = (high - from) / along;
  if (near > far) std::swap(near, far);
  enter = std::max(enter, near);
  leave = std::min(leave, far);
  return enter <= leave;
}

// One axis of the walk, in cells. The fraction at the next border is computed from the border's
// number each time, not accumulated, so that rounding does not grow along the way.
struct Walk {
  double from, along;
  std::int64_t cell, step, last;

  Walk(float origin, float translation, float spacing, double start, std::uint32_t samples)
      : from(double{origin} / spacing),
        along(double{translation} / spacing),
        cell(static_cast<std::int64_t>(std::floor(from + along * start))),
        step(translation < 0.0f ? -1 : 1),
        last(std::int64_t{samples} - 2) {
    cell = std::clamp(cell, std::int64_t{0}, last);
  }

  // No triangle behind the border is met at a smaller fraction.
  double NextBorder() const {
    if (along == 0.0) return kNever;
    const double border =
        step > 0 ? static_cast<double>(cell + 1) - kBeside : static_cast<double>(cell) + kBeside;
    return (border - from) / along;
  }
  bool Advance() {
    cell += step;
    return cell >= 0 && cell <= last;
  }
};

}  // namespace

bool IsBelowSurface(Vec3 point, const HeightField& field) {
  const bool over_field =
      point.x >= 0.0f && point.x <= field.width() && point.z >= 0.0f && point.z <= field.depth();
  return over_field && !field.IsHoleAt(point.x, point.z) &&
         point.y < field.SurfaceAt(point.x, point.z);
}

std::optional<ShapeHit> CastAgainstField(const RayCast& ray, float max_fraction,
                                         const HeightField& field) {
  if (IsBelowSurface(ray.origin, field)) {
    return ShapeHit{0.0f, NormaliseOr(-ray.translation, {0, 1, 0}), 0,
                    field.MaterialAt(ray.origin.x, ray.origin.z)};
  }
  return CastAgainstSurface(ray, max_fraction, field);
}

std::optional<ShapeHit> CastAgainstSurface(const RayCast& ray, float max_fraction,
                                           const HeightField& field) {
  // A cell's width of slack in height: level ground must not narrow the ray to one point, which
  // rounding could put beside the cell that is hit.
  const double beside = kBeside * field.spacing();
  double enter = 0.0;
  double leave = max_fraction;
  if (!ClipTo(ray.origin.x, ray.translation.x, -beside, field.width() + beside, enter, leave) ||
      !ClipTo(ray.origin.z, ray.translation.z, -beside, field.depth() + beside, enter, leave) ||
      !ClipTo(ray.origin.y, ray.translation.y, field.min_height() - field.spacing(),
              field.max_height() + field.spacing(), enter, leave)) {
    return std::nullopt;
  }
  Walk x(ray.origin.x, ray.translation.x, field.spacing(), enter, field.columns());
  Walk z(ray.origin.z, ray.translation.z, field.spacing(), enter, field.rows());
  std::optional<ShapeHit> best;
  for (;;) {
    const auto i = static_cast<std::uint32_t>(x.cell), k = static_cast<std::uint32_t>(z.cell);
    for (std::uint32_t which = 0; which < 2 && !field.IsHole(i, k); ++which) {
      LookAt(ray, field, i, k, which, best, max_fraction);
    }
    const double next_x = x.NextBorder();
    const double next_z = z.NextBorder();
    // As a hit's fraction is rounded.
    const double next = static_cast<float>(std::min({next_x, next_z, kNever}));
    if (next > leave || (best && best->fraction < next)) return best;
    if (!(next_x <= next_z ? x : z).Advance()) return best;
  }
}

}  // namespace nowait
