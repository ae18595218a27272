#include "src/script/world_manager.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "src/events/saved.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Kind = PhysicsEvent::Kind;

struct Rang {
  static constexpr std::uint32_t kType = FourCharacters("Rang");
  std::uint32_t bell;
};

constexpr ObjectHandle kDoor{7, 1};
constexpr ObjectHandle kArrow{3, 2};
BodyId Body(std::uint32_t slot, std::uint32_t generation = 1, std::uint32_t world = 1) {
  return BodyId(world, slot, generation);
}

// A manager, and streams that a test writes.
class Fixture {
 public:
  explicit Fixture(const WorldManagerDef& def = {.bodies = 64})
      : manager(std::move(*WorldManager::Create(def))),
        lanes_(std::move(*EventLanes::Create({}))) {}

  template <class... Events>
  void Consume(const Events&... events) {
    {
      auto section = lanes_->Open(0);
      REQUIRE(section);
      (section->Post(events), ...);
    }
    const auto stream = lanes_->Merge();
    REQUIRE(stream);
    manager->Consume(*stream);
  }
  std::vector<Kind> Kinds() const {
    std::vector<Kind> kinds;
    for (const PhysicsEvent& call : manager->calls()) kinds.push_back(call.kind);
    return kinds;
  }

  std::unique_ptr<WorldManager> manager;
  std::unique_ptr<EventLanes> lanes_;
};

ContactBegan Began(BodyId a, BodyId b) { return {a, b, {1, 2, 3}, {0, 1, 0}, 4, 5}; }

TEST_CASE("a contact reaches both objects, each with the other one and a normal away from it") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(10), kDoor));
  REQUIRE(f.manager->Bind(Body(20), kArrow));
  f.Consume(Began(Body(10), Body(20)));
  const auto calls = f.manager->calls();
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].to == kArrow);  // sorted by receiver
  CHECK(calls[0].other == kDoor);
  CHECK(calls[0].normal == Vec3{0, 1, 0});
  CHECK(calls[1].to == kDoor);
  CHECK(calls[1].other == kArrow);
  CHECK(calls[1].normal == Vec3{0, -1, 0});
  for (const PhysicsEvent& call : calls) {
    CHECK(call.kind == Kind::kContactBegan);
    CHECK(call.place == Vec3{1, 2, 3});
    CHECK((call.speed == 4 && call.slide == 5));
  }
}

TEST_CASE("joints that break or go, bodies that wake or sleep") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(10), kDoor));
  f.Consume(JointBroke{{}, Body(10), Body(11)}, JointBodyGone{{}, Body(9), Body(10)},
            BodyWoke{Body(10)}, BodyFellAsleep{Body(10)}, BodyWoke{Body(11)});
  CHECK(f.Kinds() ==
        std::vector{Kind::kJointBroke, Kind::kJointGone, Kind::kWoke, Kind::kFellAsleep});
  for (const PhysicsEvent& call : f.manager->calls()) {
    CHECK(call.to == kDoor);
    CHECK(call.other == ObjectHandle{});
  }
  CHECK(f.manager->counts().unbound == 1);
}

TEST_CASE("events of an unknown type, or of bodies without an object, are skipped and counted") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(10), kDoor));
  f.Consume(Rang{1}, Began(Body(1), Body(2)), Rang{2}, BodyWoke{Body(10)}, Rang{3});
  CHECK(f.Kinds() == std::vector{Kind::kWoke});
  CHECK(f.manager->counts().unknown == 3);
  CHECK(f.manager->counts().unbound == 1);
  CHECK(f.manager->counts().calls == 1);
}

TEST_CASE("an event of a body that is gone does not reach the object of its successor") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(10, 1), kDoor));
  f.manager->Unbind(Body(10, 1));
  REQUIRE(f.manager->Bind(Body(10, 2), kArrow));
  f.Consume(ContactEnded{Body(10, 1), Body(12)}, Began(Body(10, 2), Body(12)));
  REQUIRE(f.manager->calls().size() == 1);
  CHECK(f.manager->calls()[0].to == kArrow);
  CHECK(f.manager->calls()[0].kind == Kind::kContactBegan);
  // To unbind the one that is gone does not unbind its successor.
  f.manager->Unbind(Body(10, 1));
  f.Consume(BodyWoke{Body(10, 2)});
  CHECK(f.manager->calls().size() == 1);
  f.manager->Unbind(Body(10, 2));
  f.Consume(BodyWoke{Body(10, 2)});
  CHECK(f.manager->calls().empty());
}

