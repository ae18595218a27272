// Pictures as text.
#include "src/apps/terminal/picture.h"

#include <catch2/catch.hpp>
#include <string>

namespace nowait {
namespace {

using Kind = Pixel::Kind;

TEST_CASE("a cell of a plain picture shows the brighter one of its two pixels") {
  Picture picture({6, 4});
  picture.line(0)[0] = {Kind::kAwake, 9, 0};
  picture.line(1)[0] = {Kind::kGround, 0, 0};
  picture.line(1)[1] = {Kind::kAsleep, 0, 0};  // below the sky
  picture.line(0)[2] = {Kind::kAsleep, 9, 0};
  picture.line(0)[3] = {Kind::kMover, 9, 0};
  picture.line(3)[1] = {Kind::kThrough, 3, 0};
  picture.line(2)[4] = {Kind::kThrough, 9, 0};
  CHECK(PlainText(picture) == "@zZ#\n 3  +\n");
}

TEST_CASE("a ground in the light has lighter characters than one in the dark") {
  Picture picture({2, 2});
  picture.line(0)[0] = {Kind::kGround, 9, 0};
  picture.line(1)[0] = {Kind::kGround, 9, 0};
  picture.line(0)[1] = {Kind::kGround, 0, 0};
  picture.line(1)[1] = {Kind::kGround, 0, 0};
  CHECK(PlainText(picture) == ".#\n");
}

TEST_CASE("a picture of the sky is empty lines") {
  CHECK(PlainText(Picture({10, 6})) == "\n\n\n");
  CHECK(PlainText(Picture({10, 0})).empty());
}

TEST_CASE("colours are said where they change, and end with the row") {
  Picture picture({3, 4});
  picture.line(1)[1] = {Kind::kGround, 9, 0};
  picture.line(1)[2] = {Kind::kGround, 9, 0};
  const std::string sky = "\x1b[38;5;17m\x1b[48;5;17m\u2580";
  CHECK(ColourText(picture) ==
        sky + "\x1b[48;5;242m\u2580\u2580\x1b[0m\r\n" + sky + "\u2580\u2580\x1b[0m");
}

TEST_CASE("every pixel has a colour of the 256, and a character") {
  for (const Kind kind :
       {Kind::kSky, Kind::kGround, Kind::kMover, Kind::kAwake, Kind::kAsleep, Kind::kThrough}) {
    for (std::uint8_t brightness = 0; brightness <= Pixel::kBrightest; ++brightness) {
      for (std::uint8_t hue = 0; hue < Pixel::kHues; ++hue) {
        Picture picture({1, 2});
        picture.line(0)[0] = picture.line(1)[0] = {kind, brightness, hue};
        CAPTURE(int(kind), int(brightness), int(hue));
        CHECK(PlainText(picture).size() <= 2);
        int colour = 0;
        REQUIRE(std::sscanf(ColourText(picture).c_str(), "\x1b[38;5;%dm", &colour) == 1);
        CHECK(colour >= 16);
        CHECK(colour <= 255);
      }
    }
  }
}

TEST_CASE("islands side by side have different colours") {
  Picture picture({Pixel::kHues, 2});
  for (std::uint8_t hue = 0; hue < Pixel::kHues; ++hue) {
    picture.line(0)[hue] = picture.line(1)[hue] = {Kind::kAwake, 9, hue};
  }
  const std::string text = ColourText(picture);
  // Each cell says both of its colours anew.
  std::size_t said = 0;
  for (std::size_t at = text.find("\x1b[38"); at != std::string::npos;
       at = text.find("\x1b[38", at + 1))
    ++said;
  CHECK(said == Pixel::kHues);
}

}  // namespace
}  // namespace nowait
