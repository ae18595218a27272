#include "src/apps/terminal/picture.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

namespace nowait {
namespace {

// By brightness, ten each.
constexpr std::string_view kGround = "##%%;;::..";  // the darker, the denser
constexpr std::string_view kMover = "--==++**##";
constexpr std::string_view kAwake = "cccooaaOO@";
constexpr std::string_view kAsleep = "zzzzzzZZZZ";
constexpr std::string_view kThrough = " 12345678+";

char GlyphOf(const Pixel& pixel) {
  switch (pixel.kind) {
    case Pixel::Kind::kSky:
      return ' ';
    case Pixel::Kind::kGround:
      return kGround[pixel.brightness];
    case Pixel::Kind::kMover:
      return kMover[pixel.brightness];
    case Pixel::Kind::kAwake:
      return kAwake[pixel.brightness];
    case Pixel::Kind::kAsleep:
      return kAsleep[pixel.brightness];
    case Pixel::Kind::kThrough:
      return kThrough[pixel.brightness];
  }
  return ' ';
}

// Of two pixels of a cell, the one that is shown where there is room for one.
const Pixel& Brighter(const Pixel& upper, const Pixel& lower) {
  const bool is_lower = upper.kind == Pixel::Kind::kSky ||
                        (lower.kind != Pixel::Kind::kSky && lower.brightness > upper.brightness);
  return is_lower ? lower : upper;
}

// The colour cube of the 256 colours: red, green and blue of 0 .. 5.
constexpr std::uint32_t Cube(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return 16 + 36 * red + 6 * green + blue;
}
// Their 24 greys, from dark to bright.
constexpr std::uint32_t Grey(std::uint32_t level) { return 232 + level; }

constexpr std::uint32_t kSkyColour = Cube(0, 0, 1);

// The brightest of each hue; red, green and blue of 0 .. 5.
constexpr std::array<std::array<std::uint32_t, 3>, Pixel::kHues> kHues = {
    {{5, 2, 1}, {5, 4, 1}, {2, 5, 2}, {1, 4, 5}, {4, 2, 5}, {5, 2, 4}}};

std::uint32_t Shaded(const std::array<std::uint32_t, 3>& hue, std::uint32_t brightness) {
  const auto part = [brightness](std::uint32_t full) {
    return (full * (brightness + 2) + 5) / (Pixel::kBrightest + 2);
  };
  return Cube(part(hue[0]), part(hue[1]), part(hue[2]));
}

std::uint32_t ColourOf(const Pixel& pixel) {
  switch (pixel.kind) {
    case Pixel::Kind::kSky:
      return kSkyColour;
    case Pixel::Kind::kGround:
      return Grey(1 + pixel.brightness);
    case Pixel::Kind::kMover:
      return Shaded({5, 5, 3}, pixel.brightness);
    case Pixel::Kind::kAwake:
      return Shaded(kHues[pixel.hue], pixel.brightness);
    case Pixel::Kind::kAsleep:
      return Shaded({2, 3, 4}, pixel.brightness);
    case Pixel::Kind::kThrough:
      return pixel.brightness == 0 ? kSkyColour : Shaded({5, 5, 5}, pixel.brightness);
  }
  return kSkyColour;
}

}  // namespace

std::string PlainText(const Picture& picture) {
  std::string text;
  for (std::uint32_t line = 0; line + 1 < picture.size().lines; line += 2) {
    const auto upper = picture.line(line);
    const auto lower = picture.line(line + 1);
    std::string row;
    for (std::size_t column = 0; column < upper.size(); ++column) {
      row += GlyphOf(Brighter(upper[column], lower[column]));
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

std::string ColourText(const Picture& picture) {
  std::string text;
  for (std::uint32_t line = 0; line + 1 < picture.size().lines; line += 2) {
    if (line > 0) text += "\r\n";
    const auto upper = picture.line(line);
    const auto lower = picture.line(line + 1);
    std::uint32_t foreground = 256;  // none of them
    std::uint32_t background = 256;
    for (std::size_t column = 0; column < upper.size(); ++column) {
      const std::uint32_t above = ColourOf(upper[column]);
      const std::uint32_t below = ColourOf(lower[column]);
      if (above != foreground) fmt::format_to(std::back_inserter(text), "\x1b[38;5;{}m", above);
      if (below != background) fmt::format_to(std::back_inserter(text), "\x1b[48;5;{}m", below);
      foreground = above;
      background = below;
      text += "\u2580";  // the upper half block
    }
    text += "\x1b[0m";
  }
  return text;
}

}  // namespace nowait
