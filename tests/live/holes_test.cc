// The holes of a ground on the wire: runs of cells behind its heights.
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "src/collision/height_field.h"
#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"

namespace nowait {
namespace {

constexpr std::uint8_t kHole = SurfaceMaterials::kHole;

// A flat ground of 3 x 3 cells with these materials, in slot 4.
struct Scene {
  explicit Scene(const std::vector<std::uint8_t>& numbers) {
    constexpr SurfaceMaterial kTable[] = {{}};
    const std::vector<float> heights(4 * 4, 0.0f);
    auto made = HeightField::Create(
        {.columns = 4, .rows = 4, .heights = heights, .materials = {kTable, numbers}});
    REQUIRE(made);
    field = std::move(*made);
    frame.number = 1;
    BodySnapshot body;
    body.id = BodyId(1, 4, 9);
    body.type = BodyType::kStatic;
    body.shape = Shape::Ground(field.get());
    frame.bodies.push_back(body);
    LiveEncoder encoder({.scene = "holes"});
    REQUIRE(reader.Read(*encoder.Encode(frame)));
  }

  const std::vector<bool>& holes() const { return reader.scene().grounds.at(4).holes; }

  // Whether holes of this slot are accepted. numbers: of the runs, as they are sent.
  bool Reads(std::uint32_t slot, std::initializer_list<std::uint64_t> numbers) {
    EventWriter writer;
    writer.Begin(kLiveHoles);
    writer.Value(slot);
    for (const std::uint64_t number : numbers) writer.Varint(number);
    writer.End();
    return reader.Read(*EventStream::Open(writer.bytes())).has_value();
  }

  std::unique_ptr<const HeightField> field;
  LiveFrame frame;
  LiveReader reader;
};

TEST_CASE("a reader knows the holes of a ground, cell by cell") {
  // Two runs; the second one goes on in the next row.
  const std::vector<std::uint8_t> numbers = {kHole, 0, kHole, kHole, kHole, 0, 0, 0, 0};
  const Scene scene(numbers);
  REQUIRE(scene.holes().size() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(scene.holes()[i] == (numbers[i] == kHole));
  CHECK(Scene(std::vector<std::uint8_t>(9, 0)).holes().empty());
}

TEST_CASE("holes of no ground, and of cells that it has not, are refused") {
  const auto reads = [](std::uint32_t slot, std::initializer_list<std::uint64_t> numbers) {
    return Scene(std::vector<std::uint8_t>(9, 0)).Reads(slot, numbers);
  };
  CHECK(reads(4, {1, 8}));
  CHECK(reads(4, {0, 1, 1, 7}));
  CHECK_FALSE(reads(5, {1, 8}));
  CHECK_FALSE(reads(4, {1, 9}));
  CHECK_FALSE(reads(4, {1, 0}));
  CHECK_FALSE(reads(4, {0, 1, 1, 8}));
  CHECK_FALSE(reads(4, {1, ~std::uint64_t{0}}));
  CHECK_FALSE(reads(4, {~std::uint64_t{0}, 1}));
  CHECK_FALSE(reads(4, {1}));
}

}  // namespace
}  // namespace nowait
