// The open world's ride, for as long as NOWAIT_SOAK_SECONDS says (./nowait test --soak-minutes):
// paced, over the terrain and the documents of the command. Memory stays flat, and no wait of the
// ride's own is longer than 33 ms. Where no time is given, a short ride over a small world shows
// that the soak works; no wait is judged then, because tests are not timed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "src/apps/openworld/ride.h"
#include "src/jobs/task_pool.h"
#include "src/resource/elevation.h"
#include "src/streaming/world_source.h"
#include "tests/streaming/small_world.h"
#include "tests/whole/soak/memory.h"

namespace nowait::whole {
namespace {

constexpr std::uint32_t kFramesASecond = 30;
constexpr std::uint32_t kShortRide = 300;           // frames
constexpr std::uint64_t kLongestWait = 33'000'000;  // nanoseconds
// The ride is looked at in so many parts, of which the first ones show what it needs.
constexpr std::uint32_t kParts = 12;
constexpr std::uint32_t kFirstParts = 4;
// Places differ: what a place may need beyond the first parts' most, in hundredths of that. Blocks
// are few, and one that is forgotten each second doubles their number within an hour.
constexpr std::int64_t kMoreBytes = 5;
constexpr std::int64_t kMoreAllocations = 50;

std::uint32_t SecondsOfSoak() {
  const char* const text = std::getenv("NOWAIT_SOAK_SECONDS");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

// The most of each part of a ride, by samples in frames.
class MemoryOfParts {
 public:
  explicit MemoryOfParts(std::uint32_t frames) : frames_(frames) {}

  // Called at the beginning of each frame.
  void Look() {
    const std::uint32_t frame = next_++;
    if (frame % kFramesASecond != 0) return;
    const std::uint32_t part = std::min(kParts - 1, frame * kParts / frames_);
    const MemorySample sample = SampleMemory();
    MemorySample& most = most_[part];
    most.allocations = std::max(most.allocations, sample.allocations);
    most.bytes = std::max(most.bytes, sample.bytes);
    most.resident = std::max(most.resident, sample.resident);
  }
  // The part of which the memory is not flat, in words.
  std::optional<std::string> Grown() const {
    MemorySample first;
    for (std::uint32_t part = 0; part < kFirstParts; ++part) {
      first.allocations = std::max(first.allocations, most_[part].allocations);
      first.bytes = std::max(first.bytes, most_[part].bytes);
      first.resident = std::max(first.resident, most_[part].resident);
    }
    for (std::uint32_t part = kFirstParts; part < kParts; ++part) {
      const MemorySample& most = most_[part];
      if (IsMore(most.allocations, first.allocations, kMoreAllocations) ||
          IsMore(most.bytes, first.bytes, kMoreBytes) ||
          IsMore(most.resident, first.resident, kMoreBytes)) {
        return "part " + std::to_string(part) + " needs more than the first ones";
      }
    }
    return std::nullopt;
  }
  void Print() const {
    for (const MemorySample& most : most_) {
      std::printf("%lld allocations, %lld KiB, %lld KiB resident\n",
                  static_cast<long long>(most.allocations),
                  static_cast<long long>(most.bytes >> 10),
                  static_cast<long long>(most.resident >> 10));
    }
  }

 private:
  static bool IsMore(std::int64_t most, std::int64_t first, std::int64_t percent) {
    return most > first + first * percent / 100;
  }

  const std::uint32_t frames_;
  std::uint32_t next_ = 0;
  MemorySample most_[kParts];
};

RideResult Ride(RideDef def, MemoryOfParts& memory) {
  def.interrupted = [&memory] {
    memory.Look();
    return false;
  };
  const std::uint32_t threads = std::max(2u, std::thread::hardware_concurrency());
  const auto pool = TaskPool::Create(
      {.main_threads = {"main"}, .devices = {"disk", "clock", "console"}, .workers = threads - 1});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  auto ride = RunRide(def, **pool);
  INFO((ride ? "" : ToString(ride.error())));
  REQUIRE(ride);
  return *std::move(ride);
}

}  // namespace

TEST_CASE("The open world's ride lasts in the same memory, and none of its waits is long") {
  const std::uint32_t seconds = SecondsOfSoak();
  RideDef def;
  def.frames = seconds == 0 ? kShortRide : seconds * kFramesASecond;
  def.paced = seconds != 0;
  std::optional<SmallWorld> world;
  if (seconds == 0) {
    def.replay = 4;  // frames until a load is there, however soon the frames are over
    world.emplace();
  } else {
    auto elevation = LoadElevation("assets/terrain/jacksboro.elevation");
    REQUIRE(elevation);
    auto source = LoadWorldSource("src/apps/openworld/world");
    REQUIRE(source);
    world.emplace(*std::move(source), *std::move(elevation));
  }
  def.tiles = world->folder.path();
  def.index = world->index;
  MemoryOfParts memory(def.frames);
  const RideResult ride = Ride(def, memory);
  REQUIRE(ride.frames.size() == def.frames);

  std::uint64_t bodies = 0;
  std::uint64_t awake = 0;
  std::uint64_t streaming = 0;
  std::uint64_t locks = 0;
  for (const RideFrame& frame : ride.frames) {
    bodies += frame.bodies;
    awake += frame.awake;
    streaming = std::max(streaming, frame.streaming);
    locks = std::max(locks, frame.locks);
  }
  std::printf(
      "%u frames, %llu bodies and %llu awake on average, %llu tiles in, %llu missing, %llu cells; "
      "the longest waits, in us: streaming %llu, readers %llu, the mesh %llu\n",
      def.frames, static_cast<unsigned long long>(bodies / def.frames),
      static_cast<unsigned long long>(awake / def.frames),
      static_cast<unsigned long long>(ride.streamed.tiles_entered),
      static_cast<unsigned long long>(ride.streamed.missing),
      static_cast<unsigned long long>(ride.paths.cells.built),
      static_cast<unsigned long long>(streaming / 1000),
      static_cast<unsigned long long>(locks / 1000),
      static_cast<unsigned long long>(ride.paths.longest_update / 1000));
  memory.Print();
  CHECK(ride.streamed.tiles_entered > 0);
  CHECK(ride.streamed.missing == 0);
  CHECK(awake > 0);
  if (seconds == 0) return;
  const auto grown = memory.Grown();
  INFO((grown ? *grown : ""));
  CHECK_FALSE(grown);
  CHECK(streaming <= kLongestWait);
  CHECK(locks <= kLongestWait);
  CHECK(ride.paths.longest_update <= kLongestWait);
}

}  // namespace nowait::whole
