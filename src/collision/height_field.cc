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

Result<void> CheckHeights(std::span<const float> heights) {
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (!(std::abs(heights[i]) <= kMaxHeight)) {  // NaN fails too
      return Fail(ErrorCode::kInvalidArgument, "height field height", static_cast<std::int64_t>(i),
                  "not within 1e6 metres");
    }
  }
  return {};
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
  if (const auto valid = CheckHeights(def.heights); !valid) return valid;
  return SurfaceMaterials::Validate(def.materials, std::size_t{def.columns - 1} * (def.rows - 1),
                                    SurfaceMaterials::Holes::kAllowed);
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
  field->tops_ = HeightPyramid(def.columns, def.rows, def.heights, def.materials.numbers);
  if (const auto done = field->Summarise(); !done) return std::unexpected(done.error());
  return field;
}

Result<void> HeightField::Summarise() {
  const auto numbers = materials_.numbers();
  has_holes_ = std::ranges::find(numbers, SurfaceMaterials::kHole) != numbers.end();
  max_height_ = tops_.TopOf({tops_.levels() - 1, 0, 0});
  if (max_height_ == HeightPyramid::kNoGround) {
    return Fail(ErrorCode::kInvalidArgument, "height field cells", 0, "all of them are holes");
  }
  if (!has_holes_) {
    min_height_ = *std::ranges::min_element(heights_.all());
    return {};
  }
  min_height_ = max_height_;
  for (std::uint32_t k = 0; k < rows_; ++k) {
    for (std::uint32_t i = 0; i < columns_; ++i) {
      if (HasGround(i, k) || HasGround(std::int64_t{i} - 1, k) ||
          HasGround(i, std::int64_t{k} - 1) ||
          HasGround(std::int64_t{i} - 1, std::int64_t{k} - 1)) {
        min_height_ = std::min(min_height_, HeightOf(i, k));
      }
    }
  }
  return {};
}

Result<std::unique_ptr<const HeightField>> HeightField::Edited(const FieldRegion& region) const {
  const std::uint32_t columns = region.columns, rows = region.rows;
  if (columns == 0 || rows == 0 || columns > columns_ || rows > rows_ ||
      region.first_i > columns_ - columns || region.first_k > rows_ - rows) {
    return Fail(ErrorCode::kInvalidArgument, "field region", 0, "not within the field");
  }
  if (!region.heights.empty() && region.heights.size() != std::size_t{columns} * rows) {
    return Fail(ErrorCode::kInvalidArgument, "field region heights",
                static_cast<std::int64_t>(region.heights.size()), "columns times rows of them");
  }
  const std::size_t cells = std::size_t{columns - 1} * (rows - 1);
  if (!region.materials.empty() && (region.materials.size() != cells || materials_.empty())) {
    return Fail(ErrorCode::kInvalidArgument, "field region materials",
                static_cast<std::int64_t>(region.materials.size()),
                "one for each cell, of a field with materials");
  }
  if (const auto valid = CheckHeights(region.heights); !valid) {
    return std::unexpected(valid.error());
  }
  if (!region.materials.empty()) {
    const auto valid = SurfaceMaterials::Validate({materials_.table(), region.materials}, cells,
                                                  SurfaceMaterials::Holes::kAllowed);
    if (!valid) return std::unexpected(valid.error());
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<const HeightField>> {
    auto field = std::unique_ptr<HeightField>(new HeightField(*this));
    if (!region.heights.empty()) {
      std::vector<float> heights(heights_.all().begin(), heights_.all().end());
      for (std::size_t k = 0; k < rows; ++k) {
        const auto row = region.heights.subspan(k * columns, columns);
        std::ranges::copy(
            row, heights.begin() +
                     static_cast<std::ptrdiff_t>((region.first_k + k) * columns_ + region.first_i));
      }
      field->heights_ = SharedArray<float>(std::move(heights));
    }
    if (!region.materials.empty()) {
      const auto old = materials_.numbers();
      std::vector<std::uint8_t> numbers(old.begin(), old.end());
      for (std::size_t k = 0; k + 1 < rows; ++k) {
        const auto row = region.materials.subspan(k * (columns - 1), columns - 1);
        std::ranges::copy(
            row, numbers.begin() + static_cast<std::ptrdiff_t>(
                                       (region.first_k + k) * (columns_ - 1) + region.first_i));
      }
      field->materials_ = SurfaceMaterials(SurfaceMaterialsDef{materials_.table(), numbers});
    }
    // The samples at the region's border are corners of the cells round it, too.
    const std::uint32_t last_i = std::min(region.first_i + columns - 1, columns_ - 2);
    const std::uint32_t last_k = std::min(region.first_k + rows - 1, rows_ - 2);
    field->tops_.Refresh(std::max(region.first_i, 1u) - 1, last_i, std::max(region.first_k, 1u) - 1,
                         last_k, field->heights_.all(), field->materials_.numbers());
    if (const auto done = field->Summarise(); !done) return std::unexpected(done.error());
    return field;
  });
}

