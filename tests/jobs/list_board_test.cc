#include "src/jobs/list_board.h"

#include <catch2/catch.hpp>

#include "src/jobs/job_list.h"

namespace nowait {
namespace {

constexpr TaskId kFirst(1, 7, 1);
constexpr TaskId kSecond(1, 8, 1);

TEST_CASE("a posted list is found in its slot until there is nothing left to fetch") {
  ListBoard<> board(2);
  JobList<> list(1);
  REQUIRE(board.Enter(0) == nullptr);
  REQUIRE(board.Used(0) == 0);
  const std::uint32_t slot = board.Post(&list, kFirst);
  REQUIRE(slot == 0);
  REQUIRE(board.Used(0) == 1);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE(board.Entered(slot) == &list);
  REQUIRE(board.TaskOf(slot) == kFirst);
  REQUIRE(board.Enter(1) == nullptr);
  REQUIRE_FALSE(board.Leave(slot).IsTask());
  REQUIRE_FALSE(board.Leave(slot).IsTask());
  // Open and empty: it hangs on.
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE(board.LeaveDone(slot) == kFirst);
  REQUIRE(board.Enter(slot) == nullptr);
}

TEST_CASE("the last visitor of a closed slot gets the list's task, however he leaves") {
  ListBoard<> board(1);
  JobList<> list(1);
  const std::uint32_t slot = board.Post(&list, kFirst);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE_FALSE(board.LeaveDone(slot).IsTask());
  REQUIRE(board.Enter(slot) == nullptr);
  SECTION("having learnt the same") {
    REQUIRE_FALSE(board.LeaveDone(slot).IsTask());
    REQUIRE(board.LeaveDone(slot) == kFirst);
  }
  SECTION("without") {
    REQUIRE_FALSE(board.Leave(slot).IsTask());
    REQUIRE(board.Leave(slot) == kFirst);
  }
  REQUIRE(board.Post(&list, kSecond) == slot);
  REQUIRE(board.LeaveDone(slot) == kSecond);
}

TEST_CASE("a full board refuses, and a slot that is free is given out again") {
  ListBoard<> board(2);
  JobList<> list(1);
  REQUIRE(board.size() == 2);
  REQUIRE(board.Post(&list, kFirst) == 0);
  REQUIRE(board.Post(&list, kFirst) == 1);
  REQUIRE(board.Post(&list, kFirst) == ListBoard<>::kNone);
  REQUIRE(board.Enter(0) == &list);
  REQUIRE_FALSE(board.LeaveDone(0).IsTask());
  // Closed is not yet free.
  REQUIRE(board.Post(&list, kSecond) == ListBoard<>::kNone);
  REQUIRE(board.Leave(0) == kFirst);
  REQUIRE(board.Post(&list, kSecond) == 0);
}

TEST_CASE("a list hangs among those of its priority, the most urgent first") {
  ListBoard<> board(2, 3);
  REQUIRE(board.size() == 6);
  REQUIRE(board.priorities() == 3);
  JobList<> list(1);
  REQUIRE(board.Post(&list, kFirst, 1) == board.Begin(1));
  REQUIRE(board.Post(&list, kFirst, 2) == board.Begin(2));
  REQUIRE(board.Used(0) == 0);
  REQUIRE(board.Post(&list, kFirst, 0) == 0);
  REQUIRE(board.Post(&list, kFirst, 1) == board.Begin(1) + 1);
  REQUIRE(board.Used(1) == 2);
  // Full for this priority, and not for the others.
  REQUIRE(board.Post(&list, kFirst, 1) == ListBoard<>::kNone);
  REQUIRE(board.Post(&list, kFirst, 0) == 1);
  REQUIRE(board.Post(&list, kFirst, 2) == board.Begin(2) + 1);
  // What has been used remains so.
  REQUIRE(board.LeaveDone(1).IsTask());
  REQUIRE(board.Used(0) == 2);
}

TEST_CASE("an open list is counted with those of its priority, until it is closed") {
  ListBoard<> board(2, 3);
  JobList<> list(1);
  REQUIRE(board.Open(1) == 0);
  const std::uint32_t slot = board.Post(&list, kFirst, 1);
  REQUIRE(board.Post(&list, kFirst, 1) == slot + 1);
  REQUIRE(board.Post(&list, kFirst, 1) == ListBoard<>::kNone);
  REQUIRE(board.Open(1) == 2);
  REQUIRE(board.Open(0) == 0);
  REQUIRE(board.Open(2) == 0);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE_FALSE(board.Leave(slot).IsTask());
  REQUIRE(board.Open(1) == 2);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE_FALSE(board.LeaveDone(slot).IsTask());
  REQUIRE(board.Open(1) == 1);  // closed, though a visitor is still inside
  REQUIRE(board.LeaveDone(slot).IsTask());
  REQUIRE(board.Open(1) == 1);
}

}  // namespace
}  // namespace nowait
