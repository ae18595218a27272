#include "tests/whole/world/judge.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/run.h"

namespace nowait::world_programs {
namespace {

// The program with nothing done to its second world. No call to the first one is left out.
WorldProgram FirstWorldAlone(const WorldProgram& program) {
  WorldProgram alone = program;
  const auto drop = [](Calls& calls) {
    std::erase_if(calls, [](const Call& call) { return call.world != 0; });
  };
  for (Round& round : alone.rounds) {
    for (Calls& calls : round.game) drop(calls);
    for (Calls& calls : round.meanwhile) drop(calls);
    for (TaskPlan& task : round.tasks) drop(task.calls);
  }
  return alone;
}

History OfFirstWorld(History history) {
  std::erase_if(history.frames, [](const Frame& frame) { return frame.world != 0; });
  return history;
}

// The judgement of one program.
class Judgement {
 public:
  Judgement(const WorldProgram& program, whole::Camera* camera)
      : program_(program), camera_(camera) {}

  Failure Do() {
    const History history = Once(program_, program_.workers, "");
    if (Failure failure = Checked(history)) return failure;
    // A call that a fault has hit did something else than in the runs that would be compared.
    if (!IsOrdered(program_) || whole::FaultHasStruck()) return {};
    for (const std::uint32_t workers : {0u, 3u}) {
      if (workers == program_.workers) continue;
      const History other = Once(program_, workers, "");
      if (Failure failure = Checked(other)) return failure;
      if (whole::FaultHasStruck()) return {};
      const std::string reason = "the outcome depends on the number of workers (" +
                                 std::to_string(program_.workers) + ", " + std::to_string(workers) +
                                 ")";
      if (Failure failure = Compared(history, other, reason)) return failure;
    }
    if (program_.worlds.size() < 2) return {};
    const History alone = Once(FirstWorldAlone(program_), program_.workers, ", world 1 alone");
    if (whole::FaultHasStruck()) return {};
    return Compared(OfFirstWorld(history), OfFirstWorld(alone),
                    "a world's outcome depends on the world beside it");
  }

 private:
  History Once(const WorldProgram& program, std::uint32_t workers, const char* how) {
    if (camera_ != nullptr) camera_->BeginRun(std::to_string(workers) + " workers" + how);
    return Run(program, workers, camera_);
  }

  Failure Checked(const History& history) {
    Failure failure = Check(program_, history);
    if (failure && camera_ != nullptr) {
      const auto picture = PictureOf(*failure, history, program_.worlds.size());
      if (picture) camera_->Mark(*picture);
    }
    return failure;
  }

  Failure Compared(const History& history, const History& other, const std::string& reason) {
    const auto picture = PictureOfDifference(history, other);
    if (!picture) return {};
    if (camera_ != nullptr) camera_->Mark(*picture);
    return reason + ":\n" + Outcome(history) + "or\n" + Outcome(other);
  }

  const WorldProgram& program_;
  whole::Camera* const camera_;
};

}  // namespace

std::optional<std::size_t> PictureOf(const Broken& broken, const History& history,
                                     std::size_t worlds) {
  if (broken.at == Broken::kUnknown) return {};
  const std::size_t rounds = history.frames.size() / worlds;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (broken.at <= history.frames[round * worlds].begin) return whole::BeforeUpdate(round);
    if (broken.at <= history.frames[round * worlds + worlds - 1].end) {
      return whole::AfterUpdate(round);
    }
  }
  return {};
}

std::optional<std::size_t> PictureOfDifference(const History& one, const History& other) {
  const auto differ = std::ranges::mismatch(
      one.frames, other.frames,
      [](const Frame& a, const Frame& b) { return Outcome(a) == Outcome(b); });
  if (differ.in1 == one.frames.end()) return {};
  const auto round = static_cast<std::size_t>(
      std::ranges::count(one.frames.begin(), differ.in1, differ.in1->world, &Frame::world));
  // A run that could not make its worlds has no frame at all.
  const bool is_before =
      differ.in2 == other.frames.end() || differ.in1->hash_before != differ.in2->hash_before;
  return is_before ? whole::BeforeUpdate(round) : whole::AfterUpdate(round);
}

Failure Judge(const WorldProgram& program, whole::Camera* camera) {
  return Judgement(program, camera).Do();
}

}  // namespace nowait::world_programs
