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

constexpr float kFarthest = 4e4f;  // from the centre: points are within 10,000 metres on each axis
constexpr float kTolerance = 1e-3f;  // of the radius, or of the number itself
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
      const Vec3 size = Abs(faces_.vertices[i]);
      if (!(size.x <= kFarthest && size.y <= kFarthest && size.z <= kFarthest)) {  // NaN fails too
        return Wrong("hull vertex", i, "not within 40000 metres");
      }
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

  Result<void> CheckMass(const HullBlobHeader& saved) const {
    const HullMass mass = MassOfHull(faces_);
    double radius = 0.0;
    for (const Vec3& vertex : faces_.vertices) radius = std::max(radius, Length(ToDouble(vertex)));
    // Of a thin hull the rounding of its vertices is a part of the volume.
    const double rounding = double{kTolerance} * radius * radius * radius;
    if (!(saved.volume > 0.0f) || !IsNear(saved.volume, mass.volume, mass.volume + rounding)) {
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
    const Vec3 far = Abs(saved.centre);
    if (!(far.x <= kFarthest && far.y <= kFarthest && far.z <= kFarthest)) {
      return Wrong("hull centre", 0, "not within 40000 metres");
    }
    if (!(std::abs(LengthSquared(saved.rotation) - 1.0f) <= kTolerance)) {
      return Wrong("hull rotation", 0, "is not of length one");
    }
    return {};
  }

  // A plane has all vertices below; it is wrong where a corner is far below, too.
  static Result<void> CheckPlanes(const ConvexHull& hull) {
    for (std::size_t face = 0; face < hull.planes().size(); ++face) {
      const HullPlane& plane = hull.planes()[face];
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
