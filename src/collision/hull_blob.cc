#include "src/collision/hull_blob.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/hull_mass.h"
#include "src/collision/quickhull.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
}

constexpr float kTolerance = 1e-3f;  // of the radius, or of the number itself
// Places are floats: one 10,000 metres from the origin is rounded by less than this part of it.
constexpr float kRounding = 1e-6f;
// Of the radius. A body that is kLeastThickness of its longest side thick has its centre of mass at
// least a quarter of that below each of its planes, and its faces are a little thinner.
constexpr float kLeastDepth = 1e-5f;
constexpr std::size_t kMostFaces = 2 * kMaxHullVertices - 4;

bool IsNear(double value, double to, double size) {
  return std::abs(value - to) <= double{kTolerance} * size;
}

}  // namespace

class HullBlobReader {
 public:
  explicit HullBlobReader(const Blob& blob) : blob_(blob) {}

  Result<std::unique_ptr<const ConvexHull>> Read() {
    const auto header = blob_.First<HullBlobHeader>();
    if (!header) return std::unexpected(header.error());
    const auto vertices = blob_.Get((*header)->vertices);
    if (!vertices) return std::unexpected(vertices.error());
    const auto first = blob_.Get((*header)->first);
    if (!first) return std::unexpected(first.error());
    const auto corners = blob_.Get((*header)->corners);
    if (!corners) return std::unexpected(corners.error());
    faces_.vertices.assign(vertices->begin(), vertices->end());
    faces_.first.assign(first->begin(), first->end());
    faces_.corners.assign(corners->begin(), corners->end());
    if (Result<void> checked = CheckLists(); !checked) return std::unexpected(checked.error());
    if (Result<void> checked = CheckEdges(); !checked) return std::unexpected(checked.error());
    const HullBlobHeader& saved = **header;
    if (Result<void> checked = CheckFrame(saved); !checked) return std::unexpected(checked.error());
    if (Result<void> checked = CheckSize(saved); !checked) return std::unexpected(checked.error());
    if (Result<void> checked = CheckMass(saved); !checked) return std::unexpected(checked.error());
    auto hull = ConvexHull::Assemble(faces_.vertices, faces_,
                                     {.volume = saved.volume,
                                      .inertia = saved.inertia,
                                      .centre = saved.centre,
                                      .rotation = saved.rotation});
    if (Result<void> checked = CheckPlanes(*hull); !checked) {
      return std::unexpected(checked.error());
    }
    return hull;
  }

 private:
  Result<void> CheckLists() const {
    if (faces_.vertices.size() < 4 || faces_.vertices.size() > kMaxHullVertices) {
      return Wrong("hull vertices", faces_.vertices.size(), "4 .. 255");
    }
    if (faces_.first.size() < 5 || faces_.first.size() > kMostFaces + 1) {
      return Wrong("hull faces", faces_.first.size(), "4 .. 506, and one more place");
    }
    for (std::size_t i = 0; i < faces_.vertices.size(); ++i) {
      if (!IsFinite(faces_.vertices[i])) return Wrong("hull vertex", i, "is not a number");
    }
    if (faces_.first.front() != 0 || faces_.first.back() != faces_.corners.size()) {
      return Wrong("hull faces", faces_.first.back(), "do not have all corners");
    }
    for (std::size_t face = 0; face < faces_.count(); ++face) {
      if (faces_.first[face + 1] < faces_.first[face] + 3 ||
          faces_.first[face + 1] > faces_.corners.size()) {
        return Wrong("hull face", face, "has fewer than three corners");
      }
      for (const std::uint32_t corner : faces_.CornersOf(face)) {
        if (corner >= faces_.vertices.size()) return Wrong("hull face", face, "has no such vertex");
      }
    }
    return {};
  }

  // Each edge is there once in each direction, and by Euler's formula the surface is one sphere.
  Result<void> CheckEdges() const {
    std::bitset<256 * 256> there;
    std::bitset<256> used;
    const auto edge = [](std::uint32_t from, std::uint32_t to) { return from * 256 + to; };
    for (const bool backwards : {false, true}) {
      for (std::size_t face = 0; face < faces_.count(); ++face) {
        const auto corners = faces_.CornersOf(face);
        for (std::size_t i = 0; i < corners.size(); ++i) {
          const std::uint32_t from = corners[i], to = corners[i + 1 == corners.size() ? 0 : i + 1];
          used.set(from);
          if (backwards) {
            if (!there[edge(to, from)]) return Wrong("hull face", face, "has an open edge");
          } else {
            if (from == to || there[edge(from, to)]) {
              return Wrong("hull face", face, "has an edge of another one");
            }
            there.set(edge(from, to));
          }
        }
      }
    }
    if (used.count() != faces_.vertices.size()) {
      return Wrong("hull vertices", used.count(), "is the number of those in a face");
    }
    if (faces_.vertices.size() + faces_.count() != there.count() / 2 + 2) {
      return Wrong("hull faces", faces_.count(), "are not the surface of one body");
    }
    return {};
  }

