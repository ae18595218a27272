#include "src/apps/openworld/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/apps/svg/png.h"
#include "src/apps/svg/svg.h"
#include "src/resource/terrain.h"

namespace nowait {
namespace {

constexpr float kPixel = 4.0f;  // metres
constexpr double kLeft = 24.0;
constexpr double kTop = 66.0;
constexpr double kFoot = 96.0;
constexpr double kLeast = 700.0;  // the map's width, for its legend

constexpr Rgb kStaticBody = {96, 92, 80};
constexpr Rgb kAsleepBody = {38, 90, 170};
constexpr Rgb kAwakeBody = {230, 50, 20};

constexpr std::string_view kStyle = R"(
.grid { fill: none; stroke: #5d636d; stroke-opacity: 0.25; stroke-width: 0.6; }
.visited { fill: #f2c200; fill-opacity: 0.16; }
.full { fill: #1e8f4d; fill-opacity: 0.30; stroke: #0c5a2c; stroke-width: 1.4; }
.ring { fill: #2f7fd6; fill-opacity: 0.24; stroke: #1a4f8a; stroke-width: 1; }
.ahead { fill: #8e3ccb; fill-opacity: 0.28; stroke: #5c1f8a; stroke-width: 1; }
.missing { fill: #d81b1b; fill-opacity: 0.5; }
.scene { fill: none; stroke: #4a3b22; stroke-opacity: 0.32; stroke-width: 0.7; }
.active { fill: #f28e00; fill-opacity: 0.30; stroke: #b25f00; stroke-width: 1.2; }
.mesh { fill: #d400d4; fill-opacity: 0.45; stroke: #7a007a; stroke-width: 0.15; }
.walk { fill: none; stroke: #00706b; stroke-width: 2.6; }
.ride { fill: none; stroke: #111418; stroke-width: 1.8; }
.fly { fill: none; stroke: #d81b60; stroke-width: 1.8; }
.jump { fill: none; stroke: #d81b60; stroke-width: 1; stroke-dasharray: 2 4; }
.player { fill: #ffffff; stroke: #111418; stroke-width: 1.6; }
)";

class RideDrawing {
 public:
  RideDrawing(const RideResult& ride, const WorldIndex& index, const WorldSource& source,
              const Elevation& elevation)
      : ride_(ride),
        index_(index),
        source_(source),
        elevation_(elevation),
        width_(static_cast<std::uint32_t>(kTileSide / kPixel) * index.columns),
        height_(static_cast<std::uint32_t>(kTileSide / kPixel) * index.rows),
        svg_(2 * kLeft + std::max<double>(width_, kLeast), kTop + height_ + kFoot,
             "A ride through an open world", kStyle) {}

  std::string Draw() {
    svg_.Text(kLeft, 32, "A ride through an open world", "ink title");
    svg_.Text(
        kLeft, 52,
        fmt::format("{:.0f} s; {} tiles entered, {} let go; at the end {} bodies",
                    static_cast<double>(ride_.frames.size()) / 30.0, ride_.streamed.tiles_entered,
                    ride_.streamed.tiles_let_go, ride_.bodies.size()),
        "soft");
    svg_.Element("image", "x='{}' y='{}' width='{}' height='{}' xlink:href='{}'", kLeft, kTop,
                 width_, height_, Relief());
    for (const TileMark& tile : ride_.tiles) DrawTile(tile);
    for (std::uint32_t i = 0; i < index_.scenes.size(); ++i) DrawScene(i);
    DrawMesh();
    DrawTrack();
    DrawLegend();
    return svg_.Finish();
  }

 private:
  static double X(float x) { return kLeft + double{x} / kPixel; }
  static double Y(float z) { return kTop + double{z} / kPixel; }

  float Height(std::uint32_t column, std::uint32_t row) const {
    // The compiler has found ground everywhere.
    return HeightAt(elevation_, source_.south + double{kPixel} * row,
                    source_.east + double{kPixel} * column)
        .value_or(0.0f);
  }

  // Light from the north-west, 45 degrees high, as usual on maps.
  std::string Relief() const {
    std::vector<Rgb> pixels;
    pixels.reserve(std::size_t{width_} * height_);
    for (std::uint32_t row = 0; row < height_; ++row) {
      for (std::uint32_t column = 0; column < width_; ++column) {
        const double here = Height(column, row);
        const double dx = (Height(column + 1, row) - here) / kPixel;
        const double dz = (Height(column, row + 1) - here) / kPixel;
        const double light = std::clamp(
            (dx + dz + std::sqrt(2.0)) / (2.0 * std::sqrt(1.0 + dx * dx + dz * dz)), 0.0, 1.0);
        const double grey = std::min(1.0, 0.36 + 0.84 * light);
        const auto channel = [grey](double full) {
          return static_cast<std::uint8_t>(std::lround(full * grey));
        };
        pixels.push_back({channel(240), channel(236), channel(218)});
      }
    }
    DotBodies(pixels);
    return PngDataUri(EncodePng(width_, height_, pixels));
  }

  // Awake ones last: they are few, and are to be seen.
  void DotBodies(std::vector<Rgb>& pixels) const {
    for (const int pass : {0, 1, 2}) {
      for (const BodySnapshot& body : ride_.bodies) {
        if (body.shape.kind == ShapeKind::kHeightField) continue;
        const bool is_static = body.type == BodyType::kStatic;
        if ((is_static ? 0 : body.asleep ? 1 : 2) != pass) continue;
        const float column = std::floor(body.position.x / kPixel);
        const float row = std::floor(body.position.z / kPixel);
        if (column < 0 || row < 0 || column >= static_cast<float>(width_) ||
            row >= static_cast<float>(height_)) {
          continue;
        }
        pixels[static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column)] =
            pass == 0   ? kStaticBody
            : pass == 1 ? kAsleepBody
                        : kAwakeBody;
      }
    }
  }

  void DrawTile(const TileMark& tile) {
    const float x = kTileSide * static_cast<float>(tile.tile.column);
    const float z = kTileSide * static_cast<float>(tile.tile.row);
    const auto square = [&](std::string_view css_class) {
      svg_.Element("rect", "class='{}' x='{:.1f}' y='{:.1f}' width='{}' height='{}'", css_class,
                   X(x), Y(z), kTileSide / kPixel, kTileSide / kPixel);
    };
    square("grid");
    if (tile.state == ParcelState::kMissing) return square("missing");
    if (tile.state == ParcelState::kResident) return square(DetailOf(tile.tile));
    if (tile.visited) square("visited");
  }

  // As the residency of the last frame has it.
  std::string_view DetailOf(TileCoord tile) const {
    for (const WantedTile& wanted : ride_.wanted) {
      if (wanted.tile != tile) continue;
      if (wanted.detail == TileDetail::kFull) return "full";
      return wanted.detail == TileDetail::kRing ? "ring" : "ahead";
    }
    return "visited";
  }

  void DrawScene(std::uint32_t number) {
    const SceneSite& site = index_.scenes[number];
    svg_.Element("circle", "class='{}' cx='{:.1f}' cy='{:.1f}' r='{:.1f}'",
                 ride_.active_scenes[number] ? "active" : "scene", X(site.x), Y(site.z),
                 double{site.encounter} / kPixel);
  }

  // A pixel is ten voxels of the mesh: the polygons are there to be enlarged.
  void DrawMesh() {
    std::string path;
    for (const NavPolygon& polygon : ride_.paths.polygons) {
      char command = 'M';
      for (const Vec3 corner : polygon.corners) {
        path += fmt::format("{}{:.2f} {:.2f}", command, X(corner.x), Y(corner.z));
        command = 'L';
      }
      path += 'Z';
    }
    if (!path.empty()) svg_.Element("path", "class='mesh' d='{}'", path);
  }

  void DrawTrack() {
    std::string path;
    Travel travel = Travel::kWalk;
    const auto end = [&] {
      if (path.find('L') != std::string::npos) {
        svg_.Element("path", "class='{}' d='{}'", ClassOf(travel), path);
      }
      path.clear();
    };
    for (std::size_t i = 0; i < ride_.frames.size(); ++i) {
      const RideFrame& frame = ride_.frames[i];
      if (i > 0 && frame.travel == Travel::kTeleport) {
        const RideFrame& before = ride_.frames[i - 1];
        svg_.Element("path", "class='jump' d='M{:.1f} {:.1f}L{:.1f} {:.1f}'", X(before.x),
                     Y(before.z), X(frame.x), Y(frame.z));
      }
      if (path.empty() || frame.travel != travel) {
        end();
        travel = frame.travel;
        path = fmt::format("M{:.1f} {:.1f}", X(frame.x), Y(frame.z));
      } else if (i % 5 == 0) {
        path += fmt::format("L{:.1f} {:.1f}", X(frame.x), Y(frame.z));
      }
    }
    end();
    if (ride_.frames.empty()) return;
    svg_.Element("circle", "class='player' cx='{:.1f}' cy='{:.1f}' r='5'", X(ride_.frames.back().x),
                 Y(ride_.frames.back().z));
  }

  static std::string_view ClassOf(Travel travel) {
    return travel == Travel::kWalk ? "walk" : travel == Travel::kFly ? "fly" : "ride";
  }

  void DrawLegend() {
    const double y = kTop + height_ + 22.0;
    const std::array<std::array<std::string_view, 2>, 6> squares = {{{"full", "full detail"},
                                                                     {"ring", "ring"},
                                                                     {"ahead", "ahead"},
                                                                     {"visited", "let go"},
                                                                     {"missing", "missing"},
                                                                     {"mesh", "mesh"}}};
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const double x = kLeft + 120.0 * static_cast<double>(i);
      svg_.Element("rect", "class='{}' x='{}' y='{}' width='14' height='14'", squares[i][0], x,
                   y - 11);
      svg_.Text(x + 20, y, squares[i][1]);
    }
    const std::array<std::array<std::string_view, 2>, 4> lines = {
        {{"walk", "on foot"}, {"ride", "riding"}, {"fly", "flying"}, {"jump", "teleport"}}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double x = kLeft + 120.0 * static_cast<double>(i);
      svg_.Element("path", "class='{}' d='M{} {}h16'", lines[i][0], x, y + 18);
      svg_.Text(x + 22, y + 22, lines[i][1]);
    }
    svg_.Element("circle", "class='scene' cx='{}' cy='{}' r='7'", kLeft + 488, y + 18);
    svg_.Text(kLeft + 502, y + 22, "scene");
    svg_.Element("circle", "class='active' cx='{}' cy='{}' r='7'", kLeft + 568, y + 18);
    svg_.Text(kLeft + 582, y + 22, "active");
    const std::array<std::array<std::string_view, 2>, 3> dots = {
        {{"#605c50", "static"}, {"#265aaa", "asleep"}, {"#e63214", "awake"}}};
    for (std::size_t i = 0; i < dots.size(); ++i) {
      const double x = kLeft + 120.0 * static_cast<double>(i);
      svg_.Element("rect", "fill='{}' x='{}' y='{}' width='6' height='6'", dots[i][0], x + 4,
                   y + 37);
      svg_.Text(x + 20, y + 44, dots[i][1]);
    }
    svg_.Text(kLeft + 360, y + 44, fmt::format("a tile is {:g} m to a side", kTileSide), "soft");
  }

  const RideResult& ride_;
  const WorldIndex& index_;
  const WorldSource& source_;
  const Elevation& elevation_;
  const std::uint32_t width_;  // pixels
  const std::uint32_t height_;
  Svg svg_;
};

}  // namespace

std::string DrawRide(const RideResult& ride, const WorldIndex& index, const WorldSource& source,
                     const Elevation& elevation) {
  return RideDrawing(ride, index, source, elevation).Draw();
}

}  // namespace nowait
