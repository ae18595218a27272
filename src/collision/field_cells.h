// ForEachCell: the cells of a height field that can hold the least of something, the most promising
// first.
//
// Branch and bound over the pyramid of a field (height_pyramid.h): a block whose bound is not below
// the least that was found so far is left out with everything in it, as are holes.
//
// Thread safety: pure functions; any thread. No allocation; the recursion is as deep as the pyramid
// has levels, at most eleven.
// Determinism: the order depends on the field and the bounds alone.
//
// Source: A. Land, A. Doig, "An Automatic Method of Solving Discrete Programming Problems",
// Econometrica 28(3), 1960.
#ifndef NOWAIT_SRC_COLLISION_FIELD_CELLS_H_
#define NOWAIT_SRC_COLLISION_FIELD_CELLS_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "src/collision/field_blocks.h"
#include "src/collision/height_field.h"

namespace nowait {

// bound(const GroundPart&): what nothing in the part is below. visit(i, k): looks at the cell, and
// returns the least so far, which is `limit` before the first call.
template <class Bound, class Visit>
void ForEachCell(const HeightField& field, float limit, Bound bound, Visit visit) {
  struct Search {
    const HeightField& field;
    float limit;
    Bound& bound;
    Visit& visit;

    struct Child {
      float bound;
      std::uint32_t i, k;
    };

    GroundPart PartOf(std::uint32_t first_i, std::uint32_t first_k, std::uint32_t side,
                      float top) const {
      const std::uint32_t end_i = std::min(first_i + side, field.columns() - 1);
      const std::uint32_t end_k = std::min(first_k + side, field.rows() - 1);
      const auto metres = [&](std::uint32_t cells) {
        return static_cast<float>(cells) * field.spacing();
      };
      return {metres(first_i), metres(end_i), metres(first_k), metres(end_k), top};
    }

    void LookAtCells(const HeightBlock& block) {
      constexpr std::uint32_t kSide = HeightPyramid::kSide;
      const std::uint32_t end_i = std::min((block.i + 1) * kSide, field.columns() - 1);
      const std::uint32_t end_k = std::min((block.k + 1) * kSide, field.rows() - 1);
      for (std::uint32_t k = block.k * kSide; k < end_k; ++k) {
        for (std::uint32_t i = block.i * kSide; i < end_i; ++i) {
          if (field.IsHole(i, k)) continue;
          const float top = std::max({field.HeightOf(i, k), field.HeightOf(i + 1, k),
                                      field.HeightOf(i, k + 1), field.HeightOf(i + 1, k + 1)});
          if (bound(PartOf(i, k, 1, top)) < limit) limit = visit(i, k);
        }
      }
    }

    void LookInto(const HeightBlock& block) {
      if (block.level == 0) return LookAtCells(block);
      const HeightPyramid& tops = field.tops();
      const std::uint32_t below = block.level - 1, side = HeightPyramid::SideOf(below);
      std::array<Child, 4> children;
      std::size_t count = 0;
      for (std::uint32_t k = 2 * block.k; k < std::min(2 * block.k + 2, tops.rows(below)); ++k) {
        for (std::uint32_t i = 2 * block.i; i < std::min(2 * block.i + 2, tops.columns(below));
             ++i) {
          const float top = tops.TopOf({below, i, k});
          if (top == HeightPyramid::kNoGround) continue;
          const Child child{bound(PartOf(i * side, k * side, side, top)), i, k};
          // In order of their bounds; of equals the one that was found first.
          std::size_t at = count++;
          for (; at > 0 && children[at - 1].bound > child.bound; --at) {
            children[at] = children[at - 1];
          }
          children[at] = child;
        }
      }
      for (std::size_t c = 0; c < count && children[c].bound < limit; ++c) {
        LookInto({below, children[c].i, children[c].k});
      }
    }
  };
  Search{field, limit, bound, visit}.LookInto({field.tops().levels() - 1, 0, 0});
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_FIELD_CELLS_H_
