#include "src/apps/demo/herd.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "src/apps/demo/game_events.h"
#include "src/apps/demo/options.h"
#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30.0f;  // seconds
constexpr float kSpeed = 8.0f;          // metres a second
constexpr float kSaddle = 1.6f;         // metres above the ground
constexpr std::uint32_t kPiece = 64;    // objects that a thread takes at once
constexpr std::uint32_t kSwapEvery = 16;
constexpr std::uint32_t kAsked = 4;  // objects of one transaction, at most
// Sections of game threads come before, that of the physics behind.
constexpr std::uint64_t kFirstSection = DemoOptions::kMaxGameThreads;

std::uint32_t WorkersOf(std::uint32_t threads) { return std::min(threads, JobBatch::kMostHands); }

Vec3 OnGround(const Ground& ground, float x, float z) { return {x, ground.HeightAt(x, z), z}; }

// One step; turned back at the edge of the ground.
void Walk(const Ground& ground, Actor& horse) {
  const float reach = 0.9f * ground.terrain.half_size();
  float x = horse.place.x + kFrame * horse.velocity.x;
  float z = horse.place.z + kFrame * horse.velocity.z;
  if (std::abs(x) > reach) {
    horse.velocity.x = -horse.velocity.x;
    x = std::clamp(x, -reach, reach);
  }
  if (std::abs(z) > reach) {
    horse.velocity.z = -horse.velocity.z;
    z = std::clamp(z, -reach, reach);
  }
  horse.place = OnGround(ground, x, z);
}

}  // namespace

Herd::Worker::Worker(Table& table)
    : alone(table, {.objects = kAsked, .isolation = Isolation::kReadCommitted}),
      together(table, {.objects = kAsked, .isolation = Isolation::kReadCommitted}),
      watching(table, {.objects = kAsked, .isolation = Isolation::kSnapshot}) {}

Herd::Herd(std::uint32_t riders, const Ground& ground, std::uint32_t threads)
    : ground_(ground),
      actors_(2 * riders + 1, 2 * riders + 1 + 2 * kAsked * WorkersOf(threads)),
      free_workers_(WorkersOf(threads)) {
  for (std::uint32_t i = 0; i < WorkersOf(threads); ++i) workers_.emplace_back(actors_);
}

std::uint32_t Herd::SectionsOf(std::uint32_t threads) { return WorkersOf(threads); }

Result<std::unique_ptr<Herd>> Herd::Create(std::uint32_t riders, const Ground& ground,
                                           std::uint32_t threads, std::uint64_t seed) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<Herd>> {
    std::unique_ptr<Herd> herd(new Herd(riders, ground, threads));
    if (auto populated = herd->Populate(riders, seed); !populated) {
      return std::unexpected(populated.error());
    }
    return herd;
  });
}

Result<void> Herd::Populate(std::uint32_t riders, std::uint64_t seed) {
  Random random(seed);
  const float reach = 0.8f * ground_.terrain.half_size();
  for (std::uint32_t i = 0; i < riders; ++i) {
    Actor horse;
    horse.place = OnGround(ground_, random.Between(-reach, reach), random.Between(-reach, reach));
    horse.velocity = {random.Between(-kSpeed, kSpeed), 0.0f, random.Between(-kSpeed, kSpeed)};
    const auto mount = actors_.Create(horse);
    if (!mount) return std::unexpected(mount.error());
    Actor rider;
    rider.other = *mount;
    const auto created = actors_.Create(rider);
    if (!created) return std::unexpected(created.error());
    auto edit = actors_.Edit(*mount);
    if (!edit) return std::unexpected(edit.error());
    (*edit)->other = *created;
    const bool committed = edit->Commit();
    NOWAIT_ASSERT(committed, "one thread makes the herd");
    horses_.push_back(*mount);
    riders_.push_back(*created);
  }
  const auto tally = actors_.Create({});
  if (!tally) return std::unexpected(tally.error());
  tally_ = *tally;
  return {};
}

template <class F>
Result<void> Herd::Phase(TaskPool& pool, std::uint32_t count, const F& one) {
  auto piece = [&](std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t index = free_workers_.Take();
    NOWAIT_ASSERT(index < workers_.size(), "a loop has so many hands at most");
    Worker& worker = workers_[index];
    for (std::uint32_t i = begin; i < end && worker.done; ++i) worker.done = one(worker, i);
    free_workers_.Return(index);
  };
  if (auto added = batch_.AddLoop(count, kPiece, piece); !added) return added;
  if (auto ran = batch_.Run(pool); !ran) return ran;
  for (const Worker& worker : workers_) {
    if (!worker.done) return worker.done;
  }
  return {};
}

