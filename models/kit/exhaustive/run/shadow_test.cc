// The racing accesses, byte by byte, compared with a list of all earlier accesses.
#include "models/kit/exhaustive/run/shadow.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace nowait::model {
namespace {

Clock Knowing(unsigned of_first, unsigned of_second) {
  Clock clock;
  if (of_first > 0) clock.Include(0, of_first - 1);
  if (of_second > 0) clock.Include(1, of_second - 1);
  return clock;
}

class Memory {
 public:
  bool Races(int thread, std::size_t at, std::size_t size, bool writes, unsigned done,
             const Clock& known) {
    return shadow.Add({&bytes[at], size, writes, nullptr}, {thread, done}, known).has_value();
  }
  alignas(8) char bytes[64] = {};
  Shadow shadow;
};

TEST_CASE("two accesses of a byte race if one writes and nothing orders them") {
  Memory memory;
  CHECK_FALSE(memory.Races(0, 0, 4, true, 2, Knowing(2, 0)));
  CHECK(memory.Races(1, 0, 4, false, 0, Knowing(0, 0)));
  CHECK(memory.Races(1, 3, 1, true, 0, Knowing(2, 0)));
  CHECK_FALSE(memory.Races(1, 3, 1, true, 0, Knowing(3, 0)));
}

TEST_CASE("reads do not race, nor do neighbours") {
  Memory memory;
  CHECK_FALSE(memory.Races(0, 8, 8, false, 1, Knowing(1, 0)));
  CHECK_FALSE(memory.Races(1, 8, 8, false, 1, Knowing(0, 1)));
  CHECK_FALSE(memory.Races(0, 0, 3, true, 1, Knowing(1, 0)));
  CHECK_FALSE(memory.Races(1, 3, 1, true, 1, Knowing(0, 1)));
}

TEST_CASE("an access may reach over several words") {
  Memory memory;
  CHECK_FALSE(memory.Races(0, 6, 20, true, 0, Knowing(0, 0)));
  CHECK_FALSE(memory.Races(1, 5, 1, true, 0, Knowing(0, 0)));
  CHECK_FALSE(memory.Races(1, 26, 1, true, 0, Knowing(0, 0)));
  CHECK(memory.Races(1, 25, 1, false, 0, Knowing(0, 0)));
}

TEST_CASE("accesses of another execution are forgotten") {
  Memory memory;
  CHECK_FALSE(memory.Races(0, 0, 8, true, 0, Knowing(0, 0)));
  memory.shadow.Clear();
  CHECK_FALSE(memory.Races(1, 0, 8, true, 0, Knowing(0, 0)));
}

TEST_CASE("however much memory there is, nothing of it is forgotten") {
  static char many[16 * 1024];
  Shadow shadow;
  CHECK_FALSE(shadow.Add({many, 8, true, nullptr}, {0, 0}, Knowing(0, 0)).has_value());
  CHECK_FALSE(shadow.Add({many, sizeof(many), false, nullptr}, {0, 0}, Knowing(0, 0)).has_value());
  CHECK(shadow.Add({many, 1, false, nullptr}, {1, 0}, Knowing(0, 0)).has_value());
}

// A list of all accesses answers the same question.
TEST_CASE("as a list of all accesses has it") {
  struct Made {
    int thread;
    std::size_t at, size;
    bool writes;
    unsigned done;
  };
  constexpr std::uint32_t kSeed = 4;
  std::mt19937 random(kSeed);
  const auto below = [&](std::uint32_t n) { return random() % n; };
  for (int round = 0; round < 2'000; ++round) {
    INFO("seed " << kSeed << ", round " << round);
    Memory memory;
    std::vector<Made> made;
    unsigned done[2] = {0, 0};
    unsigned known[2] = {0, 0};  // of the other thread's steps
    for (bool raced = false; !raced && made.size() < 60;) {
      const int thread = static_cast<int>(below(2));
      if (below(3) == 0) ++done[thread];
      if (below(4) == 0) known[thread] = done[1 - thread];
      const std::size_t at = below(48);
      const Made access = {thread, at, std::size_t{1} << below(4), below(4) == 0, done[thread]};
      bool expected = false;
      for (const Made& before : made) {
        const bool overlap =
            before.at < access.at + access.size && access.at < before.at + before.size;
        const bool ordered = before.thread == thread || before.done < known[thread];
        expected = expected || (overlap && !ordered && (before.writes || access.writes));
      }
      const Clock clock = thread == 0 ? Knowing(done[0], known[0]) : Knowing(known[1], done[1]);
      raced = memory.Races(thread, access.at, access.size, access.writes, access.done, clock);
      REQUIRE(raced == expected);
      made.push_back(access);
    }
  }
}

}  // namespace
}  // namespace nowait::model
