// A system that has no memory left: an error names it, and what comes later is as if it had been
// there.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace {

// Allocations of at least `from` bytes, on any thread: so many succeed; then one fails, and no
// more.
struct Refusal {
  std::atomic<std::size_t> from{~std::size_t{0}};
  std::atomic<std::int64_t> left{0};
  std::atomic<bool> always{false};  // each of that size fails
};
Refusal refusal;

bool IsRefused(std::size_t size) {
  if (size < refusal.from.load(std::memory_order::relaxed)) return false;
  return refusal.always.load(std::memory_order::relaxed) ||
         refusal.left.fetch_sub(1, std::memory_order::relaxed) == 0;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = IsRefused(size) ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  void* memory =
      IsRefused(size) ? nullptr : std::aligned_alloc(align, (size + align - 1) / align * align);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// ASan has one of its own, whose memory free() must not be given.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return IsRefused(size) ? nullptr : std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace nowait {
namespace {

// While it lives, allocations of at least `from` bytes fail: all, or the one after `left`.
class Refusing {
 public:
  explicit Refusing(std::size_t from) : Refusing(from, 0) { refusal.always = true; }
  Refusing(std::size_t from, std::int64_t left) {
    refusal.left = left;
    refusal.from = from;
  }
  ~Refusing() {
    refusal.from = ~std::size_t{0};
    refusal.always = false;
  }
  // Whether there were as many allocations as that.
  static bool Happened() { return refusal.left.load() < 0; }
};

TEST_CASE("a world that the system has too little memory for is an error that names it") {
  WorldDef def;
  def.max_bodies = BodyId::kMaxBodies;
  def.max_contacts = 1u << 26;
  const Refusing refusing(std::size_t{1} << 30);
  const auto world = World::Create(def);
  REQUIRE_FALSE(world.has_value());
  CHECK(world.error().code == ErrorCode::kCapacity);
  CHECK(world.error().subject == std::string("memory"));
}

TEST_CASE(
    "wherever a world's creation runs out of memory, it is an error, and the next one works") {
  WorldDef def;
  def.max_bodies = 100;
  def.max_contacts = 100;
  std::int64_t refused = 0;
  for (std::int64_t left = 0;; ++left) {
    Result<std::unique_ptr<World>> world;
    bool happened = false;
    {
      const Refusing refusing(1, left);
      world = World::Create(def);
      happened = Refusing::Happened();
    }
    if (!happened) break;
    REQUIRE_FALSE(world.has_value());
    REQUIRE(world.error().subject == std::string("memory"));
    ++refused;
  }
  CHECK(refused > 10);
  CHECK(World::Create(def).has_value());
}

TEST_CASE("wherever a batch's preparing runs out of memory, nothing is left behind") {
  WorldDef def;
  def.max_bodies = 40;
  auto world = MakeWorld(def);
  WaitTime wait;
  const std::vector<BodyDef> defs(40, SphereAt(0.5f, {0, 1, 0}));
  std::int64_t refused = 0;
  for (std::int64_t left = 0;; ++left) {
    Result<WorldBatch> batch;
    bool happened = false;
    {
      const Refusing refusing(1, left);
      batch = world->PrepareBatch(defs);
      happened = Refusing::Happened();
    }
    if (!happened) {
      REQUIRE(world->AbortBatch(*batch));
      break;
    }
    REQUIRE_FALSE(batch.has_value());
    REQUIRE(batch.error().subject == std::string("memory"));
    ++refused;
  }
  CHECK(refused > 5);
  // All slots are free.
  WorldBatch batch = std::move(*world->PrepareBatch(defs));
  CHECK(world->FinaliseBatch(batch, wait)->size() == 40);
}

TEST_CASE("however often a batch's preparing runs out of memory, no node of the tree is lost") {
  WorldDef def;
  def.max_bodies = 40;
  auto world = MakeWorld(def);
  const std::vector<BodyDef> defs(40, SphereAt(0.5f, {0, 1, 0}));
  // In each round it loses some of all that there are, if it loses any.
  for (int round = 0; round < 40; ++round) {
    for (std::int64_t left = 0;; ++left) {
      CAPTURE(round, left);
      Result<WorldBatch> batch;
      bool happened = false;
      {
        const Refusing refusing(1, left);
        batch = world->PrepareBatch(defs);
        happened = Refusing::Happened();
      }
      if (!happened) {
        REQUIRE(batch.has_value());
        REQUIRE(world->AbortBatch(*batch));
        break;
      }
      REQUIRE_FALSE(batch.has_value());
      REQUIRE(batch.error().subject == std::string("memory"));
    }
  }
}

// A heap that has just been made: its contacts need memory that no step has used yet.
struct Heap {
  std::unique_ptr<World> world = MakeWorld();
  explicit Heap(TaskPool& pool) {
    Add(*world, Floor());
    Add(*world, SphereAt(0.5f, {20, 0.5f, 0}));
    REQUIRE(Run(*world, pool, 2));
    for (int i = 0; i < 300; ++i) {
      const auto x = static_cast<float>(i % 10), y = static_cast<float>(i / 10);
      Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {2.0f * x, 0.5f + 0.99f * (y - 10 * (i / 100)), y}));
    }
  }
};

