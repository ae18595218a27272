#include "src/apps/sovereign/game.h"

#include <cstddef>

#include "src/apps/sovereign/render_back_end.h"
#include "src/base/assert.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::int32_t Wrapped(std::int32_t value, std::int32_t width) {
  return (value % width + width) % width;
}

}  // namespace

Game::Game(TaskPool& pool, std::uint32_t objects, std::uint64_t seed)
    : pool_(pool), objects_(objects), pieces_((objects + kPiece - 1) / kPiece) {
  Random random(seed);
  const auto below = [&random](std::uint32_t n) {
    return static_cast<std::int32_t>(random.Below(n));
  };
  for (Object& object : objects_) {
    object = {below(kWorld),  below(kWorld), below(41) - 20,
              below(41) - 20, 2 + below(6),  static_cast<std::uint8_t>(32 + below(224))};
  }
}

void Game::Steer(const InputSample& sample) {
  view_x_ = Wrapped(view_x_ + sample.x / 10, kWorld);
  view_y_ = Wrapped(view_y_ + sample.y / 10, kWorld);
}

void Game::Step() {
  auto move = [this](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      Object& object = objects_[i];
      object.x = Wrapped(object.x + object.dx, kWorld);
      object.y = Wrapped(object.y + object.dy, kWorld);
    }
  };
  const auto added = batch_.AddLoop(static_cast<std::uint32_t>(objects_.size()), kPiece, move);
  NOWAIT_ASSERT(added.has_value(), "an empty batch has room for a loop");
  static_cast<void>(added);
  const auto ran = batch_.Run(pool_);
  NOWAIT_ASSERT(ran.has_value(), "the game's thread is registered, and its jobs do not throw");
  static_cast<void>(ran);
}

void Game::MakeCommands(RenderFrame& frame) {
  // Sixteen units of the world are a pixel.
  constexpr std::int32_t kPixel = 16;
  auto cull = [this](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t piece = begin; piece < end; ++piece) {
      std::vector<DrawCommand>& commands = pieces_[piece];
      commands.clear();
      for (std::size_t i = std::size_t{piece} * kPiece;
           i < objects_.size() && i < (std::size_t{piece} + 1) * kPiece; ++i) {
        const Object& object = objects_[i];
        const std::int32_t x = Wrapped(object.x - view_x_, kWorld) / kPixel - object.size;
        const std::int32_t y = Wrapped(object.y - view_y_, kWorld) / kPixel - object.size;
        if (x >= RenderBackEnd::kWidth || y >= RenderBackEnd::kHeight) continue;
        commands.push_back({x, y, x + object.size, y + object.size, object.shade});
      }
    }
  };
  const auto added = batch_.AddLoop(static_cast<std::uint32_t>(pieces_.size()), 1, cull);
  NOWAIT_ASSERT(added.has_value(), "an empty batch has room for a loop");
  static_cast<void>(added);
  const auto ran = batch_.Run(pool_);
  NOWAIT_ASSERT(ran.has_value(), "the game's thread is registered, and its jobs do not throw");
  static_cast<void>(ran);
  frame.commands.clear();
  for (const auto& commands : pieces_) {
    frame.commands.insert(frame.commands.end(), commands.begin(), commands.end());
  }
}

}  // namespace nowait
