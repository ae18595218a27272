// A snake in one piece: it holds its coil, dies, and its joints hold all the while.
#include "src/apps/snake/snake.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/apps/snake/fight.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

FightResult Run(const FightDef& def, std::uint32_t workers = 0) {
  const PoolHere pool(workers);
  auto fight = RunFight(def, pool);
  INFO((fight ? "" : ToString(fight.error())));
  REQUIRE(fight);
  return *std::move(fight);
}

TEST_CASE("the ends that a joint holds together are in one place at the start") {
  const auto snake = Snake::Create(60, {1, 2, 3}, 15);
  REQUIRE(snake);
  CHECK(snake->bodies().size() == 60);
  const auto world = MakeWorld();
  std::vector<BodyId> ids;
  for (const BodyDef& body : snake->bodies()) ids.push_back(Add(*world, body));
  const std::vector<JointDef> joints = snake->Joints(ids);
  REQUIRE(joints.size() == 59);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    CHECK(Snake::Gap(joints[i], Get(*world, ids[i]), Get(*world, ids[i + 1])) < 1e-5f);
  }
  WaitTime wait;
  REQUIRE(world->MoveBody(ids[1], Get(*world, ids[1]).position + Vec3{0, 0.25f, 0},
                          Get(*world, ids[1]).rotation, wait));
  CHECK(Snake::Gap(joints[0], Get(*world, ids[0]), Get(*world, ids[1])) == Approx(0.25f));
  CHECK(Snake::Create(1, {}, 15).error().subject == std::string("links"));
}

TEST_CASE("a snake rears up while it lives, and dies to the ground, in one piece") {
  FightDef def;
  def.frames = 250;
  def.figures = 8;
  def.rubble = 100;
  def.steps = GENERATE(1, 2);
  CAPTURE(def.steps);
  const FightResult fight = Run(def);
  CHECK(fight.bodies == 1 + 60 + 100 + 8 * 11);
  CHECK(fight.joints == 59 + 8 * 10);
  CHECK(fight.reared > 0.8f);
  CHECK(fight.fallen < fight.reared - 0.04f);  // it rests on its own coil
  for (const FightFrame& frame : fight.frames) REQUIRE(frame.gap < 0.1f);
}

TEST_CASE("a snake that is cut falls in two pieces, whose joints hold") {
  FightDef def;
  def.frames = 120;
  def.links = 40;
  def.figures = 0;
  def.rubble = 0;
  def.dies_at = 40;
  def.cut = GENERATE(1, 20, 39);
  CAPTURE(def.cut);
  const FightResult fight = Run(def);
  CHECK(fight.joints == 39);
  for (const FightFrame& frame : fight.frames) {
    REQUIRE(frame.gap < 0.1f);
    CHECK(frame.force > 0);
  }
  FightDef whole = def;
  whole.cut = 0;
  CHECK(Run(whole).hash != fight.hash);
  def.cut = 40;
  const PoolHere pool(0);
  CHECK(RunFight(def, pool).error().subject == std::string("cut"));
}

// The known value is of every compiler, optimised or not, with or without a sanitizer. g++ 12 once
// fused a product and a sum of the joints' targets, and the snake fell to another side.
TEST_CASE("a fight ends in the known state, whatever the compiler") {
  FightDef def;
  def.frames = 90;
  def.dies_at = 40;
  def.figures = 6;
  def.rubble = 60;
  CHECK(Run(def).hash == 0x75eaaa28d0084852);
}

TEST_CASE("a fight ends in the same state for any number of threads") {
  FightDef def;
  def.frames = 90;
  def.dies_at = 40;
  def.figures = 6;
  def.rubble = 60;
  const FightResult alone = Run(def);
  for (const std::uint32_t workers : {1u, 3u}) CHECK(Run(def, workers).hash == alone.hash);
  def.steps = 1;
  CHECK(Run(def).hash != alone.hash);
}

}  // namespace
}  // namespace nowait
