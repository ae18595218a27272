// A tick: its loops over the objects, on all threads of a pool.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/profile/profile.h"
#include "src/script/system.h"

namespace nowait {
namespace {

constexpr std::uint32_t kPiece = 32;  // objects that a thread takes at a time

template <class Event>
Result<void> Receivers(std::span<const Event> events, std::vector<std::uint32_t>& begins) {
  return OrNoMemory([&]() -> Result<void> {
    FindReceivers(events, begins);
    return {};
  });
}

Result<void> Check(std::span<const ScriptQuestion> questions) {
  if (questions.size() > ScriptQuestion::kMost) {
    return Fail(ErrorCode::kInvalidArgument, "questions", std::ssize(questions), "too many");
  }
  for (auto at = questions.begin(); at != questions.end(); ++at) {
    const auto wrong = [&](const char* why) {
      return Fail(ErrorCode::kInvalidArgument, "question", at - questions.begin(), why);
    };
    if (at->answer == nullptr) return wrong("it has no answer");
    const auto first = std::ranges::find(questions, at->name, &ScriptQuestion::name);
    if (first != at) return wrong("another one has its name");
  }
  return {};
}

}  // namespace

// A thread's position in a loop, until the piece ends or throws.
struct ScriptSystem::Hand {
  explicit Hand(IndexPool<>& pool) : free(pool), index(pool.Take()) {}
  ~Hand() { free.Return(index); }
  IndexPool<>& free;
  const std::uint32_t index;
};

void ScriptSystem::BeginLoop() {
  ++loop_;
  earlier_ = 0;
}

template <class F>
Result<void> ScriptSystem::Loop(TaskPool& pool, std::uint32_t count, const F& one) {
  BeginLoop();
  return RunRound(pool, count, one);
}

template <class F>
Result<void> ScriptSystem::RunRound(TaskPool& pool, std::uint32_t count, const F& one) {
  if (std::min(pool.threads(), JobBatch::kMostHands) > workers_.size()) {
    return Fail(ErrorCode::kInvalidArgument, "threads", pool.threads(), "more than the system's");
  }
  for (Worker& worker : workers_) worker.done = {};
  const std::uint64_t first_key = (std::uint64_t{loop_} << 32) + earlier_;
  earlier_ += count;
  auto piece = [&](std::uint32_t begin, std::uint32_t end) {
    const Hand hand(free_workers_);
    NOWAIT_ASSERT(hand.index < workers_.size(), "a loop has so many hands at most");
    Worker& worker = workers_[hand.index];
    const std::uint64_t began = SteadyNanoseconds();
    {
      // Pieces depend only on the lengths of the rounds, and so do the events' keys.
      auto section = lanes_->Open(first_key + begin);
      if (!section) {
        worker.done = std::unexpected(section.error());
      } else {
        for (std::uint32_t i = begin; i < end && worker.done; ++i) one(worker, *section, i);
      }
    }
    worker.counts.busy += SteadyNanoseconds() - began;
  };
  if (auto added = batch_.AddLoop(count, kPiece, piece); !added) return added;
  auto ran = batch_.Run(pool);
  batch_.Clear();  // if nothing ran, because `piece` ends here
  if (!ran) return ran;
  for (const Worker& worker : workers_) {
    if (!worker.done) return worker.done;
  }
  return {};
}

Result<void> ScriptSystem::BeginTick(TaskPool& pool, std::uint64_t tick, double dt) {
  if (in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "the last one has not ended");
  if (auto found = Receivers<ScriptEvent>(events_, receivers_); !found) return found;
  in_tick_ = true;
  tick_ = tick;
  dt_ = dt;
  loop_ = 0;
  return Loop(pool, static_cast<std::uint32_t>(receivers_.size()),
              [this](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                const std::size_t end =
                    i + 1 < receivers_.size() ? receivers_[i + 1] : events_.size();
                for (std::size_t at = receivers_[i]; at < end && worker.done; ++at) {
                  const ScriptEvent& event = events_[at];
                  const bool received = RunOne(worker, section, event.to, {.event = &event});
                  ++(received ? worker.counts.events : worker.counts.unreceived);
                }
              });
}

Result<void> ScriptSystem::AwaitAnswers(TaskPool& pool, std::span<const ScriptQuestion> questions) {
  if (!rounds_.AwaitsTasks()) return {};
  std::uint32_t asked = 0;
  for (Worker& worker : workers_) asked |= std::exchange(worker.asked, 0);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if ((asked >> i & 1) == 0) continue;
    if (auto prepared = pool.Wait(questions[i].prepared); !prepared) return prepared;
  }
  answered_ |= asked;
  rounds_.TasksAreDone();
  return {};
}

