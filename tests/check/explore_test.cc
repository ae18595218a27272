// check::explore: its verdicts, and that an execution's program is the same each time.
#include <nowait_check/check.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/check/treiber_stack.h"

using check::Verdict;

namespace {

using GoodStack = stacks::TreiberStack<check::atomic, check::var<int>>;
using RelaxedStack =
    stacks::TreiberStack<check::atomic, check::var<int>, stacks::Publishes::kRelaxed>;

template <class Stack>
void TwoPushersAndATaker() {
  Stack stack;
  typename Stack::Node nodes[2];
  int taken = 0;
  auto push = [&](int i) {
    nodes[i].value = i + 1;
    stack.Push(&nodes[i]);
  };
  auto take = [&] {
    for (auto* node = stack.TakeAll(); node != nullptr; node = node->next) taken += node->value;
  };
  check::thread first(push, 0);
  check::thread second(push, 1);
  check::thread taker(take);
  first.join();
  second.join();
  taker.join();
  take();
  check::require(taken == 3, "each node is taken once");
}

}  // namespace

TEST_CASE("a structure that crashes has failed, with an execution and a page") {
  // The pointer may come behind the word that announces it.
  const auto body = [](std::memory_order order) {
    return [order] {
      check::atomic<int*> where{nullptr};
      check::atomic<bool> ready{false};
      int number = 0;
      check::thread writer([&] {
        where.store(&number, std::memory_order_relaxed);
        ready.store(true, order);
      });
      check::thread reader([&] {
        if (ready.load(std::memory_order_acquire)) *where.load(std::memory_order_relaxed) = 1;
      });
    };
  };
  CHECK(check::explore(body(std::memory_order_release)).passed());
  const check::Result result = check::explore(body(std::memory_order_relaxed));
  CHECK(result.verdict == Verdict::failed);
  CHECK(result.words().find("a null pointer is followed") != std::string::npos);
  CHECK(nlohmann::json::parse(result.json())["failure"]["kind"] == "crash");
  CHECK_FALSE(result.page().empty());
}

TEST_CASE("threads that take turns in their catch blocks have their own exceptions there") {
  const check::Result result = check::explore([] {
    check::atomic<int> turns{0};
    const auto body = [&](int number) {
      try {
        throw number;
      } catch (int) {
        ++turns;
        try {
          throw;
        } catch (int again) {
          check::require(again == number, "the exception is the thread's own");
        }
        ++turns;
      }
    };
    check::thread one(body, 1);
    check::thread two(body, 2);
  });
  CAPTURE(result);
  CHECK(result.passed());
  CHECK(result.executions == 6);
  CHECK(std::current_exception() == nullptr);
}

TEST_CASE("an execution that is dropped leaves no exception in flight") {
  const check::Result result = check::explore([] {
    check::atomic<int> ready{0};
    struct Waits {
      ~Waits() {
        while (*ready == 0) check::yield();
      }
      check::atomic<int>* ready;
    };
    check::thread waits([&] {
      try {
        const Waits waiting{&ready};
        throw 1;
      } catch (int) {
      }
    });
    check::thread first([&] { ready = 1; });
    check::thread second([&] { ready = 2; });
  });
  CAPTURE(result);
  CHECK(result.passed());
  CHECK(std::uncaught_exceptions() == 0);
}

TEST_CASE("a right stack passes: all executions, with their number") {
  // compare_exchange_weak may fail spuriously any number of times; the search lets it once.
  const check::Result result = check::explore(TwoPushersAndATaker<GoodStack>,
                                              {.accepted = {check::Gap::second_spurious_failure}});
  CAPTURE(result);
  CHECK(result.verdict == Verdict::passed);
  CHECK(result.complete);
  CHECK(result.executions > 10);
  CHECK(result.threads == 3);
  CHECK(result.page().empty());
  CHECK(result.words().starts_with("all " + std::to_string(result.executions) + " executions"));
}

TEST_CASE("a push that publishes nothing is a data race, with a page and a record") {
  const check::Result result =
      check::explore(TwoPushersAndATaker<RelaxedStack>, {.name = "relaxed", .promise = "p"});
  CHECK(result.verdict == Verdict::failed);
  CHECK(result.failure == "data race");
  CHECK_THAT(result.words(), Catch::Contains("FAILED: data race"));
  CHECK_THAT(result.page(), Catch::Contains("<html") && Catch::Contains("nodes[i].value = i + 1"));
  const auto json = nlohmann::json::parse(result.json());
  CHECK(json["verdict"] == "failed");
  CHECK(json["failure"]["kind"] == "data race");
  CHECK(json["counterexample"]["scenario"]["threads"] == 3);
  SECTION("and can be run again alone") {
    const check::Result again =
        check::explore(TwoPushersAndATaker<RelaxedStack>, {.replay = result.replay});
    CHECK(again.failure == result.failure);
    CHECK(again.place == result.place);
  }
}

