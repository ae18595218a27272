#include "tests/whole/fuzz_budget.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

namespace nowait::whole {
namespace {

using Clock = std::chrono::steady_clock;

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

// The value of --config for a replay.
constexpr std::string_view Configuration() {
#if defined(NOWAIT_CONTROLLED)
  return "controlled";
#elif __has_feature(thread_sanitizer)
  return "tsan";
#elif __has_feature(address_sanitizer)
  return "asan";
#elif defined(__clang__)
  return "clang19";
#else
  return "opt";
#endif
}

std::optional<std::uint64_t> FromEnvironment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fmt::print(stderr, "{} is a number, not \"{}\"\n", name, digits);
    std::exit(2);
  }
  return number;
}

}  // namespace

FuzzBudget::FuzzBudget(std::string name, const FuzzLimits& limits)
    : name_(std::move(name)), limits_(limits), begin_(Clock::now()) {
  const auto seconds = FromEnvironment("NOWAIT_FUZZ_SECONDS");
  const auto seed = FromEnvironment("NOWAIT_FUZZ_SEED");
  if (seed) first_ = *seed;
  if (seconds) {
    limits_ = {.programs = std::numeric_limits<std::uint64_t>::max(),
               .seconds = static_cast<std::uint32_t>(*seconds)};
  } else if (seed) {
    replays_ = true;
    limits_.programs = 1;
  }
}

FuzzBudget::~FuzzBudget() {
  const std::chrono::duration<double> took = Clock::now() - begin_;
  fmt::print("{}: {} random programs, seeds {} .. {}, in {:.1f} s\n", name_, programs_, first_,
             first_ + programs_ - 1, took.count());
  std::fflush(stdout);
}

std::optional<std::uint64_t> FuzzBudget::Next() {
  if (programs_ == limits_.programs) return std::nullopt;
  const bool late = Clock::now() - begin_ >= std::chrono::seconds(limits_.seconds);
  if (programs_ != 0 && late) return std::nullopt;
  return first_ + programs_++;
}

std::string FuzzBudget::HowToReplay(std::uint64_t seed) const {
  return fmt::format("replay: ./nowait test --fuzz-seed {} --only {} --config {}", seed, name_,
                     Configuration());
}

}  // namespace nowait::whole