TEST_CASE("a contact persists from the stream after its beginning until it ends") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(10), kDoor));
  REQUIRE(f.manager->Bind(Body(20), kArrow, {.persists = true}));
  f.Consume(Began(Body(10), Body(20)));
  CHECK(f.Kinds() == std::vector{Kind::kContactBegan, Kind::kContactBegan});
  f.Consume(BodyWoke{Body(20)});
  CHECK(f.Kinds() == std::vector{Kind::kWoke, Kind::kContactPersists});  // the arrow alone asks
  CHECK(f.manager->calls()[1].to == kArrow);
  CHECK(f.manager->calls()[1].other == kDoor);
  f.Consume(ContactEnded{Body(10), Body(20)}, Began(Body(10), Body(20)));
  CHECK(std::ranges::count(f.Kinds(), Kind::kContactPersists) == 0);
  f.Consume();
  CHECK(f.Kinds() == std::vector{Kind::kContactPersists});
  f.Consume(ContactEnded{Body(10), Body(20)});
  CHECK(f.Kinds() == std::vector{Kind::kContactEnded, Kind::kContactEnded});
  f.Consume();
  CHECK(f.Kinds().empty());
}

TEST_CASE("a contact that began in one world ends in its copy, which has another number") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(20), kArrow, {.persists = true}));
  f.Consume(Began(Body(10, 1, 1), Body(20, 1, 1)), Began(Body(11, 1, 1), Body(20, 1, 1)));
  f.Consume(ContactEnded{Body(10, 1, 2), Body(20, 1, 2)});
  CHECK(f.Kinds() == std::vector{Kind::kContactEnded, Kind::kContactPersists});
  // The same contact, said again from another process, is still one.
  f.Consume(Began(Body(11, 1, 3), Body(20, 1, 3)));
  CHECK(f.Kinds() == std::vector{Kind::kContactBegan});
  f.Consume();
  CHECK(f.Kinds() == std::vector{Kind::kContactPersists});
  f.Consume(ContactEnded{Body(11, 1, 2), Body(20, 1, 2)});
  CHECK(f.Kinds() == std::vector{Kind::kContactEnded});
}

TEST_CASE("a contact does not persist for a body that was unbound, nor for its successor") {
  Fixture f;
  REQUIRE(f.manager->Bind(Body(20), kArrow, {.persists = true}));
  f.Consume(Began(Body(10), Body(20)));
  f.manager->Unbind(Body(20));
  f.Consume();
  CHECK(f.Kinds().empty());
  REQUIRE(f.manager->Bind(Body(20), kArrow, {.persists = true}));
  f.Consume();
  CHECK(f.Kinds().empty());
  f.Consume(Began(Body(10), Body(20)));
  REQUIRE(f.manager->Bind(Body(20, 2), kDoor, {.persists = true}));
  f.Consume();
  CHECK(f.Kinds().empty());
}

TEST_CASE("the first calls of a stream are kept, and the others counted") {
  Fixture f({.bodies = 64, .calls = 3, .touching = 1});
  REQUIRE(f.manager->Bind(Body(10), kDoor, {.persists = true}));
  REQUIRE(f.manager->Bind(Body(20), kArrow));
  f.Consume(Began(Body(10), Body(20)), Began(Body(10), Body(30)), BodyWoke{Body(20)});
  CHECK(f.manager->calls().size() == 3);
  CHECK(f.manager->counts().lost == 2);  // the call, and a second contact that would persist
  CHECK(std::ranges::count(f.Kinds(), Kind::kWoke) == 0);
  // Events come before the contacts that persist.
  f.Consume(BodyWoke{Body(10)}, BodyWoke{Body(20)}, BodyFellAsleep{Body(20)});
  CHECK(std::ranges::count(f.Kinds(), Kind::kContactPersists) == 0);
  CHECK(f.manager->counts().lost == 3);
  f.Consume();
  CHECK(f.Kinds() == std::vector{Kind::kContactPersists});
}

TEST_CASE("a manager refuses what it cannot hold") {
  CHECK(!WorldManager::Create({.bodies = BodyId::kMaxBodies + 1}));
  Fixture f({.bodies = 8});
  const auto beyond = f.manager->Bind(Body(8), kDoor);
  REQUIRE(!beyond);
  CHECK(ToString(beyond.error()) == "invalid body id");
  CHECK(!f.manager->Bind(BodyId(), kDoor));
  f.manager->Unbind(BodyId());
  f.Consume(BodyWoke{Body(9)}, BodyWoke{BodyId()});
  CHECK(f.manager->counts().unbound == 2);
}

TEST_CASE("a stream from outside may name any bodies, and one body twice") {
  Fixture f({.bodies = 4, .calls = 16, .touching = 3});
  Random random(7);
  INFO("seed 7");
  const auto any = [&] {
    if (random.Below(2) == 0) return Body(random.Below(4), 1, random.Below(3));
    return BodyId::FromBits(std::uint64_t{random.Below(~0u)} << 32 | random.Below(~0u));
  };
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    REQUIRE(f.manager->Bind(Body(slot), {slot, 1}, {.persists = slot != 1}));
  }
  for (int i = 0; i < 3000; ++i) {
    f.Consume(Began(any(), any()), Began(any(), any()), ContactEnded{any(), any()}, BodyWoke{any()},
              JointBroke{{}, any(), any()});
    REQUIRE(f.manager->calls().size() <= 16);
    for (const PhysicsEvent& call : f.manager->calls()) REQUIRE(call.to.slot < 3);
  }
  CHECK(f.manager->counts().lost > 0);
  CHECK(f.manager->counts().unbound > 0);
}

