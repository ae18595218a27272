// Schedule: the choices of a run, where they differ from the default.
//
// Where nothing is written the thread that asks goes on, and when it cannot the next one that can,
// by number and round again. So a schedule is the list of a program's interruptions, and to shorten
// it is to leave some out: the others still mean the same. A choice is named by the thread that
// asks and by how many it has asked for before, which does not change with what other threads do.
//
// As text: "0.12>3 1.40>0": thread 0, at its choice 12, gives way to thread 3; and so on.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_SCHEDULE_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_SCHEDULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::whole {

struct Choice {
  std::uint32_t thread = 0;  // the one that asks
  std::uint32_t number = 0;  // of its choices, from 1
  std::uint32_t answer = 0;  // a thread, or what else it was about

  friend bool operator==(const Choice&, const Choice&) = default;
};

using Schedule = std::vector<Choice>;

std::string ToString(const Schedule& schedule);
std::optional<Schedule> ParseSchedule(std::string_view text);

// The choices of a schedule, one thread's after another as it asks.
class Prompter {
 public:
  explicit Prompter(const Schedule& schedule);
  // The schedule's answer to this thread's choice; empty if it has no answer.
  std::optional<std::uint32_t> Find(std::uint32_t thread, std::uint32_t number);

 private:
  struct Part {
    std::vector<Choice> choices;  // by number
    std::size_t next = 0;
  };
  std::vector<Part> parts_;  // by thread
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_SCHEDULE_H_
