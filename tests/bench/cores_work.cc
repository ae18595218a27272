// The answers of real cores to tests/whole/cores/work.h.
//
// A machine has other programs, too, and a round in which one of them has a core is no measurement
// of ours. Linux counts for each thread how long it was ready to run and had no core
// (/proc/self/task/*/schedstat). A round counts when all its threads together waited for at most a
// fiftieth of it. The count of a wait comes at its end, so it is read when all threads sleep again.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/whole/cores/work.h"

namespace nowait::whole {
namespace {

// A row of multiplications, each of which waits for the one before.
void Multiply(std::uint64_t rounds) {
  std::uint64_t value = rounds;
  for (std::uint64_t i = 0; i < rounds; ++i) value = value * 0x9e3779b97f4a7c15 + 1;
  benchmark::DoNotOptimize(value);
}

// The least of many: other programs only lengthen it.
double NanosecondsOfARound() {
  constexpr std::uint64_t kRounds = 20'000;
  double least = 1e9;
  for (int i = 0; i < 200; ++i) {
    const auto began = std::chrono::steady_clock::now();
    Multiply(kRounds);
    const std::chrono::duration<double, std::nano> lasted =
        std::chrono::steady_clock::now() - began;
    least = std::min(least, lasted.count() / kRounds);
  }
  return least;
}

struct Threads {
  int awake = 0;             // the caller among them
  std::uint64_t waited = 0;  // nanoseconds, ready and without a core
};

Threads LookAtThreads() {
  Threads threads;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/task")) {
    std::uint64_t ran = 0;
    std::uint64_t waited = 0;
    std::ifstream(one.path() / "schedstat") >> ran >> waited;
    threads.waited += waited;
    std::string stat;
    std::getline(std::ifstream(one.path() / "stat"), stat);
    const auto name_ends = stat.rfind(')');  // "12 (name) S ..."
    threads.awake += name_ends == std::string::npos || stat[name_ends + 2] != 'S' ? 1 : 0;
  }
  return threads;
}

Threads WaitUntilOthersSleep() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const Threads threads = LookAtThreads();
    if (threads.awake <= 1) return threads;
  }
}

std::uint64_t waited_before = 0;

}  // namespace

void Work(std::uint64_t nanoseconds) {
  static const double round = NanosecondsOfARound();
  Multiply(static_cast<std::uint64_t>(static_cast<double>(nanoseconds) / round));
}

void BeginRound() {
  Work(1);  // measures, the first time
  WaitUntilOthersSleep();
  waited_before = LookAtThreads().waited;
}

bool EndRound(double nanoseconds) {
  // The caller waits for nothing between here and its sleep, which would count as well.
  const std::uint64_t waited = WaitUntilOthersSleep().waited - waited_before;
  return static_cast<double>(waited) <= nanoseconds / 50;
}

}  // namespace nowait::whole