TEST_CASE("a node that comes again between load and exchange: the stack uses what is gone") {
  const check::Result result = check::explore([] {
    stacks::FreeingStack<check::atomic> stack;
    stack.Push(1);
    stack.Push(2);
    auto pop = [&] {
      int value = 0;
      stack.Pop(&value);
    };
    check::thread one(pop), two(pop);
  });
  CHECK(result.verdict == Verdict::failed);
  CHECK(result.failure == "use after free");
}

TEST_CASE("memory: a leak and a second delete are failures, and malloc's is left alone") {
  auto* outside = new int(5);
  // In an atomic, so that the compiler does not leave it out.
  CHECK(check::explore([] { check::atomic<int*> lost{new int(1)}; }).failure == "leak");
  CHECK(check::explore([] {
          check::atomic<int*> twice{new int(1)};
          delete twice.load();
          delete twice.load();
        }).failure == "double free");
  CHECK(check::explore([&] { delete std::exchange(outside, nullptr); }).passed());
}

TEST_CASE("each execution begins with the body's locals as its set-up left them") {
  int most = 0;
  const check::Result result = check::explore([&] {
    check::atomic<int> shared{0};
    int plain = 7;  // on the body's stack, written by a thread
    std::vector<int> heap(3, 1);
    check::thread writer([&] {
      check::require(plain == 7 && heap[0] == 1, "as set-up left it");
      ++plain;
      ++heap[0];
      shared = 1;
    });
    check::thread reader([&] { most = std::max(most, shared.load()); });
    writer.join();
    reader.join();
    check::require(plain == 8 && heap[0] == 2, "as the thread left it");
  });
  CHECK(result.passed());
  CHECK(result.executions == 2);
  CHECK(most == 1);
}

TEST_CASE("set-up is run for each execution: what it sets outside of the body, too") {
  int got = 0;
  int* of_malloc = nullptr;
  const check::Result result = check::explore([&] {
    got = 0;
    of_malloc = static_cast<int*>(std::malloc(sizeof(int)));
    check::atomic<bool> ready{false};
    check::thread giver([&] { ready = true; });
    check::thread taker([&] {
      if (ready.load()) got = 1;
    });
    giver.join();
    taker.join();
    std::free(of_malloc);
    check::require(got == 1, "fails where the taker comes first");
  });
  CHECK(result.failure == "fails where the taker comes first");
}

TEST_CASE("the end of the body may allocate as much as it likes") {
  const check::Result result = check::explore([] {
    check::atomic<int> shared{0};
    int plain = 7;
    check::thread one([&] { shared = 1; });
    check::thread two([&] { shared = 2; });
    one.join();
    two.join();
    const std::vector<int> large(400'000, 9);
    check::require(plain == 7 && large.back() == 9, "the next execution is whole, too");
  });
  CAPTURE(result);
  CHECK(result.passed());
  CHECK(result.executions == 2);
}

TEST_CASE("mutex and condition variable, with the standard's locks") {
  const check::Result result = check::explore([] {
    check::mutex mutex;
    check::condition_variable changed;
    bool full = false;
    check::thread giver([&] {
      const std::lock_guard lock(mutex);
      full = true;
      changed.notify_one();
    });
    check::thread taker([&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return full; });
      check::require(full, "it is full");
    });
  });
  // A wait may return without a notification once in each thread; C++ sets no limit.
  CHECK(result.verdict == Verdict::gaps);
  CHECK(result.gaps == std::vector<std::string>{"a second spurious failure"});
  SECTION("a lost wake-up is a deadlock") {
    CHECK(check::explore([] {
            check::mutex mutex;
            check::condition_variable changed;
            check::thread giver([&] { changed.notify_one(); });
            check::thread taker([&] {
              std::unique_lock lock(mutex);
              changed.wait(lock);
            });
          }).failure == "deadlock");
  }
}

TEST_CASE("a condition variable's wait without its lock") {
  CHECK(check::explore([] {
          check::condition_variable changed;
          check::thread waiter([&] {
            std::unique_lock<check::mutex> lock;
            changed.wait(lock);
          });
        }).failure == "a condition variable's wait() holds its lock");
}

