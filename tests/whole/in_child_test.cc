#include "tests/whole/in_child.h"

#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

namespace nowait::whole {

using std::chrono::seconds;

TEST_CASE("A child's failure comes back, however long") {
  const std::string text(300000, 'x');
  CHECK(InChild([&](ChildNotes&) { return text; }, seconds(20)).failure == text);
  CHECK(InChild([](ChildNotes&) { return std::string(); }, seconds(20)).failure.empty());
}

TEST_CASE("How a child ended is its failure, and its last note says where it was") {
  const ChildResult killed = InChild(
      [](ChildNotes& notes) -> std::string {
        notes.Note(7);
        kill(getpid(), SIGKILL);
        return "";
      },
      seconds(20));
  CHECK(killed.failure == "signal 9");
  CHECK(killed.last_note == 7);
  const ChildResult left = InChild([](ChildNotes&) -> std::string { _exit(66); }, seconds(20));
  CHECK(left.failure == "exit code 66");
}

TEST_CASE("A child that notes nothing for long hangs") {
  const ChildResult hung = InChild(
      [](ChildNotes& notes) -> std::string {
        notes.Note(3);
        for (;;) pause();
      },
      seconds(1));
  CHECK(hung.failure == "it hung");
  CHECK(hung.last_note == 3);
}

}  // namespace nowait::whole
