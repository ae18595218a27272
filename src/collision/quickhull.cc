#include "src/collision/quickhull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr double kGrid = 1 << 30;
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

__extension__ using Wide = __int128;

// A point or a difference of two: within 2^30 in each coordinate; of a cross product: 2^61.
struct GridVector {
  std::int64_t x = 0, y = 0, z = 0;
};

GridVector operator-(const GridVector& a, const GridVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GridVector Cross(const GridVector& a, const GridVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Wide Dot(const GridVector& a, const GridVector& b) {
  return Wide{a.x} * b.x + Wide{a.y} * b.y + Wide{a.z} * b.z;
}
// Of a product with at most one cross product, below 2^95: rounded once, as the conversion does,
// which is a call and takes a third of building a hull. Both parts are doubles without rounding.
double ToDouble(Wide v) {
  constexpr int kLow = 48;
  const auto high = static_cast<std::int64_t>(v >> kLow);
  const auto low = static_cast<std::int64_t>(v & ((Wide{1} << kLow) - 1));
  return static_cast<double>(high) * static_cast<double>(std::int64_t{1} << kLow) +
         static_cast<double>(low);
}
double Length(const GridVector& a) { return std::sqrt(static_cast<double>(Dot(a, a))); }

struct Triangle {
  std::array<std::uint32_t, 3> corners;
  std::array<std::uint32_t, 3> neighbours{kNobody, kNobody, kNobody};  // across corner k to k + 1
  GridVector normal;
  double length = 0.0;                 // of the normal: twice the area
  std::vector<std::uint32_t> outside;  // points that wait
  bool is_gone = false;
  bool is_seen = false;
};

struct Edge {
  std::uint32_t from, to;
  std::uint32_t beyond;  // the triangle on the other side, which stays
  std::uint32_t side;    // its number there
};

class Quickhull {
 public:
  // rounding: of the points, in steps of the grid.
  Quickhull(std::vector<GridVector> points, double rounding)
      : points_(std::move(points)),
        rounding_(rounding),
        closeness_(std::clamp(rounding, kCloseness * kGrid, 0.5 * kMostFlatness * kGrid)),
        flatness_(std::clamp(2.0 * rounding, kFlatness * kGrid, kMostFlatness * kGrid)),
        starts_at_(points_.size(), kNobody),
        ends_at_(points_.size(), kNobody) {}

  // False when the points are nearly in a plane, on a line or at one place.
  bool Build() {
    if (!Begin()) return false;
    while (!waiting_.empty()) {
      const std::uint32_t face = waiting_.back();
      waiting_.pop_back();
      if (!triangles_[face].is_gone && !triangles_[face].outside.empty()) Add(face);
    }
    return true;
  }

  // Of the corners of polygons, as indices of points; behind each polygon its end.
  void Merge(std::vector<std::vector<std::uint32_t>>& polygons) const;

 private:
  double Above(const Triangle& face, std::uint32_t point) const {
    return ToDouble(Dot(face.normal, points_[point] - points_[face.corners[0]])) / face.length;
  }
  bool Sees(const Triangle& face, std::uint32_t point) const {
    return Dot(face.normal, points_[point] - points_[face.corners[0]]) > 0;
  }

  template <class Score>
  std::uint32_t Furthest(Score score) const {
    std::uint32_t best = 0;
    double most = -1.0;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      const double here = score(points_[i]);
      if (here > most) {
        most = here;
        best = i;
      }
    }
    return best;
  }

  bool Begin();
  std::uint32_t MakeTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void Add(std::uint32_t face);
  void FindHorizon(std::uint32_t face, std::uint32_t point);
  void Wait(std::span<const std::uint32_t> faces, std::uint32_t point);

  // The boundary of triangles, in order; nothing if it is not one loop without a vertex twice.
  std::optional<std::vector<std::uint32_t>> BoundaryOf(std::span<const std::uint32_t> region,
                                                       std::vector<std::uint32_t>& region_of,
                                                       std::uint32_t number) const;

  const std::vector<GridVector> points_;
  const double rounding_, closeness_, flatness_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> waiting_;  // triangles with points outside; some of them are gone
  std::vector<std::uint32_t> seen_;
  std::vector<Edge> horizon_;
  // Of a fan: the triangle whose horizon edge starts or ends at a point.
  std::vector<std::uint32_t> starts_at_, ends_at_;
};

bool Quickhull::Begin() {
  const double least = std::max(kLeastThickness * kGrid, 4.0 * rounding_);
  const GridVector from = points_[0];
  const std::uint32_t a = Furthest([&](const GridVector& p) { return Length(p - from); });
  const std::uint32_t b = Furthest([&](const GridVector& p) { return Length(p - points_[a]); });
  const GridVector ab = points_[b] - points_[a];
  const double length = Length(ab);
  if (!(length > least)) return false;
  const auto twice_area = [&](const GridVector& p) { return Length(Cross(ab, p - points_[a])); };
  const std::uint32_t c = Furthest(twice_area);
  const double area = twice_area(points_[c]);
  if (!(area > least * length)) return false;
  const GridVector normal = Cross(ab, points_[c] - points_[a]);
  const auto height = [&](const GridVector& p) {
    return std::abs(ToDouble(Dot(normal, p - points_[a])));
  };
  const std::uint32_t d = Furthest(height);
  if (!(height(points_[d]) > least * area)) return false;
  const bool is_above = Dot(normal, points_[d] - points_[a]) > 0;
  const std::array<std::uint32_t, 3> base = is_above ? std::array{a, c, b} : std::array{a, b, c};
  const std::uint32_t floor = MakeTriangle(base[0], base[1], base[2]);
  // Seen from the fourth point the edges of the base turn the other way.
  std::array<std::uint32_t, 3> sides;
  for (std::uint32_t k = 0; k < 3; ++k) {
    sides[k] = MakeTriangle(base[(k + 1) % 3], base[k], d);
    triangles_[sides[k]].neighbours[0] = floor;
    triangles_[floor].neighbours[k] = sides[k];
  }
  // A side k runs from corner k + 1 to corner k, to d: its edge 1 is shared with side k - 1.
  for (std::uint32_t k = 0; k < 3; ++k) {
    triangles_[sides[k]].neighbours[1] = sides[(k + 2) % 3];
    triangles_[sides[k]].neighbours[2] = sides[(k + 1) % 3];
  }
  const std::array<std::uint32_t, 4> all = {floor, sides[0], sides[1], sides[2]};
  for (std::uint32_t i = 0; i < points_.size(); ++i) Wait(all, i);
  for (const std::uint32_t face : all) waiting_.push_back(face);
  return true;
}

std::uint32_t Quickhull::MakeTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Triangle triangle;
  triangle.corners = {a, b, c};
  triangle.normal = Cross(points_[b] - points_[a], points_[c] - points_[a]);
  triangle.length = Length(triangle.normal);
  triangles_.push_back(std::move(triangle));
  return static_cast<std::uint32_t>(triangles_.size() - 1);
}

