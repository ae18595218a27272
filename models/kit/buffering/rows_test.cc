// Every litmus test about dependencies has its verdict, and every rule of the model is needed.
#include "models/kit/buffering/rows.h"

#include <catch2/catch.hpp>
#include <string>

namespace nowait::model::buffering {
namespace {

TEST_CASE("every row has its verdict") {
  for (const Row& row : Rows()) {
    const SeenRow seen = Examine(row);
    INFO(row.name << ": " << Name(seen.seen) << ", expected " << Name(row.expected));
    CHECK(seen.explored.refused.empty());
    CHECK(seen.seen == row.expected);
    CHECK(seen.explored.cut == 0);
  }
}

// The rows whose verdict changes without the rule.
std::string ChangedWithout(Rule rule) {
  std::string changed;
  for (const Row& row : Rows()) {
    if (Examine(row, Rules().Without(rule)).seen != row.expected) {
      changed += std::string(row.name) + " ";
    }
  }
  return changed;
}

TEST_CASE("a rule that is left out is noticed by the rows that are about it") {
  using Catch::Contains;
  CHECK_THAT(ChangedWithout(Rule::kData), Contains("LB+datas "));
  CHECK_THAT(ChangedWithout(Rule::kAddress), Contains("LB+addrs ") && Contains("LB+addrs+po "));
  CHECK(ChangedWithout(Rule::kControl) == "LB+ctrls LB+ctrls+behind ");
  CHECK_THAT(ChangedWithout(Rule::kRelease), Contains("LB+rels "));
  CHECK(ChangedWithout(Rule::kAcquire) == "LB+acqs ");
  CHECK(ChangedWithout(Rule::kAfterWrite) == "LB+rel+again ");
  CHECK(ChangedWithout(Rule::kFences) == "LB+fences LB+fences+acq ");
  CHECK(ChangedWithout(Rule::kForwards) == "LB+datas+own ");
  CHECK(ChangedWithout(Rule::kDetour) == "LB+detour ");
}

TEST_CASE("without a dependency nothing comes out of thin air either") {
  for (const Row& row : Rows()) {
    if (std::string(row.name) != "LB+thin-air+plain") continue;
    const SeenRow seen = Examine(row);
    CHECK(seen.seen == Seen::kNever);
    CHECK(seen.explored.possible > 0);
    return;
  }
  FAIL("the row is gone");
}

}  // namespace
}  // namespace nowait::model::buffering
