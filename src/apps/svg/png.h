// EncodePng: a small RGB image as a PNG file, and as the data URI that an SVG can hold.
//
// Source: the PNG specification (ISO/IEC 15948): 8 bits a channel, no interlacing, the filter "Sub"
// on every row, compressed by zlib.
#ifndef NOWAIT_SRC_APPS_SVG_PNG_H_
#define NOWAIT_SRC_APPS_SVG_PNG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nowait {

struct Rgb {
  std::uint8_t red, green, blue;
};

// pixels: width * height of them, row by row from the top; neither is zero.
std::string EncodePng(std::uint32_t width, std::uint32_t height, const std::vector<Rgb>& pixels);

// "data:image/png;base64,..."
std::string PngDataUri(std::string_view png);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SVG_PNG_H_
