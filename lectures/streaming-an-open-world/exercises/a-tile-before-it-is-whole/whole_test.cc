// RoadBlob::Open on whole tiles, on damaged files, and on tiles whose checksum is right.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lectures/judge.h"
#include "src/base/assert.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr TileCoord kTile{3, -2};
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

struct Content {
  RoadHeader header{kTile.column, kTile.row, {}, {}};
  std::uint32_t kind = kRoadKind;
  std::uint32_t version = kRoadVersion;
  std::vector<Road> roads;
  std::vector<Vec3> points;
};

// Three roads over ten points, two of which share a crossing.
Content Whole() {
  Content content;
  for (int i = 0; i < 10; ++i) content.points.push_back({800.0f + 9.0f * i, 31.0f, -400.0f});
  content.roads = {{0, 5, 4.0f}, {4, 4, 2.5f}, {8, 2, RoadBlob::kMostWidth}};
  return content;
}

// With a checksum that is right, whatever the content.
std::vector<std::byte> BytesOf(const Content& content) {
  BlobWriter writer(content.kind, content.version, 1u << 20);
  RoadHeader header = content.header;
  const auto first = writer.Add(header);
  const auto roads = writer.AddArray<Road>(content.roads);
  const auto points = writer.AddArray<Vec3>(content.points);
  NOWAIT_ASSERT(first && roads && points, "a small blob has room");
  header.roads = *roads;
  header.points = *points;
  writer.Set(*first, header);
  return *writer.Finish();
}

bool Opens(std::span<const std::byte> bytes) { return RoadBlob::Open(bytes, kTile).has_value(); }
template <class Change>
bool OpensWith(const Change& change) {
  Content content = Whole();
  change(content);
  return Opens(BytesOf(content));
}

bool IsWhole(const Content& content) {
  const auto is_place = [](float along) { return std::abs(along) <= RoadBlob::kMostPlace; };
  return std::ranges::all_of(content.roads,
                             [&](const Road& road) {
                               const std::uint64_t end = std::uint64_t{road.first} + road.points;
                               return road.points >= 2 && end <= content.points.size() &&
                                      road.width > 0.0f && road.width <= RoadBlob::kMostWidth;
                             }) &&
         std::ranges::all_of(content.points, [&](const Vec3& p) {
           return is_place(p.x) && is_place(p.y) && is_place(p.z);
         });
}

// Numbers at the ends of their ranges and near a good value, mixed.
Content Hostile(Random& random) {
  constexpr std::array<std::uint32_t, 8> kCounts = {0, 1, 2, 5, 10, 11, 0x80000000u, 0xFFFFFFFEu};
  constexpr std::array<float, 6> kSizes = {0.0f, 2.0f, -1.0f, 33.0f, kNotANumber, kInfinite};
  Content content = Whole();
  Road& road = content.roads[random.Below(3)];
  if (random.Below(2) == 0) road.first = kCounts[random.Below(8)];
  if (random.Below(2) == 0) road.points = kCounts[random.Below(8)];
  if (random.Below(4) == 0) road.width = kSizes[random.Below(6)];
  if (random.Below(4) == 0) content.points[random.Below(10)].y = kSizes[random.Below(6)];
  return content;
}

// Of roads that cannot be opened no view is made, and of others each point can be read.
bool IsReadable(std::span<const std::byte> bytes) {
  const auto opened = RoadBlob::Open(bytes, kTile);
  if (!opened) return false;
  std::size_t points = 0;
  for (const Road& road : opened->roads()) points += opened->PointsOf(road).size();
  return points == 11;
}

int Main() {
  Judge judge;
  const std::vector<std::byte> whole = BytesOf(Whole());
  judge.Ask(IsReadable(whole), "a whole tile opens, and its points are those that were written");

  bool cut = false, flipped = false;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    cut = cut || Opens(std::span(whole).first(size));
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::byte> damaged = whole;
    damaged[i] ^= std::byte{1};
    flipped = flipped || Opens(damaged);
  }
  judge.Ask(!cut, "a file that was cut off anywhere is refused");
  judge.Ask(!flipped, "a file with a wrong bit anywhere is refused");

  const bool foreign = OpensWith([](Content& content) { content.kind = FourCharacters("RAIL"); }) ||
                       OpensWith([](Content& content) { content.version = kRoadVersion + 1; }) ||
                       OpensWith([](Content& content) { content.header.row = -1; });
  judge.Ask(!foreign, "another kind, version or tile is refused");

  const bool missing = OpensWith([](Content& content) {
                         content.roads[1] = {7, 4, 1.0f};
                       }) ||
                       OpensWith([](Content& content) {
                         content.roads[1] = {11, 2, 1.0f};
                       }) ||
                       OpensWith([](Content& content) {
                         content.roads[1] = {9, 0xFFFFFFFFu, 1};
                       });
  judge.Ask(!missing, "a road whose points are not all there is refused");
  judge.Ask(!OpensWith([](Content& content) { content.roads[2].points = 1; }),
            "a road of one point is refused");
  judge.Ask(!OpensWith([](Content& content) { content.roads[0].width = kNotANumber; }),
            "a width that is not a number is refused");
  judge.Ask(!OpensWith([](Content& content) { content.points[9].z = kNotANumber; }),
            "a point that is nowhere is refused");
  judge.Ask(OpensWith([](Content& content) { content.roads.clear(); }), "a tile may have no roads");

  Random random(26);
  bool same = true;
  int refused = 0;
  for (int round = 0; round < 5'000; ++round) {
    const Content content = Hostile(random);
    const bool is_whole = IsWhole(content);
    same = same && Opens(BytesOf(content)) == is_whole;
    refused += is_whole ? 0 : 1;
  }
  judge.Ask(same && refused > 1'000 && refused < 4'900, "what is whole opens, and nothing else");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
