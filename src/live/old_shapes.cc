#include "src/live/old_shapes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace nowait {
namespace {

// The number in a size, where a shape of that kind has one. It comes from outside, as a float.
template <class Record>
void AddNumber(const Record& record, LiveShape kind, std::set<std::uint32_t>& numbers) {
  constexpr float kEnd = 4294967296.0f;
  if (record.shape != static_cast<std::uint32_t>(kind) || !(record.size[0] < kEnd)) return;
  numbers.insert(static_cast<std::uint32_t>(record.size[0]));
}

template <class T>
void EraseOld(std::map<std::uint32_t, T>& shapes, const std::set<std::uint32_t>& used) {
  if (shapes.empty()) return;
  const std::uint32_t newest = shapes.rbegin()->first;
  std::erase_if(shapes, [&](const auto& shape) {
    return newest - shape.first >= kLiveLatestShapes && !used.contains(shape.first);
  });
}

}  // namespace

void OldShapes::Forget(LiveScene& scene) {
  const auto shapes = [&scene] { return scene.hulls.size() + scene.compounds.size(); };
  if (scene.version < kLiveForgetVersion || shapes() < 2 * left_) return;
  std::set<std::uint32_t> hulls, compounds;  // in use
  for (const auto& [slot, body] : scene.bodies) {
    AddNumber(body.record, LiveShape::kHull, hulls);
    AddNumber(body.record, LiveShape::kCompound, compounds);
  }
  EraseOld(scene.compounds, compounds);
  for (const auto& [number, children] : scene.compounds) {
    for (const LiveChildRecord& child : children) AddNumber(child, LiveShape::kHull, hulls);
  }
  EraseOld(scene.hulls, hulls);
  left_ = std::max(shapes(), 2 * std::size_t{kLiveLatestShapes});
}

}  // namespace nowait
