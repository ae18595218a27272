// A compound from another one: a list of children like any definition's, with the numbers that the
// children have.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/collision/compound_shape.h"

namespace nowait {
namespace {

constexpr std::size_t kMost = CompoundShape::kMaxChildren;

std::unexpected<Error> Wrong(const char* field, std::uint32_t number, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, field, number, why);
}

// The numbers that children have, and those that an edit names.
class Numbers {
 public:
  explicit Numbers(std::span<const CompoundShape::Child> children) {
    for (const CompoundShape::Child& child : children) had_[child.number] = true;
  }

  // Each child is named once.
  Result<void> Name(const char* field, std::uint32_t number) {
    if (number >= kMost || !had_[number]) return Wrong(field, number, "there is no such child");
    if (named_[number]) return Wrong(field, number, "it is named twice");
    named_[number] = true;
    return {};
  }

  // The lowest number that no child had; then the lowest that no child has. One is left.
  std::uint32_t Take(const std::vector<std::uint32_t>& taken) const {
    std::uint32_t lowest = kMost;
    for (std::uint32_t number = 0; number < kMost; ++number) {
      if (std::ranges::find(taken, number) != taken.end()) continue;
      if (!had_[number]) return number;
      lowest = std::min(lowest, number);
    }
    return lowest;
  }

 private:
  std::array<bool, kMost> had_{};
  std::array<bool, kMost> named_{};
};

}  // namespace

Result<std::unique_ptr<const CompoundShape>> CompoundShape::Edited(const CompoundEdit& edit) const {
  Numbers numbers(children_);
  for (const std::uint32_t number : edit.removed) {
    if (auto named = numbers.Name("removed child", number); !named) {
      return std::unexpected(named.error());
    }
  }
  for (const MovedChild& moved : edit.moved) {
    if (auto named = numbers.Name("moved child", moved.number); !named) {
      return std::unexpected(named.error());
    }
  }
  const std::size_t count = children_.size() - edit.removed.size();
  if (edit.added.size() > kMost || count + edit.added.size() > kMost) {
    return Fail(ErrorCode::kInvalidArgument, "compound children",
                static_cast<std::int64_t>(count + edit.added.size()), "1 .. 256");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<const CompoundShape>> {
    std::vector<CompoundChild> children;
    std::vector<std::uint32_t> of_children;
    for (const Child& child : children_) {
      if (std::ranges::find(edit.removed, child.number) != edit.removed.end()) continue;
      const auto moved = std::ranges::find(edit.moved, child.number, &MovedChild::number);
      const bool stays = moved == edit.moved.end();
      children.push_back({.shape = child.shape,
                          .position = stays ? child.position : moved->position,
                          .rotation = stays ? child.rotation : moved->rotation,
                          .density = child.density});
      of_children.push_back(child.number);
    }
    for (const CompoundChild& child : edit.added) {
      of_children.push_back(numbers.Take(of_children));
      children.push_back(child);
    }
    return Create({.children = children, .numbers = of_children});
  });
}

}  // namespace nowait