// The point goes to the face that it is furthest above, if it is far enough above any.
void Quickhull::Wait(std::span<const std::uint32_t> faces, std::uint32_t point) {
  double most = closeness_;
  std::uint32_t best = kNobody;
  for (const std::uint32_t face : faces) {
    const double above = Above(triangles_[face], point);
    if (above > most) {
      most = above;
      best = face;
    }
  }
  if (best != kNobody) triangles_[best].outside.push_back(point);
}

void Quickhull::FindHorizon(std::uint32_t face, std::uint32_t point) {
  seen_.assign(1, face);
  horizon_.clear();
  triangles_[face].is_seen = true;
  for (std::size_t next = 0; next < seen_.size(); ++next) {
    const std::uint32_t here = seen_[next];
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t across = triangles_[here].neighbours[k];
      Triangle& other = triangles_[across];
      if (other.is_seen) continue;
      if (Sees(other, point)) {
        other.is_seen = true;
        seen_.push_back(across);
        continue;
      }
      const std::uint32_t from = triangles_[here].corners[k];
      const auto side = static_cast<std::uint32_t>(std::ranges::find(other.neighbours, here) -
                                                   other.neighbours.begin());
      horizon_.push_back({from, triangles_[here].corners[(k + 1) % 3], across, side});
    }
  }
}

