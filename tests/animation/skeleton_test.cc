#include "src/animation/skeleton.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nowait {
namespace {

using Bones = std::vector<Skeleton::Bone>;
constexpr std::uint16_t kNoParent = Skeleton::kNoParent;

TEST_CASE("bones lie level by level, and their ends are known") {
  const Bones bones = {{"hips", kNoParent, {}}, {"left", 0, {}}, {"right", 0, {}}, {"toe", 1, {}}};
  const auto skeleton = Skeleton::Create(bones);
  REQUIRE(skeleton);
  CHECK(skeleton->size() == 4);
  CHECK(std::vector(skeleton->levels().begin(), skeleton->levels().end()) ==
        std::vector<std::uint32_t>{0, 1, 3, 4});
  CHECK(skeleton->ChainEnds() == std::vector<std::uint16_t>{2, 3});
  CHECK(skeleton->parents().size() == 7);
  CHECK((*skeleton)[3].name == "toe");
}

TEST_CASE("what is no skeleton is refused, with the bone") {
  const auto error = [](const Bones& bones) { return Skeleton::Create(bones).error(); };
  CHECK(error({}).amount == 0);
  CHECK(error({{"a", kNoParent, {}}, {"b", 1, {}}}).amount == 1);
  CHECK(error({{"a", kNoParent, {}}, {"b", 7, {}}}).amount == 1);
  CHECK(error({{"a", kNoParent, {}}, {"b", 0, {}}, {"c", kNoParent, {}}}).amount == 2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(error({{"a", kNoParent, {0, nan, 0}}}).amount == 0);
  CHECK(error(Bones(Skeleton::kMostBones + 1, {"root", kNoParent, {}})).amount ==
        Skeleton::kMostBones);
  CHECK(Skeleton::Create(Bones(Skeleton::kMostBones, {"root", kNoParent, {}})));
}

TEST_CASE("bones are sorted by level, those of a level in their order") {
  const Bones deep = {{"a", kNoParent, {}}, {"b", 0, {}}, {"c", 1, {}}, {"d", 0, {}}, {"e", 3, {}}};
  CHECK(Skeleton::LevelOrder(deep).value() == std::vector<std::uint16_t>{0, 1, 3, 2, 4});
  CHECK(!Skeleton::LevelOrder(Bones{{"a", 0, {}}}));
}

TEST_CASE("behind the parents are three zeros, and a level ends where the next one begins") {
  const auto skeleton = Skeleton::Create({{"a"}, {"b"}, {"c", 1}, {"d", 0}, {"e", 3}});
  REQUIRE(skeleton);
  CHECK(std::vector(skeleton->parents().begin(), skeleton->parents().end()) ==
        std::vector<std::uint16_t>{kNoParent, kNoParent, 1, 0, 3, 0, 0, 0});
  CHECK(std::vector(skeleton->levels().begin(), skeleton->levels().end()) ==
        std::vector<std::uint32_t>{0, 2, 4, 5});
}

TEST_CASE("bones without an order are refused, with the first bone that is wrong") {
  const auto order = Skeleton::LevelOrder(Bones{{"a"}, {"b", 0}, {"c", 2}, {"d", 9}});
  REQUIRE(!order);
  CHECK(order.error().code == ErrorCode::kInvalidArgument);
  CHECK(order.error().subject == std::string("bones"));
  CHECK(order.error().amount == 2);
}

}  // namespace
}  // namespace nowait
