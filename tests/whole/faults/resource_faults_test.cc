// Files, ground, reports and lanes of a profile: each allocation of an operation fails once.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/base/result.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/scaled_shape.h"
#include "src/profile/profile.h"
#include "src/resource/elevation.h"
#include "src/resource/file.h"
#include "src/resource/terrain.h"
#include "tests/whole/faults/sweep.h"
#include "tests/whole/faults/temporary_directory.h"

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

// The error is that of memory, and not that the child cannot take the factors.
TEST_CASE("a scaled compound of hulls without memory is refused for that") {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const auto hull = ConvexHull::Create({.points = points});
  REQUIRE(hull);
  const std::vector<CompoundChild> children = {
      {.shape = Shape::Hull(hull->get()), .position = {2, 0, 0}},
      {.shape = Shape::Hull(hull->get()), .position = {-2, 0, 0}}};
  const auto compound = CompoundShape::Create({.children = children});
  REQUIRE(compound);
  const auto swept = Sweep([] { return std::optional<ScaledShape>(); },
                           [&](std::optional<ScaledShape>& state) -> Result<void> {
                             auto made = Scaled(Shape::Compound(compound->get()), {1, 2, 3});
                             if (!made) return std::unexpected(made.error());
                             state = std::move(*made);
                             return {};
                           },
                           [](const std::optional<ScaledShape>& state, const Result<void>& done) {
                             CHECK(state.has_value() == done.has_value());
                             if (!done) CHECK(done.error().code == ErrorCode::kCapacity);
                           });
  CHECK(swept.refused > 20);
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

TEST_CASE("a file that is written without memory is an error, and no file is left") {
  const TemporaryDirectory directory;
  // Longer than what a string holds without an allocation.
  const std::string path = directory / "a report with a name that is not short.json";
  const Json report = NewReport("test", 1);
  const auto write = [&](const auto& writing) {
    return Sweep([&] { return std::filesystem::remove(path); }, [&](bool) { return writing(); },
                 [&](bool, const Result<void>& done) {
                   CHECK(std::filesystem::exists(path) == done.has_value());
                 })
        .refused;
  };
  CHECK(write([&] { return WriteFileWhole(path, "text"); }) > 0);
  CHECK(write([&] { return WriteReport(path, report); }) > 1);
}

TEST_CASE("a lane without memory is an error, and the profile has no lane more") {
  const auto swept = Sweep([] { return std::make_unique<Profile>(ProfileDef{.lanes = 2}); },
                           [](std::unique_ptr<Profile>& profile) -> Result<void> {
                             const Result<Lane*> lane = profile->AddLane("short");
                             if (!lane) return std::unexpected(lane.error());
                             return {};
                           },
                           [](const std::unique_ptr<Profile>& profile, const Result<void>& done) {
                             CHECK(profile->lanes().size() == (done ? 1 : 0));
                             CHECK(profile->AddLane("first or second").has_value());
                           });
  CHECK(swept.refused > 1);
}

}  // namespace
}  // namespace nowait::whole
