// Picture: what each pixel of a view shows, and the same as text for a terminal.
//
// A cell of the terminal is twice as high as it is wide. So it has two pixels, one above the other.
//
// Thread safety: a value; different threads may write different lines.
#ifndef NOWAIT_SRC_APPS_TERMINAL_PICTURE_H_
#define NOWAIT_SRC_APPS_TERMINAL_PICTURE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/apps/terminal/camera.h"

namespace nowait {

struct Pixel {
  enum class Kind : std::uint8_t {
    kSky,      // the ray meets nothing
    kGround,   // a body that does not move
    kMover,    // a kinematic body
    kAwake,    // a dynamic body; `hue` names its island
    kAsleep,   // likewise
    kThrough,  // how many bodies that can move the ray goes through
  };
  static constexpr std::uint8_t kBrightest = 9;
  static constexpr std::uint8_t kHues = 6;

  Kind kind = Kind::kSky;
  std::uint8_t brightness = 0;  // 0 .. kBrightest; of kThrough the number
  std::uint8_t hue = 0;         // below kHues
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

class Picture {
 public:
  // All sky. lines: even.
  explicit Picture(PictureSize size)
      : size_(size), pixels_(std::size_t{size.columns} * size.lines) {}

  PictureSize size() const { return size_; }
  std::span<Pixel> line(std::uint32_t line) {
    return {pixels_.data() + std::size_t{line} * size_.columns, size_.columns};
  }
  std::span<const Pixel> line(std::uint32_t line) const {
    return {pixels_.data() + std::size_t{line} * size_.columns, size_.columns};
  }

 private:
  PictureSize size_;
  std::vector<Pixel> pixels_;
};

// One character a cell: of the brighter pixel of its two. Bodies that do not move are punctuation,
// those that are awake are letters, and those that sleep are the letter z. Each row of cells ends
// with '\n', behind its last character that is no space.
std::string PlainText(const Picture& picture);

// Both pixels of a cell, by a half block in two of the 256 colours that a terminal has (ECMA-48,
// "SGR"). Rows are separated by "\r\n"; afterwards the terminal's own colours are back.
std::string ColourText(const Picture& picture);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_PICTURE_H_