Result<void> ScriptSystem::RunPhase(TaskPool& pool, std::uint32_t phase, ScriptQueries* queries,
                                    std::span<const ScriptQuestion> questions) {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  if (auto usable = Check(questions); !usable) return usable;
  if (phase >= phases_.size()) return {};
  phase_ = phase;
  answered_ = 0;
  for (Worker& worker : workers_) worker.asked = 0;
  BeginLoop();
  rounds_.Begin(phases_[phase]);
  do {
    const std::span<const ObjectHandle> ready = rounds_.ready();
    auto ran = RunRound(pool, static_cast<std::uint32_t>(ready.size()),
                        [&](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                          const Cause cause{.queries = queries, .questions = questions};
                          if (RunOne(worker, section, ready[i], cause)) {
                            ++worker.counts.updates;
                          }
                        });
    if (!ran) return ran;
    rounds_.EndRound();
    if (auto answered = AwaitAnswers(pool, questions); !answered) return answered;
    auto ended = OrNoMemory([this]() -> Result<void> {
      while (rounds_.IsStuck()) EndCycle(rounds_.BreakCycle());
      return {};
    });
    if (!ended) return ended;
  } while (!rounds_.ready().empty());
  return {};
}

void ScriptSystem::EndCycle(std::span<const ObjectHandle> cycle) {
  const auto name = [this](ObjectHandle object) { return names_[script_of_[object.slot]]; };
  std::string chain;
  for (const ObjectHandle object : cycle) {
    chain += std::to_string(object.slot) + " (" + name(object) + "), after ";
  }
  chain += std::to_string(cycle.front().slot);
  // Cut once, and not for each object: a cycle may be as long as its phase.
  chain = OneLine(std::move(chain)).text;
  for (const ObjectHandle object : cycle) {
    AddFault(workers_.front(), object,
             OneLine(name(object) + ": updates in a cycle: object " + chain).text);
  }
}

Result<void> ScriptSystem::RunPhysics(TaskPool& pool, std::span<const PhysicsEvent> calls,
                                      ScriptQueries* queries) {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  NOWAIT_ASSERT(std::ranges::is_sorted(calls, {}, [](const auto& call) { return call.to.slot; }),
                "one thread makes all calls of one object");
  if (auto found = Receivers(calls, called_); !found) return found;
  return Loop(pool, static_cast<std::uint32_t>(called_.size()),
              [&](Worker& worker, EventLanes::Section& section, std::uint32_t i) {
                const std::size_t end = i + 1 < called_.size() ? called_[i + 1] : calls.size();
                for (std::size_t at = called_[i]; at < end && worker.done; ++at) {
                  const Cause cause{.physics = &calls[at], .queries = queries};
                  const bool received = RunOne(worker, section, calls[at].to, cause);
                  ++(received ? worker.counts.callbacks : worker.counts.unreceived);
                }
              });
}

Result<void> ScriptSystem::EndTick() {
  if (!in_tick_) return Fail(ErrorCode::kWrongPhase, "tick", 0, "it has not begun");
  // All memory first: with too little, the tick goes on, and has its faults and events.
  std::size_t faults = 0;
  for (const Worker& worker : workers_) faults += worker.faults.size();
  auto room = OrNoMemory([&]() -> Result<void> {
    faults_.reserve(faults);
    return {};
  });
  if (!room) return room;
  const auto stream = lanes_->Merge();
  if (!stream) return std::unexpected(stream.error());
  in_tick_ = false;
  faults_.clear();
  for (Worker& worker : workers_) {
    std::ranges::move(worker.faults, std::back_inserter(faults_));
    worker.faults.clear();
  }
  std::ranges::sort(faults_, {}, [](const ScriptFault& fault) {
    return std::tuple(fault.loop, fault.object.slot);
  });
  lost_ += lanes_->lost();
  lost_from_.reset();
  if (lanes_->lost() > 0) lost_from_ = static_cast<std::uint32_t>(lanes_->cut() >> 32) - 1;
  sent_.clear();
  for (const EventView event : *stream) {
    if (const auto* sent = event.As<ScriptEvent>()) sent_.push_back(*sent);
  }
  order_.Sort<ScriptEvent>(sent_, events_);
  return {};
}

}  // namespace nowait
