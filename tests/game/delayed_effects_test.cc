#include "src/game/delayed_effects.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace nowait {
namespace {

// An effect that could fail, or has to be destroyed, or is too large, does not compile.
constexpr auto kGood = [] noexcept {};
constexpr auto kMayThrow = [] {};
static_assert(DelayedEffect<decltype(kGood)>);
static_assert(!DelayedEffect<decltype(kMayThrow)>);
[[maybe_unused]] inline auto WithText(std::string text) {
  return [text]() noexcept { static_cast<void>(text); };
}
static_assert(!DelayedEffect<decltype(WithText(""))>);
[[maybe_unused]] inline auto WithArray(std::array<char, 49> array) {
  return [array]() noexcept { static_cast<void>(array); };
}
static_assert(!DelayedEffect<decltype(WithArray({}))>);

TEST_CASE("effects happen once, in order, and not before") {
  DelayedEffects effects(3);
  std::vector<int> done;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(effects.Add([i, &done]() noexcept { done.push_back(i); }));
  }
  CHECK(done.empty());
  effects.Run();
  CHECK(done == std::vector{0, 1, 2});
  effects.Run();
  CHECK(done.size() == 3);
}

TEST_CASE("effects beyond the capacity are an error, and the others are kept") {
  DelayedEffects effects(1);
  int done = 0;
  REQUIRE(effects.Add([&done]() noexcept { done += 1; }));
  const auto second = effects.Add([&done]() noexcept { done += 10; });
  REQUIRE(!second);
  CHECK(second.error() == Error{ErrorCode::kCapacity, "delayed effects", 1});
  effects.Run();
  CHECK(done == 1);
}

TEST_CASE("an effect that an effect adds happens behind the others") {
  DelayedEffects effects(3);
  std::vector<int> done;
  REQUIRE(effects.Add([&]() noexcept {
    done.push_back(1);
    if (effects.Add([&done]() noexcept { done.push_back(3); })) done.push_back(0);
  }));
  REQUIRE(effects.Add([&done]() noexcept { done.push_back(2); }));
  effects.Run();
  CHECK(done == std::vector{1, 0, 2, 3});
  effects.Run();
  CHECK(done.size() == 4);
}

TEST_CASE("effects that are cleared never happen") {
  DelayedEffects effects(1);
  int done = 0;
  REQUIRE(effects.Add([&done]() noexcept { ++done; }));
  effects.Clear();
  effects.Run();
  CHECK(done == 0);
  CHECK(effects.Add([&done]() noexcept { ++done; }));
}

}  // namespace
}  // namespace nowait
