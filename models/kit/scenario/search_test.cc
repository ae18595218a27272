// A search converted to its notation and back.
#include "models/kit/scenario/search.h"

#include <catch2/catch.hpp>
#include <string>

namespace nowait::model {
namespace {

TEST_CASE("a search is written and read in the same words") {
  for (const char* words :
       {"graphs", "graphs+tries", "graphs+tries+names+looks", "pct:3:20000", "full", "bound:2",
        "random:20000", "full+deferred", "bound:1+stale", "random:7+deferred+stale+deep"}) {
    const auto search = ParseSearch(words);
    REQUIRE(search);
    CHECK(Format(*search) == words);
  }
}

TEST_CASE("words that are no search are refused") {
  for (const char* words : {"",
                            "ful",
                            "bound",
                            "bound:",
                            "bound:x",
                            "bound:-1",
                            "random:1.5",
                            "full+",
                            "full+fast",
                            "+stale",
                            "pct",
                            "pct:",
                            "pct:0",
                            "pct:9",
                            "pct:3:",
                            "pct:3:x",
                            "pct:3:0",
                            "pct:3+deep",
                            "pct:3+tries",
                            "graphs:2",
                            "graphs+",
                            "graphs+deep",
                            "graphs+stale+deep",
                            "full+tries",
                            "full+names",
                            "graphs+tries+deep"}) {
    CHECK_FALSE(ParseSearch(words));
  }
}

}  // namespace
}  // namespace nowait::model
