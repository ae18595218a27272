#include "src/world/large_island.h"

#include "src/base/assert.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"

namespace nowait {
namespace {

// Elements that a thread takes at a time: a few microseconds of work.
constexpr std::uint32_t kBodiesAtATime = 64;
constexpr std::uint32_t kConstraintsAtATime = 16;

// Two stages of bodies and one of driven ones, and three of joints and of contacts with 64 colours
// and a rest each.
constexpr std::uint32_t kMostParts = 3 + 2 * 3 * 65;
// Up to this many threads have a job each in every part; with more threads, in some parts only.
constexpr std::uint32_t kThreads = 8;

}  // namespace

void LargeIsland::Part::operator()(std::uint32_t begin, std::uint32_t end) const {
  const ProfileScope profile("solve large island");
  const FloatModeScope float_mode;
  const std::size_t count = end - begin;
  if (!bodies.empty()) RunStage(stage, bodies.subspan(begin, count), *def);
  if (!joints.empty()) RunStage(stage, joints.subspan(begin, count), *def);
  if (!contacts.empty()) RunStage(stage, contacts.subspan(begin, count), *def);
}

LargeIsland::LargeIsland() : batch_(kThreads * kMostParts, kMostParts) {}

Result<void> LargeIsland::Solve(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                                const ContactColours& joint_colours,
                                std::span<ContactConstraint> contacts,
                                const ContactColours& colours, const SubstepDef& def,
                                TaskPool& pool, std::span<SolverBody> driven) {
  NOWAIT_ASSERT(
      contacts.size() == colours.order().size() && joints.size() == joint_colours.order().size(),
      "each joint and contact has a colour or is rest");
  parts_.clear();
  for (const SolverStage stage : kSubstepStages) {
    const Part part{stage, {}, {}, {}, true, &def};
    if (IsOfBodies(stage)) {
      parts_.push_back(part);
      parts_.back().bodies = bodies;
      if (stage == SolverStage::kPositions && !driven.empty()) {
        parts_.push_back(part);
        parts_.back().bodies = driven;
      }
    } else {
      AddGroups(&Part::joints, joints, joint_colours, part);
      AddGroups(&Part::contacts, contacts, colours, part);
    }
  }
  for (std::uint32_t substep = 0; substep < def.solver.substeps; ++substep) {
    if (Result<void> done = Run(pool); !done) return done;
  }
  parts_.clear();
  AddGroups(&Part::contacts, contacts, colours,
            {SolverStage::kRestitution, {}, {}, {}, true, &def});
  return Run(pool);
}

template <class Constraint>
void LargeIsland::AddGroups(std::span<Constraint> Part::*of, std::span<Constraint> constraints,
                            const ContactColours& colours, const Part& part) {
  std::size_t begin = 0;
  const auto add = [&](std::size_t count, bool at_once) {
    if (count != 0) {
      parts_.push_back(part);
      parts_.back().*of = constraints.subspan(begin, count);
      parts_.back().at_once = at_once;
    }
    begin += count;
  };
  for (std::uint32_t colour = 0; colour < colours.count(); ++colour) {
    add(colours[colour].size(), true);
  }
  add(colours.rest().size(), false);
}

Result<void> LargeIsland::Run(TaskPool& pool) {
  for (Part& part : parts_) {
    const std::uint32_t grain = IsOfBodies(part.stage) ? kBodiesAtATime : kConstraintsAtATime;
    Result<void> added = batch_.AddSyncPoint();
    if (added) added = part.at_once ? batch_.AddLoop(part.Count(), grain, part) : batch_.Add(part);
    NOWAIT_ASSERT(added, "the batch has room for all parts");
  }
  if (const auto ran = batch_.Run(pool); !ran) return JobsThrew(ran.error());
  return {};
}

}  // namespace nowait
