#include "src/sync/reader_epochs.h"

#include <catch2/catch.hpp>
#include <optional>
#include <utility>

namespace nowait {
namespace {

TEST_CASE("without readers the writer goes on as it likes") {
  ReaderEpochs<> epochs;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(epochs.Drained());
    REQUIRE(epochs.TryAdvance());
  }
}

TEST_CASE("a reader lets the writer advance once and not twice") {
  ReaderEpochs<> epochs;
  std::optional<ReaderEpochs<>::Guard> reader(epochs.Pin());
  REQUIRE(epochs.TryAdvance());
  REQUIRE_FALSE(epochs.Drained());
  REQUIRE_FALSE(epochs.TryAdvance());
  reader.reset();
  REQUIRE(epochs.Drained());
  REQUIRE(epochs.TryAdvance());
}

TEST_CASE("new readers do not keep the writer waiting for the old ones' epoch") {
  ReaderEpochs<> epochs;
  std::optional<ReaderEpochs<>::Guard> old_reader(epochs.Pin());
  REQUIRE(epochs.TryAdvance());
  const auto new_reader = epochs.Pin();
  old_reader.reset();
  REQUIRE(epochs.Drained());
  REQUIRE(epochs.TryAdvance());
  // Now the new reader is the old one.
  REQUIRE_FALSE(epochs.Drained());
  REQUIRE_FALSE(epochs.TryAdvance());
}

TEST_CASE("a guard that was moved pins once and unpins once") {
  ReaderEpochs<> epochs;
  {
    auto first = epochs.Pin();
    auto second = std::move(first);
    auto third = epochs.Pin();
    third = std::move(second);
    REQUIRE(epochs.TryAdvance());
    REQUIRE_FALSE(epochs.TryAdvance());
  }
  REQUIRE(epochs.TryAdvance());
}

}  // namespace
}  // namespace nowait
