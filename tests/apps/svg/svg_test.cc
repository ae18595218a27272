#include "src/apps/svg/svg.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/apps/svg/png.h"

namespace nowait {
namespace {

std::uint32_t BigEndianAt(const std::string& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<std::uint8_t>(bytes[offset + i]);
  }
  return value;
}

TEST_CASE("text is escaped") {
  CHECK(XmlEscaped("a < b & \"c\" > 'd'") == "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  Svg svg(10, 10, "<title>");
  svg.Text(1, 2, "x<y");
  CHECK(svg.Finish().find("<title>&lt;title&gt;</title>") != std::string::npos);
  CHECK(svg.Finish().find(">x&lt;y</text>") != std::string::npos);
}

TEST_CASE("pictures are stacked in their order, in a picture as wide as the widest") {
  Svg first(30, 10, "first"), second(20, 40.5, "second");
  first.Text(1, 2, "upper");
  second.Text(1, 2, "lower");
  const std::string both = Svg::Stacked("both", {first.Finish(), second.Finish()});
  CHECK(both.find("width='30' height='50.5'") != std::string::npos);
  const auto upper = both.find("<svg y='0'"), lower = both.find("<svg y='10'");
  REQUIRE((upper != std::string::npos && lower != std::string::npos));
  CHECK(both.find(">upper<") > upper);
  CHECK(both.find(">upper<") < lower);
  CHECK(both.find(">lower<") > lower);
}

TEST_CASE("a PNG has its chunks with their checksums, and its pixels come back") {
  const std::vector<Rgb> pixels = {{1, 2, 3}, {250, 0, 7}, {4, 4, 4}, {0, 255, 128}};
  const std::string png = EncodePng(2, 2, pixels);
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  std::string raw(2 * (1 + 3 * 2), '\0');
  std::size_t at = 8;
  std::string types;
  while (at < png.size()) {
    const std::uint32_t length = BigEndianAt(png, at);
    const std::string type = png.substr(at + 4, 4);
    types += type;
    const auto* checked = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    CHECK(crc32(0, checked, 4 + length) == BigEndianAt(png, at + 8 + length));
    if (type == "IDAT") {
      uLongf room = raw.size();
      CHECK(uncompress(reinterpret_cast<Bytef*>(raw.data()), &room, checked + 4, length) == Z_OK);
      CHECK(room == raw.size());
    }
    at += 12 + length;
  }
  CHECK(types == "IHDRIDATIEND");
  CHECK(raw == std::string("\x01\x01\x02\x03\xf9\xfe\x04\x01\x04\x04\x04\xfc\xfb\x7c", 14));
}

TEST_CASE("a PNG says its width before its height, and goes row by row") {
  const std::string png = EncodePng(3, 1, {{1, 2, 3}, {1, 2, 3}, {9, 9, 9}});
  REQUIRE(png.substr(12, 4) == "IHDR");
  CHECK(BigEndianAt(png, 16) == 3);
  CHECK(BigEndianAt(png, 20) == 1);
  CHECK(png.substr(24, 5) == std::string("\x08\x02\x00\x00\x00", 5));
}

TEST_CASE("a picture has its size, its elements in their order, and coordinates of two decimals") {
  Svg svg(120, 45, "t", ".more { fill: red; }");
  svg.Open("g", "id='first'");
  svg.Element("circle", "r='{}'", 3);
  svg.Close("g");
  svg.Text(1.005, 2.5, "words", "soft", "end", "id='text'");
  const std::string text = svg.Finish();
  CHECK(text.find("width='120' height='45' viewBox='0 0 120 45'") != text.npos);
  CHECK(text.find(".more { fill: red; }") != text.npos);
  const std::size_t body = text.find("<g id='first'>\n<circle r='3'/>\n</g>\n");
  REQUIRE(body != text.npos);
  CHECK(text.find("x='1.00' y='2.50' class='soft' text-anchor='end' id='text'>words</text>") >
        body);
  CHECK(text.ends_with("</svg>\n"));
}

TEST_CASE("base64 pads as it should") {
  const std::string head = "data:image/png;base64,";
  CHECK(PngDataUri("") == head);
  CHECK(PngDataUri("f") == head + "Zg==");
  CHECK(PngDataUri("fo") == head + "Zm8=");
  CHECK(PngDataUri("foo") == head + "Zm9v");
  CHECK(PngDataUri("\xff\xff\xff\xff") == head + "/////w==");
}

TEST_CASE("what stands between quotation marks of an attribute cannot end it") {
  CHECK(XmlEscaped("") == "");
  CHECK(XmlEscaped("&amp;'\"") == "&amp;amp;&#39;&quot;");
  CHECK(XmlEscaped("\xc3\xa4<") == "\xc3\xa4&lt;");
}

}  // namespace
}  // namespace nowait
