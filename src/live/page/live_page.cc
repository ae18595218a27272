#include "src/live/page/live_page.h"

#include <zlib.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/live/page/page_template.h"

namespace nowait {
namespace {

std::string AsText(std::string_view words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string ToBase64(std::span<const unsigned char> bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      three = three << 8 | (at + i < bytes.size() ? bytes[at + i] : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const bool there = at + i < bytes.size() + 1;
      text += there ? kDigits[three >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

}  // namespace

std::string LivePageOf(const LivePageParts& parts) {
  const std::map<std::string_view, std::string> values = {{"title", AsText(parts.title)},
                                                          {"connect", parts.connect},
                                                          {"frame", parts.frame},
                                                          {"text", AsText(parts.text)},
                                                          {"recording", parts.recording}};
  // One pass over the template: text of a value that looks like a placeholder stays unchanged.
  std::string page;
  std::string_view rest = live_page::kPageTemplate;
  for (;;) {
    const auto begin = rest.find("{{");
    if (begin == std::string_view::npos) return page.append(rest);
    const auto end = rest.find("}}", begin);
    page.append(rest.substr(0, begin));
    page.append(values.at(rest.substr(begin + 2, end - begin - 2)));
    rest.remove_prefix(end + 2);
  }
}

Result<std::string> PackRecording(std::span<const std::byte> bytes) {
  return OrNoMemory([&]() -> Result<std::string> {
    uLongf size = ::compressBound(bytes.size());
    std::vector<unsigned char> packed(size);
    if (::compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                    bytes.size(), Z_BEST_COMPRESSION) != Z_OK) {
      return Fail(ErrorCode::kCapacity, "memory");
    }
    return ToBase64(std::span(packed).first(size));
  });
}

}  // namespace nowait