TEST_CASE("wherever a step runs out of memory, it is an error, and the step can be taken again") {
  const std::uint32_t workers = GENERATE(0u, 2u);
  PoolHere pool(workers);
  std::vector<std::uint64_t> expected;
  {
    Heap heap(pool);
    for (int i = 0; i < 3; ++i) {
      REQUIRE(Run(*heap.world, pool, 1));
      expected.push_back(heap.world->StateHash());
    }
  }
  std::int64_t refused = 0;
  for (std::int64_t left = 0;; ++left) {
    CAPTURE(workers, left);
    Heap heap(pool);
    const std::uint64_t before = heap.world->StateHash();
    bool happened = false;
    Result<void> done;
    {
      // Of the size of the update's lists; the pool's own small pieces are another matter.
      const Refusing refusing(1024, left);
      done = heap.world->Update(1.0f / 60.0f, pool);
      happened = Refusing::Happened();
    }
    if (!happened) {
      REQUIRE(done.has_value());
      break;
    }
    if (!done) {
      REQUIRE(done.error().code == ErrorCode::kCapacity);
      REQUIRE(done.error().subject == std::string("memory"));
      REQUIRE(heap.world->stats().steps == 0);
      REQUIRE(heap.world->StateHash() == before);
      REQUIRE(Run(*heap.world, pool, 1));
      ++refused;
    }
    REQUIRE(heap.world->StateHash() == expected[0]);
    REQUIRE(Run(*heap.world, pool, 1));
    REQUIRE(heap.world->StateHash() == expected[1]);
  }
  CHECK(refused > 5);
}

TEST_CASE("a step that ran out of memory leaves no islands to the next one") {
  PoolHere pool(0);
  std::int64_t refused = 0;
  for (std::int64_t left = 0;; ++left) {
    CAPTURE(left);
    Heap heap(pool);
    bool happened = false;
    Result<void> done;
    {
      const Refusing refusing(1024, left);
      done = heap.world->Update(1.0f / 60.0f, pool);
      happened = Refusing::Happened();
    }
    if (!happened) break;
    if (done) continue;
    ++refused;
    // Each body to a place of its own: then nothing that the failed step found is so any more.
    std::vector<BodySnapshot> bodies;
    heap.world->Snapshot(bodies);
    std::uint32_t moved = 0;
    for (const BodySnapshot& body : bodies) {
      if (body.type == BodyType::kStatic) continue;
      WaitTime wait;
      const Vec3 place{5.0f * static_cast<float>(moved++), 100.0f, 0};
      REQUIRE(heap.world->MoveBody(body.id, place, {}, wait));
    }
    REQUIRE(Run(*heap.world, pool, 1));
    REQUIRE(heap.world->stats().islands == moved);
    REQUIRE(heap.world->stats().largest_island == 1);
  }
  CHECK(refused > 5);
}

}  // namespace
}  // namespace nowait
