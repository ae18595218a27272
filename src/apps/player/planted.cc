#include "src/apps/player/planted.h"

#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "src/jobs/parallel_for.h"
#include "src/jobs/priority.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr std::array<std::pair<std::string_view, Planted>, 3> kPlanted = {
    {{"serial", Planted::kSerial}, {"convoy", Planted::kConvoy}, {"starved", Planted::kStarved}}};

// Work of `length` thousand dependent steps, some microseconds each thousand.
std::uint64_t Work(std::uint64_t length, std::uint64_t seed) {
  std::uint64_t value = seed | 1;
  for (std::uint64_t i = 0; i < 1000 * length; ++i) value = value * 6364136223846793005u + i;
  return value;
}

// Results by number of the work: their sum does not depend on the threads.
class Results {
 public:
  void Set(std::uint32_t number, std::uint64_t value) { values_[number] = value; }
  std::uint64_t Sum() const { return std::accumulate(values_.begin(), values_.end(), kZero); }

 private:
  static constexpr std::uint64_t kZero = 0;
  std::array<std::uint64_t, 64> values_{};
};

Result<void> RunSerial(TaskPool& pool, Results& results) {
  {
    const ProfileScope span("sum scores");
    for (std::uint32_t i = 0; i < 40; ++i) results.Set(i, Work(100, i));
  }
  return ParallelFor(pool, 20, 1, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope span("move actors");
    for (std::uint32_t i = begin; i < end; ++i) results.Set(40 + i, Work(100, i));
  });
}

Result<void> RunConvoy(TaskPool& pool, Results& results) {
  EngineSync::mutex mutex;  // of the one table of all sounds
  std::uint64_t table = 0;
  const Result<void> done = ParallelFor(pool, 40, 1, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const ProfileScope job("play sound");
      results.Set(i, Work(10, i));
      std::optional<ProfileScope> waiting(std::in_place, "wait for sound table");
      const ScopedLock lock(mutex);
      waiting.reset();
      const ProfileScope span("sound table");
      table += Work(100, i);
    }
  });
  results.Set(40, table);
  return done;
}

Result<void> RunStarved(TaskPool& pool, Results& results) {
  constexpr std::uint32_t kParticles = 30;
  struct Part {
    Results* results;
    std::uint32_t number;
  };
  std::array<Part, kParticles + 1> parts;
  const auto frame = pool.AddEmpty();
  if (!frame) return std::unexpected(frame.error());
  const auto add = [&](void (*work)(void*), std::uint32_t number, Priority priority) {
    parts[number] = {&results, number};
    const auto task = pool.Add({.work = {work, &parts[number]},
                                .parent = *frame,
                                .priority = static_cast<std::uint8_t>(priority)});
    return task ? Result<void>() : std::unexpected(task.error());
  };
  const auto particles = [](void* data) {
    const ProfileScope span("particles");
    const Part& part = *static_cast<Part*>(data);
    part.results->Set(part.number, Work(100, part.number));
  };
  const auto paths = [](void* data) {
    const ProfileScope span("find paths");
    const Part& part = *static_cast<Part*>(data);
    part.results->Set(part.number, Work(3000, part.number));
  };
  Result<void> added;
  for (std::uint32_t i = 0; added && i < kParticles; ++i)
    added = add(particles, i, Priority::kHigh);
  if (added) added = add(paths, kParticles, Priority::kLow);
  // Also after an error: it ends the tasks that there are.
  const Result<void> waited = pool.Wait(*frame);
  return added ? waited : added;
}

Result<void> RunOf(Planted planted, TaskPool& pool, Results& results) {
  switch (planted) {
    case Planted::kNone:
      return {};
    case Planted::kSerial:
      return RunSerial(pool, results);
    case Planted::kConvoy:
      return RunConvoy(pool, results);
    case Planted::kStarved:
      return RunStarved(pool, results);
  }
  return {};
}

}  // namespace

std::vector<std::string> PlantedNames() {
  std::vector<std::string> names;
  for (const auto& [name, planted] : kPlanted) names.emplace_back(name);
  return names;
}

Planted PlantedOf(std::string_view name) {
  for (const auto& [known, planted] : kPlanted) {
    if (known == name) return planted;
  }
  return Planted::kNone;
}

Result<std::uint64_t> RunPlanted(Planted planted, TaskPool& pool) {
  const ProfileScope span("game update");
  Results results;
  if (auto done = RunOf(planted, pool, results); !done) return std::unexpected(done.error());
  return results.Sum();
}

}  // namespace nowait
