#include "src/world/large_island.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/dynamics/wide_contacts.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"

namespace nowait {
namespace {

// Elements that a thread takes at a time: a few microseconds of work.
constexpr std::uint32_t kBodiesAtATime = 64;
constexpr std::uint32_t kConstraintsAtATime = 16;
constexpr std::uint32_t kBlocksAtATime = 8;

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
  if (!blocks.empty()) RunStage(stage, blocks.subspan(begin, count), *def);
  if (!contacts.empty()) RunStage(stage, contacts.subspan(begin, count), *def, order);
}

LargeIsland::LargeIsland() : batch_(kThreads * kMostParts, kMostParts) {}

Result<void> LargeIsland::Solve(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                                const ContactColours& joint_colours, std::span<ContactBlock> blocks,
                                std::span<ContactConstraint> contacts, const SubstepDef& def,
                                TaskPool& pool, std::span<SolverBody> driven, bool is_slender) {
  NOWAIT_ASSERT(joints.size() >= joint_colours.order().size(), "the colours are of these joints");
  for (std::uint32_t substep = 0; substep < def.solver.substeps; ++substep) {
    parts_.clear();
    for (const SolverStage stage : kSubstepStages) {
      const Part part{stage, {}, {}, {}, {}, true, OrderOf(substep, is_slender), &def};
      if (IsOfBodies(stage)) {
        parts_.push_back(part);
        parts_.back().bodies = bodies;
        if (stage == SolverStage::kPositions && !driven.empty()) {
          parts_.push_back(part);
          parts_.back().bodies = driven;
        }
      } else {
        AddJoints(joints, joint_colours, part);
        AddContacts(blocks, contacts, part);
      }
    }
    if (Result<void> done = Run(pool); !done) return done;
  }
  parts_.clear();
  const SolverStage last = SolverStage::kRestitution;
  AddContacts(blocks, contacts, {last, {}, {}, {}, {}, true, {}, &def});
  return Run(pool);
}

void LargeIsland::AddJoints(std::span<JointConstraint> joints, const ContactColours& colours,
                            const Part& part) {
  for (std::uint32_t colour = 0; colour < colours.count(); ++colour) {
    const std::size_t count = colours[colour].size();
    AddGroup(&Part::joints, joints.first(count), true, part);
    joints = joints.subspan(count);
  }
  AddGroup(&Part::joints, joints, false, part);
}

void LargeIsland::AddContacts(std::span<ContactBlock> blocks, std::span<ContactConstraint> contacts,
                              const Part& part) {
  const bool forwards = part.order.contacts == ContactOrder::kForwards;
  if (!forwards) AddGroup(&Part::contacts, contacts, false, part);
  while (!blocks.empty())
    AddGroup(&Part::blocks, TakeColour(blocks, part.order.contacts), true, part);
  if (forwards) AddGroup(&Part::contacts, contacts, false, part);
}

template <class Constraint>
void LargeIsland::AddGroup(std::span<Constraint> Part::*of, std::span<Constraint> group,
                           bool at_once, const Part& part) {
  if (group.empty()) return;
  parts_.push_back(part);
  parts_.back().*of = group;
  parts_.back().at_once = at_once;
}

Result<void> LargeIsland::Run(TaskPool& pool) {
  for (Part& part : parts_) {
    const std::uint32_t grain = IsOfBodies(part.stage) ? kBodiesAtATime
                                : part.blocks.empty()  ? kConstraintsAtATime
                                                       : kBlocksAtATime;
    Result<void> added = batch_.AddSyncPoint();
    if (added) added = part.at_once ? batch_.AddLoop(part.Count(), grain, part) : batch_.Add(part);
    NOWAIT_ASSERT(added, "the batch has room for all parts");
  }
  if (const auto ran = batch_.Run(pool); !ran) return JobsThrew(ran.error());
  return {};
}

}  // namespace nowait
