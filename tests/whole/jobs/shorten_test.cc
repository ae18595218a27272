// The parts that shortening keeps and leaves out, on programs that count as failing for a known
// reason.
#include "tests/whole/jobs/shorten.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "tests/whole/jobs/make_program.h"
#include "tests/whole/jobs/program.h"

namespace nowait::job_programs {
namespace {

constexpr std::uint32_t kOften = 100'000;

// In the scripts of main threads.
std::ptrdiff_t CountOf(const Program& program, StepKind kind) {
  const auto in = [kind](const Script& script) {
    return std::ranges::count_if(script, [kind](const Step& step) { return step.kind == kind; });
  };
  std::ptrdiff_t count = 0;
  for (const Script& script : program.mains) count += in(script);
  return count;
}

// The smallest of each of the first programs from seed 1 that `fails`.
void ForSmallest(const std::function<bool(const Program&)>& fails,
                 const std::function<void(const Program&)>& check) {
  int tried = 0;
  for (std::uint64_t seed = 1; tried < 20; ++seed) {
    const Program program = MakeProgram(seed);
    if (!fails(program)) continue;
    ++tried;
    INFO("seed " << seed);
    const Program small = Shorten(program, fails, kOften);
    INFO(ToText(small));
    REQUIRE(fails(small));
    check(small);
  }
}

TEST_CASE("Of all steps the one that fails stays, without the features that it does not need") {
  const auto cancels = [](const Program& program) {
    return CountOf(program, StepKind::kCancel) > 0;
  };
  ForSmallest(cancels, [](const Program& small) {
    CHECK(SizeOf(small) == 1);
    CHECK((small.mains.size() == 1 || !small.mains.back().empty()));
    CHECK(small.workers == 0);
    CHECK(small.completers == 1);
    CHECK(small.capacity == kAmple);
    CHECK(small.end == End::kFinish);
    CHECK_FALSE((small.one_queue || small.devices || small.second_pool));
  });
}

TEST_CASE("Steps that fail only together stay together") {
  const auto waits_and_cancels = [](const Program& program) {
    return CountOf(program, StepKind::kWait) > 1 && CountOf(program, StepKind::kCancel) > 0;
  };
  ForSmallest(waits_and_cancels, [](const Program& small) { CHECK(SizeOf(small) == 3); });
}

TEST_CASE("A feature that fails stays, and a task's properties that do not are left out") {
  const auto has_devices = [](const Program& program) { return program.devices; };
  ForSmallest(has_devices, [](const Program& small) {
    CHECK(SizeOf(small) == 0);
    const auto is_plain = [](const Task& task) { return !task.throws && task.priority == 0; };
    CHECK(std::ranges::all_of(small.tasks, is_plain));
  });
}

TEST_CASE("A step no longer throws, unless its exception is the failure") {
  const auto any_throws = [](const Program& program) {
    const auto throws = [](const Script& script) {
      return std::ranges::any_of(script, &Step::throws);
    };
    return std::ranges::any_of(program.mains, throws);
  };
  ForSmallest(any_throws, [](const Program& small) { CHECK(SizeOf(small) == 1); });
  const auto loops = [](const Program& program) { return CountOf(program, StepKind::kLoop) > 0; };
  ForSmallest(loops, [&](const Program& small) { CHECK_FALSE(any_throws(small)); });
}

// program.h says what makes a program legal.
TEST_CASE("The shortened program is legal") {
  const auto polls = [](const Program& program) { return CountOf(program, StepKind::kPoll) > 0; };
  ForSmallest(polls, [](const Program& small) { CHECK(small.workers == 1); });
  const auto fills = [](const Program& program) { return CountOf(program, StepKind::kFill) > 0; };
  ForSmallest(fills, [](const Program& small) { CHECK(small.capacity < kAmple); });
  const auto awaits = [](const Program& program) { return CountOf(program, StepKind::kAwait) > 0; };
  ForSmallest(awaits, [](const Program& small) {
    for (std::size_t main = 0; main < small.mains.size(); ++main) {
      for (const Step& step : small.mains[main]) CHECK(step.amount < main);
    }
  });
  const auto named = [](const Program& program) {
    return std::ranges::any_of(program.tasks, [](const Task& task) { return task.name > 1; });
  };
  ForSmallest(named, [](const Program& small) {
    for (const Task& task : small.tasks) CHECK(task.name <= small.mains.size());
  });
}

TEST_CASE("Shortening runs as many programs as it may, and no more") {
  std::uint32_t asked = 0;
  const auto never_again = [&asked](const Program&) {
    ++asked;
    return false;
  };
  const Program program = MakeProgram(35);
  REQUIRE(SizeOf(program) > 10);
  const Program same = Shorten(program, never_again, 10);
  CHECK(asked == 10);
  CHECK(ToText(same) == ToText(program));
}

}  // namespace
}  // namespace nowait::job_programs
