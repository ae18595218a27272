// A writer replaces a version of something and reuses the old one's memory as soon as it may, while
// readers look at whatever version they find. The versions are plain data: reusing one under a
// reader is a race that ThreadSanitizer sees and, with luck, a torn version that anybody sees.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>

#include "src/sync/reader_epochs.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kReaders = 3;
constexpr std::uint32_t kVersions = 3000;

TEST_CASE("memory is not reused while a reader that could reach it is pinned") {
  using Version = std::array<std::uint32_t, 4>;  // four times its number
  ReaderEpochs<> epochs;
  Version versions[2]{};
  std::atomic<std::uint32_t> current{0};
  std::atomic<bool> over{false};
  std::atomic<std::uint32_t> torn{0}, went_back{0};
  Together(kReaders + 1, [&](std::uint32_t thread) {
    if (thread < kReaders) {
      std::uint32_t last = 0;
      while (!over.load(std::memory_order::relaxed)) {
        const auto pin = epochs.Pin();
        const Version& seen = versions[current.load(std::memory_order::acquire)];
        for (const std::uint32_t number : seen) {
          if (number != seen[0]) torn.fetch_add(1, std::memory_order::relaxed);
        }
        if (seen[0] < last) went_back.fetch_add(1, std::memory_order::relaxed);
        last = seen[0];
      }
      return;
    }
    for (std::uint32_t number = 1; number <= kVersions; ++number) {
      const std::uint32_t next = number % 2;
      versions[next].fill(number);
      current.store(next, std::memory_order::release);
      // The other version is unlinked now. After the second advance it is ours again.
      for (int advances = 0; advances < 2;) {
        if (epochs.TryAdvance()) {
          ++advances;
        } else {
          std::this_thread::yield();
        }
      }
    }
    over.store(true, std::memory_order::relaxed);
  });
  REQUIRE(torn == 0);
  REQUIRE(went_back == 0);
}

}  // namespace
}  // namespace nowait
