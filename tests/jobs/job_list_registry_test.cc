#include "src/jobs/job_list_registry.h"

#include <catch2/catch.hpp>

#include "src/jobs/job_list.h"

namespace nowait {
namespace {

constexpr TaskId kFirst(1, 7, 1);
constexpr TaskId kSecond(1, 8, 1);

TEST_CASE("a posted list is found in its slot until there is nothing left to fetch") {
  JobListRegistry<> registry(2);
  JobList<> list(1);
  REQUIRE(registry.Enter(0) == nullptr);
  REQUIRE(registry.Used(0) == 0);
  const std::uint32_t slot = registry.Post(&list, kFirst);
  REQUIRE(slot == 0);
  REQUIRE(registry.Used(0) == 1);
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE(registry.Entered(slot) == &list);
  REQUIRE(registry.TaskOf(slot) == kFirst);
  REQUIRE(registry.Enter(1) == nullptr);
  REQUIRE_FALSE(registry.Leave(slot).IsTask());
  REQUIRE_FALSE(registry.Leave(slot).IsTask());
  // Open and empty: the list stays in its slot.
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE(registry.LeaveDone(slot) == kFirst);
  REQUIRE(registry.Enter(slot) == nullptr);
}

TEST_CASE("the last visitor of a closed slot gets the list's task, however it leaves") {
  JobListRegistry<> registry(1);
  JobList<> list(1);
  const std::uint32_t slot = registry.Post(&list, kFirst);
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE_FALSE(registry.LeaveDone(slot).IsTask());
  REQUIRE(registry.Enter(slot) == nullptr);
  SECTION("having learnt the same") {
    REQUIRE_FALSE(registry.LeaveDone(slot).IsTask());
    REQUIRE(registry.LeaveDone(slot) == kFirst);
  }
  SECTION("without") {
    REQUIRE_FALSE(registry.Leave(slot).IsTask());
    REQUIRE(registry.Leave(slot) == kFirst);
  }
  REQUIRE(registry.Post(&list, kSecond) == slot);
  REQUIRE(registry.LeaveDone(slot) == kSecond);
}

TEST_CASE("a full registry refuses, and a slot that is free is given out again") {
  JobListRegistry<> registry(2);
  JobList<> list(1);
  REQUIRE(registry.size() == 2);
  REQUIRE(registry.Post(&list, kFirst) == 0);
  REQUIRE(registry.Post(&list, kFirst) == 1);
  REQUIRE(registry.Post(&list, kFirst) == JobListRegistry<>::kNone);
  REQUIRE(registry.Enter(0) == &list);
  REQUIRE_FALSE(registry.LeaveDone(0).IsTask());
  // Closed is not yet free.
  REQUIRE(registry.Post(&list, kSecond) == JobListRegistry<>::kNone);
  REQUIRE(registry.Leave(0) == kFirst);
  REQUIRE(registry.Post(&list, kSecond) == 0);
}

TEST_CASE("a list hangs among those of its priority, the most urgent first") {
  JobListRegistry<> registry(2, 3);
  REQUIRE(registry.size() == 6);
  REQUIRE(registry.priorities() == 3);
  JobList<> list(1);
  REQUIRE(registry.Post(&list, kFirst, 1) == registry.Begin(1));
  REQUIRE(registry.Post(&list, kFirst, 2) == registry.Begin(2));
  REQUIRE(registry.Used(0) == 0);
  REQUIRE(registry.Post(&list, kFirst, 0) == 0);
  REQUIRE(registry.Post(&list, kFirst, 1) == registry.Begin(1) + 1);
  REQUIRE(registry.Used(1) == 2);
  // Full for this priority, and not for the others.
  REQUIRE(registry.Post(&list, kFirst, 1) == JobListRegistry<>::kNone);
  REQUIRE(registry.Post(&list, kFirst, 0) == 1);
  REQUIRE(registry.Post(&list, kFirst, 2) == registry.Begin(2) + 1);
  // A used slot still counts as used.
  REQUIRE(registry.LeaveDone(1).IsTask());
  REQUIRE(registry.Used(0) == 2);
}

TEST_CASE("an open list is counted with those of its priority, until it is closed") {
  JobListRegistry<> registry(2, 3);
  JobList<> list(1);
  REQUIRE(registry.Open(1) == 0);
  const std::uint32_t slot = registry.Post(&list, kFirst, 1);
  REQUIRE(registry.Post(&list, kFirst, 1) == slot + 1);
  REQUIRE(registry.Post(&list, kFirst, 1) == JobListRegistry<>::kNone);
  REQUIRE(registry.Open(1) == 2);
  REQUIRE(registry.Open(0) == 0);
  REQUIRE(registry.Open(2) == 0);
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE_FALSE(registry.Leave(slot).IsTask());
  REQUIRE(registry.Open(1) == 2);
  REQUIRE(registry.Enter(slot) == &list);
  REQUIRE_FALSE(registry.LeaveDone(slot).IsTask());
  REQUIRE(registry.Open(1) == 1);  // closed, though a visitor is still inside
  REQUIRE(registry.LeaveDone(slot).IsTask());
  REQUIRE(registry.Open(1) == 1);
}

}  // namespace
}  // namespace nowait
