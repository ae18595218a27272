#include "src/apps/frame/world.h"

#include <algorithm>

#include "src/jobs/parallel_for.h"
#include "src/math/random.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBones = 16;
constexpr std::uint32_t kFramesPerKey = 8;
constexpr std::uint32_t kWidgets = 600;
constexpr std::uint32_t kVoices = 48;

// A number of -256 .. 255 that depends on all three: the key of a curve.
constexpr std::int32_t Key(std::uint32_t node, std::uint32_t bone, std::uint32_t key) {
  std::uint32_t bits = node * 0x9e3779b1u ^ bone * 0x85ebca77u ^ key * 0xc2b2ae3du;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  return static_cast<std::int32_t>(bits >> 23) - 256;
}

// The curve between two keys.
constexpr std::int32_t CurveAt(std::uint32_t node, std::uint32_t bone, std::uint32_t time) {
  const std::uint32_t key = time / kFramesPerKey;
  const auto part = static_cast<std::int32_t>(time % kFramesPerKey);
  const std::int32_t rest = static_cast<std::int32_t>(kFramesPerKey) - part;
  return (Key(node, bone, key) * rest + Key(node, bone, key + 1) * part) /
         static_cast<std::int32_t>(kFramesPerKey);
}

constexpr std::uint32_t Parent(std::uint32_t node) { return (node - 1) / 8; }

}  // namespace

FrameWorld::FrameWorld(TaskPool& pool, std::uint32_t nodes, std::uint64_t seed)
    : pool_(pool),
      seed_(Random(seed).Next()),
      poses_(nodes),
      places_(nodes),
      widgets_(kWidgets),
      image_(static_cast<std::size_t>(kWidth) * kHeight),
      samples_(kSamples) {}

Result<void> FrameWorld::Animate(std::uint64_t frame) {
  const ProfileScope span("animation");
  const auto time = static_cast<std::uint32_t>(frame);
  return ParallelFor(pool_, static_cast<std::uint32_t>(poses_.size()), 256,
                     [&](std::uint32_t begin, std::uint32_t end) {
                       const ProfileScope piece("animation");
                       for (std::uint32_t node = begin; node < end; ++node) {
                         Point sum{0, 0};
                         for (std::uint32_t bone = 0; bone < kBones; bone += 2) {
                           sum.x += CurveAt(node ^ seed_, bone, time);
                           sum.y += CurveAt(node ^ seed_, bone + 1, time);
                         }
                         // The farther from the root, the smaller the steps.
                         std::int32_t smaller = 1;
                         for (std::uint32_t up = node; up != 0; up = Parent(up)) smaller *= 2;
                         poses_[node] = {sum.x * 4 / smaller, sum.y * 2 / smaller};
                       }
                     });
}

Result<void> FrameWorld::UpdateScene() {
  const ProfileScope span("scene graph");
  places_[0] = {kWidth * 8 + poses_[0].x, kHeight * 8 + poses_[0].y};
  // Level by level: each needs the level above. The nodes of a level have consecutive numbers.
  const auto nodes = static_cast<std::uint32_t>(places_.size());
  for (std::uint32_t first = 1; first < nodes; first = first * 8 + 1) {
    const std::uint32_t count = std::min(nodes - first, first * 7 + 1);
    const auto done = ParallelFor(pool_, count, 512, [&](std::uint32_t begin, std::uint32_t end) {
      const ProfileScope piece("scene graph");
      for (std::uint32_t node = first + begin; node < first + end; ++node) {
        const Point above = places_[Parent(node)];
        places_[node] = {above.x + poses_[node].x, above.y + poses_[node].y};
      }
    });
    if (!done) return done;
  }
  return {};
}

Result<void> FrameWorld::UpdateGui(std::uint64_t frame) {
  const ProfileScope span("gui");
  const auto time = static_cast<std::uint32_t>(frame);
  return ParallelFor(pool_, kWidgets, 100, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("gui");
    for (std::uint32_t i = begin; i < end; ++i) {
      std::int32_t length = 0;
      for (std::uint32_t bone = 0; bone < kBones; ++bone) length += CurveAt(i, bone, time + seed_);
      // Bars along the upper edge, in six rows of a hundred.
      widgets_[i] = {static_cast<std::int32_t>(i % 100) * 3, static_cast<std::int32_t>(i / 100) * 3,
                     1 + (length & 1), static_cast<std::uint8_t>(128 + i % 128)};
    }
  });
}

Result<void> FrameWorld::Render() {
  const ProfileScope span("render");
  return ParallelFor(pool_, kHeight, 12, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("render");
    const auto first_row = static_cast<std::int32_t>(begin);
    const auto end_row = static_cast<std::int32_t>(end);
    std::fill(image_.begin() + first_row * kWidth, image_.begin() + end_row * kWidth,
              std::uint8_t{0});
    for (std::uint32_t node = 0; node < places_.size(); ++node) {
      const std::int32_t x = places_[node].x / 16;
      const std::int32_t y = places_[node].y / 16;
      Fill(x, x + 2, y, y + 2, first_row, end_row, static_cast<std::uint8_t>(32 + node % 96));
    }
    for (const Widget& widget : widgets_) {
      Fill(widget.left, widget.left + widget.width, widget.top, widget.top + 2, first_row, end_row,
           widget.shade);
    }
  });
}

void FrameWorld::Fill(std::int32_t left, std::int32_t right, std::int32_t top, std::int32_t bottom,
                      std::int32_t first_row, std::int32_t end_row, std::uint8_t shade) {
  left = std::max(left, 0);
  right = std::min(right, kWidth);
  if (left >= right) return;
  for (std::int32_t y = std::max(top, first_row); y < std::min(bottom, end_row); ++y) {
    std::fill(image_.begin() + y * kWidth + left, image_.begin() + y * kWidth + right, shade);
  }
}

Result<void> FrameWorld::Mix(std::uint64_t frame, std::span<const std::byte> music) {
  const ProfileScope span("sound");
  const auto time = static_cast<std::uint32_t>(frame);
  return ParallelFor(pool_, kSamples, 100, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("sound");
    for (std::uint32_t i = begin; i < end; ++i) {
      std::int32_t sample = 0;
      if (2 * i + 1 < music.size()) {
        const auto low = std::to_integer<std::uint16_t>(music[2 * i]);
        const auto high = std::to_integer<std::uint16_t>(music[2 * i + 1]);
        sample = static_cast<std::int16_t>(low | high << 8);
      }
      for (std::uint32_t voice = 0; voice < kVoices; ++voice) {
        sample += CurveAt(voice + seed_, voice, time * kSamples + i);
      }
      samples_[i] = sample;
    }
  });
}

void FrameWorld::Present() {
  const ProfileScope span("present");
  for (const std::uint8_t pixel : image_) hash_.AddByte(pixel);
  for (const std::int32_t sample : samples_) hash_.Add(static_cast<std::uint32_t>(sample));
}

}  // namespace nowait
