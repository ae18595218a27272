#include "tests/whole/rides/ride_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "src/math/random.h"

namespace nowait::ride_programs {

RideProgram MakeProgram(std::uint64_t seed) {
  Random random(seed);
  RideProgram program;
  program.seed = 1 + random.Below(1000);
  program.workers = 1 + random.Below(2);
  // Some are long enough for a gate to open.
  program.frames = random.Below(5) == 0 ? 42 : 4 + random.Below(7);
  program.steps = 1 + random.Below(2);
  program.paced = random.Below(8) == 0;
  if (random.Below(2) == 0) program.replay = random.Below(4);
  program.scripts = static_cast<Scripts>(random.Below(4) % kScripts);
  if (random.Below(4) == 0) program.fails_every = 1 + random.Below(4);
  if (random.Below(4) == 0) program.slow_every = 1 + random.Below(4);
  if (random.Below(6) == 0) program.interrupted_at = 1 + random.Below(program.frames);
  return program;
}

std::string Print(const RideProgram& program) {
  constexpr std::array<const char*, kScripts> kNames = {"work", "stop with an error",
                                                        "cannot be loaded"};
  return fmt::format(
      "ride of seed {}: {} workers, {} frames of {} steps, {}, {}; scripts {}; of the reads every "
      "{} fails and every {} is slow (0: never); interrupted in frame {} (0: never)\n",
      program.seed, program.workers, program.frames, program.steps,
      program.paced ? "paced" : "not paced",
      program.replay ? fmt::format("loads after {} frames", *program.replay) : "loads as they come",
      kNames[static_cast<std::size_t>(program.scripts)], program.fails_every, program.slow_every,
      program.interrupted_at);
}

RideProgram Shorten(const RideProgram& program,
                    const std::function<bool(const RideProgram&)>& fails) {
  using Change = std::function<void(RideProgram&)>;
  const std::vector<Change> changes = {
      [](RideProgram& p) { p.fails_every = 0; },
      [](RideProgram& p) { p.slow_every = 0; },
      [](RideProgram& p) { p.interrupted_at = 0; },
      [](RideProgram& p) { p.paced = false; },
      [](RideProgram& p) { p.scripts = Scripts::kWork; },
      [](RideProgram& p) { p.replay.reset(); },
      [](RideProgram& p) { p.workers = 1; },
      [](RideProgram& p) { p.steps = 1; },
      [](RideProgram& p) { p.frames = std::max(1u, p.frames / 2); },
      [](RideProgram& p) { p.frames = std::max(1u, p.frames - 1); },
  };
  RideProgram smallest = program;
  for (const Change& change : changes) {
    RideProgram candidate = smallest;
    change(candidate);
    if (Print(candidate) != Print(smallest) && fails(candidate)) smallest = candidate;
  }
  return smallest;
}

}  // namespace nowait::ride_programs
