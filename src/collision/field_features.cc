#include "src/collision/field_features.h"

#include <array>
#include <cstddef>

namespace nowait {

Leads WhereEdgesLead(const HeightField& field, std::uint32_t i, std::uint32_t k, Vec3 out) {
  // The diagonals run from (i, k) to (i + 1, k + 1), so a sample has six edges.
  constexpr std::array<std::array<int, 2>, 6> kNeighbours = {
      {{-1, -1}, {0, -1}, {-1, 0}, {1, 0}, {0, 1}, {1, 1}}};
  const Vec3 corner = field.Sample(i, k);
  Leads leads = Leads::kLevel;
  for (const auto& [di, dk] : kNeighbours) {
    const std::int64_t ni = std::int64_t{i} + di, nk = std::int64_t{k} + dk;
    if (!field.HasEdge(i, k, di, dk)) continue;
    const Vec3 end = field.Sample(static_cast<std::uint32_t>(ni), static_cast<std::uint32_t>(nk));
    const Leads here = WhereLeads(out, corner, end);
    if (here == Leads::kCloser) return here;
    if (here == Leads::kAway) leads = here;
  }
  return leads;
}

std::uint32_t EdgeFeature(const HeightField& field, const HeightField::Triangle& triangle,
                          int edge) {
  const auto sample = [&](std::size_t v) {
    return triangle.samples[v][1] * field.columns() + triangle.samples[v][0];
  };
  const auto v = static_cast<std::size_t>(edge);
  const std::uint32_t from = sample(v), to = sample((v + 1) % 3);
  const std::uint32_t step = std::max(from, to) - std::min(from, to);
  const std::uint32_t direction = step == 1 ? 0u : step == field.columns() ? 1u : 2u;
  return 2u << 30 | std::min(from, to) << 2 | direction;
}

}  // namespace nowait
