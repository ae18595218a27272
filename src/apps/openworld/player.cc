#include "src/apps/openworld/player.h"

#include <fmt/format.h>

#include "src/bodies/body_def.h"
#include "src/bodies/shape.h"
#include "src/streaming/tile_grid.h"

namespace nowait {
namespace {

constexpr float kEyes = 0.9f;       // metres above its feet
constexpr float kAltitude = 30.0f;  // metres of a flight above the ground
// Its ground: no rider.
constexpr LayerSet kGround{Layer::kStatic};

}  // namespace

Result<void> Player::Appear(WaitTime& wait) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Capsule(0.5f, 0.4f);
  def.position = eyes_ = {route_.motion().x, kHighest, route_.motion().z};
  const auto body = world_.CreateBody(def, wait);
  if (!body) return std::unexpected(body.error());
  body_ = *body;
  return {};
}

void Player::Look(float dt, RideFrame& record, WaitTime& wait) {
  route_.Advance(dt);
  record.x = route_.motion().x;
  record.z = route_.motion().z;
  record.travel = route_.travel();
  const auto ground = world_.CastRay({{record.x, kHighest, record.z}, {0, kVoid - kHighest, 0}},
                                     {.dynamics = false, .ignore = body_, .layers = kGround}, wait);
  record.grounded = ground.has_value();
  if (ground) {
    const float above = record.travel == Travel::kFly ? kAltitude : kEyes;
    eyes_ = ground->point + Vec3{0, above, 0};
  } else {
    eyes_ = {record.x, eyes_.y, record.z};
  }
}

Result<void> Player::Move(std::uint64_t frame, const RideFrame& record, WaitTime& wait) {
  if (record.travel == Travel::kTeleport && !arrived_) arrived_ = frame;
  if (arrived_) SayArrival(frame, record);
  return world_.MoveBody(body_, eyes_, {}, wait);
}

void Player::SayArrival(std::uint64_t frame, const RideFrame& record) {
  const TileCoord tile = TileAt(record.x, record.z);
  if (*arrived_ == frame) {
    console_.Say(fmt::format("frame {}: the player is in tile {}, {} at once; {} there", frame,
                             tile.column, tile.row,
                             record.grounded ? "the ground is" : "no ground is"));
  }
  if (!record.grounded) return;
  if (*arrived_ != frame) {
    console_.Say(fmt::format("frame {}: the ground of tile {}, {} is there, {} frames later", frame,
                             tile.column, tile.row, frame - *arrived_));
  }
  arrived_.reset();
}

}  // namespace nowait
