#include "tests/whole/world/report.h"

#include <atomic>
#include <chrono>
#include <ostream>

#include "tests/whole/program_film.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/world/shrink.h"

namespace nowait::world_programs {
namespace {

using Clock = std::chrono::steady_clock;
using whole::ProcessOutcome;
using whole::Progress;

constexpr std::chrono::seconds kPatience{10};  // where the program is known to fail
constexpr std::chrono::seconds kShrinking{30};

// The promise that is broken, without the names of bodies and rounds.
std::string PromiseOf(const ProcessOutcome& outcome) {
  return outcome.text.substr(0, outcome.text.find(':', outcome.text.find(':') + 1));
}

// film: may be null. It has the attempt that fails.
ProcessOutcome Attempt(const WorldProgram& program, const JudgeFunction& judge,
                       whole::ProgramFilm* film) {
  return whole::RunApart(
      [&](Progress& progress) {
        for (int i = 0; i < kAttempts; ++i) {
          if (film != nullptr) film->Clear();
          JudgeHere(program, judge, film);
          progress.fetch_add(1, std::memory_order::relaxed);
        }
      },
      kPatience);
}

WorldProgram Shortened(const WorldProgram& program, const std::string& promise,
                       const JudgeFunction& judge) {
  const Clock::time_point end = Clock::now() + kShrinking;
  return Shrink(
      program,
      [&](const WorldProgram& smaller) {
        const ProcessOutcome again = Attempt(smaller, judge, nullptr);
        return !again.fine() && PromiseOf(again) == promise;
      },
      [&] { return Clock::now() > end; });
}

void WriteFilms(const WorldProgram& program, const std::string& promise, const JudgeFunction& judge,
                std::ostream& to) {
  whole::ProgramFilm film("program of seed " + std::to_string(program.seed));
  const ProcessOutcome outcome = Attempt(program, judge, &film);
  if (outcome.fine()) {
    to << "no film: the program did not fail in " << kAttempts << " runs with a camera\n";
    return;
  }
  if (PromiseOf(outcome) != promise) to << "in the film, " << outcome.text;
  film.Write(to);
}

}  // namespace

void JudgeHere(const WorldProgram& program, const JudgeFunction& judge, whole::Camera* camera) {
  const Failure failure = judge(program, camera);
  whole::Require(!failure, failure ? failure->promise : "");
}

std::string Report(const WorldProgram& program, const ProcessOutcome& outcome,
                   const JudgeFunction& judge, std::ostream& films) {
  const std::string promise = PromiseOf(outcome);
  const WorldProgram small = Shortened(program, promise, judge);
  WriteFilms(small, promise, judge, films);
  return ToString(program) + "made smaller:\n" + ToString(small);
}

}  // namespace nowait::world_programs
