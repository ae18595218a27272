// Blocks of contacts against the plain solver, their oracle: random islands come out with the same
// bits, whatever the lanes; and the effect of a wrong colour is seen.
#include "src/dynamics/wide_contacts.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "src/dynamics/block_plan.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/island_solver.h"
#include "src/math/random.h"
#include "tests/dynamics/random_island.h"

namespace nowait {
namespace {

enum class Form { kPlain, k8, k16 };

// One step of the island, with its contacts in the order of their plan.
RandomIsland Solved(RandomIsland island, Form form) {
  PreparedIsland prepared(island, form != Form::kPlain);
  const SubstepDef& def = prepared.def;
  if (form == Form::kPlain) {
    SolveIsland(prepared.bodies, prepared.joints, prepared.contacts, def, prepared.driven);
  } else {
    const ContactLanes lanes = form == Form::k8 ? ContactLanes::k8 : ContactLanes::k16;
    const auto run = [&](SolverStage stage, ContactOrder order) {
      RunStage(stage, prepared.joints, def);
      if (order == ContactOrder::kBackwards) {
        RunStage(stage, prepared.contacts, def, {.contacts = order});
      }
      for (std::span<ContactBlock> left = prepared.blocks; !left.empty();) {
        RunStage(stage, TakeColour(left, order), def, lanes);
      }
      if (order == ContactOrder::kForwards) RunStage(stage, prepared.contacts, def);
    };
    for (std::uint32_t substep = 0; substep < def.solver.substeps; ++substep) {
      for (const SolverStage stage : kSubstepStages) {
        if (!IsOfBodies(stage)) {
          run(stage, OrderOf(substep, false).contacts);
          continue;
        }
        RunStage(stage, prepared.bodies, def);
        if (stage == SolverStage::kPositions) RunStage(stage, prepared.driven, def);
      }
    }
    run(SolverStage::kRestitution, ContactOrder::kForwards);
  }
  prepared.Keep(island);
  return island;
}

std::vector<Form> FormsHere() {
  if (WidestContactLanes() == ContactLanes::k16) return {Form::k8, Form::k16};
  WARN("this machine has no AVX-512: the sixteen lanes are compiled and not run");
  return {Form::k8};
}

TEST_CASE("blocks give the bits of the plain solver in the same order, step after step") {
  const std::uint32_t seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  for (const Form form : FormsHere()) {
    CAPTURE(form == Form::k16);
    RandomIsland plain = MakeRandomIsland(seed);
    RandomIsland wide = plain;
    for (int step = 0; step < 3; ++step) {
      CAPTURE(step);
      plain = Solved(plain, Form::kPlain);
      wide = Solved(wide, form);
      REQUIRE(BitsOf(wide) == BitsOf(plain));
      REQUIRE(IsFinite(plain));
    }
  }
}

TEST_CASE("random islands have all that the comparison is about") {
  IslandCounts sum;
  for (std::uint32_t seed = 1; seed < 41; ++seed) sum += CountsOf(MakeRandomIsland(seed));
  CHECK(sum.blocks > 200);
  CHECK(sum.padded > 40);
  CHECK(sum.mixed > 40);  // lanes with unequal numbers of points
  CHECK(sum.pairs > 40);  // of blocks, for sixteen lanes
  CHECK(sum.plain > 40);
  CHECK(sum.rolling > 100);
  CHECK(sum.bouncing > 100);
  CHECK(sum.sliding > 100);  // on a surface that moves
  CHECK(sum.fixed > 100);
  CHECK(sum.driven > 100);
  CHECK(sum.joints > 40);
  CHECK(sum.kept > 100);  // with impulses of a step before
}

TEST_CASE("impulses whose squares exceed a float are limited as in the plain form") {
  RandomIsland island = MakeRandomIsland(7);
  for (RandomContact& contact : island.contacts) {
    contact.contact.friction = 100.0f;
    for (PointImpulse& impulse : contact.contact.impulses) {
      impulse.normal = 1e25f;
      impulse.friction = {1e24f, -1e24f, 1e24f};
    }
  }
  for (RandomBody& body : island.bodies) {
    if (body.body.inverse_mass != 0.0f) body.body.inverse_mass = 1e-22f;
  }
  const auto expected = BitsOf(Solved(island, Form::kPlain));
  for (const Form form : FormsHere()) CHECK(BitsOf(Solved(island, form)) == expected);
}

float ZeroOf(Random& random) { return random.Below(2) == 0 ? 0.0f : -0.0f; }
Vec3 ZerosOf(Random& random) { return {ZeroOf(random), ZeroOf(random), ZeroOf(random)}; }

// Sixteen bodies without weight that stand on the ground, with zeros of either sign. One contact
// may have a surface velocity, so that its block adds slides and its neighbour does not.
RandomIsland IslandAtRest(std::uint32_t seed) {
  Random random(seed);
  RandomIsland island;
  for (int i = 0; i < 16; ++i) {
    Body& body = island.bodies[island.Add({static_cast<float>(3 * i), 0, 0})].body;
    body.gravity_scale = -0.0f;
    body.linear_velocity = ZerosOf(random);
    body.angular_velocity = ZerosOf(random);
  }
  for (std::uint32_t i = 0; i < 16; ++i) {
    island.TouchGround(i);
    RandomContact& touch = island.contacts.back();
    if (random.Below(2) == 0) std::swap(touch.a, touch.b);
    Contact& contact = touch.contact;
    ContactPoint point;
    point.position =
        island.bodies[i].body.position + random.InBox({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    point.normal = ZerosOf(random);
    point.normal.Set(static_cast<int>(random.Below(3)), random.Below(2) == 0 ? 1.0f : -1.0f);
    point.separation = 0.01f;
    contact.manifold = {};
    contact.manifold.Add(point);
    contact.friction = 1.0f;
    contact.impulses[0] = {ZeroOf(random), ZerosOf(random)};
  }
  if (seed % 2 == 0) {
    island.contacts[random.Below(16)].contact.surface_velocity = {1e-45f, 0, 0};
  }
  return island;
}

TEST_CASE("zeros have the same sign, whether or not another contact of the block slides") {
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    const auto expected = BitsOf(Solved(IslandAtRest(seed), Form::kPlain));
    for (const Form form : FormsHere()) {
      CAPTURE(form == Form::k16);
      REQUIRE(BitsOf(Solved(IslandAtRest(seed), form)) == expected);
    }
  }
}

TEST_CASE("padding is not written to, and raises no exception of arithmetic") {
  RandomIsland island;
  for (int i = 0; i < 9; ++i) island.Add({static_cast<float>(3 * i), 0, 0});
  for (std::uint32_t i = 0; i < 9; ++i) island.TouchGround(i);
  for (const ContactLanes lanes : {ContactLanes::k8, ContactLanes::k16}) {
    if (lanes == ContactLanes::k16 && WidestContactLanes() != lanes) continue;
    PreparedIsland prepared(island, true);
    REQUIRE(prepared.blocks.size() == 2);
    const ContactBlock& last = prepared.blocks[1];
    for (int lane = 1; lane < kBlockLanes; ++lane) {
      REQUIRE(last.a[lane]->inverse_mass == 0.0f);
      REQUIRE(last.points[0].has == 1);
    }
    SolverBody nothing;
    REQUIRE(std::memcmp(last.a[7], &nothing, offsetof(SolverBody, rotation)) == 0);
    std::feclearexcept(FE_ALL_EXCEPT);
    for (const SolverStage stage : {SolverStage::kWarmStart, SolverStage::kPushOut,
                                    SolverStage::kRelax, SolverStage::kRestitution}) {
      RunStage(stage, prepared.blocks, prepared.def, lanes);
    }
    CHECK(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
    CHECK(std::memcmp(last.a[7], &nothing, offsetof(SolverBody, rotation)) == 0);
    CHECK(last.points[0].normal_impulse[0] > 0.0f);
    for (int lane = 1; lane < kBlockLanes; ++lane) {
      CHECK(last.points[0].normal_impulse[lane] == 0.0f);
      CHECK(last.points[0].tangent1_impulse[lane] == 0.0f);
    }
  }
}

TEST_CASE("a colour with a conflict gives another result, which the comparison sees") {
  RandomIsland island;
  for (int i = 0; i < 8; ++i) island.Add({static_cast<float>(3 * i), 0, 0});
  for (std::uint32_t i = 0; i < 8; ++i) island.TouchGround(i);
  PreparedIsland prepared(island, true);
  REQUIRE(prepared.blocks.size() == 1);
  // The contact of lane 5 gets the body of lane 2.
  SolverBody*& moved = (prepared.blocks[0].moves_a >> 5 & 1) != 0 ? prepared.blocks[0].a[5]
                                                                  : prepared.blocks[0].b[5];
  moved = &prepared.bodies[2];
  PreparedIsland plain(island, false);
  ContactConstraint& contact = plain.contacts[5];
  (contact.a->inverse_mass != 0.0f ? contact.a : contact.b) = &plain.bodies[2];
  RunStage(SolverStage::kPushOut, prepared.blocks, prepared.def);
  RunStage(SolverStage::kPushOut, plain.contacts, plain.def);
  CHECK(prepared.bodies[2].linear_velocity != plain.bodies[2].linear_velocity);
  CHECK(prepared.bodies[3].linear_velocity == plain.bodies[3].linear_velocity);
}

}  // namespace
}  // namespace nowait
