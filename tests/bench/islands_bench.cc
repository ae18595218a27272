// From contacts to islands: linked while they are found and finalised, beside the way that was usual
// before: a flood fill over the contacts, all on one thread.
//
// Heaps of 1 to 300 bodies; each body touches three of the next eight in its heap, so a heap is one
// island or a few. Contacts come in the order of their lower body, as the broad phase finds them,
// and are dealt to the threads in pieces of 64. Both ways give islands as flat lists. The flood fill
// need not sort its islands and ours must; its time includes bringing the contacts into the order of
// bodies, because no body knows its contacts.
//
//   union      the linking, on N threads; a game has it inside its narrow phase
//   serial     what is left for one thread: Finalise; of the flood fill, all
//   total      linking and Finalise
//
// Both ways run in turn, again and again, in one process; ratios are medians over pairs.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/islands/finalise.h"
#include "src/islands/find_stats.h"
#include "src/islands/union_find.h"
#include "src/math/random.h"
#include "tests/bench/crew.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_options.h"

namespace nowait {
namespace {

constexpr std::uint64_t kSeed = 9;
constexpr std::uint32_t kPiece = 64;

struct Options {
  std::uint32_t bodies = 16384;
  std::uint32_t threads = 2;
  std::uint32_t rounds = 300;
  std::string json;
};

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::vector<Pair> MakeContacts(std::uint32_t bodies) {
  Random random(kSeed);
  std::vector<Pair> contacts;
  for (std::uint32_t begin = 0; begin < bodies;) {
    const std::uint32_t end = std::min(bodies, begin + 1 + random.Below(300));
    for (std::uint32_t body = begin; body < end; ++body) {
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t other = body + 1 + random.Below(8);
        if (other < end) contacts.emplace_back(body, other);
      }
    }
    begin = end;
  }
  return contacts;
}

// All on one thread: contacts by body, then each island from its first body on.
class FloodFill {
 public:
  void Run(std::uint32_t bodies, const std::vector<Pair>& contacts) {
    first_.assign(bodies + 1, 0);
    for (const auto& [a, b] : contacts) {
      ++first_[a];
      ++first_[b];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    others_.resize(2 * contacts.size());
    for (const auto& [a, b] : contacts) {
      others_[--first_[a]] = b;
      others_[--first_[b]] = a;
    }
    visited_.assign(bodies, 0);
    members_.clear();
    starts_.assign(1, 0);
    for (std::uint32_t seed = 0; seed < bodies; ++seed) {
      if (visited_[seed]) continue;
      visited_[seed] = 1;
      std::size_t next = members_.size();
      members_.push_back(seed);
      for (; next < members_.size(); ++next) {
        const std::uint32_t body = members_[next];
        for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
          if (visited_[others_[i]]) continue;
          visited_[others_[i]] = 1;
          members_.push_back(others_[i]);
        }
      }
      starts_.push_back(static_cast<std::uint32_t>(members_.size()));
    }
  }

  const std::vector<std::uint32_t>& starts() const { return starts_; }

