// TaskId: the name of one task of one graph, as plain data of 8 bytes.
//
// An id names a slot and the task that was in it when the id was given out. The generation goes up
// with each task that a slot has held, so that an id of a completed task is recognised as such
// however long it is kept.
//
// Bound: a generation has 32 bits. An id that is kept while 2^32 further tasks go through its slot
// names the last of them. At a game's 100,000 tasks a second through the same slot that is half a
// day; at 40 million a second it is 100 seconds.
//
// The tag distinguishes graphs (TaskGraphDef::tag): another graph than its own refuses an id by one
// comparison, without a look at memory.
//
// Source: [bitsquid2010]: a list of open tasks, from which completed ones are missing, and ids;
// here with a generation.
#ifndef NOWAIT_SRC_JOBS_TASK_ID_H_
#define NOWAIT_SRC_JOBS_TASK_ID_H_

#include <cstdint>

namespace nowait {

class TaskId {
 public:
  constexpr TaskId() = default;  // no task
  constexpr TaskId(std::uint16_t tag, std::uint16_t slot, std::uint32_t generation)
      : bits_(std::uint64_t{generation} << 32 | std::uint32_t{tag} << 16 | slot) {}

  // A creator outside all tasks: the code of thread `number` that runs in no task.
  static constexpr TaskId Outside(std::uint16_t number) { return TaskId(0, number, 0); }

  static constexpr TaskId FromBits(std::uint64_t bits) {
    TaskId id;
    id.bits_ = bits;
    return id;
  }

  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  constexpr std::uint16_t tag() const { return static_cast<std::uint16_t>(bits_ >> 16); }
  constexpr std::uint16_t slot() const { return static_cast<std::uint16_t>(bits_); }
  constexpr std::uint64_t bits() const { return bits_; }

  // A generation is never 0.
  constexpr bool IsTask() const { return generation() != 0; }

  friend constexpr bool operator==(TaskId, TaskId) = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_ID_H_
