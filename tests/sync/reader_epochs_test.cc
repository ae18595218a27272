#include "src/sync/reader_epochs.h"

#include <catch2/catch.hpp>
#include <optional>
#include <thread>
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

// More threads than stripes: each stripe has a reader once.
TEST_CASE("a reader on any thread keeps the writer from a second step") {
  ReaderEpochs<> epochs;
  for (int thread = 0; thread < 20; ++thread) {
    CAPTURE(thread);
    std::optional<ReaderEpochs<>::Guard> reader;
    std::jthread([&] { reader.emplace(epochs.Pin()); }).join();
    CHECK(epochs.TryAdvance());
    CHECK_FALSE(epochs.Drained());
    CHECK_FALSE(epochs.TryAdvance());
    reader.reset();
    CHECK(epochs.Drained());
  }
}

TEST_CASE("of several readers of an epoch the last to leave lets the writer go on") {
  ReaderEpochs<> epochs;
  std::optional<ReaderEpochs<>::Guard> first(epochs.Pin()), second(epochs.Pin());
  REQUIRE(epochs.TryAdvance());
  first.reset();
  CHECK_FALSE(epochs.TryAdvance());
  second.reset();
  CHECK(epochs.TryAdvance());
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
