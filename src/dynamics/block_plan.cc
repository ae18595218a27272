#include "src/dynamics/block_plan.h"

#include <algorithm>
#include <array>

#include "src/collision/manifold.h"
#include "src/dynamics/contact_block.h"

namespace nowait {

void BlockPlan::Make(const ContactColours& colours, std::span<const std::uint8_t> points) {
  blocks_.clear();
  order_.resize(points.size());
  in_blocks_ = 0;
  for (std::uint32_t colour = 0; colour < colours.count(); ++colour) {
    AddColour(colours[colour], points, colour);
  }
  std::ranges::copy(colours.rest(), order_.begin() + in_blocks_);
}

// A counting sort by points, descending, which keeps the order of contacts with as many.
void BlockPlan::AddColour(std::span<const std::uint32_t> contacts,
                          std::span<const std::uint8_t> points, std::uint32_t colour) {
  std::array<std::uint32_t, Manifold::kMaxPoints + 1> next{};
  for (const std::uint32_t contact : contacts) ++next[points[contact]];
  std::uint32_t end = in_blocks_ + static_cast<std::uint32_t>(contacts.size());
  for (std::uint32_t& count : next) {
    end -= count;
    count = end;
  }
  for (const std::uint32_t contact : contacts) order_[next[points[contact]]++] = contact;
  const std::uint32_t last = in_blocks_ + static_cast<std::uint32_t>(contacts.size());
  while (in_blocks_ != last) {
    const std::uint32_t count = std::min<std::uint32_t>(kBlockLanes, last - in_blocks_);
    blocks_.push_back({in_blocks_, count, points[order_[in_blocks_]], colour});
    in_blocks_ += count;
  }
}

}  // namespace nowait
