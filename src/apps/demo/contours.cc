#include "src/apps/demo/contours.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace nowait {
namespace {

// An edge between two neighbouring samples: 2 * sample for the one eastwards, + 1 southwards.
using Edge = std::size_t;

class Tracer {
 public:
  Tracer(const Terrain& terrain, double level) : terrain_(terrain), level_(level) {}

  std::vector<ContourLine> Trace() {
    for (std::uint32_t row = 0; row + 1 < terrain_.side; ++row) {
      for (std::uint32_t column = 0; column + 1 < terrain_.side; ++column) Join(row, column);
    }
    std::vector<ContourLine> lines;
    // Open lines first, from their ends; the remaining lines are closed.
    for (const auto& [edge, joined] : links_) {
      if (joined.size() == 1 && !used_.contains(edge)) lines.push_back(Follow(edge, false));
    }
    for (const auto& [edge, joined] : links_) {
      if (!used_.contains(edge)) lines.push_back(Follow(edge, true));
    }
    return lines;
  }

 private:
  bool IsAbove(std::uint32_t row, std::uint32_t column) const {
    return terrain_.At(row, column) > level_;
  }
  Edge East(std::uint32_t row, std::uint32_t column) const {
    return 2 * (std::size_t{row} * terrain_.side + column);
  }
  Edge South(std::uint32_t row, std::uint32_t column) const { return East(row, column) + 1; }

  void Link(Edge a, Edge b) {
    links_[a].push_back(b);
    links_[b].push_back(a);
  }

  void Join(std::uint32_t row, std::uint32_t column) {
    const bool nw = IsAbove(row, column), ne = IsAbove(row, column + 1);
    const bool sw = IsAbove(row + 1, column), se = IsAbove(row + 1, column + 1);
    const Edge north = East(row, column), south = East(row + 1, column);
    const Edge west = South(row, column), east = South(row, column + 1);
    if (nw != ne && nw != sw && nw == se) {  // a saddle: two lines, cut off north-west, south-east
      Link(north, west);
      Link(south, east);
      return;
    }
    Edge crossed[4];
    int count = 0;
    if (nw != ne) crossed[count++] = north;
    if (sw != se) crossed[count++] = south;
    if (nw != sw) crossed[count++] = west;
    if (ne != se) crossed[count++] = east;
    if (count == 2) Link(crossed[0], crossed[1]);
  }

  MapPoint PointOn(Edge edge) const {
    const auto row = static_cast<std::uint32_t>(edge / 2 / terrain_.side);
    const auto column = static_cast<std::uint32_t>(edge / 2 % terrain_.side);
    const bool southwards = edge % 2 == 1;
    const double first = terrain_.At(row, column);
    const double second = southwards ? terrain_.At(row + 1, column) : terrain_.At(row, column + 1);
    const double part = (level_ - first) / (second - first);
    return southwards ? MapPoint{double(column), row + part} : MapPoint{column + part, double(row)};
  }

  ContourLine Follow(Edge edge, bool closed) {
    ContourLine line{closed, {}};
    for (bool more = true; more;) {
      used_.insert(edge);
      line.points.push_back(PointOn(edge));
      more = false;
      for (const Edge next : links_[edge]) {
        if (used_.contains(next)) continue;
        edge = next;
        more = true;
        break;
      }
    }
    return line;
  }

  const Terrain& terrain_;
  const double level_;
  std::map<Edge, std::vector<Edge>> links_;
  std::set<Edge> used_;
};

}  // namespace

std::vector<ContourLine> TraceContours(const Terrain& terrain, double level) {
  return Tracer(terrain, level).Trace();
}

}  // namespace nowait
