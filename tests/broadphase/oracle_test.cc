// Random sequences of operations, checked after each against a list that is searched from end to
// end.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "src/broadphase/quad_tree.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 300;
constexpr float kWorld = 50.0f;

// A plain list's record of a body: its box, and the most that the tree may have widened it to.
struct Entry {
  Box box;
  Box widened;
};

class Oracle {
 public:
  Oracle() : entries_(kBodies) {}

  bool Has(std::uint32_t body) const { return entries_[body].has_value(); }
  void Insert(std::uint32_t body, const Box& box) { entries_[body] = Entry{box, box}; }
  void Remove(std::uint32_t body) { entries_[body].reset(); }
  void Move(std::uint32_t body, const Box& box) {
    Entry& entry = *entries_[body];
    // A box that outgrows all it can have been widened to certainly changes the tree, and the next
    // rebuild will make it tight. A smaller one may have found its slot wide enough.
    if (!Contains(entry.widened, box)) grown_.push_back(body);
    entry.box = box;
    entry.widened.Include(box);
  }
  void Rebuilt() {
    for (std::uint32_t body : grown_) {
      if (entries_[body]) entries_[body]->widened = entries_[body]->box;
    }
    grown_.clear();
  }

  // No body twice, each that overlaps, and none that cannot overlap. One assertion a query, not one
  // a body: Catch2's cost more than the queries.
  template <class Overlap>
  void CheckFound(const std::vector<ProxyId>& found, Overlap overlap) const {
    std::vector<std::uint32_t> wrong;
    for (std::uint32_t body = 0; body < kBodies; ++body) {
      const auto times = std::count(found.begin(), found.end(), Body(body));
      const bool must = entries_[body] && overlap(entries_[body]->box);
      const bool may = entries_[body] && overlap(entries_[body]->widened);
      if (times > 1 || (must && times == 0) || (times == 1 && !may)) wrong.push_back(body);
    }
    REQUIRE(wrong.empty());
  }

 private:
  std::vector<std::optional<Entry>> entries_;
  std::vector<std::uint32_t> grown_;
};

// The slab test in double precision, with a margin that says how sure it is.
bool RayHits(const Box& box, const Ray<3>& ray, double margin) {
  double near = 0.0;
  double far = ray.max_fraction;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = box.min[axis] - margin - ray.origin[axis];
    const double high = box.max[axis] + margin - ray.origin[axis];
    const double displacement = ray.displacement[axis];
    if (displacement == 0.0) {
      if (low > 0.0 || high < 0.0) return false;
      continue;
    }
    near = std::max(near, std::min(low / displacement, high / displacement));
    far = std::min(far, std::max(low / displacement, high / displacement));
  }
  return near <= far;
}

Ray<3> RandomRay(RandomBoxes& random) {
  Ray<3> ray;
  for (int axis = 0; axis < 3; ++axis) {
    ray.origin[axis] = random.Number(-kWorld, kWorld);
    ray.displacement[axis] = random.Below(4) == 0 ? 0.0f : random.Number(-2 * kWorld, 2 * kWorld);
  }
  return ray;
}

