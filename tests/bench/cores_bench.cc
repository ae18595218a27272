// The times of tests/whole/cores' workloads on one thread and on two, as the costs of simulated
// cores are fitted to them: ./nowait bench cores.
//
// A time is the median of the rounds that count (cores_work.cc). The workload that has the fewest
// is measured next, until each has enough of them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/sync/std_threads.h"
#include "tests/bench/scene_options.h"
#include "tests/whole/cores/work.h"
#include "tests/whole/cores/workloads.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads[] = {1, 2};
// Of longer tasks fewer, so that a round ends before another program wants a core.
struct Size {
  std::uint64_t work;  // nanoseconds
  std::uint32_t part;
};
constexpr Size kSizes[] = {{0, 1}, {1000, 4}, {10'000, 16}};

constexpr std::size_t kLeast = 5;  // rounds of which a median is taken

struct Point {
  const whole::Workload* workload;
  Size size;
  std::uint32_t threads;
  std::vector<double> times = {};
};

double Median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// A Pause, as an idle thread makes it between two looks.
double PauseTime() {
  constexpr std::uint32_t kPauses = 10'000;
  std::vector<double> times;
  for (int i = 0; i < 101; ++i) {
    const auto began = std::chrono::steady_clock::now();
    for (std::uint32_t k = 0; k < kPauses; ++k) SpinPause();
    const std::chrono::duration<double, std::nano> lasted =
        std::chrono::steady_clock::now() - began;
    times.push_back(lasted.count() / kPauses);
  }
  return Median(std::move(times));
}

// A thread sleeps on an atomic, as an idle one of a pool does, and another one wakes it.
struct WakeTimes {
  double notify;  // until the call of the waking thread has returned
  double wake;    // from its beginning until the woken thread runs
};
// Null: there were too few rounds that count.
std::optional<WakeTimes> MeasureWake(std::chrono::steady_clock::time_point until) {
  constexpr std::size_t kRounds = 100;
  constexpr std::uint32_t kEnd = ~0u;
  std::atomic<std::uint32_t> told{0};
  std::atomic<std::uint32_t> heard{0};
  std::chrono::steady_clock::time_point woken;
  std::jthread sleeper([&] {
    for (std::uint32_t seen = 0;;) {
      told.wait(seen, std::memory_order::acquire);
      woken = std::chrono::steady_clock::now();
      seen = told.load(std::memory_order::acquire);
      heard.store(seen, std::memory_order::release);
      if (seen == kEnd) return;
    }
  });
  std::vector<double> notify;
  std::vector<double> wake;
  for (std::uint32_t round = 1; wake.size() < kRounds; ++round) {
    if (std::chrono::steady_clock::now() > until) break;
    whole::BeginRound();
    const auto began = std::chrono::steady_clock::now();
    told.store(round, std::memory_order::release);
    told.notify_all();
    const std::chrono::duration<double, std::nano> call = std::chrono::steady_clock::now() - began;
    while (heard.load(std::memory_order::acquire) != round) SpinPause();
    const std::chrono::duration<double, std::nano> after = woken - began;
    if (!whole::EndRound(after.count())) continue;
    notify.push_back(call.count());
    wake.push_back(after.count());
  }
  told.store(kEnd, std::memory_order::release);
  told.notify_all();
  if (wake.size() < kLeast) return std::nullopt;
  return WakeTimes{Median(std::move(notify)), Median(std::move(wake))};
}

std::string Json(double pause, const WakeTimes& woken, const std::vector<Point>& points) {
  std::string text = fmt::format(
      "{{\n \"pause_ns\": {:.2f},\n \"notify_ns\": {:.0f},\n \"wake_ns\": {:.0f},\n \"points\": [",
      pause, woken.notify, woken.wake);
  const char* between = "\n";
  for (const Point& point : points) {
    text += fmt::format(
        "{}  {{\"workload\": \"{}\", \"work_ns\": {}, \"part\": {}, \"threads\": {}, "
        "\"rounds\": {}, \"round_ns\": {:.0f}}}",
        between, point.workload->name, point.size.work, point.size.part, point.threads,
        point.times.size(), Median(point.times));
    between = ",\n";
  }
  return text + "\n ]\n}\n";
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  std::uint32_t rounds = 50;
  std::uint32_t seconds = 600;
  std::string json;
  CLI::App app("Times of the job system on one thread and on two", "cores");
  AddCount(app, "--rounds", rounds, 1, 1000, "measured of each workload, at least");
  AddCount(app, "--seconds", seconds, 1, 100'000, "when fewer have to do");
  AddJson(app, json, "docs/bench-cores-json.md");
  if (const auto status = ParseScene(app, argc, argv)) return *status;

  std::vector<Point> points;
  for (const whole::Workload& workload : whole::Workloads()) {
    for (const Size& size : kSizes) {
      for (const std::uint32_t threads : kThreads) points.push_back({&workload, size, threads});
    }
  }
  const double pause = PauseTime();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  const auto woken = MeasureWake(until);
  if (!woken) {
    fmt::print(stderr, "cores: other programs have the cores: no thread is woken at once\n");
    return 1;
  }
  fmt::print("  pause {:.1f} ns, notify {:.0f} ns, wake {:.0f} ns\n", pause, woken->notify,
             woken->wake);
  std::vector<std::uint32_t> tries(points.size());
  for (;;) {
    // Of those with the fewest, the one that was tried least.
    std::size_t next = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (std::pair(points[i].times.size(), tries[i]) <
          std::pair(points[next].times.size(), tries[next])) {
        next = i;
      }
    }
    Point& point = points[next];
    if (point.times.size() >= rounds || std::chrono::steady_clock::now() > until) break;
    ++tries[next];
    point.workload->run({.threads = point.threads,
                         .work = point.size.work,
                         .part = point.size.part,
                         .warm = 2,
                         .rounds = 25,
                         .times = &point.times});
  }
  for (const Point& point : points) {
    if (point.times.size() >= kLeast) continue;
    fmt::print(stderr,
               "cores: {}, {} us, {} threads: {} rounds in which no other program had a core, and "
               "{} are needed\n",
               point.workload->name, point.size.work / 1000, point.threads, point.times.size(),
               kLeast);
    return 1;
  }
  fmt::print("  measured, us a round       1 thread  2 threads  speed-up   rounds\n");
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const double one = Median(points[i].times);
    const double two = Median(points[i + 1].times);
    fmt::print("  {:<10} {:>2} us a task  {:>10.1f} {:>10.1f} {:>9.2f} {:>5} {:>5}\n",
               points[i].workload->name, points[i].size.work / 1000, one / 1000, two / 1000,
               one / two, points[i].times.size(), points[i + 1].times.size());
  }
  if (!json.empty() && !(std::ofstream(json) << Json(pause, *woken, points)).flush()) {
    fmt::print(stderr, "cores: '{}' cannot be written\n", json);
    return 1;
  }
}
