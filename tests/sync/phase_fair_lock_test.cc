#include "src/sync/phase_fair_lock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace nowait {
namespace {

using Lock = PhaseFairLock<>;

TEST_CASE("phases alternate, and each side goes in the order of arrival") {
  Lock lock;
  const auto reader1 = lock.ArriveRead();
  REQUIRE(!reader1.MustWait());
  const auto writer1 = lock.ArriveWrite();
  const auto reader2 = lock.ArriveRead();
  const auto writer2 = lock.ArriveWrite();
  const auto reader3 = lock.ArriveRead();
  REQUIRE(writer1.MustWait());
  REQUIRE(reader2.MustWait());
  REQUIRE(writer2.MustWait());
  REQUIRE(reader3.MustWait());
  // One thread does all of this, so each Await would hang that lets anybody else go first.
  lock.LeaveRead();
  lock.Await(writer1);
  lock.LeaveWrite();
  lock.Await(reader2);
  lock.Await(reader3);
  const auto reader4 = lock.ArriveRead();
  REQUIRE(reader4.MustWait());
  lock.LeaveRead();
  lock.LeaveRead();
  lock.Await(writer2);
  lock.LeaveWrite();
  lock.Await(reader4);
  lock.LeaveRead();
  const auto writer3 = lock.ArriveWrite();
  REQUIRE(!writer3.MustWait());
  lock.LeaveWrite();
}

TEST_CASE("a writer that finds the last reader gone does not wait") {
  Lock lock;
  lock.LockRead();
  lock.LeaveRead();
  REQUIRE(!lock.ArriveWrite().MustWait());
  lock.LeaveWrite();
  REQUIRE(!lock.ArriveRead().MustWait());
  lock.LeaveRead();
}

TEST_CASE("tickets come back after 1,024 writers, and are called in order") {
  Lock lock;
  for (std::uint32_t round = 0; round < 3 * (Lock::kMaxWriters + 1); ++round) {
    const auto first = lock.ArriveWrite();
    const auto second = lock.ArriveWrite();
    const auto third = lock.ArriveWrite();
    REQUIRE(!first.MustWait());
    REQUIRE(second.MustWait());
    lock.LeaveWrite();
    lock.Await(second);
    lock.LeaveWrite();
    lock.Await(third);
    lock.LeaveWrite();
  }
}

TEST_CASE("1,023 writers and 4,095 readers want the lock at the same time, and all have it") {
  REQUIRE(Lock::kMaxWriters == 1'023);
  REQUIRE(Lock::kMaxReaders == 4'095);
  Lock lock;
  for (std::uint32_t i = 0; i < Lock::kMaxReaders; ++i) {
    REQUIRE_FALSE(lock.ArriveRead().MustWait());
  }
  std::vector<Lock::WriteTicket> writers;
  for (std::uint32_t i = 0; i < Lock::kMaxWriters; ++i) {
    writers.push_back(lock.ArriveWrite());
    REQUIRE(writers.back().MustWait());
  }
  for (std::uint32_t i = 0; i < Lock::kMaxReaders; ++i) lock.LeaveRead();
  for (const Lock::WriteTicket& writer : writers) {
    lock.Await(writer);
    lock.LeaveWrite();
  }
  CHECK_FALSE(lock.ArriveRead().MustWait());
  lock.LeaveRead();
}

constexpr std::size_t kOthers = 5;

// Sections of each of the other threads, each counted as it is entered.
using Entered = std::array<std::atomic<std::uint32_t>, kOthers>;

// Calls section(t) again and again on kOthers threads, until `body` has returned.
template <class Section, class Body>
void Beside(const Section& section, const Body& body) {
  std::atomic<bool> done{false};
  std::vector<std::jthread> others;
  for (std::size_t t = 0; t < kOthers; ++t) {
    others.emplace_back([&, t] {
      while (!done.load(std::memory_order::relaxed)) section(t);
    });
  }
  body();
  done.store(true, std::memory_order::relaxed);
}

TEST_CASE("readers without a pause pass a writer once each at most") {
  constexpr int kRounds = 2000;
  Lock lock;
  Entered entered{};
  std::uint32_t most = 0;
  Beside(
      [&](std::size_t t) {
        lock.LockRead();
        entered[t].fetch_add(1, std::memory_order::relaxed);
        lock.LeaveRead();
      },
      [&] {
        for (int round = 0; round < kRounds; ++round) {
          const auto ticket = lock.ArriveWrite();
          std::array<std::uint32_t, kOthers> before;
          for (std::size_t t = 0; t < kOthers; ++t) before[t] = entered[t].load();
          lock.Await(ticket);
          for (std::size_t t = 0; t < kOthers; ++t) {
            most = std::max(most, entered[t].load() - before[t]);
          }
          lock.LeaveWrite();
        }
      });
  CHECK(most <= 1);
}

TEST_CASE("of writers without a pause one passes a reader at most") {
  constexpr int kRounds = 2000;
  Lock lock;
  std::atomic<std::uint32_t> entered{0};
  std::uint32_t most = 0;
  Beside(
      [&](std::size_t) {
        lock.LockWrite();
        entered.fetch_add(1, std::memory_order::relaxed);
        lock.LeaveWrite();
      },
      [&] {
        for (int round = 0; round < kRounds; ++round) {
          const auto ticket = lock.ArriveRead();
          const std::uint32_t before = entered.load();
          lock.Await(ticket);
          most = std::max(most, entered.load() - before);
          lock.LeaveRead();
        }
      });
  CHECK(most <= 1);
}

}  // namespace
}  // namespace nowait