TEST_CASE("atomic_flag as a spin lock that yields, wait and notify, fences, choices") {
  CHECK(check::explore([] {
          check::atomic_flag lock = ATOMIC_FLAG_INIT;
          check::var<int> count{0};
          auto add = [&] {
            while (lock.test_and_set(std::memory_order_acquire)) check::yield();
            count += 1;
            lock.clear(std::memory_order_release);
          };
          check::thread one(add), two(add);
          one.join();
          two.join();
          check::require(count == 2, "no increment is lost");
        }).passed());
  CHECK(check::explore([] {
          check::atomic<int> turn{0};
          check::thread waiter([&] { turn.wait(0); });
          check::thread waker([&] {
            turn = 1;
            turn.notify_one();
          });
        }).passed());
  auto with_fences = [](bool fences) {
    return check::explore([=] {
      check::atomic<int> flag{0};
      check::var<int> data{0};
      check::thread writer([&] {
        data = 1;
        if (fences) check::atomic_thread_fence(std::memory_order_release);
        flag.store(1, std::memory_order_relaxed);
      });
      check::thread reader([&] {
        if (flag.load(std::memory_order_relaxed) == 0) return;
        if (fences) check::atomic_thread_fence(std::memory_order_acquire);
        check::require(data == 1, "it is there");
      });
    });
  };
  CHECK(with_fences(true).passed());
  CHECK(with_fences(false).failure == "data race");
  CHECK(check::explore([] {
          check::thread chooser([] { check::require(check::choose(3) != 2, "never 2"); });
        }).failure == "never 2");
}

TEST_CASE("a behaviour that is never produced is a gap, unless it is accepted") {
  auto buffering = [] {
    check::atomic<int> x{0}, y{0};
    auto copy = [](check::atomic<int>& from, check::atomic<int>& to) {
      to.store(from.load(std::memory_order_relaxed), std::memory_order_relaxed);
    };
    check::thread one([&] { copy(x, y); });
    check::thread two([&] { copy(y, x); });
  };
  const check::Result result = check::explore(buffering);
  CHECK(result.verdict == Verdict::gaps);
  CHECK(result.gaps == std::vector<std::string>{"load buffering"});
  CHECK_FALSE(result.passed());
  CHECK(check::explore(buffering, {.accepted = {check::Gap::load_buffering}}).passed());
}

TEST_CASE("a search that is stopped by its limit has not passed") {
  const check::Result result = check::explore(TwoPushersAndATaker<GoodStack>, {.executions = 3});
  CHECK(result.verdict == Verdict::not_finished);
  CHECK_FALSE(result.passed());
  CHECK_THAT(result.words(), Catch::StartsWith("NOT FINISHED: 3 executions examined"));
}

TEST_CASE("an exception that leaves a thread or the body is a failure with its words") {
  CHECK(check::explore([] {
          check::thread thrower([] { throw std::runtime_error("too much"); });
        }).failure == "of thread 0: an exception leaves it: too much");
  CHECK(check::explore([] { throw 1; }).failure == "of the body: an exception leaves it");
  // One that is handled is the program's own affair.
  CHECK(check::explore([] {
          check::atomic<int> x{0};
          check::thread one([&] {
            try {
              throw std::runtime_error("handled");
            } catch (const std::exception&) {
            }
            x = 1;
          });
          check::thread two([&] { x = 2; });
        }).passed());
}

TEST_CASE("names and words that are no UTF-8; a page stays in its folder, whatever its name") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("nowait_check_" + std::to_string(getpid()));
  const check::Result result =
      check::explore([] { check::require(false, "\xff"); },
                     {.name = std::string("../\xff\0", 5), .pages = (folder / "in").string()});
  CHECK(result.verdict == Verdict::failed);
  CHECK(nlohmann::json::parse(result.json())["verdict"] == "failed");
  CHECK(result.report() == 1);
  CHECK(fs::exists(folder / "in" / "_.._\xff_.html"));
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
  fs::remove_all(folder);
}

TEST_CASE("more processes than there can be are as many as there can be") {
  const check::Result result = check::explore(
      [] {
        check::atomic<int> x{0};
        auto add = [&] {
          for (int i = 0; i < 4; ++i) x.fetch_add(1);
        };
        check::thread one(add), two(add), three(add);
      },
      {.jobs = 100'000});
  CHECK(result.passed());
  CHECK(result.executions == 34'650);
}
