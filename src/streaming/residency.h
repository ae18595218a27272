// Residency: which tiles and scenes an open world needs for a player's place and direction.
//
//   Residency residency;
//   residency.Move({.x = 900, .z = 1300, .velocity_x = 12});
//   for (const WantedTile& tile : residency.tiles()) ...          the most urgent first
//
//   . . . . .
//   . # # # . a     #  3 x 3 around the player, at full detail
//   . # P # . a     .  a ring with lower detail to draw, and its full collision
//   . # # # . a     a  the next row, ahead in the direction of travel; at most 28 tiles in all
//   . . . . .
//
// Thread safety: a value. Pure: no clock, no threads, the same calls give the same answers.
// Promise, for any sequence of places (tests/streaming/residency_test.cc):
//   - each tile within kGuarantee of the player is wanted, and at most kMostTiles are;
//   - the area of a scene that is wanted lies on wanted tiles;
//   - a player that goes to and fro within kHysteresis, over a border as well, changes no tile
//     after the first time.
// Complexity: O(kMostTiles).
//
// Source: [rouwe2022], "Open world - tiles" and "Open world - scenes": 28 tiles, an encounter area
// of at most 125 m, activation within 200 m, collision to 2 x 125 + 200 m.
#ifndef NOWAIT_SRC_STREAMING_RESIDENCY_H_
#define NOWAIT_SRC_STREAMING_RESIDENCY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/streaming/scene_site.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

struct PlayerMotion {
  float x = 0.0f;  // metres
  float z = 0.0f;
  float velocity_x = 0.0f;  // metres a second
  float velocity_z = 0.0f;

  // Whether the place is one of a world, and the velocity is finite.
  bool IsValid() const;
};

enum class TileDetail : std::uint8_t { kFull, kRing, kAhead };

struct WantedTile {
  TileCoord tile;
  TileDetail detail = TileDetail::kFull;
};

class Residency {
 public:
  static constexpr std::size_t kMostTiles = 28;
  static constexpr float kGuarantee = 450.0f;  // metres
  static constexpr float kHysteresis = 32.0f;  // metres, of tiles, scenes and the direction
  static constexpr float kSceneLead = 64.0f;   // metres outside the activation radius
  static constexpr float kSlowest = 0.5f;      // metres a second: slower has no direction

  // The player is there now; motion: valid. The first call, and one that leads a tile's side or
  // farther from the centre tile, is an arrival: nothing is kept of the past.
  void Move(const PlayerMotion& motion);

  // Those for the place of the last Move, the most urgent first; empty before it.
  std::span<const WantedTile> tiles() const { return {tiles_.data(), count_}; }
  bool Wants(TileCoord tile) const;

  // Whether the scene has to be loaded, and whether it has to be active. `now`: whether it is so
  // already.
  bool WantsScene(const SceneSite& site, bool now) const {
    return IsWithin(site, site.activation + kSceneLead + (now ? kHysteresis : 0.0f));
  }
  bool WantsActive(const SceneSite& site, bool now) const {
    return IsWithin(site, site.activation + (now ? kHysteresis : 0.0f));
  }

 private:
  void FollowCentre(TileCoord here);
  void FollowDirection();
  void Add(std::int32_t column, std::int32_t row, TileDetail detail);
  bool IsWithin(const SceneSite& site, float distance) const;

  PlayerMotion motion_;
  TileCoord centre_;
  TileCoord ahead_;  // of the direction of travel: a step along one axis; zero: no direction yet
  float turned_x_ = 0.0f;  // where the player has last gone that way
  float turned_z_ = 0.0f;
  std::array<WantedTile, kMostTiles> tiles_;
  std::size_t count_ = 0;
};

// Implementation: why the promises hold
//
// The player is at most kHysteresis outside the centre tile. So the border of the 5 x 5 tiles is at
// least 2 * 256 - 32 = 480 m away, which is more than kGuarantee. The area of a wanted scene ends
// at most 200 + 64 + 32 + 125 = 421 m from the player (SceneSite's bounds), which is less.
//
// The direction changes when the player has gone another way for kHysteresis metres. Within fewer
// metres it cannot.

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_RESIDENCY_H_