TEST_CASE("random operations: a query finds what a list finds") {
  const std::uint32_t seed = GENERATE(range(1u, 11u));
  const float largest = GENERATE(0.0f, 5.0f);
  CAPTURE(seed, largest);
  RandomBoxes random(seed);
  Storage storage(4 * kBodies, kBodies);
  Tree tree(storage);
  Oracle oracle;
  for (int step = 0; step < 600; ++step) {
    CAPTURE(step);
    const std::uint32_t body = random.Below(kBodies);
    const Box box = random.Next(kWorld, largest);
    switch (random.Below(13)) {
      case 0: {
        std::vector<Tree::Entry> entries;
        for (std::uint32_t i = body; i < std::min(body + random.Below(60), kBodies); ++i) {
          if (!oracle.Has(i)) entries.push_back({Body(i), random.Next(kWorld, largest)});
        }
        auto batch = tree.Prepare(entries);
        REQUIRE(batch.has_value());
        if (random.Below(4) == 0) break;  // let it go
        tree.Finalise(std::move(*batch));
        for (const Tree::Entry& entry : entries) oracle.Insert(entry.id.slot(), entry.box);
        break;
      }
      case 1:
        REQUIRE(tree.Rebuild().has_value());
        tree.Swap();
        storage.Reclaim();
        oracle.Rebuilt();
        break;
      case 12:  // boxes are as tight as after a rebuild
        tree.Refit();
        oracle.Rebuilt();
        break;
      case 2:
      case 3:
        if (oracle.Has(body)) {
          tree.Remove(Body(body));
          oracle.Remove(body);
        }
        break;
      default:
        if (oracle.Has(body)) {
          REQUIRE(tree.Move(Body(body), box).has_value());
          oracle.Move(body, box);
        } else {
          REQUIRE(tree.Insert(Body(body), box).has_value());
          oracle.Insert(body, box);
        }
    }
    const Box query = random.Next(kWorld, 10.0f);
    oracle.CheckFound(Found(tree, query), [&](const Box& b) { return Overlaps(b, query); });
    REQUIRE(tree.Has(Body(body)) == oracle.Has(body));
  }
  oracle.CheckFound(Found(tree, Box::Everywhere()), [](const Box&) { return true; });
}

TEST_CASE(
    "random rays: what the exact ray passes through is found, what it clearly misses is not") {
  const std::uint32_t seed = GENERATE(range(1u, 6u));
  CAPTURE(seed);
  RandomBoxes random(seed);
  Storage storage(4 * kBodies, kBodies);
  Tree tree(storage);
  std::vector<Tree::Entry> entries;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    entries.push_back({Body(i), random.Next(kWorld, 5.0f)});
  }
  auto batch = tree.Prepare(entries);
  REQUIRE(batch.has_value());
  tree.Finalise(std::move(*batch));
  for (int round = 0; round < 1000; ++round) {
    const Ray<3> ray = RandomRay(random);
    const std::vector<ProxyId> found = FoundByRay(tree, ray);
    std::vector<std::uint32_t> wrong;
    for (const Tree::Entry& entry : entries) {
      const bool hit = std::binary_search(found.begin(), found.end(), entry.id);
      const bool must = RayHits(entry.box, ray, 0.0);
      const bool may = RayHits(entry.box, ray, 1e-3);
      if ((must && !hit) || (hit && !may)) wrong.push_back(entry.id.slot());
    }
    CAPTURE(round, ray.origin, ray.displacement);
    REQUIRE(wrong.empty());
  }
}

TEST_CASE("a ray that is no ray hits nothing") {
  Storage storage(8, 8);
  Tree tree(storage);
  REQUIRE(tree.Insert(Body(0), Cube(0, 0, 0, 1)).has_value());
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  REQUIRE(FoundByRay(tree, {{0, 0, 0}, {0, 0, 0}}).size() == 1);  // a point is one
  REQUIRE(FoundByRay(tree, {{0, 0, 0}, {1, 0, 0}, 0.0f}).size() == 1);
  for (const Ray<3>& ray :
       {Ray<3>{{kNan, 0, 0}, {1, 0, 0}}, Ray<3>{{0, 0, 0}, {0, kNan, 0}},
        Ray<3>{{0, 0, 0}, {0, kInfinity, 0}}, Ray<3>{{0, 0, 0}, {1, 0, 0}, kNan},
        Ray<3>{{0, 0, 0}, {1, 0, 0}, -1.0f}, Ray<3>{{0, -kInfinity, 0}, {0, 1, 0}}}) {
    REQUIRE(FoundByRay(tree, ray).empty());
  }
}

}  // namespace
}  // namespace nowait