void Quickhull::Add(std::uint32_t face) {
  const std::vector<std::uint32_t>& outside = triangles_[face].outside;
  const std::uint32_t point = *std::ranges::max_element(
      outside, {}, [&](std::uint32_t p) { return Above(triangles_[face], p); });
  FindHorizon(face, point);
  std::vector<std::uint32_t> fan;
  for (const Edge& edge : horizon_) {
    const std::uint32_t made = MakeTriangle(edge.from, edge.to, point);
    triangles_[made].neighbours[0] = edge.beyond;
    triangles_[edge.beyond].neighbours[edge.side] = made;
    starts_at_[edge.from] = made;
    ends_at_[edge.to] = made;
    fan.push_back(made);
  }
  for (const std::uint32_t made : fan) {
    Triangle& triangle = triangles_[made];
    triangle.neighbours[1] = starts_at_[triangle.corners[1]];
    triangle.neighbours[2] = ends_at_[triangle.corners[0]];
  }
  for (const std::uint32_t gone : seen_) {
    const std::vector<std::uint32_t> waits = std::exchange(triangles_[gone].outside, {});
    triangles_[gone].is_gone = true;
    for (const std::uint32_t p : waits) {
      if (p != point) Wait(fan, p);
    }
  }
  waiting_.insert(waiting_.end(), fan.begin(), fan.end());
}

std::optional<std::vector<std::uint32_t>> Quickhull::BoundaryOf(
    std::span<const std::uint32_t> region, std::vector<std::uint32_t>& region_of,
    std::uint32_t number) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const std::uint32_t face : region) {
    const Triangle& triangle = triangles_[face];
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (region_of[triangle.neighbours[k]] == number) continue;
      edges.emplace_back(triangle.corners[k], triangle.corners[(k + 1) % 3]);
    }
  }
  if (edges.empty()) return std::nullopt;
  std::ranges::sort(edges);
  const auto is_same_start = [](const auto& x, const auto& y) { return x.first == y.first; };
  if (std::ranges::adjacent_find(edges, is_same_start) != edges.end()) return std::nullopt;
  std::vector<std::uint32_t> loop;
  std::uint32_t at = edges[0].first;
  do {
    loop.push_back(at);
    at = std::ranges::lower_bound(edges, std::pair{at, 0u})->second;
  } while (at != edges[0].first && loop.size() <= edges.size());
  if (loop.size() != edges.size()) return std::nullopt;
  return loop;
}

void Quickhull::Merge(std::vector<std::vector<std::uint32_t>>& polygons) const {
  std::vector<std::uint32_t> seeds;
  for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
    if (!triangles_[i].is_gone) seeds.push_back(i);
  }
  std::ranges::stable_sort(
      seeds, [&](auto x, auto y) { return triangles_[x].length > triangles_[y].length; });
  std::vector<std::uint32_t> region_of(triangles_.size(), kNobody);
  for (const std::uint32_t seed : seeds) {
    if (region_of[seed] != kNobody) continue;
    const auto number = static_cast<std::uint32_t>(polygons.size());
    std::vector<std::uint32_t> region = {seed};
    region_of[seed] = number;
    const auto is_near = [&](std::uint32_t corner) {
      return Above(triangles_[seed], corner) >= -flatness_;
    };
    for (std::size_t next = 0; next < region.size(); ++next) {
      for (const std::uint32_t across : triangles_[region[next]].neighbours) {
        if (region_of[across] != kNobody) continue;
        if (!std::ranges::all_of(triangles_[across].corners, is_near)) continue;
        region_of[across] = number;
        region.push_back(across);
      }
    }
    auto loop = BoundaryOf(region, region_of, number);
    if (!loop) {
      for (const std::uint32_t face : region) region_of[face] = kNobody;
      region_of[seed] = number;
      loop.emplace(triangles_[seed].corners.begin(), triangles_[seed].corners.end());
    }
    polygons.push_back(std::move(*loop));
  }
  // A vertex between two faces alone lies on their edge.
  std::vector<std::uint32_t> faces_at(points_.size(), 0);
  for (const auto& polygon : polygons) {
    for (const std::uint32_t corner : polygon) ++faces_at[corner];
  }
  for (std::uint32_t corner = 0; corner < points_.size(); ++corner) {
    if (faces_at[corner] != 2) continue;
    std::vector<std::vector<std::uint32_t>*> around;
    for (auto& polygon : polygons) {
      if (std::ranges::find(polygon, corner) != polygon.end()) around.push_back(&polygon);
    }
    if (std::ranges::any_of(around, [](const auto* polygon) { return polygon->size() <= 3; })) {
      continue;
    }
    for (auto* polygon : around) std::erase(*polygon, corner);
  }
}

