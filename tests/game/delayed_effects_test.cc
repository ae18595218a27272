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

TEST_CASE("the room for effects is free again after they have happened, or were cleared") {
  DelayedEffects effects(2);
  int done = 0;
  for (int round = 0; round < 4; ++round) {
    CAPTURE(round);
    for (int i = 0; i < 2; ++i) REQUIRE(effects.Add([&done]() noexcept { ++done; }));
    CHECK(!effects.Add([&done]() noexcept { ++done; }));
    if (round % 2 == 0) {
      effects.Run();
    } else {
      effects.Clear();
    }
  }
  CHECK(done == 4);
  DelayedEffects none(0);
  CHECK(!none.Add([]() noexcept {}));
  none.Run();
}

TEST_CASE("an effect keeps as many bytes as it may have, each as it was") {
  struct Large {
    std::array<unsigned char, kMostEffectBytes - sizeof(void*)> bytes;
    std::array<unsigned char, kMostEffectBytes - sizeof(void*)>* to;
    void operator()() noexcept { *to = bytes; }
  };
  static_assert(DelayedEffect<Large> && sizeof(Large) == kMostEffectBytes);
  Large effect{};
  for (std::size_t i = 0; i < effect.bytes.size(); ++i) {
    effect.bytes[i] = static_cast<unsigned char>(i + 1);
  }
  decltype(effect.bytes) done{};
  effect.to = &done;
  const auto expected = effect.bytes;
  DelayedEffects effects(2);
  REQUIRE(effects.Add(effect));
  effect.bytes.fill(0);  // a copy was kept
  REQUIRE(effects.Add([]() noexcept {}));
  effects.Run();
  CHECK(done == expected);
}

}  // namespace
}  // namespace nowait
