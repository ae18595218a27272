// Worlds of extreme numbers: none is refused, nothing in them ceases to be a number, no speed
// passes its limit, and any number of threads gives the same.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "src/live/reader.h"
#include "src/live/recording.h"
#include "tests/whole/fuzz_budget.h"
#include "tests/whole/numbers/run_program.h"
#include "tests/whole/numbers/shorten.h"
#include "tests/whole/program_film.h"

namespace nowait::number_programs {
namespace {

// Every program runs on one thread and on another number of them: on more in turns, since a thread
// of a pool takes longer to start than most of these programs to run.
std::vector<std::uint32_t> ThreadsFor(std::uint64_t seed) {
  if (seed % 16 == 0) return {2, 3, 8};
  return {seed % 2 == 0 ? 2u : 3u};
}

TEST_CASE(
    "worlds of extreme numbers stay numbers, keep their limits, and are the same on any threads") {
  whole::FuzzBudget budget("numbers", {.programs = 1500, .seconds = 15});
  while (const auto seed = budget.Next()) {
    const NumberProgram program = MakeProgram(*seed);
    const std::vector<std::uint32_t> threads = ThreadsFor(*seed);
    const std::optional<std::string> broken = Check(program, threads);
    if (!broken) continue;
    const NumberProgram least =
        Shorten(program, [&](const NumberProgram& p) { return Check(p, threads).has_value(); });
    whole::ProgramFilm film(fmt::format("numbers of seed {}", *seed));
    const std::optional<std::string> again = Check(least, threads, &film);
    if (again) {
      film.Write(std::cout);
    } else {
      std::cout << "no film: the program did not fail again\n";
    }
    FAIL(again.value_or(*broken) << "\n" << Print(least) << budget.HowToReplay(*seed));
  }
}

TEST_CASE("a film of a failing program ends with the frame that fails") {
  NumberProgram program = MakeProgram(7);
  program.ground.reset();
  program.frames.assign(3, {.changes = {}, .dt = 0.01f, .steps = 1, .rays = {}, .boxes = {}});
  program.frames[1].dt = -1.0f;
  whole::ProgramFilm film("numbers of seed 7");
  const std::optional<std::string> broken = Check(program, {2}, &film);
  CHECK(broken.value_or("") == "Update: invalid dt: above 0, at most 10 seconds (frame 1)");
  CHECK(film.Shown(0, 0) == whole::AfterUpdate(1));
  CHECK(film.Recording(1, 0).empty());
  LiveReader reader;
  const auto pictures = ReadRecording(film.Recording(0, 0), reader, [](const EventStream&) {});
  CHECK(pictures == 4u);
  CHECK(reader.scene().name == "numbers of seed 7, world 1, 1 threads");
  CHECK(reader.scene().bodies.size() == program.bodies.size());

  program.bodies[0].rotation = {};
  program.frames.clear();
  program.world.max_bodies = 1;
  film.Clear();
  CHECK(Check(program, {2}, &film).value_or("").starts_with("CreateBody refuses"));
  CHECK(film.Shown(0, 0) == whole::BeforeUpdate(0));
}

TEST_CASE("a failing program is shortened to the parts that it needs to fail") {
  // The promise that is broken here: no body is at rest.
  NumberProgram program = MakeProgram(7);
  program.bodies[1].asleep = true;
  const auto fails = [](const NumberProgram& p) {
    for (const BodyDef& body : p.bodies) {
      if (body.asleep && !p.frames.empty()) return true;
    }
    return false;
  };
  REQUIRE(program.bodies.size() > 1);
  const NumberProgram least = Shorten(program, fails);
  CHECK(least.bodies.size() == 1);
  CHECK(least.bodies[0].asleep);
  CHECK(least.frames.size() == 1);
  CHECK_FALSE(least.ground.has_value());
  CHECK(least.world.solver.substeps == 1);
  CHECK(Print(least).find("asleep") != std::string::npos);
}

}  // namespace
}  // namespace nowait::number_programs
