// The lists that a step has of its joints: those to solve, partners, and pairs that do not touch.
#include "src/dynamics/joint_links.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace nowait {
namespace {

using Slots = std::vector<std::uint32_t>;

Slots ListOf(std::span<const std::uint32_t> slots) { return {slots.begin(), slots.end()}; }

// A few bodies and the joints between them.
struct Scene {
  BodyStorage bodies{8};
  JointStore joints{8, 0};
  JointLinks links;

  BodyId Add(BodyState state) {
    Body body;
    body.id = *bodies.Reserve();
    bodies.Install(body, state);
    return body.id;
  }
  JointId Join(BodyId a, BodyId b, bool touch = false) {
    JointDef def;
    def.a = a;
    def.b = b;
    def.bodies_touch = touch;
    return *joints.Create(def);
  }
  void Build() { links.Build(joints, bodies); }
};

TEST_CASE_METHOD(Scene,
                 "a dynamic body has a partner for each joint with a dynamic body, asleep too") {
  const BodyId wall = Add(BodyState::kStatic);
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAsleep), c = Add(BodyState::kAwake);
  Join(b, a);
  Join(a, wall);
  Join(wall, c);
  Join(a, b);
  Join(c, b);
  Build();
  CHECK(ListOf(links.PartnersOf(a.slot())) == Slots{b.slot(), b.slot()});
  CHECK(ListOf(links.PartnersOf(b.slot())) == Slots{a.slot(), a.slot(), c.slot()});
  CHECK(ListOf(links.PartnersOf(c.slot())) == Slots{b.slot()});
  CHECK(links.PartnersOf(wall.slot()).empty());
  CHECK(links.PartnersOf(bodies.end()).empty());
  CHECK(links.PartnersOf(bodies.capacity()).empty());
}

TEST_CASE_METHOD(Scene, "a joint is live while both bodies are there, and gone without either") {
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake), c = Add(BodyState::kAwake);
  Join(a, b);
  Join(b, c);
  Join(c, a);
  Join(b, a);
  Build();
  CHECK(ListOf(links.live()) == Slots{0, 1, 2, 3});
  CHECK(links.gone().empty());
  bodies.Remove(c);
  Build();
  CHECK(ListOf(links.live()) == Slots{0, 3});
  CHECK(ListOf(links.gone()) == Slots{1, 2});
  CHECK(ListOf(links.PartnersOf(a.slot())) == Slots{b.slot(), b.slot()});
  CHECK(links.PartnersOf(c.slot()).empty());
}

TEST_CASE_METHOD(Scene, "a pair is kept apart in either order, by a joint between just these two") {
  const BodyId wall = Add(BodyState::kStatic);
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake), c = Add(BodyState::kAwake);
  Join(c, b);
  Join(a, wall);
  Join(a, b, true);
  Build();
  CHECK(links.KeepsApart(b, c));
  CHECK(links.KeepsApart(c, b));
  CHECK(links.KeepsApart(wall, a));
  CHECK(links.KeepsApart(a, wall));
  CHECK_FALSE(links.KeepsApart(a, b));
  CHECK_FALSE(links.KeepsApart(a, c));
  CHECK_FALSE(links.KeepsApart(b, wall));
  // A body that is newer than the lists.
  CHECK_FALSE(links.KeepsApart(a, Add(BodyState::kAwake)));
}

TEST_CASE_METHOD(Scene, "of two joints of one pair the one that keeps it apart decides") {
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake);
  Join(a, b, true);
  const JointId apart = Join(b, a, false);
  Build();
  CHECK(links.KeepsApart(a, b));
  REQUIRE(joints.Destroy(apart));
  Build();
  CHECK_FALSE(links.KeepsApart(a, b));
}

TEST_CASE_METHOD(Scene, "lists that are made anew have nothing of joints that are gone") {
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake);
  const JointId joint = Join(a, b);
  Build();
  REQUIRE(links.KeepsApart(a, b));
  REQUIRE(joints.Destroy(joint));
  Build();
  CHECK(links.live().empty());
  CHECK(links.gone().empty());
  CHECK(links.PartnersOf(a.slot()).empty());
  CHECK(links.PartnersOf(b.slot()).empty());
  CHECK_FALSE(links.KeepsApart(a, b));
}

TEST_CASE_METHOD(Scene, "joints of later bodies keep their pairs apart, and no pair of before") {
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake);
  const JointId joint = Join(a, b);
  Build();
  REQUIRE(links.KeepsApart(a, b));
  REQUIRE(joints.Destroy(joint));
  const BodyId c = Add(BodyState::kAwake);
  Join(a, c);
  Join(c, b);
  Build();
  CHECK(links.KeepsApart(a, c));
  CHECK(links.KeepsApart(b, c));
  CHECK_FALSE(links.KeepsApart(a, b));
}

TEST_CASE_METHOD(Scene, "lists are those of the store until a joint comes, goes or is removed") {
  const BodyId a = Add(BodyState::kAwake), b = Add(BodyState::kAwake);
  CHECK_FALSE(links.IsOf(joints));  // no list has been made
  Build();
  CHECK(links.IsOf(joints));
  const JointId first = Join(a, b);
  CHECK_FALSE(links.IsOf(joints));
  Join(a, b);
  Build();
  REQUIRE(joints.Change(first, PointJoint{}));
  CHECK(links.IsOf(joints));
  REQUIRE(joints.Destroy(first));
  CHECK_FALSE(links.IsOf(joints));
  Build();
  joints.Remove(1);
  CHECK_FALSE(links.IsOf(joints));
}

}  // namespace
}  // namespace nowait
