// While a region is entered, `new` takes from it; addresses repeat; all other code uses malloc.
#include "models/kit/process/arena.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace nowait::model {
namespace {

// Catch2's macros allocate memory: the values that they compare are computed outside, before.
template <class Function>
auto Within(Arena& arena, int region, Function function) {
  EnterRegion(&arena, region);
  auto result = function();
  LeaveArena();
  return result;
}

template <class T>
T* MakeWithin(Arena& arena, int region, T value = T()) {
  return Within(arena, region, [&] { return new T(std::move(value)); });
}

std::uintptr_t Number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

TEST_CASE("the k-th allocation of a region has the same address after each reset") {
  Arena arena(3);
  void* places[3][4];
  for (int k = 0; k < 4; ++k) {
    for (int region = 0; region < 3; ++region) {
      places[region][k] = MakeWithin<std::uint64_t>(arena, region);
    }
  }
  for (int execution = 0; execution < 3; ++execution) {
    arena.Reset();
    for (int region = 2; region >= 0; --region) {  // in a different order than before
      for (int k = 0; k < 4; ++k) {
        CHECK(MakeWithin<std::uint64_t>(arena, region) == places[region][k]);
      }
    }
  }
}

TEST_CASE("regions do not disturb each other") {
  Arena arena(2);
  std::vector<std::pair<std::uint32_t*, std::uint32_t>> values;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    values.emplace_back(MakeWithin<std::uint32_t>(arena, static_cast<int>(i % 2), i), i);
  }
  bool kept = true;
  for (const auto& [place, value] : values) kept = kept && *place == value;
  CHECK(kept);
  CHECK(Number(values[3].first) - Number(values[1].first) ==
        Number(values[2].first) - Number(values[0].first));
}

TEST_CASE("allocations hold zeros, in the first execution and in later ones") {
  Arena arena(1);
  for (int execution = 0; execution < 3; ++execution) {
    arena.Reset();
    unsigned char* bytes = static_cast<unsigned char*>(arena.Allocate(0, 10'000, 1));
    bool zero = true;
    for (int i = 0; i < 10'000; ++i) zero = zero && std::exchange(bytes[i], 0xff) == 0;
    CHECK(zero);
  }
}

TEST_CASE("either side may delete what the other has allocated") {
  Arena arena(1);
  int* inside = MakeWithin<int>(arena, 0, 7);
  int* array = Within(arena, 0, [] { return new int[100]; });
  delete inside;
  delete[] array;
  CHECK(MakeWithin<int>(arena, 0) != inside);  // nothing is reused before the reset

  auto outside = std::make_unique<std::string>(1000, 'x');
  Within(arena, 0, [&] { return outside.reset(), 0; });
  CHECK(outside == nullptr);
}

TEST_CASE("every form of new and delete") {
  struct alignas(256) Wide {
    char bytes[300];
  };
  Arena arena(1);
  for (const bool in_arena : {true, false}) {
    if (in_arena) EnterRegion(&arena, 0);
    char* const one = new char;
    char* const many = new char[17];
    Wide* const wide = new Wide;
    Wide* const wides = new Wide[3];
    char* const nothrow = new (std::nothrow) char[5];
    Wide* const wide_nothrow = new (std::nothrow) Wide;
    void* const nothing = ::operator new(0);
    void* const nothing_more = ::operator new(0);
    LeaveArena();
    const std::uintptr_t first = Number(arena.region(0).begin());
    for (const void* address :
         {static_cast<void*>(one), static_cast<void*>(many), static_cast<void*>(wide),
          static_cast<void*>(wides), static_cast<void*>(nothrow), static_cast<void*>(wide_nothrow),
          nothing, nothing_more}) {
      CHECK((Number(address) - first < Region::kSize) == in_arena);
      CHECK(Number(address) % __STDCPP_DEFAULT_NEW_ALIGNMENT__ == 0);
    }
    CHECK(Number(wide) % 256 == 0);
    CHECK(Number(wides) % 256 == 0);
    CHECK(Number(wide_nothrow) % 256 == 0);
    CHECK(nothing != nothing_more);
    delete one;
    delete[] many;
    delete wide;
    delete[] wides;
    ::operator delete[](nothrow, std::nothrow);
    ::operator delete (wide_nothrow, sizeof(Wide), std::align_val_t{alignof(Wide)});
    ::operator delete(nothing);
    ::operator delete (nothing_more, std::size_t{0});
  }
}

TEST_CASE("several arenas at once, each in the place that was free") {
  auto first = std::make_unique<Arena>(2);
  Arena second(2);
  char* const place = first->region(0).begin();
  CHECK(second.region(0).begin() != place);
  int* value = MakeWithin<int>(second, 1, 5);
  first.reset();
  Arena third(2);
  CHECK(third.region(0).begin() == place);
  CHECK(*value == 5);
}

TEST_CASE("alignment in a region") {
  Arena arena(1);
  bool aligned = true;
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    arena.Allocate(0, 3, 1);
    aligned = aligned && Number(arena.Allocate(0, 1, alignment)) % alignment == 0;
  }
  CHECK(aligned);
}

TEST_CASE("a region without room ends the program") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGABRT, SIG_DFL);
    ::close(STDERR_FILENO);
    Arena arena(2);
    EnterRegion(&arena, 0);
    for (std::size_t taken = 0; taken <= Region::kSize; taken += 1024) {
      static_cast<void>(::operator new(1024));
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
}

TEST_CASE("containers grow, in a region and across its border") {
  Arena arena(2);
  std::vector<int>* numbers = MakeWithin<std::vector<int>>(arena, 0);
  std::string* words = MakeWithin<std::string>(arena, 1);
  std::vector<int> mixed;
  for (int i = 0; i < 10'000; ++i) {
    EnterRegion(&arena, 0);
    numbers->push_back(i);
    if (i % 3 == 0) LeaveArena();
    mixed.push_back(i);
    EnterRegion(&arena, 1);
    *words += static_cast<char>('a' + i % 26);
    LeaveArena();
  }
  bool kept = true;
  for (int i = 0; i < 10'000; ++i) {
    const auto k = static_cast<std::size_t>(i);
    kept = kept && (*numbers)[k] == i && (*words)[k] == 'a' + i % 26 && mixed[k] == i;
  }
  CHECK(kept);
}

TEST_CASE("other threads of the operating system are not touched") {
  Arena arena(1);
  EnterRegion(&arena, 0);
  int* mine = new int(1);
  Region* seen = current_region;
  std::unique_ptr<int> theirs;
  std::thread other([&] {
    seen = current_region;
    theirs = std::make_unique<int>(2);
    for (int i = 0; i < 1000; ++i)
      std::vector<int>(100).swap(*std::make_unique<std::vector<int>>());
  });
  other.join();
  int* next = new int(3);
  LeaveArena();
  CHECK(seen == nullptr);
  CHECK(Number(next) - Number(mine) < 4096);
  CHECK(Number(theirs.get()) - Number(mine) >= Region::kSize);
}

}  // namespace
}  // namespace nowait::model
