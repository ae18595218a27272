// InChild: runs something in a process of its own, which may crash, hang or be ended by a
// sanitizer.
//
// A random program that breaks the engine breaks the test that runs it. In a child the test
// survives, names the program, and makes it smaller by trying others.
//
// Thread safety: one thread, in a process that has no other one (fork).
#ifndef NOWAIT_TESTS_WHOLE_IN_CHILD_H_
#define NOWAIT_TESTS_WHOLE_IN_CHILD_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace nowait::whole {

struct ChildResult {
  // What the child reported; or how it ended: "signal 11", "exit code 66", or "it hung" after
  // `patience` without a note. Empty: it returned.
  std::string failure;
  std::uint64_t last_note = 0;  // what it noted last
};

// What a child notes where its parent sees it: which program it is at.
class ChildNotes {
 public:
  explicit ChildNotes(std::uint64_t* note) : note_(note) {}
  void Note(std::uint64_t what);

 private:
  std::uint64_t* const note_;
};

// body returns a failure, or an empty text. patience: from note to note.
ChildResult InChild(const std::function<std::string(ChildNotes&)>& body,
                    std::chrono::seconds patience);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_IN_CHILD_H_
