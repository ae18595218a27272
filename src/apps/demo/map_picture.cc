#include "src/apps/demo/map_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "src/apps/demo/contours.h"
#include "src/apps/demo/relief.h"
#include "src/apps/svg/svg.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr double kMapSize = 820.0;
constexpr double kLeft = 24.0;
constexpr double kTop = 66.0;
constexpr double kWidth = kLeft + kMapSize + 24.0;
constexpr double kHeight = kTop + kMapSize + 86.0;

constexpr double kContourInterval = 2.0;
constexpr int kIndexEvery = 5;  // each fifth contour is drawn stronger and labelled

// Hues that most people can distinguish, even on the tinted relief.
constexpr std::array<const char*, 10> kIslandColours = {"#d81b60", "#1e6fd9", "#f28e00", "#008f7a",
                                                        "#8e3ccb", "#c7361b", "#0098c4", "#7a9a01",
                                                        "#b5008c", "#4656d6"};

constexpr std::string_view kStyle = R"(
.contour { fill: none; stroke: #5b4a2f; stroke-opacity: 0.28; stroke-width: 0.7; }
.index { stroke-opacity: 0.6; stroke-width: 1.1; }
.height {
  font-size: 10px; fill: #4a3b22; stroke: #f0ead8; stroke-width: 2.5px; paint-order: stroke;
}
.frame { fill: none; stroke: #5d636d; stroke-width: 1; }
.body { stroke: #1b1d20; stroke-width: 0.6; }
.asleep { fill-opacity: 0.55; stroke-opacity: 0.55; stroke-width: 0.4; }
.north { font-size: 11px; font-weight: bold; fill: #23262b; }
.game { fill: #ffffff; stroke: #111418; stroke-width: 1.4; }
)";

struct Place {
  double x;
  double y;
};

class MapDrawing {
 public:
  MapDrawing(const Terrain& terrain, std::span<const BodySnapshot> bodies)
      : terrain_(terrain), bodies_(bodies), svg_(kWidth, kHeight, "Terrain with bodies", kStyle) {}

  std::string Draw(const std::string& subtitle) {
    svg_.Text(kLeft, 32, "Bodies on measured ground", "ink title");
    svg_.Text(kLeft, 52, subtitle, "soft");
    svg_.Element("image",
                 "x='{0}' y='{1}' width='{2}' height='{2}' preserveAspectRatio='none' "
                 "xlink:href='{3}'",
                 kLeft, kTop, kMapSize, ReliefImage(terrain_));
    svg_.Open("svg", fmt::format("x='{0}' y='{1}' width='{2}' height='{2}' viewBox='{0} {1} {2} "
                                 "{2}'",
                                 kLeft, kTop, kMapSize));
    DrawContours();
    DrawBodies();
    svg_.Close("svg");
    svg_.Element("rect", "class='frame' x='{0}' y='{1}' width='{2}' height='{2}'", kLeft, kTop,
                 kMapSize);
    DrawNorthArrow();
    DrawScaleBar();
    DrawLegend();
    return svg_.Finish();
  }

 private:
  double PixelsPerMetre() const { return kMapSize / (2.0 * terrain_.half_size()); }

  Place OnMap(double x, double z) const {
    return {kLeft + (x + terrain_.half_size()) * PixelsPerMetre(),
            kTop + (z + terrain_.half_size()) * PixelsPerMetre()};
  }
  Place OnMap(MapPoint point) const {
    const double cell = kMapSize / (terrain_.side - 1);
    return {kLeft + point.column * cell, kTop + point.row * cell};
  }

  void DrawContours() {
    const float highest = *std::max_element(terrain_.heights.begin(), terrain_.heights.end());
    const double sea = terrain_.sea_level;
    const auto first = static_cast<long>(std::ceil(-sea / kContourInterval));
    for (long i = first; i * kContourInterval + sea < highest; ++i) {
      const bool index = i % kIndexEvery == 0;
      for (const ContourLine& line : TraceContours(terrain_, i * kContourInterval + sea)) {
        DrawContour(line, index);
        if (index) LabelContour(line, i * kContourInterval);
      }
    }
  }

  void DrawContour(const ContourLine& line, bool index) {
    std::string path;
    for (const MapPoint& point : line.points) {
      const Place place = OnMap(point);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", place.x, place.y);
    }
    svg_.Element("path", "class='contour{}' d='{}{}'", index ? " index" : "", path,
                 line.closed ? "Z" : "");
  }

  // In the middle of the line, along it, never upside down.
  void LabelContour(const ContourLine& line, double metres) {
    if (line.points.size() < 30) return;
    const std::size_t middle = line.points.size() / 3;
    const Place from = OnMap(line.points[middle - 4]);
    const Place to = OnMap(line.points[middle + 4]);
    double angle = std::atan2(to.y - from.y, to.x - from.x) * 180.0 / 3.14159265358979;
    if (angle > 90.0) angle -= 180.0;
    if (angle < -90.0) angle += 180.0;
    const Place at = OnMap(line.points[middle]);
    svg_.Text(at.x, at.y + 3, fmt::format("{:.0f}", metres), "height", "middle",
              fmt::format("transform='rotate({:.1f} {:.1f} {:.1f})'", angle, at.x, at.y));
  }

  void DrawBodies() {
    std::vector<const BodySnapshot*> order;
    std::map<std::uint32_t, std::uint32_t> members;
    for (const BodySnapshot& body : bodies_) {
      if (body.shape.kind == ShapeKind::kHeightField) continue;
      order.push_back(&body);
      ++members[body.island];
    }
    // Higher bodies are drawn later.
    std::sort(order.begin(), order.end(), [](const BodySnapshot* a, const BodySnapshot* b) {
      return a->position.y != b->position.y ? a->position.y < b->position.y : a->id < b->id;
    });
    for (const BodySnapshot* body : order) {
      if (body->type == BodyType::kStatic) {
        DrawBody(*body, "class='game'");
        continue;
      }
      const bool alone = members[body->island] < 2 || body->island == BodySnapshot::kNoIsland;
      // A multiplicative hash, so that neighbouring islands seldom share a colour.
      const std::uint32_t hash = (body->island * 2654435761u) >> 16;
      const char* const fill = alone ? "#8a8f98" : kIslandColours[hash % kIslandColours.size()];
      DrawBody(*body, fmt::format("class='body{}' fill='{}'", body->asleep ? " asleep" : "", fill));
    }
  }

  void DrawBody(const BodySnapshot& body, const std::string& look) {
    const Place at = OnMap(body.position.x, body.position.z);
    if (body.shape.kind == ShapeKind::kSphere) {
      svg_.Element("circle", "cx='{:.2f}' cy='{:.2f}' r='{:.2f}' {}", at.x, at.y,
                   body.shape.radius * PixelsPerMetre(), look);
      return;
    }
    std::string path;
    for (const Place& corner : OutlineOf(body)) {
      path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", corner.x, corner.y);
    }
    svg_.Element("path", "d='{}Z' {}", path, look);
  }

  // Seen from above: a box's corners, or points around both ends of a capsule.
  std::vector<Place> PointsOf(const BodySnapshot& body) const {
    std::vector<Place> points;
    const auto add = [&](Vec3 at) { points.push_back(OnMap(at.x, at.z)); };
    if (body.shape.kind == ShapeKind::kBox) {
      for (int i = 0; i < 8; ++i) {
        const Vec3 sign{i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
        add(body.position + Rotate(body.rotation, Multiply(sign, body.shape.half)));
      }
      return points;
    }
    constexpr int kAround = 16;
    for (int i = 0; i < kAround; ++i) {
      const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / kAround;
      const Vec3 rim = Vec3{std::cos(angle), 0.0f, std::sin(angle)} * body.shape.radius;
      for (const float end : {-body.shape.half_height, body.shape.half_height}) {
        add(body.position + Rotate(body.rotation, {0.0f, end, 0.0f}) + rim);
      }
    }
    return points;
  }

  // The convex hull of a body's points (Andrew's monotone chain).
  std::vector<Place> OutlineOf(const BodySnapshot& body) const {
    std::vector<Place> corners = PointsOf(body);
    std::sort(corners.begin(), corners.end(),
              [](Place a, Place b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Place> hull;
    const auto add = [&hull](Place place, std::size_t keep) {
      while (hull.size() > keep && Turn(hull[hull.size() - 2], hull.back(), place) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(place);
    };
    for (const Place& corner : corners) add(corner, 1);
    const std::size_t lower = hull.size();
    for (std::size_t i = corners.size() - 1; i-- > 0;) add(corners[i], lower);
    hull.pop_back();
    return hull;
  }

  static double Turn(Place a, Place b, Place c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }

  void DrawNorthArrow() {
    const double x = kLeft + kMapSize - 30.0, y = kTop + 22.0;
    svg_.Element("circle", "cx='{}' cy='{}' r='19' fill='#fdfdfb' fill-opacity='0.85'", x, y + 6);
    svg_.Element("path", "d='M{0} {1}l7 22l-7 -5l-7 5Z' fill='#23262b'", x, y - 9);
    svg_.Text(x, y + 22, "N", "north", "middle");
  }

  // A round length of about a fifth of the map.
  void DrawScaleBar() {
    const double fifth = 0.4 * terrain_.half_size();
    double length = std::pow(10.0, std::floor(std::log10(fifth)));
    for (const double factor : {5.0, 2.0}) {
      if (length * factor <= fifth * 1.4) {
        length *= factor;
        break;
      }
    }
    const double x = kLeft, y = kTop + kMapSize + 24.0, pixels = length * PixelsPerMetre();
    svg_.Element("path", "class='line' d='M{0} {1}v8h{2}v-8M{3} {4}v4'", x, y - 4, pixels,
                 x + pixels / 2, y);
    svg_.Text(x + pixels + 8, y + 4, fmt::format("{:g} m", length));
    svg_.Text(x, y + 26,
              fmt::format("{:.4f}\u00b0 {}, {:.4f}\u00b0 {}", std::abs(terrain_.north),
                          terrain_.north < 0 ? "S" : "N", std::abs(terrain_.west),
                          terrain_.west < 0 ? "W" : "E"),
              "soft");
    svg_.Text(x, y + 44, fmt::format("contours every {:g} m", kContourInterval), "soft");
  }

  void DrawLegend() {
    const double y = kTop + kMapSize + 24.0;
    double x = kLeft + 330.0;
    const auto entry = [&](double row, std::string_view text) { svg_.Text(x + 40, row + 4, text); };
    for (int i = 0; i < 3; ++i) {
      svg_.Element("circle", "class='body' cx='{}' cy='{}' r='5' fill='{}'", x + 2 + 13 * i, y,
                   kIslandColours[static_cast<std::size_t>(i)]);
      svg_.Element("circle", "class='body asleep' cx='{}' cy='{}' r='5' fill='{}'", x + 2 + 13 * i,
                   y + 22, kIslandColours[static_cast<std::size_t>(i)]);
    }
    entry(y, "awake: one colour an island");
    entry(y + 22, "asleep");
    x += 250.0;
    svg_.Element("circle", "class='body' cx='{}' cy='{}' r='5' fill='#8a8f98'", x + 28, y);
    entry(y, "touches no other body");
    svg_.Element("circle", "class='game' cx='{}' cy='{}' r='5'", x + 28, y + 22);
    entry(y + 22, "moved by a game thread");
  }

  const Terrain& terrain_;
  const std::span<const BodySnapshot> bodies_;
  Svg svg_;
};

}  // namespace

std::string DrawMap(const Terrain& terrain, std::span<const BodySnapshot> bodies,
                    const std::string& subtitle) {
  return MapDrawing(terrain, bodies).Draw(subtitle);
}

}  // namespace nowait
