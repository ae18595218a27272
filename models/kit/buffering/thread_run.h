// One run of one thread, alone: what its reads find is given, and everything else follows.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUN_H_
#define NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/buffering/event.h"
#include "models/kit/program/failure.h"

namespace nowait::model::buffering {

// The answers to a thread's questions, in their order: the values that its reads find, and its
// choices.
using Script = std::vector<Word>;

// The knowledge that a run lacks to go on.
struct Question {
  unsigned choices = 0;  // one of 0 .. choices - 1; or a read, if 0
  Location location = {};
  Word own = 0;  // what the thread has written there last, otherwise the initial value
};

// A call of notify_one or notify_all: no event, because it orders nothing.
struct Notification {
  ObjectId object = 0;  // an atomic or a condition variable
  bool all = false;
  std::size_t done = 0;  // the events of its thread before it
};

// A call that may sleep.
struct Sleep {
  ObjectId object = 0;
  // Of an atomic: the last look. Of a condition variable: the unlocking, behind which it sleeps;
  // the next event locks again.
  std::size_t place = 0;
  // Of a condition variable only.
  bool is_condition = false;
  bool spurious = false;  // woken without a notification
  Word old = 0;           // of an atomic: the value that it does not wait for
};

struct ThreadRun {
  enum class End : std::uint8_t {
    kReturned,
    kAsks,     // the script is at its end
    kFailed,   // a check of the scenario, or an assertion
    kVain,     // a failed try of compare_exchange_retry, which other executions make as well
    kSpins,    // a round that yields and repeats the last one
    kBlocked,  // its last event finds a locked mutex, or it sleeps
    kCut,      // more accesses than are examined
    kRefused,  // an operation that this checker does not have
  };

  End end = End::kReturned;
  Events events = {};
  std::vector<Notification> notifications = {};
  std::vector<Sleep> sleeps = {};       // of a blocked thread that sleeps: the last one is the one
  bool asleep = false;                  // kBlocked: it sleeps
  Question question = {};               // kAsks
  std::size_t round = 0;                // kSpins: its first event
  std::optional<Failure> failure = {};  // kFailed
  std::string refused = {};             // kRefused: the operation
};

using Runs = std::vector<const ThreadRun*>;  // by thread

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUN_H_