Result<void> Validate(std::span<const Vec3> points) {
  if (points.size() < 4 || points.size() > kMaxHullPoints) {
    return Fail(ErrorCode::kInvalidArgument, "points", static_cast<std::int64_t>(points.size()),
                "4 .. 65536 of them");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 size = Abs(points[i]);
    if (!(size.x <= kFarthestHullPoint && size.y <= kFarthestHullPoint &&
          size.z <= kFarthestHullPoint)) {  // NaN fails too
      return Fail(ErrorCode::kInvalidArgument, "points", static_cast<std::int64_t>(i),
                  "this point is not within 10000 metres");
    }
  }
  return {};
}

HullFaces FacesOf(std::span<const Vec3> points,
                  const std::vector<std::vector<std::uint32_t>>& polygons) {
  std::vector<std::uint32_t> number(points.size(), kNobody);
  for (const auto& polygon : polygons) {
    for (const std::uint32_t corner : polygon) number[corner] = 0;
  }
  HullFaces faces;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] == kNobody) continue;
    number[i] = static_cast<std::uint32_t>(faces.vertices.size());
    faces.vertices.push_back(points[i]);
  }
  for (const auto& polygon : polygons) {
    faces.first.push_back(static_cast<std::uint32_t>(faces.corners.size()));
    for (const std::uint32_t corner : polygon) faces.corners.push_back(number[corner]);
  }
  faces.first.push_back(static_cast<std::uint32_t>(faces.corners.size()));
  return faces;
}

Result<HullFaces> Build(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& point : points) {
    low = Min(low, point);
    high = Max(high, point);
  }
  const Vec3 size = high - low, farthest = Max(Abs(low), Abs(high));
  const float longest = std::max({size.x, size.y, size.z});
  const auto count = static_cast<std::int64_t>(points.size());
  if (longest < kLeastHullSize) {
    return Fail(ErrorCode::kInvalidArgument, "points", count, "all within a millimetre");
  }
  const double steps = kGrid / double{longest};
  // The last digits of coordinates far from the origin are rounding.
  const double rounding = 4.0 * std::numeric_limits<float>::epsilon() *
                          double{std::max({farthest.x, farthest.y, farthest.z})} * steps;
  std::vector<GridVector> grid;
  grid.reserve(points.size());
  for (const Vec3& point : points) {
    const auto place = [&](int axis) {
      return static_cast<std::int64_t>((double{point[axis]} - double{low[axis]}) * steps + 0.5);
    };
    grid.push_back({place(0), place(1), place(2)});
  }
  Quickhull hull(std::move(grid), rounding);
  if (!hull.Build()) {
    return Fail(ErrorCode::kInvalidArgument, "points", count, "all nearly in one plane");
  }
  std::vector<std::vector<std::uint32_t>> polygons;
  hull.Merge(polygons);
  HullFaces faces = FacesOf(points, polygons);
  if (faces.vertices.size() > kMaxHullVertices) {
    return Fail(ErrorCode::kCapacity, "hull vertices", kMaxHullVertices,
                "give fewer points of a round shape");
  }
  return faces;
}

}  // namespace

Result<HullFaces> BuildHull(std::span<const Vec3> points) {
  if (Result<void> valid = Validate(points); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&] { return Build(points); });
}

}  // namespace nowait
