// Random sequences of operations, checked after each against a list that is searched from end to
// end.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>
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

// Also remembers the sequence of operations, which a failure prints.
class Oracle {
 public:
  Oracle() : entries_(kBodies) {}

  bool Has(std::uint32_t body) const { return entries_[body].has_value(); }
  void Insert(std::uint32_t body, const Box& box) {
    entries_[body] = Entry{box, box};
    steps_.push_back({"Insert", body, box});
  }
  void Remove(std::uint32_t body) {
    entries_[body].reset();
    steps_.push_back({"Remove", body, {}});
  }
  void Move(std::uint32_t body, const Box& box) {
    Entry& entry = *entries_[body];
    // A box that outgrows all it can have been widened to certainly changes the tree, and the next
    // rebuild will make it tight. A smaller one may have found its slot wide enough.
    if (!Contains(entry.widened, box)) grown_.push_back(body);
    entry.box = box;
    entry.widened.Include(box);
    steps_.push_back({"Move", body, box});
  }
  // how: the operation that has made the boxes tight.
  void Rebuilt(const char* how) {
    for (std::uint32_t body : grown_) {
      if (entries_[body]) entries_[body]->widened = entries_[body]->box;
    }
    grown_.clear();
    steps_.push_back({how, kBodies, {}});
  }

  // No body twice, each that overlaps, and none that cannot overlap. One assertion a query, not one
  // a body: Catch2's cost more than the queries.
  template <class Overlap>
  void CheckFound(const std::vector<ProxyId>& found, Overlap overlap) const {
    REQUIRE(Complaint(found, overlap) == "");
  }

  // Empty: nothing is wrong. Otherwise both sets, each wrong body, and the steps that had to do
  // with these bodies: theirs, and those of the whole tree.
  template <class Overlap>
  std::string Complaint(const std::vector<ProxyId>& found, Overlap overlap) const {
    std::string wrong_words;
    std::set<std::uint32_t> wrong = {kBodies};
    std::vector<ProxyId> expected;
    for (std::uint32_t body = 0; body < kBodies; ++body) {
      const auto times = std::count(found.begin(), found.end(), Body(body));
      const bool must = entries_[body] && overlap(entries_[body]->box);
      const bool may = entries_[body] && overlap(entries_[body]->widened);
      if (must) expected.push_back(Body(body));
      if (times <= 1 && !(must && times == 0) && !(times == 1 && !may)) continue;
      wrong.insert(body);
      wrong_words += "body " + std::to_string(body) + " is found " + std::to_string(times) +
                     " times, and " +
                     (must  ? "must be found once"
                      : may ? "may be found once"
                            : "must not be found");
      if (entries_[body]) {
        wrong_words += ": its box is " + Catch::Detail::stringify(entries_[body]->box) +
                       ", widened at most to " + Catch::Detail::stringify(entries_[body]->widened);
      }
      wrong_words += "\n";
    }
    if (wrong_words.empty()) return "";
    wrong_words += "found: " + Catch::Detail::stringify(found) +
                   "\nexpected at least: " + Catch::Detail::stringify(expected) + "\nsequence:\n";
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      if (!wrong.contains(step.body)) continue;
      wrong_words += "  " + std::to_string(i) + " " + step.what;
      if (step.body != kBodies) wrong_words += " body " + std::to_string(step.body);
      if (step.box) wrong_words += " " + Catch::Detail::stringify(*step.box);
      wrong_words += "\n";
    }
    return wrong_words;
  }

 private:
  struct Step {
    const char* what;
    std::uint32_t body;  // kBodies: the whole tree
    std::optional<Box> box;
  };

  std::vector<std::optional<Entry>> entries_;
  std::vector<std::uint32_t> grown_;
  std::vector<Step> steps_;
};

TEST_CASE("a wrong answer is shown with both sets, the boxes and the sequence") {
  Oracle oracle;
  oracle.Insert(3, Cube(0, 0, 0, 1));
  oracle.Insert(4, Cube(9, 9, 9, 1));
  oracle.Move(3, Cube(2, 0, 0, 1));
  oracle.Rebuilt("Refit");
  const auto overlaps = [](const Box& box) { return Overlaps(box, Cube(0, 0, 0, 1)); };
  CHECK(oracle.Complaint({Body(3)}, overlaps) == "");
  CHECK(oracle.Complaint({}, overlaps) ==
        "body 3 is found 0 times, and must be found once: its box is (1, -1, -1) to (3, 1, 1), "
        "widened at most to (1, -1, -1) to (3, 1, 1)\n"
        "found: {  }\nexpected at least: { (slot 3, generation 0) }\nsequence:\n"
        "  0 Insert body 3 (-1, -1, -1) to (1, 1, 1)\n"
        "  2 Move body 3 (1, -1, -1) to (3, 1, 1)\n  3 Refit\n");
  const std::string twice = oracle.Complaint({Body(3), Body(3), Body(4)}, overlaps);
  CHECK_THAT(twice, Catch::Matchers::Contains("body 3 is found 2 times, and must be found once") &&
                        Catch::Matchers::Contains("body 4 is found 1 times, and must not be"));
}

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
        oracle.Rebuilt("Rebuild and Swap");
        break;
      case 12:  // boxes are as tight as after a rebuild
        tree.Refit();
        oracle.Rebuilt("Refit");
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
    std::string wrong;
    for (const Tree::Entry& entry : entries) {
      const bool hit = std::binary_search(found.begin(), found.end(), entry.id);
      const bool must = RayHits(entry.box, ray, 0.0);
      const bool may = RayHits(entry.box, ray, 1e-3);
      if ((must && !hit) || (hit && !may)) {
        wrong += (hit ? "found: body " : "not found: body ") + std::to_string(entry.id.slot()) +
                 ", " + Catch::Detail::stringify(entry.box) + "\n";
      }
    }
    CAPTURE(round, ray, found);
    REQUIRE(wrong == "");
  }
}

TEST_CASE("a ray that is no ray hits nothing") {
  Storage storage(8, 8);
  Tree tree(storage);
  REQUIRE(tree.Insert(Body(0), Cube(0, 0, 0, 1)).has_value());
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  REQUIRE(FoundByRay(tree, {{0, 0, 0}, {0, 0, 0}}).size() == 1);  // a point is one
  REQUIRE(FoundByRay(tree, {{0, 0, 0}, {1, 0, 0}, 0.0f}).size() == 1);
  for (const Ray<3>& ray :
       {Ray<3>{{kNaN, 0, 0}, {1, 0, 0}}, Ray<3>{{0, 0, 0}, {0, kNaN, 0}},
        Ray<3>{{0, 0, 0}, {0, kInfinity, 0}}, Ray<3>{{0, 0, 0}, {1, 0, 0}, kNaN},
        Ray<3>{{0, 0, 0}, {1, 0, 0}, -1.0f}, Ray<3>{{0, -kInfinity, 0}, {0, 1, 0}}}) {
    REQUIRE(FoundByRay(tree, ray).empty());
  }
}

}  // namespace
}  // namespace nowait
