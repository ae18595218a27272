#include "src/collision/vector_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "src/base/assert.h"
#include "src/math/simd.h"

namespace nowait {
namespace {

using Lanes = Floats<8>;

// Of a product of three factors of at most one and three coordinates of at most one: three
// roundings of the factors, three of the products, two of the sums, with room.
constexpr float kRounding = 1e-6f;

// The products of all vectors with a direction, and the largest of them.
class Products {
 public:
  // In Dot's order: each lane has Dot's bits.
  Products(std::span<const VectorRow> rows, Vec3 direction) {
    const Lanes x(direction.x), y(direction.y), z(direction.z);
    Lanes most(-std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const VectorRow& row = rows[i];
      rows_[i] = (x * Lanes::Load(row.x.data()) + y * Lanes::Load(row.y.data())) +
                 z * Lanes::Load(row.z.data());
      most = Max(rows_[i], most);
    }
    largest_ = std::ranges::max(most.ToArray());
  }

  float largest() const { return largest_; }
  // Bit i: the product of lane i is not below `least`.
  LaneBits AtLeast(Lanes least, std::size_t row) const { return (least <= rows_[row]).Bits(); }

 private:
  std::array<Lanes, VectorRows::kMostRows> rows_;  // as many as there are
  float largest_;
};

}  // namespace

VectorRows::VectorRows(std::span<const Vec3> vectors)
    : rows_((vectors.size() + kLanes - 1) / kLanes) {
  NOWAIT_ASSERT(!vectors.empty() && rows_.size() <= kMostRows, "a hull has at most 255 vertices");
  for (std::size_t i = 0; i < rows_.size() * kLanes; ++i) {
    const Vec3 vector = vectors[i < vectors.size() ? i : 0];
    VectorRow& row = rows_[i / kLanes];
    row.x[i % kLanes] = vector.x;
    row.y[i % kLanes] = vector.y;
    row.z[i % kLanes] = vector.z;
    largest_ = std::max({largest_, std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  }
}

std::size_t VectorRows::FurthestIn(Vec3 direction) const {
  const Products products(rows_, direction);
  const Lanes largest(products.largest());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const LaneBits bits = products.AtLeast(largest, i);
    if (bits != 0) return i * kLanes + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return 0;
}

std::size_t VectorRows::FurthestIn(const Double3& direction) const {
  const double size =
      std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)});
  if (!(size > 0.0)) return 0;
  const Products products(rows_, ToFloat(direction * (1.0 / size)));
  const Lanes least(products.largest() -
                    std::max(2.0f * kRounding * largest_, std::numeric_limits<float>::min()));
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (LaneBits bits = products.AtLeast(least, i); bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      const VectorRow& row = rows_[i];
      const double here = Dot(direction, ToDouble({row.x[lane], row.y[lane], row.z[lane]}));
      if (here > most) {
        most = here;
        best = i * kLanes + lane;
      }
    }
  }
  return best;
}

}  // namespace nowait
