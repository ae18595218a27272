// Urgency on a long route: how many tiles are not there where the player needs their ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lectures/judge.h"
#include "src/math/random.h"
#include "src/streaming/residency.h"

namespace nowait {
namespace {

constexpr float kReach = 300.0f;     // metres, to which the ground is needed
constexpr std::size_t kMemory = 14;  // tiles
constexpr int kLoad = 30;            // frames that the disk needs for a tile, one at a time
constexpr int kFramesPerSecond = 30;
constexpr int kFrames = 600 * kFramesPerSecond;
constexpr int kArrival = 30 * kFramesPerSecond;  // frames in which a miss does not count

// Tiles around the player, the most urgent first; of equally urgent ones the nearest.
std::vector<TileCoord> Order(const PlayerMotion& motion) {
  struct Rated {
    float urgency, distance;
    TileCoord tile;
    auto operator<=>(const Rated&) const = default;
  };
  std::vector<Rated> rated;
  const TileCoord here = TileAt(motion.x, motion.z);
  for (std::int32_t row = -3; row <= 3; ++row) {
    for (std::int32_t column = -3; column <= 3; ++column) {
      const TileCoord tile{here.column + column, here.row + row};
      rated.push_back(
          {Urgency(tile, motion, kReach), DistanceSquared(tile, motion.x, motion.z), tile});
    }
  }
  std::ranges::sort(rated, [](const Rated& a, const Rated& b) { return (a <=> b) < 0; });
  std::vector<TileCoord> order;
  for (const Rated& one : rated) order.push_back(one.tile);
  return order;
}

bool IsNeeded(TileCoord tile, const PlayerMotion& motion) {
  return DistanceSquared(tile, motion.x, motion.z) <= kReach * kReach;
}

// Stands, walks, rides and flies, each for some seconds in a direction of its own.
class Traveller {
 public:
  explicit Traveller(std::uint64_t seed) : random_(seed) {}

  const PlayerMotion& Next() {
    if (left_-- == 0) Turn();
    motion_.x += motion_.velocity_x / kFramesPerSecond;
    motion_.z += motion_.velocity_z / kFramesPerSecond;
    return motion_;
  }

 private:
  void Turn() {
    constexpr float kSpeeds[] = {0.0f, 1.7f, 14.0f, 14.0f, 45.0f, 45.0f};  // metres a second
    const float speed = kSpeeds[random_.Below(6)];
    const float x = random_.Between(-1, 1), z = random_.Between(-1, 1);
    const float length = std::max(std::sqrt(x * x + z * z), 0.01f);
    motion_.velocity_x = speed * x / length;
    motion_.velocity_z = speed * z / length;
    left_ = kFramesPerSecond * (3 + static_cast<int>(random_.Below(12)));
  }

  Random random_;
  PlayerMotion motion_{.x = 5000, .z = 5000};
  int left_ = 0;
};

// The tiles that are in memory, and the disk. A tile that is not wanted is let go at once.
class Tiles {
 public:
  void Update(const std::vector<TileCoord>& order) {
    const auto end = order.begin() + kMemory;
    const auto is_wanted = [&](TileCoord tile) {
      return std::find(order.begin(), end, tile) != end;
    };
    std::erase_if(there_, [&](TileCoord tile) { return !is_wanted(tile); });
    if (loading_ && --left_ == 0) {
      if (is_wanted(*loading_)) there_.push_back(*loading_);
      loading_.reset();
    }
    if (loading_) return;
    const auto next = std::find_if(order.begin(), end, [&](TileCoord tile) { return !Has(tile); });
    if (next == end) return;
    loading_ = *next;
    left_ = kLoad;
  }
  bool Has(TileCoord tile) const { return std::ranges::find(there_, tile) != there_.end(); }

 private:
  std::vector<TileCoord> there_;
  std::optional<TileCoord> loading_;
  int left_ = 0;
};

// Added over the frames: the tiles that are needed and not there.
int MissesOf(std::uint64_t seed) {
  Traveller traveller(seed);
  Tiles tiles;
  int misses = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    const PlayerMotion& motion = traveller.Next();
    const std::vector<TileCoord> order = Order(motion);
    tiles.Update(order);
    if (frame < kArrival) continue;
    for (const TileCoord tile : order) {
      if (IsNeeded(tile, motion) && !tiles.Has(tile)) ++misses;
    }
  }
  return misses;
}

int Main() {
  bool needed_first = true, nearest_first = true, finite = true;
  Random random(27);
  for (int round = 0; round < 500; ++round) {
    PlayerMotion motion{.x = random.Between(-5000, 5000), .z = random.Between(-5000, 5000)};
    float last = 0.0f;
    for (const TileCoord tile : Order(motion)) {
      const float distance = DistanceSquared(tile, motion.x, motion.z);
      nearest_first = nearest_first && distance >= last;
      last = distance;
    }
    motion.velocity_x = random.Between(-60, 60);
    motion.velocity_z = random.Between(-60, 60);
    bool needed = true;
    for (const TileCoord tile : Order(motion)) {
      needed_first = needed_first && (needed || !IsNeeded(tile, motion));
      needed = IsNeeded(tile, motion);
      finite = finite && std::isfinite(Urgency(tile, motion, kReach));
    }
  }
  Judge judge;
  judge.Ask(needed_first, "a tile that is needed now comes before all others");
  judge.Ask(nearest_first, "for a player that stands the nearest tile comes first");
  judge.Ask(finite, "each urgency is a number");
  const int status = judge.End();

  int misses = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) misses += MissesOf(seed);
  fmt::print("work: {} misses\n", misses);
  return status;
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
