// Updates of game objects, from no contention to all: both variants of transactions, and baselines.
//
// An update asks for some objects and writes a part of them. With the given chance it asks for hot
// ones, which are few and everybody's; otherwise for objects that no other thread asks for. At 0%
// there is no contention, and at 100% any two updates at a time want the same objects. An update
// works for some time between the first object that it asks for and its end.
//
//   revisions, exclusive   Transaction, at kSerializable
//   one lock               all updates under one mutex, in place
//   a lock an object       std::shared_mutex, locked in the order of the objects' numbers, in place
//   copy all               all objects are one version
//
// All of them run in turn, again and again, with one thread and with all; a rate is the median. The
// last lines answer the question of [cbloom2011], which of the two variants is ahead, by points.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "src/base/report.h"
#include "tests/bench/crew.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/game_points.h"
#include "tests/bench/object_updates.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_options.h"

namespace nowait {
namespace {

constexpr std::uint32_t kRoundsOfWork = 400;  // a microsecond, roughly
constexpr std::uint32_t kMicroseconds[] = {0, 1, 10};

struct Options {
  GameObjects objects;
  std::uint32_t asked = 3;
  std::uint32_t reads = 67;  // of 100 objects that an update asks for; it writes one at least
  std::uint32_t threads = 2;
  std::uint32_t rounds = 9;
  std::uint32_t milliseconds = 4;  // of a round, for one variant
  std::string json;
};

struct alignas(64) Counted {
  std::uint64_t updates = 0;
};

// Updates a second of all threads.
template <class Objects>
double Rate(const Options& options, const GamePoint& point, std::uint32_t threads) {
  Objects objects(options.objects.all, threads);
  Crew crew(static_cast<int>(threads));
  std::vector<Counted> counted(threads);
  const auto start = BenchClock::now();
  crew.Run([&](int number) {
    const auto thread = static_cast<std::uint32_t>(number);
    typename Objects::Thread updates(objects);
    Plans plans(options.objects, point, options.threads, thread);
    const double end = 1000.0 * options.milliseconds;
    while (MicrosecondsSince(start) < end) {
      for (int i = 0; i < 16; ++i) updates.Update(plans.Next(), point.microseconds * kRoundsOfWork);
      counted[thread].updates += 16;
    }
  });
  const double seconds = MicrosecondsSince(start) / 1e6;
  std::uint64_t all = 0;
  for (const Counted& one : counted) all += one.updates;
  return static_cast<double>(all) / seconds;
}

struct Variant {
  const char* name;
  double (*rate)(const Options&, const GamePoint&, std::uint32_t threads);
};
constexpr Variant kVariants[] = {
    {"revisions", &Rate<Transactions<Revisions>>},
    {"exclusive", &Rate<Transactions<Exclusive>>},
    {"one lock", &Rate<OneLock>},
    {"a lock an object", &Rate<LockAnObject>},
    {"copy all", &Rate<CopyAll>},
};
constexpr std::size_t kOurs = 2;  // the first of kVariants

// Of one number of threads at one point: the rates by variant, and their ratios in each round.
struct Rates {
  Samples of[std::size(kVariants)];
  Samples exclusive_to_revisions;
  Samples ours_to_baselines;  // the better variant of each

  void Add(const double (&rates)[std::size(kVariants)]) {
    for (std::size_t i = 0; i < std::size(kVariants); ++i) of[i].Add(rates[i]);
    exclusive_to_revisions.Add(rates[1] / rates[0]);
    const double ours = *std::max_element(rates, rates + kOurs);
    ours_to_baselines.Add(ours / *std::max_element(rates + kOurs, std::end(rates)));
  }
};
struct Measured {
  Rates alone;
  Rates together;
};

Measured Measure(const Options& options, const GamePoint& point) {
  Measured measured;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    double alone[std::size(kVariants)];
    double together[std::size(kVariants)];
    for (std::size_t i = 0; i < std::size(kVariants); ++i) {
      // Another one begins in each round.
      const std::size_t at = (i + round) % std::size(kVariants);
      alone[at] = kVariants[at].rate(options, point, 1);
      together[at] = kVariants[at].rate(options, point, options.threads);
    }
    measured.alone.Add(alone);
    measured.together.Add(together);
  }
  return measured;
}

void AddRow(const GamePoint& point, std::uint32_t threads, const Rates& rates, Json& results) {
  fmt::print("{:>6} us {:>15} {:>7}", point.microseconds, point.name, threads);
  for (std::size_t i = 0; i < std::size(kVariants); ++i) {
    fmt::print(" {:>16.0f}", rates.of[i].Median() / 1000);
    results.push_back({{"who", kVariants[i].name},
                       {"ours", i < kOurs},
                       {"update_us", point.microseconds},
                       {"contention", point.contention},
                       {"asked", point.asked},
                       {"reads", point.reads},
                       {"unchanged", point.unchanged},
                       {"threads", threads},
                       {"updates_per_second", rates.of[i].Median()}});
  }
  fmt::print(" {:>9.2f} {:>9.2f}\n", rates.exclusive_to_revisions.Median(),
             rates.ours_to_baselines.Median());
}

// The points of the plot: from no contention to all.
std::vector<GamePoint> PlotOf(const Options& options, std::uint32_t microseconds) {
  std::vector<GamePoint> points;
  for (const std::uint32_t contention : {0u, 1u, 5u, 20u, 50u, 100u}) {
    points.push_back({fmt::format("{}% contended", contention), microseconds, contention,
                      options.asked, options.reads, 0});
  }
  return points;
}
// Other numbers of objects, reads, and objects that are taken and left as they are: all contended.
std::vector<GamePoint> OthersOf(std::uint32_t microseconds) {
  return {
      {"1 object", microseconds, 100, 1, 0, 0},      {"5 objects", microseconds, 100, 5, 67, 0},
      {"50% reads", microseconds, 100, 3, 50, 0},    {"99% reads", microseconds, 100, 3, 99, 0},
      {"no reads", microseconds, 100, 3, 0, 0},      {"50% unchanged", microseconds, 100, 3, 0, 50},
      {"90% unchanged", microseconds, 100, 3, 0, 90}};
}

// At which points which variant is ahead, for updates of one length on all threads.
class Answer {
 public:
  void Add(const GamePoint& point, const Rates& rates) {
    const double ratio = rates.exclusive_to_revisions.Median();
    auto& names = ratio > 1 + kEqual ? exclusive_ : ratio < 1 - kEqual ? revisions_ : neither_;
    names.push_back(point.name);
    if (rates.ours_to_baselines.Median() > 1 / (1 + kBehind)) return;
    std::size_t best = kOurs;
    for (std::size_t i = kOurs; i < std::size(kVariants); ++i) {
      if (rates.of[i].Median() > rates.of[best].Median()) best = i;
    }
    behind_.push_back(fmt::format("{} ({})", point.name, kVariants[best].name));
  }
  void Print(std::uint32_t microseconds, std::uint32_t threads) const {
    fmt::print("updates of {} us, {} threads\n", microseconds, threads);
    Print("exclusive is ahead", exclusive_);
    Print("revisions is ahead", revisions_);
    Print("neither, by 5%", neither_);
    Print("a baseline is, by 10%", behind_);
  }