 private:
  std::vector<std::uint32_t> first_;  // by body: where its others begin
  std::vector<std::uint32_t> others_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> starts_;
};

struct alignas(64) ThreadStats {
  FindStats stats;
};

// Links all contacts; pieces are dealt to who asks first.
void Link(UnionFind<>& sets, const std::vector<Pair>& contacts, Crew& crew,
          std::vector<ThreadStats>* counted) {
  std::atomic<std::uint32_t> next{0};
  crew.Run([&](int thread) {
    FindStats* stats =
        counted == nullptr ? nullptr : &(*counted)[static_cast<std::size_t>(thread)].stats;
    for (;;) {
      // relaxed: a number is given out once, and nothing else.
      const std::size_t begin = next.fetch_add(kPiece, std::memory_order::relaxed);
      if (begin >= contacts.size()) return;
      const std::size_t end = std::min(contacts.size(), begin + kPiece);
      for (std::size_t i = begin; i < end; ++i) {
        sets.Union(contacts[i].first, contacts[i].second, stats);
      }
    }
  });
}

int Run(const Options& options) {
  const std::vector<Pair> contacts = MakeContacts(options.bodies);
  std::vector<std::uint32_t> keys(options.bodies);
  std::iota(keys.begin(), keys.end(), 0u);
  UnionFind<> sets(options.bodies);
  IslandBuilder builder;
  FloodFill flood;
  Crew crew(static_cast<int>(options.threads));
  const auto activate = [&] {
    sets.Reset();
    for (std::uint32_t i = 0; i < options.bodies; ++i) sets.Activate();
  };

  Samples link_us, finalise_us, flood_us, serial_ratio, total_ratio;
  std::uint32_t islands = 0;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    activate();
    auto start = BenchClock::now();
    Link(sets, contacts, crew, nullptr);
    const double link = MicrosecondsSince(start);
    start = BenchClock::now();
    const Islands& ours = builder.Finalise(sets, keys);
    const double finalise = MicrosecondsSince(start);
    start = BenchClock::now();
    flood.Run(options.bodies, contacts);
    const double filled = MicrosecondsSince(start);
    if (ours.starts != flood.starts()) {
      fmt::print(stderr, "islands: the two ways found different islands\n");
      return 1;
    }
    islands = ours.count();
    link_us.Add(link);
    finalise_us.Add(finalise);
    flood_us.Add(filled);
    serial_ratio.Add(finalise / filled);
    total_ratio.Add((link + finalise) / filled);
  }
  // Counted apart: counting takes time.
  std::vector<ThreadStats> counted(options.threads);
  activate();
  Link(sets, contacts, crew, &counted);
  FindStats stats;
  for (const ThreadStats& of_thread : counted) stats += of_thread.stats;

  const double unions = static_cast<double>(contacts.size());
  fmt::print("{} bodies, {} contacts, {} islands, {} threads\n", options.bodies, contacts.size(),
             islands, options.threads);
  fmt::print("union                 {:>9.4f} us each, {:.1f} us in all\n",
             link_us.Median() / unions, link_us.Median());
  fmt::print("find                  {:>9.2f} links followed on average\n", stats.mean_steps());
  fmt::print("serial, ours          {:>9.1f} us\n", finalise_us.Median());
  fmt::print("serial, flood fill    {:>9.1f} us\n", flood_us.Median());
  fmt::print("serial ratio          {:>9.2f}\n", serial_ratio.Median());
  fmt::print("total ratio           {:>9.2f}\n", total_ratio.Median());
  if (options.json.empty()) return 0;
  Json report = NewReport("bench-islands", 1);
  report["cpus"] = std::thread::hardware_concurrency();
  report["bodies"] = options.bodies;
  report["contacts"] = contacts.size();
  report["islands"] = islands;
  report["threads"] = options.threads;
  report["rounds"] = options.rounds;
  report["union_us"] = link_us.Median() / unions;
  report["finalise_us"] = finalise_us.Median();
  report["flood_fill_us"] = flood_us.Median();
  report["serial_ratio"] = serial_ratio.Median();
  report["total_ratio"] = total_ratio.Median();
  report["mean_find_steps"] = stats.mean_steps();
  report["find_histogram"] = stats.histogram;
  if (!WriteReport(options.json, report)) {
    fmt::print(stderr, "islands: {} cannot be written\n", options.json);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  CLI::App app("From contacts to islands, beside a flood fill on one thread.", "islands");
  nowait::AddCount(app, "--bodies", options.bodies, 2, 1u << 21, "bodies");
  nowait::AddCount(app, "--threads", options.threads, 1, 64, "threads that link");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 100000, "how often each way is run");
  nowait::AddJson(app, options.json, "docs/bench-islands-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  return nowait::Run(options);
}
