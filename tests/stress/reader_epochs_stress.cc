// A writer replaces a version of something and reuses the old one's memory as soon as it may, while
// readers look at whatever version they find. The versions are plain data: reusing one under a
// reader is a race that ThreadSanitizer sees and, with luck, a torn version that anybody sees.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>

#include "src/sync/reader_epochs.h"
#include "tests/stress/findings.h"
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
  Findings wrong;
  Together(kReaders + 1, [&](std::uint32_t thread) {
    if (thread < kReaders) {
      std::uint32_t last = 0;
      while (!over.load(std::memory_order::relaxed)) {
        const auto pin = epochs.Pin();
        const Version& seen = versions[current.load(std::memory_order::acquire)];
        for (const std::uint32_t number : seen) {
          if (number != seen[0]) wrong.Add("a reader sees two versions at once", seen[0], number);
        }
        if (seen[0] < last) wrong.Add("a reader sees an older version after", seen[0], last);
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
        Doing::Now("waits for an epoch without readers");
        if (epochs.TryAdvance()) {
          ++advances;
        } else {
          std::this_thread::yield();
        }
      }
    }
    over.store(true, std::memory_order::relaxed);
  });
  REQUIRE(wrong.Words() == "");
}

}  // namespace
}  // namespace nowait
