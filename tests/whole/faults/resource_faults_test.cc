// Files and ground: each allocation of an operation fails once.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/collision/height_field.h"
#include "src/resource/elevation.h"
#include "src/resource/file.h"
#include "src/resource/terrain.h"
#include "tests/whole/faults/sweep.h"

namespace nowait::whole {
namespace {

// The texts are made before an allocation fails: they are the caller's.
const std::string kHill = "tests/fuzz/corpus/elevation/hill.elevation";
const std::string kOfTheKernel = "/proc/self/status";
const std::string kGround = "assets/terrain/jacksboro.elevation";

// An operation that gives a value or an error. Returns in how many runs it gave an error.
template <class T, class Make>
std::uint64_t SweepMaking(const Make& make) {
  return Sweep([] { return std::optional<T>(); },
               [&](std::optional<T>& state) -> Result<void> {
                 auto made = make();
                 if (!made) return std::unexpected(made.error());
                 state = std::move(*made);
                 return {};
               },
               [](const std::optional<T>& state, const Result<void>& done) {
                 CHECK(state.has_value() == done.has_value());
               })
      .refused;
}

TEST_CASE("a file without memory for it is an error") {
  using Bytes = std::vector<std::byte>;
  CHECK(SweepMaking<Bytes>([] { return ReadFile(kHill); }) > 0);
  CHECK(SweepMaking<Bytes>([] { return ReadFile(kOfTheKernel); }) > 0);
}

TEST_CASE("an elevation without memory for its file or its posts is an error") {
  CHECK(SweepMaking<Elevation>([] { return LoadElevation(kHill); }) > 1);
}

TEST_CASE("ground without memory for its heights is an error") {
  const auto elevation = LoadElevation(kGround);
  REQUIRE(elevation);
  const TerrainWindow window{.south = 10'000.0f, .east = 10'000.0f, .cells = 16, .cell_size = 1.0f};
  CHECK(SweepMaking<Terrain>([&] { return ResampleWindow(*elevation, window); }) > 3);
  const auto terrain = ResampleWindow(*elevation, window);
  REQUIRE(terrain);
  const HeightFieldDef def{.columns = terrain->side,
                           .rows = terrain->side,
                           .spacing = terrain->cell_size,
                           .heights = terrain->heights};
  CHECK(SweepMaking<std::unique_ptr<const HeightField>>([&] { return HeightField::Create(def); }) >
        2);
}

}  // namespace
}  // namespace nowait::whole
