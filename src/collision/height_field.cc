#include "src/collision/height_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr std::uint32_t kMaxSamples = 4096;
constexpr float kMaxHeight = 1e6f;

// The cell that contains `x` (in cells); the nearest one when it is outside.
std::uint32_t CellOf(float x, std::uint32_t samples) {
  const float last = static_cast<float>(samples - 2);
  return static_cast<std::uint32_t>(std::clamp(std::floor(x), 0.0f, last));
}

Result<void> Check(const HeightFieldDef& def) {
  if (def.columns < 2 || def.columns > kMaxSamples) {
    return Fail(ErrorCode::kInvalidArgument, "height field columns", def.columns, "2 .. 4096");
  }
  if (def.rows < 2 || def.rows > kMaxSamples) {
    return Fail(ErrorCode::kInvalidArgument, "height field rows", def.rows, "2 .. 4096");
  }
  if (!(def.spacing >= 1e-3f && def.spacing <= 1e4f)) {
    return Fail(ErrorCode::kInvalidArgument, "height field spacing", 0, "0.001 .. 10000 metres");
  }
  const std::size_t count = std::size_t{def.columns} * def.rows;
  if (def.heights.size() != count) {
    return Fail(ErrorCode::kInvalidArgument, "height field heights",
                static_cast<std::int64_t>(def.heights.size()), "columns times rows of them");
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!(std::abs(def.heights[i]) <= kMaxHeight)) {  // NaN fails too
      return Fail(ErrorCode::kInvalidArgument, "height field height", static_cast<std::int64_t>(i),
                  "not within 1e6 metres");
    }
  }
  return SurfaceMaterials::Validate(def.materials, std::size_t{def.columns - 1} * (def.rows - 1));
}

}  // namespace

Result<std::unique_ptr<const HeightField>> HeightField::Create(const HeightFieldDef& def) {
  if (const auto valid = Check(def); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&] {
    return Make(def, SharedArray<float>(std::vector(def.heights.begin(), def.heights.end())),
                SurfaceMaterials(def.materials));
  });
}

Result<std::unique_ptr<const HeightField>> HeightField::Use(const HeightFieldDef& def,
                                                            BlobOwner owner) {
  if (const auto valid = Check(def); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&] {
    return Make(def, SharedArray<float>(def.heights, owner),
                SurfaceMaterials(def.materials, owner));
  });
}

// def: valid. Throws std::bad_alloc.
Result<std::unique_ptr<const HeightField>> HeightField::Make(const HeightFieldDef& def,
                                                             SharedArray<float> heights,
                                                             SurfaceMaterials materials) {
  auto field = std::unique_ptr<HeightField>(new HeightField);
  field->columns_ = def.columns;
  field->rows_ = def.rows;
  field->spacing_ = def.spacing;
  field->heights_ = std::move(heights);
  field->materials_ = std::move(materials);
  field->tops_ = HeightPyramid(def.columns, def.rows, def.heights);
  const auto [low, high] = std::minmax_element(def.heights.begin(), def.heights.end());
  field->min_height_ = *low;
  field->max_height_ = *high;
  return field;
}

float HeightField::SurfaceAt(float x, float z) const {
  const float u = std::clamp(x / spacing_, 0.0f, static_cast<float>(columns_ - 1));
  const float v = std::clamp(z / spacing_, 0.0f, static_cast<float>(rows_ - 1));
  const std::uint32_t i = CellOf(u, columns_);
  const std::uint32_t k = CellOf(v, rows_);
  const float du = u - static_cast<float>(i);
  const float dv = v - static_cast<float>(k);
  const float h00 = HeightOf(i, k);
  const float h11 = HeightOf(i + 1, k + 1);
  if (du <= dv) {
    const float h01 = HeightOf(i, k + 1);
    return h00 + (h01 - h00) * dv + (h11 - h01) * du;
  }
  const float h10 = HeightOf(i + 1, k);
  return h00 + (h10 - h00) * du + (h11 - h10) * dv;
}

std::uint8_t HeightField::MaterialAt(float x, float z) const {
  return MaterialOf(CellOf(x / spacing_, columns_), CellOf(z / spacing_, rows_));
}

HeightField::CellRange HeightField::CellsIn(float min_x, float max_x, float min_z,
                                            float max_z) const {
  CellRange range{0, 0, 0, 0, true};
  if (max_x < 0.0f || max_z < 0.0f || min_x > width() || min_z > depth()) return range;
  range.empty = false;
  range.first_i = CellOf(min_x / spacing_, columns_);
  range.last_i = CellOf(max_x / spacing_, columns_);
  range.first_k = CellOf(min_z / spacing_, rows_);
  range.last_k = CellOf(max_z / spacing_, rows_);
  return range;
}

HeightField::Triangle HeightField::TriangleAt(std::uint32_t i, std::uint32_t k,
                                              std::uint32_t which) const {
  Triangle triangle;
  triangle.id = 2 * (k * columns_ + i) + which;
  if (which == 0) {
    triangle.samples = {{{i, k}, {i, k + 1}, {i + 1, k + 1}}};
  } else {
    triangle.samples = {{{i, k}, {i + 1, k + 1}, {i + 1, k}}};
  }
  for (std::size_t v = 0; v < 3; ++v) {
    triangle.vertices[v] = Sample(triangle.samples[v][0], triangle.samples[v][1]);
  }
  const Vec3 cross = Cross(triangle.vertices[1] - triangle.vertices[0],
                           triangle.vertices[2] - triangle.vertices[0]);
  triangle.normal = NormaliseOr(cross, {0, 1, 0});
  return triangle;
}

std::optional<Vec3> HeightField::VertexAcross(const Triangle& triangle, int edge) const {
  const std::uint32_t which = triangle.id % 2;
  // Corner (i, k) of the triangle's cell, which is its first vertex.
  const std::uint32_t i = triangle.samples[0][0];
  const std::uint32_t k = triangle.samples[0][1];
  if (which == 0) {
    switch (edge) {
      case 0:
        return i == 0 ? std::nullopt : std::optional(Sample(i - 1, k));
      case 1:
        return k + 2 == rows_ ? std::nullopt : std::optional(Sample(i + 1, k + 2));
      default:
        return Sample(i + 1, k);
    }
  }
  switch (edge) {
    case 0:
      return Sample(i, k + 1);
    case 1:
      return i + 2 == columns_ ? std::nullopt : std::optional(Sample(i + 2, k + 1));
    default:
      return k == 0 ? std::nullopt : std::optional(Sample(i, k - 1));
  }
}

}  // namespace nowait