Result<void> Herd::Graze(Worker& worker, ObjectHandle self, ObjectHandle tally,
                         const Ground& ground) {
  return worker.together.Run([&](auto& tx) -> Result<void> {
    const auto horse = tx.Write(self);
    if (!horse) return std::unexpected(horse.error());
    const float before = (*horse)->place.x;
    Walk(ground, **horse);
    if ((before < 0.0f) == ((*horse)->place.x < 0.0f)) return {};
    const auto all = tx.Write(tally);
    if (!all) return std::unexpected(all.error());
    ++(*all)->count;
    return {};
  });
}

Result<void> Herd::Ride(Worker& worker, ObjectHandle self) {
  return worker.alone.Run([&](auto& tx) -> Result<void> {
    const auto rider = tx.Write(self);
    if (!rider) return std::unexpected(rider.error());
    const auto horse = tx.Read((*rider)->other);
    if (!horse) return std::unexpected(horse.error());
    (*rider)->place = (*horse)->place + Vec3{0.0f, kSaddle, 0.0f};
    return {};
  });
}

Result<void> Herd::Swap(Worker& worker, ObjectHandle a, ObjectHandle b,
                        EventLanes::Section& section) {
  return worker.alone.Run([&](auto& tx) -> Result<void> {
    const auto rider_a = tx.Write(a);
    if (!rider_a) return std::unexpected(rider_a.error());
    const auto rider_b = tx.Write(b);
    if (!rider_b) return std::unexpected(rider_b.error());
    const auto horse_a = tx.Write((*rider_a)->other);
    if (!horse_a) return std::unexpected(horse_a.error());
    const auto horse_b = tx.Write((*rider_b)->other);
    if (!horse_b) return std::unexpected(horse_b.error());
    std::swap((*rider_a)->other, (*rider_b)->other);
    std::swap((*horse_a)->other, (*horse_b)->other);
    ++(*rider_a)->count;
    ++(*rider_b)->count;
    return tx.AfterCommit(
        [&section, swapped = HorsesSwapped{a, b}]() noexcept { section.Post(swapped); });
  });
}

Result<void> Herd::Watch(Worker& worker, ObjectHandle watched) {
  bool is_whole = false;
  const auto done = worker.watching.Run([&](auto& tx) -> Result<void> {
    const auto rider = tx.Read(watched);
    if (!rider) return std::unexpected(rider.error());
    const auto horse = tx.Read((*rider)->other);
    if (!horse) return std::unexpected(horse.error());
    is_whole = (*horse)->other == watched;
    return {};
  });
  ++worker.looks;
  worker.whole += is_whole ? 1 : 0;
  return done;
}

Result<void> Herd::Update(std::uint32_t frame, TaskPool& pool, EventLanes& events) {
  const auto riders = static_cast<std::uint32_t>(riders_.size());
  auto done = Phase(pool, riders, [&](Worker& worker, std::uint32_t i) {
    return Graze(worker, horses_[i], tally_, ground_);
  });
  if (!done) return done;
  done = Phase(pool, riders,
               [&](Worker& worker, std::uint32_t i) { return Ride(worker, riders_[i]); });
  if (!done) return done;
  return Phase(pool, riders / 2, [&](Worker& worker, std::uint32_t i) -> Result<void> {
    const std::uint32_t turn = (i + frame) % kSwapEvery;
    // The pair in front of it may be swapped at this moment.
    if (turn == 1 && i > 0) return Watch(worker, riders_[2 * (i - 1)]);
    if (turn != 0) return {};
    auto section = events.Open(kFirstSection + i);
    if (!section) return std::unexpected(section.error());
    return Swap(worker, riders_[2 * i], riders_[2 * i + 1], *section);
  });
}

HerdReport Herd::report() {
  static_assert(std::has_unique_object_representations_v<ObjectHandle>);
  static_assert(sizeof(Actor) == 2 * sizeof(Vec3) + sizeof(ObjectHandle) + sizeof(std::uint64_t),
                "no padding, which would be in the checksum");
  HerdReport report;
  report.riders = static_cast<std::uint32_t>(riders_.size());
  const auto add = [&](const Actor& actor) {
    report.checksum = static_cast<std::uint32_t>(
        crc32_z(report.checksum, reinterpret_cast<const Bytef*>(&actor), sizeof actor));
  };
  for (const ObjectHandle handle : riders_) {
    const auto rider = actors_.Read(handle);
    const auto horse = actors_.Read((*rider)->other);
    report.swaps += (*rider)->count;
    if ((*horse)->other == handle) ++report.mounted;
    add(**rider);
  }
  report.swaps /= 2;
  for (const ObjectHandle horse : horses_) add(**actors_.Read(horse));
  const auto tally = actors_.Read(tally_);
  report.crossings = (*tally)->count;
  add(**tally);
  for (const Worker& worker : workers_) {
    report.transactions += worker.alone.counts();
    report.transactions += worker.together.counts();
    report.transactions += worker.watching.counts();
    report.looks += worker.looks;
    report.whole += worker.whole;
  }
  return report;
}

}  // namespace nowait