// The manager's promise, from a map of all bodies and a set of contacts.
struct Oracle {
  struct Bound {
    ObjectHandle object;
    bool persists;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bound> bound;  // by slot and generation
  std::set<std::pair<BodyId, BodyId>> touching;

  std::optional<Bound> Of(BodyId body) const {
    const auto found = bound.find({body.slot(), body.generation()});
    if (found == bound.end()) return {};
    return found->second;
  }
  using Call = std::tuple<std::uint32_t, Kind, std::uint32_t>;  // receiver, kind, the other
  void Add(std::vector<Call>& calls, Kind kind, BodyId a, BodyId b, bool only_asking) const {
    for (const auto& [to, other] : {std::pair(a, b), std::pair(b, a)}) {
      const auto of = Of(to);
      if (!of || (only_asking && !of->persists)) continue;
      const auto with = Of(other);
      calls.emplace_back(of->object.slot, kind, with ? with->object.slot : ~0u);
    }
  }
};

TEST_CASE("random streams give the calls of an oracle, saved, sent to another process or not") {
  constexpr std::uint32_t kBodies = 12;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Fixture here({.bodies = kBodies});
    Fixture there({.bodies = kBodies});
    Oracle oracle;
    std::uint32_t generations[kBodies] = {};
    for (int frame = 0; frame < 60; ++frame) {
      // Some bodies come, in place of those that had their slots.
      for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        if (random.Below(12) != 0) continue;
        const std::uint32_t gone = generations[slot]++;
        oracle.bound.erase({slot, gone});
        for (Fixture* f : {&here, &there}) f->manager->Unbind(Body(slot, gone));
        if (random.Below(4) == 0) continue;
        const Oracle::Bound bound{{100 + slot, generations[slot]}, random.Below(2) == 0};
        oracle.bound[{slot, generations[slot]}] = bound;
        for (Fixture* f : {&here, &there}) {
          REQUIRE(f->manager->Bind(Body(slot, generations[slot]), bound.object,
                                   {.persists = bound.persists}));
        }
      }
      // A stream as the physics would have it, with contacts of bodies that are gone.
      std::vector<Oracle::Call> expected;
      std::set<std::pair<BodyId, BodyId>> fresh;
      {
        auto section = here.lanes_->Open(0);
        REQUIRE(section);
        for (std::uint32_t i = random.Below(20); i > 0; --i) {
          const std::uint32_t first = random.Below(kBodies - 1);
          const std::uint32_t second = first + 1 + random.Below(kBodies - 1 - first);
          const BodyId a = Body(first, generations[first]);
          const BodyId b = Body(second, generations[second]);
          if (const auto old = oracle.touching.lower_bound({Body(first, 0), BodyId(0, 0, 0)});
              random.Below(2) == 0 && old != oracle.touching.end()) {
            const auto [x, y] = *old;
            oracle.touching.erase(old);
            fresh.erase({x, y});
            section->Post(ContactEnded{x, y});
            oracle.Add(expected, Kind::kContactEnded, x, y, false);
          } else if (oracle.touching.insert({a, b}).second) {
            fresh.insert({a, b});
            section->Post(Began(a, b));
            oracle.Add(expected, Kind::kContactBegan, a, b, false);
          }
          if (random.Below(5) == 0) section->Post(Rang{i});
        }
      }
      for (const auto& [a, b] : oracle.touching) {
        if (!fresh.contains({a, b})) oracle.Add(expected, Kind::kContactPersists, a, b, true);
      }
      std::ranges::stable_sort(expected, {}, [](const auto& call) { return std::get<0>(call); });

      const auto stream = here.lanes_->Merge();
      REQUIRE(stream);
      here.manager->Consume(*stream);
      const auto saved = SaveEvents(0, 0, *stream);
      REQUIRE(saved);
      const std::vector<std::byte> sent = *saved;
      const auto opened = OpenEvents(*Blob::Open(sent));
      REQUIRE(opened);
      there.manager->Consume(opened->stream);
      for (const Fixture* f : {&here, &there}) {
        std::vector<Oracle::Call> calls;
        for (const PhysicsEvent& call : f->manager->calls()) {
          calls.emplace_back(call.to.slot, call.kind, call.other.slot);
        }
        REQUIRE(calls == expected);
      }
    }
  }
}

}  // namespace
}  // namespace nowait
