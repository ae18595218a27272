// The words of a stress test that fails: the first finding, or the threads that hang.
#include "tests/stress/together.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "tests/stress/findings.h"

namespace nowait {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("findings are counted, and the first is kept with its thread and its numbers") {
  Findings wrong;
  CHECK(wrong.Words() == "");
  Together(3, [&](std::uint32_t thread) {
    if (thread == 2) wrong.Add("a task has run twice", 17, 4u);
  });
  CHECK(wrong.Words() == "1 finding, of thread 2: a task has run twice (17, 4)");
  wrong.Add("a wait is refused");
  CHECK(wrong.Words() == "2 findings; the first, of thread 2: a task has run twice (17, 4)");
}

TEST_CASE("threads that do not end in time are named, with what they were doing") {
  std::atomic<bool> over{false};
  std::string words;
  Together(3,
           [&](std::uint32_t thread) {
             if (thread == 1) return;
             Doing::Now(thread == 0 ? "waits for a wake-up" : "waits for thread 0");
             over.wait(false);
           },
           {.after = std::chrono::milliseconds(0), .reached = [&](const std::string& found) {
              words = found;
              over = true;
              over.notify_all();
            }});
  // How far they are when no time is left is another matter.
  CHECK_THAT(words, Contains("the time limit of 0 s is reached") && Contains("thread 0"));

  Doing doing(3);
  doing.Begin(2);
  Doing::Now("waits for its turn");
  CHECK(Doing::ThreadWords() == "thread 2");
  doing.End(2);
  doing.Begin(1);
  Doing::Now("waits for a wake-up");
  CHECK(doing.NotEnded() == "thread 0, thread 1 (waits for a wake-up)");
  doing.End(1);
  Doing::Now("nothing: Together has not started this thread");
  CHECK(Doing::ThreadWords() == "another thread");
}

TEST_CASE("threads that end in time reach no limit") {
  std::atomic<int> reached{0};
  Together(2, [](std::uint32_t) {}, {.reached = [&](const std::string&) { ++reached; }});
  CHECK(reached == 0);
}

}  // namespace
}  // namespace nowait
