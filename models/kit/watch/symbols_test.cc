// The names found at addresses of this program.
#include "models/kit/watch/symbols.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

namespace nowait::model {

std::array<std::int32_t, 3> named_numbers{1, 2, 3};

namespace {

TEST_CASE("variables, and places in them") {
  CHECK(SymbolAt(&named_numbers) == "nowait::model::named_numbers");
  CHECK(SymbolAt(&named_numbers[2]) == "nowait::model::named_numbers + 8");
}

TEST_CASE("functions, wherever in them") {
  const auto* function = reinterpret_cast<const char*>(&SymbolAt);
  CHECK_THAT(SymbolAt(function),
             Catch::StartsWith("nowait::model::SymbolAt") && Catch::Contains("(void const*)"));
  CHECK(SymbolAt(function + 1) == SymbolAt(function));
}

TEST_CASE("an address outside the program has no name") {
  const int local = 0;
  CHECK(SymbolAt(&local).empty());
  CHECK(SymbolAt(nullptr).empty());
}

}  // namespace
}  // namespace nowait::model