bool HeightField::HasGround(std::int64_t i, std::int64_t k) const {
  if (i < 0 || k < 0 || i + 1 >= columns_ || k + 1 >= rows_) return false;
  return !IsHole(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k));
}

bool HeightField::HasEdge(std::uint32_t i, std::uint32_t k, int di, int dk) const {
  // Its lower end, from which it leads along x, along z or along the diagonal of a cell.
  const std::int64_t low_i = std::int64_t{i} + std::min(di, 0);
  const std::int64_t low_k = std::int64_t{k} + std::min(dk, 0);
  if (HasGround(low_i, low_k)) return true;
  if (di != 0 && dk != 0) return false;
  return di != 0 ? HasGround(low_i, low_k - 1) : HasGround(low_i - 1, low_k);
}

bool HeightField::IsHoleAt(float x, float z) const {
  return has_holes_ && IsHole(CellOf(x / spacing_, columns_), CellOf(z / spacing_, rows_));
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
  const std::uint32_t i = CellOf(x / spacing_, columns_), k = CellOf(z / spacing_, rows_);
  if (!IsHole(i, k)) return MaterialOf(i, k);
  // The neighbours by the place in the cell: across the nearest side, across the next one, across
  // the corner between them, and then those on the far sides.
  const float u = x / spacing_ - static_cast<float>(i), v = z / spacing_ - static_cast<float>(k);
  const int di = u < 0.5f ? -1 : 1, dk = v < 0.5f ? -1 : 1;
  const bool is_first_along_x = std::min(u, 1.0f - u) <= std::min(v, 1.0f - v);
  constexpr int kAlong[][2] = {{1, 0},  {0, 1},  {1, 1},  {-1, 0},
                               {0, -1}, {-1, 1}, {1, -1}, {-1, -1}};
  for (const auto& [near, next] : kAlong) {
    const std::int64_t ni = std::int64_t{i} + (is_first_along_x ? near : next) * di;
    const std::int64_t nk = std::int64_t{k} + (is_first_along_x ? next : near) * dk;
    if (!HasGround(ni, nk)) continue;
    return MaterialOf(static_cast<std::uint32_t>(ni), static_cast<std::uint32_t>(nk));
  }
  return 0;
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
  triangle.vertices = VerticesAt(i, k, which);
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
  const auto across = [&](std::int64_t cell_i, std::int64_t cell_k, std::uint32_t sample_i,
                          std::uint32_t sample_k) {
    return HasGround(cell_i, cell_k) ? std::optional(Sample(sample_i, sample_k)) : std::nullopt;
  };
  if (which == 0) {
    switch (edge) {
      case 0:
        return across(std::int64_t{i} - 1, k, i - 1, k);
      case 1:
        return across(i, std::int64_t{k} + 1, i + 1, k + 2);
      default:
        return Sample(i + 1, k);
    }
  }
  switch (edge) {
    case 0:
      return Sample(i, k + 1);
    case 1:
      return across(std::int64_t{i} + 1, k, i + 2, k + 1);
    default:
      return across(i, std::int64_t{k} - 1, i, k - 1);
  }
}

}  // namespace nowait
