#include "src/apps/player/planted.h"

#include <array>
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

// A result that the compiler has to compute.
void Keep(std::uint64_t value) { __asm__ volatile("" : : "r"(value)); }

Result<void> MoveActors(TaskPool& pool) {
  return ParallelFor(pool, 20, 1, [](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope span("move actors");
    for (std::uint32_t i = begin; i < end; ++i) Keep(Work(100, i));
  });
}

Result<void> RunSerial(TaskPool& pool) {
  {
    const ProfileScope span("sum scores");
    for (std::uint32_t i = 0; i < 40; ++i) Keep(Work(100, i));
  }
  return MoveActors(pool);
}

Result<void> RunConvoy(TaskPool& pool) {
  EngineSync::mutex mutex;  // of the one table of all sounds
  std::uint64_t table = 0;
  const Result<void> done = ParallelFor(pool, 40, 1, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const ProfileScope job("play sound");
      Keep(Work(10, i));
      std::optional<ProfileScope> waiting(std::in_place, "wait for sound table");
      const ScopedLock lock(mutex);
      waiting.reset();
      const ProfileScope span("sound table");
      table += Work(100, i);
    }
  });
  Keep(table);
  return done;
}

Result<void> RunStarved(TaskPool& pool) {
  const auto frame = pool.AddEmpty();
  if (!frame) return std::unexpected(frame.error());
  const auto add = [&](Job work, Priority priority) -> Result<void> {
    const auto task =
        pool.Add({.work = work, .parent = *frame, .priority = static_cast<std::uint8_t>(priority)});
    if (!task) return std::unexpected(task.error());
    return {};
  };
  const Job particles = {[](void*) {
    const ProfileScope span("particles");
    Keep(Work(100, 7));
  }};
  const Job paths = {[](void*) {
    const ProfileScope span("find paths");
    Keep(Work(3000, 9));
  }};
  // The wait comes also after an error: it ends the tasks that there are.
  Result<void> added;
  for (int i = 0; added && i < 30; ++i) added = add(particles, Priority::kHigh);
  if (added) added = add(paths, Priority::kLow);
  const Result<void> waited = pool.Wait(*frame);
  return added ? waited : added;
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

Result<void> RunPlanted(Planted planted, TaskPool& pool) {
  const ProfileScope span("game update");
  switch (planted) {
    case Planted::kNone:
      return {};
    case Planted::kSerial:
      return RunSerial(pool);
    case Planted::kConvoy:
      return RunConvoy(pool);
    case Planted::kStarved:
      return RunStarved(pool);
  }
  return {};
}

}  // namespace nowait