  static Result<void> CheckFrame(const HullBlobHeader& saved) {
    if (!IsFinite(saved.centre)) return Wrong("hull centre", 0, "is not a number");
    if (!(std::abs(LengthSquared(saved.rotation) - 1.0f) <= kTolerance)) {
      return Wrong("hull rotation", 0, "is not of length one");
    }
    return {};
  }

  // As BuildHull asks of the points.
  Result<void> CheckSize(const HullBlobHeader& saved) const {
    constexpr float kFarthest = (1.0f + kRounding) * kFarthestHullPoint;
    Vec3 low, high;
    for (std::size_t i = 0; i < faces_.vertices.size(); ++i) {
      const Vec3 from = Rotate(saved.rotation, faces_.vertices[i]);
      const Vec3 size = Abs(saved.centre + from);
      if (!(size.x <= kFarthest && size.y <= kFarthest && size.z <= kFarthest)) {
        return Wrong("hull vertex", i, "is not within 10000 metres of the points' origin");
      }
      low = i == 0 ? from : Min(low, from);
      high = i == 0 ? from : Max(high, from);
    }
    const Vec3 sides = high - low;
    if (!(std::max({sides.x, sides.y, sides.z}) >= (1.0f - kTolerance) * kLeastHullSize)) {
      return Wrong("hull vertices", faces_.vertices.size(), "all within a millimetre");
    }
    return {};
  }

  Result<void> CheckMass(const HullBlobHeader& saved) const {
    const HullMass mass = MassOfHull(faces_);
    double radius = 0.0;
    for (const Vec3& vertex : faces_.vertices) radius = std::max(radius, Length(ToDouble(vertex)));
    // Of a thin hull the rounding of its vertices is a part of the volume.
    const double rounding = double{kTolerance} * radius * radius * radius;
    if (!(saved.volume > 0.0f) || !(mass.volume > 0.0) ||
        !IsNear(saved.volume, mass.volume, mass.volume + rounding)) {
      return Wrong("hull volume", 0, "is not that of the faces");
    }
    if (!(Length(mass.centre) <= double{kTolerance} * radius)) {
      return Wrong("hull centre", 0, "of the vertices is not the origin");
    }
    // Any axes will do where two moments are equal: the sorted moments are compared.
    std::array<double, 3> found = {mass.inertia.x, mass.inertia.y, mass.inertia.z};
    std::array<double, 3> named = {saved.inertia.x, saved.inertia.y, saved.inertia.z};
    std::ranges::sort(found);
    std::ranges::sort(named);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(named[i] > 0.0) || !IsNear(named[i], found[i], found[2] + rounding * radius * radius)) {
        return Wrong("hull inertia", i, "is not that of the faces");
      }
    }
    return {};
  }

  // A plane has all vertices below; it is wrong where a corner is far below, too.
  static Result<void> CheckPlanes(const ConvexHull& hull) {
    for (std::size_t face = 0; face < hull.planes().size(); ++face) {
      const HullPlane& plane = hull.planes()[face];
      if (!(plane.offset >= kLeastDepth * hull.radius())) {
        return Wrong("hull face", face, "has the centre of mass above it, or hardly below");
      }
      for (const std::uint8_t corner : hull.CornersOf(face)) {
        const float below = plane.offset - Dot(plane.normal, hull.vertices()[corner]);
        if (!(below <= kTolerance * hull.radius())) {
          return Wrong("hull face", face, "has a vertex above it, or is not flat");
        }
      }
    }
    return {};
  }

  const Blob& blob_;
  HullFaces faces_;
};

Result<std::vector<std::byte>> MakeHullBlob(const ConvexHull& hull) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    std::vector<std::uint16_t> first = {0};
    std::vector<std::uint8_t> corners;
    for (std::size_t face = 0; face < hull.planes().size(); ++face) {
      corners.insert(corners.end(), hull.CornersOf(face).begin(), hull.CornersOf(face).end());
      first.push_back(static_cast<std::uint16_t>(corners.size()));
    }
    BlobWriter writer(kHullKind, kHullVersion, std::numeric_limits<std::uint32_t>::max());
    HullBlobHeader header;
    const auto at = writer.Add(header);
    if (!at) return std::unexpected(at.error());
    const auto vertices = writer.AddArray<Vec3>(hull.vertices());
    if (!vertices) return std::unexpected(vertices.error());
    const auto firsts = writer.AddArray<std::uint16_t>(first);
    if (!firsts) return std::unexpected(firsts.error());
    const auto all = writer.AddArray<std::uint8_t>(corners);
    if (!all) return std::unexpected(all.error());
    header = {*vertices,      *firsts,       *all,           hull.volume(),
              hull.inertia(), hull.centre(), hull.rotation()};
    writer.Set(*at, header);
    return writer.Finish();
  });
}

Result<std::unique_ptr<const ConvexHull>> OpenHullBlob(std::span<const std::byte> bytes) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kHullKind, kHullVersion); !kind) {
    return std::unexpected(kind.error());
  }
  return OrNoMemory([&] { return HullBlobReader(*blob).Read(); });
}

}  // namespace nowait