 private:
  static constexpr double kEqual = 0.05;
  static constexpr double kBehind = 0.1;

  // As many lines as the names need.
  static void Print(const char* what, const std::vector<std::string>& names) {
    constexpr std::size_t kWidth = 110;
    std::string line = fmt::format("  {:<22}", what);
    for (const std::string& name : names) {
      if (line.size() + name.size() > kWidth) {
        fmt::print("{}\n", line);
        line = std::string(24, ' ');
      }
      line += " " + name + (&name == &names.back() ? "" : ",");
    }
    fmt::print("{}{}\n", line, names.empty() ? " nowhere" : "");
  }

  std::vector<std::string> exclusive_;
  std::vector<std::string> revisions_;
  std::vector<std::string> neither_;
  std::vector<std::string> behind_;  // with the best baseline
};

int Run(const Options& options) {
  Json report = NewReport("bench-game", 1);
  report["cpus"] = std::thread::hardware_concurrency();
  report["objects"] = options.objects.all;
  report["hot"] = options.objects.hot;
  report["asked"] = options.asked;
  report["reads"] = options.reads;
  report["threads"] = options.threads;
  report["rounds"] = options.rounds;
  report["results"] = Json::array();
  report["others"] = Json::array();
  fmt::print("{} objects, {} of them hot; an update asks for {}, and reads {}% alone\n",
             options.objects.all, options.objects.hot, options.asked, options.reads);
  fmt::print(
      "thousands of updates a second; exclusive to revisions, the better to the baselines\n");
  fmt::print("{:>9} {:>15} {:>7}", "update", "", "threads");
  for (const Variant& variant : kVariants) fmt::print(" {:>16}", variant.name);
  fmt::print(" {:>9} {:>9}\n", "ex/rev", "ours/best");
  Measured uncontended;
  std::vector<Answer> answers;
  for (const std::uint32_t microseconds : kMicroseconds) {
    Answer& answer = answers.emplace_back();
    const auto measure = [&](const GamePoint& point, Json& results) {
      const Measured measured = Measure(options, point);
      AddRow(point, 1, measured.alone, results);
      AddRow(point, options.threads, measured.together, results);
      answer.Add(point, measured.together);
      if (microseconds == 1 && point.contention == 0) uncontended = measured;
    };
    for (const GamePoint& point : PlotOf(options, microseconds)) measure(point, report["results"]);
    for (const GamePoint& point : OthersOf(microseconds)) measure(point, report["others"]);
  }
  for (std::size_t i = 0; i < kOurs; ++i) {
    fmt::print("{}, updates of 1 us without contention: {:.2f} times as many with {} threads\n",
               kVariants[i].name,
               uncontended.together.of[i].Median() / uncontended.alone.of[i].Median(),
               options.threads);
  }
  fmt::print("\n");
  for (std::size_t i = 0; i < answers.size(); ++i)
    answers[i].Print(kMicroseconds[i], options.threads);
  if (options.json.empty()) return 0;
  if (!WriteReport(options.json, report)) {
    fmt::print(stderr, "game: {} cannot be written\n", options.json);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  CLI::App app("Updates of game objects from no contention to all, beside locks and copies.",
               "game");
  nowait::AddCount(app, "--objects", options.objects.all, 1024, 1u << 16, "objects in all");
  nowait::AddCount(app, "--hot", options.objects.hot, 5, 256, "objects that everybody asks for");
  nowait::AddCount(app, "--asked", options.asked, 1, nowait::kMost,
                   "objects that an update asks for");
  nowait::AddCount(app, "--reads", options.reads, 0, 100, "percent of them that it reads alone");
  nowait::AddCount(app, "--threads", options.threads, 1, 64,
                   "threads that update, beside one alone");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 1000, "how often each variant is run");
  nowait::AddCount(app, "--milliseconds", options.milliseconds, 1, 10000,
                   "of a round of one variant");
  nowait::AddJson(app, options.json, "docs/bench-game-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  return nowait::Run(options);
}
