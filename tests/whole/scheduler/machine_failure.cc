// How a machine says what has gone wrong.
#include <algorithm>
#include <utility>

#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

std::string At(const Site& site) {
  return std::string(site.file()) + ":" + std::to_string(site.line());
}

std::string Said(const OpenCall& call) {
  return std::string(call.name) + "(" + std::to_string(call.id) + ") since step " +
         std::to_string(call.since);
}

}  // namespace

void Machine::Note(FailureKind kind, std::string what) {
  finished_ = true;
  Failure& failure = outcome_.failure.emplace();
  failure.kind = kind;
  failure.what = std::move(what);
  for (const Thread& thread : threads_) {
    failure.threads.push_back(Describe(thread));
    failure.names.push_back(thread.name);
  }
  const std::size_t size = last_.size();
  for (std::size_t i = remembered_ > size ? remembered_ - size : 0; i < remembered_; ++i) {
    failure.last.push_back(last_[i % size]);
  }
}

// The object that a blocked thread waits for: another thread's end, or a lock that others have.
std::string Machine::ForWhat(const void* object) const {
  std::string words;
  for (const Thread& other : threads_) {
    if (&other == object) return " for the end of " + other.name;
    for (const HeldLock& lock : other.held) {
      if (!lock.Covers(object)) continue;
      words +=
          (words.empty() ? " for what " : ", and ") + other.name + " has since " + At(lock.since);
    }
  }
  return words;
}

std::string Machine::Describe(const Thread& thread) const {
  std::string line = thread.name + ": ";
  const std::string step = std::string(NameOf(thread.next.kind)) + " at " + At(thread.next.site);
  switch (thread.state) {
    case ThreadState::kEnded:
      return line + "has ended";
    case ThreadState::kBlocked:
      line += "waits, " + step;
      break;
    case ThreadState::kAsleep:
      line += "sleeps, " + step;
      break;
    case ThreadState::kYielded:
      line += "has given way, " + step;
      break;
    case ThreadState::kReady:
      line += (&thread == running_ ? "runs, " : "could go on, ") + step;
      break;
  }
  if (thread.state == ThreadState::kBlocked) line += ForWhat(thread.next.object);
  for (auto call = thread.calls.rbegin(); call != thread.calls.rend(); ++call) {
    line += "; in " + Said(*call);
  }
  return line;
}

// A call that has lasted for all of the fair part, while others came and went, is starved.
void Machine::LimitReached() {
  const std::string steps = std::to_string(outcome_.steps) + " steps";
  if (options_.fair_after >= options_.most_steps) {
    Fail(FailureKind::kTooLong, "no end after " + steps);
  }
  const std::string fair = steps + ", " +
                           std::to_string(options_.most_steps - options_.fair_after) +
                           " of them under a fair schedule";
  const auto lasts = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& thread) {
    return thread.state != ThreadState::kEnded && !thread.calls.empty() &&
           thread.calls.back().since <= options_.fair_after;
  });
  const bool others_finish = std::any_of(
      threads_.begin(), threads_.end(),
      [](const Thread& thread) { return thread.finished_calls > thread.finished_when_fair; });
  if (lasts != threads_.end() && others_finish) {
    Fail(FailureKind::kStarvation, lasts->name + " is in " + Said(lasts->calls.back()) +
                                       ", and others finish their calls; " + fair);
  }
  Fail(FailureKind::kLivelock, "no end after " + fair);
}

}  // namespace nowait::whole
