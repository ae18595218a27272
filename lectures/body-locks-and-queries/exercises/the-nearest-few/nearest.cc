// QueryNearest against a plain loop over all bodies, and how much of the tree it looks at.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "lectures/counting_sync.h"
#include "lectures/judge.h"
#include "src/broadphase/quad_tree.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Tree = QuadTree<CountingSync, 3, 4>;
using Point = std::array<float, 3>;

constexpr std::uint32_t kWorld = 64;  // distances of whole numbers are exact, and many are equal

Point Somewhere(Random& random) {
  return {static_cast<float>(random.Below(kWorld)), static_cast<float>(random.Below(kWorld)),
          static_cast<float>(random.Below(kWorld))};
}

// Bodies are points in boxes that are larger than they, as after a move.
class Scene {
 public:
  Scene(std::uint32_t bodies, std::uint64_t seed) : storage_(4 * bodies + 64, bodies + 1) {
    Random random(seed);
    std::vector<Tree::Entry> entries;
    for (std::uint32_t i = 0; i < bodies; ++i) {
      const Point at = Somewhere(random);
      // Slots in an order that has nothing to do with that of the tree.
      ids_.push_back(ProxyId(i, i % 7));
      Bounds<3> box{at, at};
      for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] -= static_cast<float>(random.Below(3));
        box.max[axis] += static_cast<float>(random.Below(3));
      }
      bodies_.push_back(at);
      entries.push_back({ids_.back(), box});
    }
    auto batch = tree_.Prepare(entries);
    tree_.Finalise(*std::move(batch));
  }

  std::vector<Near> Ask(const Point& point, std::size_t count) const {
    const auto pin = storage_.PinReader();
    return tree_.QueryNearest(point, count,
                              [&](ProxyId body) { return SquaredDistance(body, point); });
  }

  std::vector<Near> AskPlainly(const Point& point, std::size_t count) const {
    std::vector<Near> all;
    for (const ProxyId body : ids_) all.push_back({body, SquaredDistance(body, point)});
    std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
      return std::tie(a.squared_distance, a.body) < std::tie(b.squared_distance, b.body);
    });
    all.resize(std::min(count, all.size()));
    return all;
  }

 private:
  float SquaredDistance(ProxyId body, const Point& point) const {
    float sum = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float out = bodies_[body.slot()][axis] - point[axis];
      sum += out * out;
    }
    return sum;
  }

  Tree::Storage storage_;
  Tree tree_{storage_};
  std::vector<ProxyId> ids_;
  std::vector<Point> bodies_;
};

bool Same(const std::vector<Near>& a, const std::vector<Near>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Near& x, const Near& y) {
    return x.body == y.body && x.squared_distance == y.squared_distance;
  });
}

int Main() {
  Judge judge;
  Random random(14);
  const Scene few(5, 1);
  const Scene many(4096, 2);

  bool right = true;
  for (int i = 0; i < 200; ++i) {
    const Point point = Somewhere(random);
    const std::size_t count = 1 + random.Below(12);
    right = right && Same(many.Ask(point, count), many.AskPlainly(point, count));
  }
  judge.Ask(right, "the nearest bodies, in their order, as a plain loop finds them");
  const Point middle = {32, 32, 32};
  judge.Ask(Same(few.Ask(middle, 8), few.AskPlainly(middle, 8)), "fewer bodies: all of them");
  judge.Ask(many.Ask(middle, 0).empty(), "none when none is asked for");
  bool none = true;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    none = none && many.Ask({0, bad, 0}, 3).empty();
  }
  judge.Ask(none, "none when the point is not finite");
  const int status = judge.End();

  Counts() = {};
  for (int i = 0; i < 64; ++i) many.Ask(Somewhere(random), 8);
  fmt::print("work: {} atomic operations\n", Counts().all());
  return status;
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
