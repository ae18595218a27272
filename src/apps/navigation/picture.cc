#include "src/apps/navigation/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "src/apps/demo/relief.h"
#include "src/apps/svg/svg.h"
#include "src/collision/triangles.h"

namespace nowait {
namespace {

constexpr double kMapSize = 820.0;
constexpr double kLeft = 24.0;
constexpr double kTop = 66.0;
constexpr double kWidth = kLeft + kMapSize + 24.0;
constexpr double kHeight = kTop + kMapSize + 50.0;
// Hues that most people can distinguish.
constexpr std::array<const char*, 6> kTracks = {"#d81b60", "#f28e00", "#8e3ccb",
                                                "#c7361b", "#b5008c", "#7a4a00"};

constexpr std::string_view kStyle = R"(
.mesh { fill: #2f7fd0; fill-opacity: 0.26; stroke: #17508c; stroke-width: 0.6; }
.cell { fill: none; stroke: #17508c; stroke-opacity: 0.45; stroke-width: 1; stroke-dasharray: 2 4; }
.solid { fill: #3b3f45; }
.open { fill: #2e9e4f; fill-opacity: 0.5; }
.loose { fill: #9a938a; stroke: #4c463f; stroke-width: 0.4; }
.track { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.walker { stroke: #ffffff; stroke-width: 1.2; }
.frame { fill: none; stroke: #5d636d; stroke-width: 1; }
)";

class NavigationDrawing {
 public:
  NavigationDrawing(const NavigationReport& report)
      : report_(report),
        half_size_(report.valley->ground().terrain.half_size()),
        svg_(kWidth, kHeight, "A navigation mesh on measured ground", kStyle) {}

  std::string Draw(const std::string& subtitle) {
    svg_.Text(kLeft, 32, "A navigation mesh on measured ground", "ink title");
    svg_.Text(kLeft, 52, subtitle, "soft");
    svg_.Element("image",
                 "x='{0}' y='{1}' width='{2}' height='{2}' preserveAspectRatio='none' "
                 "xlink:href='{3}'",
                 kLeft, kTop, kMapSize, ReliefImage(report_.valley->ground().terrain));
    // Its own viewport cuts off what lies outside the map.
    svg_.Open("svg", fmt::format("x='{0}' y='{1}' width='{2}' height='{2}' viewBox='{0} {1} {2} "
                                 "{2}'",
                                 kLeft, kTop, kMapSize));
    DrawMesh();
    DrawBodies();
    DrawTracks();
    svg_.Close("svg");
    svg_.Element("rect", "class='frame' x='{0}' y='{1}' width='{2}' height='{2}'", kLeft, kTop,
                 kMapSize);
    DrawLegend();
    return svg_.Finish();
  }

 private:
  double Scale() const { return kMapSize / (2.0 * half_size_); }
  // command: of a path, M or L.
  std::string Point(char command, Vec3 at) const {
    return fmt::format("{}{:.1f} {:.1f}", command, kLeft + (at.x + half_size_) * Scale(),
                       kTop + (at.z + half_size_) * Scale());
  }
  std::string Line(std::span<const Vec3> points) const {
    std::string path;
    for (const Vec3 at : points) path += Point(path.empty() ? 'M' : 'L', at);
    return path;
  }

  void DrawMesh() {
    for (const NavPolygon& polygon : report_.polygons) {
      svg_.Element("path", "class='mesh' d='{}Z'", Line(polygon.corners));
    }
    std::string lines;
    const auto last = static_cast<int>(std::floor(half_size_ / kNavCellSide));
    for (int i = -last; i <= last; ++i) {
      const float at = static_cast<float>(i) * kNavCellSide;
      lines += Line(std::array{Vec3{at, 0, -half_size_}, Vec3{at, 0, half_size_}});
      lines += Line(std::array{Vec3{-half_size_, 0, at}, Vec3{half_size_, 0, at}});
    }
    svg_.Element("path", "class='cell' d='{}'", lines);
  }

  void DrawBodies() {
    for (const BodySnapshot& body : report_.bodies) {
      if (body.shape.kind == ShapeKind::kHeightField || body.layer == Valley::kWalkers) continue;
      std::string path;
      VisitTriangles(body.shape, body.position, body.rotation, Bounds<3>::Everywhere(),
                     [&](Vec3 a, Vec3 b, Vec3 c) {
                       if (Cross(b - a, c - a).y <= 0.0f) return;
                       path += Line(std::array{a, b, c});
                       path += 'Z';
                     });
      const char* const look = report_.valley->IsOpenGate(body.id) ? "open"
                               : body.type == BodyType::kStatic    ? "solid"
                                                                   : "loose";
      svg_.Element("path", "class='{}' d='{}'", look, path);
    }
  }

  void DrawTracks() {
    for (std::size_t i = 0; i < report_.tracks.size(); ++i) {
      const Walkers::Track& track = report_.tracks[i];
      if (track.empty()) continue;
      const char* const colour = kTracks[i % kTracks.size()];
      svg_.Element("path", "class='track' stroke='{}' d='{}'", colour, Line(track));
      // The sizes take turns (Walkers).
      const float radius = WalkerSizes()[i % WalkerSizes().size()].agent_radius;
      svg_.Element("circle", "class='walker' fill='{}' cx='{:.1f}' cy='{:.1f}' r='{:.1f}'", colour,
                   kLeft + (track.back().x + half_size_) * Scale(),
                   kTop + (track.back().z + half_size_) * Scale(), std::max(2.5, radius * Scale()));
    }
  }

  void DrawLegend() {
    const double y = kTop + kMapSize + 24.0;
    const double ten = 10.0 * Scale();
    svg_.Element("path", "class='line' d='M{0} {1}v8h{2}v-8'", kLeft, y - 4, ten);
    svg_.Text(kLeft + ten + 8, y + 4, "10 m");
    double x = kLeft + 120.0;
    const auto entry = [&](const char* look, std::string_view text, double width) {
      svg_.Element("rect", "class='{}' x='{}' y='{}' width='18' height='12'", look, x, y - 6);
      svg_.Text(x + 26, y + 4, text);
      x += width;
    };
    entry("mesh", "polygons for a person", 170);
    entry("solid", "rocks, walls, closed gates", 190);
    entry("open", "open gates", 110);
    entry("loose", "fallen bodies", 130);
    svg_.Element("path", "class='track' stroke='{}' d='M{} {}h20'", kTracks[0], x, y);
    svg_.Text(x + 26, y + 4, "tracks");
  }

  const NavigationReport& report_;
  const float half_size_;
  Svg svg_;
};

}  // namespace

std::string DrawNavigation(const NavigationReport& report, const std::string& subtitle) {
  return NavigationDrawing(report).Draw(subtitle);
}

}  // namespace nowait
