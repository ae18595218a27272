#include "src/apps/svg/png.h"

#include <zlib.h>

#include <cstddef>

#include "src/base/assert.h"

namespace nowait {
namespace {

void PutBigEndian(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

void PutChunk(std::string& to, std::string_view type, std::string_view data) {
  PutBigEndian(to, static_cast<std::uint32_t>(data.size()));
  std::string checked(type);
  checked += data;
  to += checked;
  PutBigEndian(to, static_cast<std::uint32_t>(::crc32_z(
                       0, reinterpret_cast<const Bytef*>(checked.data()), checked.size())));
}

std::string Deflated(const std::string& raw) {
  uLongf length = ::compressBound(raw.size());
  std::string packed(length, '\0');
  // Cannot fail: the bound is large enough, and zlib's own memory is some hundred kilobytes.
  const int status = ::compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                                 reinterpret_cast<const Bytef*>(raw.data()), raw.size(), 9);
  NOWAIT_ASSERT(status == Z_OK, "zlib compresses into a buffer of compressBound");
  static_cast<void>(status);
  packed.resize(length);
  return packed;
}

}  // namespace

std::string EncodePng(std::uint32_t width, std::uint32_t height, const std::vector<Rgb>& pixels) {
  NOWAIT_ASSERT(pixels.size() == std::size_t{width} * height && !pixels.empty(),
                "one pixel for each place");
  std::string raw;
  raw.reserve(std::size_t{height} * (1 + 3 * std::size_t{width}));
  for (std::uint32_t y = 0; y < height; ++y) {
    raw += '\x01';  // "Sub": each channel minus that of the pixel before it
    Rgb left{0, 0, 0};
    for (std::uint32_t x = 0; x < width; ++x) {
      const Rgb pixel = pixels[std::size_t{y} * width + x];
      raw += static_cast<char>(pixel.red - left.red);
      raw += static_cast<char>(pixel.green - left.green);
      raw += static_cast<char>(pixel.blue - left.blue);
      left = pixel;
    }
  }
  std::string header;
  PutBigEndian(header, width);
  PutBigEndian(header, height);
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, filters, no interlace

  std::string png = "\x89PNG\r\n\x1a\n";
  PutChunk(png, "IHDR", header);
  PutChunk(png, "IDAT", Deflated(raw));
  PutChunk(png, "IEND", {});
  return png;
}

std::string PngDataUri(std::string_view png) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = "data:image/png;base64,";
  for (std::size_t i = 0; i < png.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < png.size() ? static_cast<std::uint8_t>(png[i + k]) : 0u);
    }
    const std::size_t have = png.size() - i;
    uri += kDigits[bits >> 18 & 63];
    uri += kDigits[bits >> 12 & 63];
    uri += have > 1 ? kDigits[bits >> 6 & 63] : '=';
    uri += have > 2 ? kDigits[bits & 63] : '=';
  }
  return uri;
}

}  // namespace nowait
