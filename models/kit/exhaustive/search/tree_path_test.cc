// The names of graphs, as text and in the order of the search.
#include "models/kit/exhaustive/search/tree_path.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace nowait::model {
namespace {

TEST_CASE("a path is written and read back") {
  for (const char* text : {".", ".0", ".3.0.12", ".4294967295"}) {
    const auto path = ParseTreePath(text);
    REQUIRE(path);
    CHECK(Format(*path) == text);
  }
  for (const char* text : {"", "..", "1", ".1.", ".x", ".-1", ".4294967296", ".1 ", ".1:.2"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseTreePath(text));
  }
}

TEST_CASE("several paths are") {
  for (const char* text : {".", ".0:.1", ".3.0.12:.3.1:.0"}) {
    const auto paths = ParseTreePaths(text);
    REQUIRE(paths);
    CHECK(Format(*paths) == text);
  }
  for (const char* text : {"", ":", ".1:", ":.1", ".1::.2", ".1,.2"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseTreePaths(text));
  }
}

TEST_CASE("a graph comes before its children, and the last of those first") {
  const std::vector<TreePath> order = {{}, {2}, {2, 1}, {2, 0}, {2, 0, 5}, {1}, {0}, {0, 9}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      CAPTURE(Format(order[i]), Format(order[k]));
      CHECK(ComesBefore(order[i], order[k]) == (i < k));
    }
  }
}

}  // namespace
}  // namespace nowait::model
