#include "src/jobs/list_board.h"

#include <catch2/catch.hpp>

#include "src/jobs/job_list.h"

namespace nowait {
namespace {

TEST_CASE("a posted list is found in its slot until it is closed") {
  ListBoard<> board(2);
  JobList<> list(1);
  REQUIRE(board.Enter(0) == nullptr);
  const std::uint32_t slot = board.Post(&list);
  REQUIRE(slot == 0);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE(board.Enter(1) == nullptr);
  REQUIRE_FALSE(board.Leave(slot));
  board.Close(slot);
  REQUIRE(board.Enter(slot) == nullptr);
  REQUIRE(board.IsVacant(slot));
  board.Vacate(slot);
}

TEST_CASE("a closed slot is vacant when its last visitor has left, who is told so") {
  ListBoard<> board(1);
  JobList<> list(1);
  const std::uint32_t slot = board.Post(&list);
  REQUIRE(board.Enter(slot) == &list);
  REQUIRE(board.Enter(slot) == &list);
  board.Close(slot);
  REQUIRE_FALSE(board.IsVacant(slot));
  REQUIRE_FALSE(board.Leave(slot));
  REQUIRE_FALSE(board.IsVacant(slot));
  REQUIRE(board.Leave(slot));
  REQUIRE(board.IsVacant(slot));
}

TEST_CASE("a full board refuses, and a vacated slot is given out again") {
  ListBoard<> board(2);
  JobList<> list(1);
  REQUIRE(board.size() == 2);
  REQUIRE(board.Post(&list) == 0);
  REQUIRE(board.Post(&list) == 1);
  REQUIRE(board.Post(&list) == ListBoard<>::kNone);
  board.Close(0);
  // Closed is not yet given back.
  REQUIRE(board.Post(&list) == ListBoard<>::kNone);
  board.Vacate(0);
  REQUIRE(board.Post(&list) == 0);
}

}  // namespace
}  // namespace nowait
