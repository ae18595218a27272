// A program that cannot be examined is refused in a line that says what to write instead.
#include <nowait_check/check.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

using check::Verdict;

namespace {

// The first line of the words, of a program that is not checked.
std::string Refusal(const std::function<void()>& body) {
  const check::Result result = check::explore(body);
  CAPTURE(result);
  CHECK(result.verdict == Verdict::not_checked);
  CHECK_FALSE(result.passed());
  const std::string words = result.words();
  return words.substr(0, words.find("\nstructure"));
}

auto Says(const std::string& words) { return Catch::Contains(words); }

// The words of a child process on its way to an abort.
std::string LastWords(const std::function<void()>& ends) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    ends();
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string words;
  std::array<char, 512> buffer{};
  for (ssize_t n = 0; (n = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    words.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  return words;
}

}  // namespace

TEST_CASE("an object that outlives the execution") {
  CHECK_THAT(Refusal([] {
               static check::atomic<int> counter{0};
               counter = 1;
             }),
             Says("an object that outlives the execution (a static, a thread_local, or memory of "
                  "malloc); make it a local of the body"));
  CHECK_THAT(Refusal([] {
               void* const memory = std::malloc(sizeof(check::atomic<int>));
               new (memory) check::atomic<int>(0);
             }),
             Says("memory of malloc"));
}

TEST_CASE("a static that carries over: the program does something else each time") {
  CHECK_THAT(Refusal([] {
               static int calls = 0;
               check::atomic<int> x{0};
               check::thread one([&] {
                 if (++calls % 2 == 0) x = 1;
               });
               check::thread two([&] { x.load(); });
             }),
             Says("look for statics and thread_local objects"));
}

TEST_CASE("a static's memory is gone with the execution that made it") {
  CHECK_THAT(
      Refusal([] {
        static const std::string name = "a name that has no room in a string itself";
        check::require(name[0] != 'a', "the first execution fails");
      }),
      Says("does not fail as before: the first execution fails") && Says("look for statics"));
  CHECK_THAT(Refusal([] {
               check::atomic<std::size_t> x{0};
               check::thread one([&] {
                 static const std::string name = "a name that has no room in a string itself";
                 x = name.size();
               });
             }),
             Says("does not fail as before: leak") && Says("look for statics"));
}

TEST_CASE("a thread_local object is all threads'") {
  CHECK_THAT(Refusal([] {
               static thread_local int mine = 0;
               check::atomic<int> x{0};
               check::thread one([&] { x = ++mine; });
               check::thread two([&] { x = ++mine; });
             }),
             Says("a thread_local object has changed"));
}

TEST_CASE("threads: too many, at the wrong time, in the wrong place") {
  CHECK_THAT(Refusal([] {
               std::vector<check::thread> threads;
               for (int i = 0; i < 5; ++i) threads.emplace_back([] {});
             }),
             Says("more than 4 threads, with which no search ends; write a program of 4 at most"));
  CHECK_THAT(Refusal([] { check::thread outer([] { check::thread inner([] {}); }); }),
             Says("start all threads in the body, before the first join"));
  CHECK_THAT(Refusal([] {
               check::thread([] {}).join();
               check::thread([] {}).join();
             }),
             Says("start all threads in the body, before the first join"));
  CHECK_THAT(Refusal([] {
               check::atomic<int> x{0};
               check::thread one([&] { x = 1; });
               x = 2;
             }),
             Says("the body does something between its first thread and its last join, where it is "
                  "no thread; do it before, after, or in a check::thread"));
  CHECK_THAT(Refusal([] { check::thread().join(); }), Says("not joinable"));
}

TEST_CASE("the body starts another number of threads when it is run again") {
  int runs = 0;
  CHECK_THAT(Refusal([&] {
               const int count = ++runs > 1 ? 3 : 2;
               std::vector<check::thread> threads;
               for (int i = 0; i < count; ++i) {
                 threads.emplace_back([i] { check::require(i < 2, "there is no third thread"); });
               }
             }),
             Says("the body starts another number of threads when it is run again"));
}

TEST_CASE("a choice in the body, and one among none") {
  const std::string words =
      "check::choose in the body, where no choice is examined; choose in a "
      "check::thread";
  CHECK_THAT(Refusal([] {
               const bool fails = check::choose(2) == 1;
               check::thread one([=] { check::require(!fails, "the second choice fails"); });
             }),
             Says(words));
  CHECK_THAT(Refusal([] {
               check::thread([] {}).join();
               check::require(check::choose(2) == 0, "the second choice fails");
             }),
             Says(words));
  CHECK_THAT(Refusal([] { check::thread one([] { check::choose(0); }); }),
             Says("check::choose(0): there is nothing to choose"));
}

TEST_CASE("a loop that waits and does not yield") {
  CHECK_THAT(Refusal([] {
               check::atomic<bool> ready{false};
               check::thread waiter([&] {
                 while (!ready.load()) {
                 }
               });
               check::thread other([&] { ready = true; });
             }),
             Says("call check::yield() in each round"));
}

TEST_CASE("a loop that gives up waiting") {
  CHECK_THAT(Refusal([] {
               check::atomic<bool> ready{false};
               check::thread waiter([&] {
                 for (int i = 0; i < 20 && !ready.load(); ++i) check::yield();
                 ready = true;
               });
               check::thread other([&] { ready = true; });
             }),
             Says("let check::choose(2) decide whether it gives up"));
}

TEST_CASE("an order that the operation does not take is a failure of the structure") {
  CHECK(check::explore([] {
          check::atomic<int> x{0};
          x.store(1, std::memory_order_acquire);
        }).failure == "invalid order");
}

TEST_CASE("outside of an exploration, and one in another") {
  CHECK_THAT(LastWords([] { check::atomic<int> x{0}; }),
             Says("bad_input_test.cc:") && Says("an object is made outside of check::explore (a "
                                                "static?); make it in the body"));
  CHECK_THAT(LastWords([] { check::thread one([] {}); }), Says("a thread is started outside"));
  CHECK_THAT(LastWords([] { check::choose(2); }), Says("a choice is made outside"));
  CHECK_THAT(LastWords([] { check::explore([] { check::explore([] {}); }); }),
             Says("check::explore inside check::explore"));
}
