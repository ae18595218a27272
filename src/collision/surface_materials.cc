#include "src/collision/surface_materials.h"

#include <utility>

namespace nowait {
namespace {

bool IsWithin(float value, float most) { return value >= 0.0f && value <= most; }  // not NaN

}  // namespace

Result<void> SurfaceMaterials::Validate(const SurfaceMaterialsDef& def, std::size_t parts,
                                        Holes holes) {
  if (def.table.empty() && def.numbers.empty()) return {};
  const std::size_t size = def.table.size();
  if (size == 0 || size > kMostMaterials) {
    return Fail(ErrorCode::kInvalidArgument, "surface materials", static_cast<std::int64_t>(size),
                "1 .. 255");
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (!IsWithin(def.table[i].friction, 100.0f)) {
      return Fail(ErrorCode::kInvalidArgument, "surface friction", place, "0 .. 100");
    }
    if (!IsWithin(def.table[i].restitution, 1.0f)) {
      return Fail(ErrorCode::kInvalidArgument, "surface restitution", place, "0 .. 1");
    }
  }
  if (def.numbers.size() != parts) {
    return Fail(ErrorCode::kInvalidArgument, "material numbers",
                static_cast<std::int64_t>(def.numbers.size()), "one for each triangle or cell");
  }
  for (std::size_t i = 0; i < parts; ++i) {
    const bool is_hole = holes == Holes::kAllowed && def.numbers[i] == kHole;
    if (def.numbers[i] >= size && !is_hole) {
      return Fail(ErrorCode::kInvalidArgument, "material number", static_cast<std::int64_t>(i),
                  "there is no such material");
    }
  }
  return {};
}

SurfaceMaterials SurfaceMaterials::Ordered(std::span<const std::uint32_t> parts) const {
  SurfaceMaterials ordered;
  if (empty()) return ordered;
  ordered.table_ = table_;
  std::vector<std::uint8_t> numbers;
  numbers.reserve(parts.size());
  for (const std::uint32_t part : parts) numbers.push_back(numbers_[part]);
  ordered.numbers_ = SharedArray<std::uint8_t>(std::move(numbers));
  return ordered;
}

}  // namespace nowait
