#include "src/collision/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/mesh_edges.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

constexpr float kFarthest = TriangleMesh::kFarthest;

// A triangle lower than this part of its longest side has no normal that floats could tell.
constexpr double kFlat = 1e-5;
constexpr double kLeastArea = 1e-11;  // twice the area, in square metres

// The rounding of a place, as a part of the largest coordinate: some units in the last place.
constexpr float kRoundingOfPlace = 1e-6f;

Result<void> Check(const TriangleMeshDef& def) {
  const auto count = static_cast<std::int64_t>(def.indices.size());
  if (count == 0 || count % 3 != 0) {
    return Fail(ErrorCode::kInvalidArgument, "mesh indices", count,
                "three for each triangle, and at least one triangle");
  }
  if (count / 3 > TriangleMesh::kMaxTriangles) {
    return Fail(ErrorCode::kCapacity, "mesh triangles", TriangleMesh::kMaxTriangles);
  }
  if (def.vertices.size() > std::numeric_limits<std::uint32_t>::max()) {
    return Fail(ErrorCode::kCapacity, "mesh vertices", TriangleMesh::kMaxVertices);
  }
  for (std::size_t i = 0; i < def.vertices.size(); ++i) {
    const Vec3 size = Abs(def.vertices[i]);
    if (!(size.x <= kFarthest && size.y <= kFarthest && size.z <= kFarthest)) {  // NaN fails too
      return Fail(ErrorCode::kInvalidArgument, "mesh vertex", static_cast<std::int64_t>(i),
                  "not within 10000 metres");
    }
  }
  for (std::size_t i = 0; i < def.indices.size(); ++i) {
    if (def.indices[i] >= def.vertices.size()) {
      return Fail(ErrorCode::kInvalidArgument, "mesh index", static_cast<std::int64_t>(i),
                  "there is no such vertex");
    }
  }
  return SurfaceMaterials::Validate(def.materials, def.indices.size() / 3,
                                    SurfaceMaterials::Holes::kNone);
}

}  // namespace

bool TriangleMesh::HasArea(const std::array<Vec3, 3>& vertices) {
  const Double3 a = ToDouble(vertices[0]), b = ToDouble(vertices[1]), c = ToDouble(vertices[2]);
  const double longest =
      std::max({LengthSquared(b - a), LengthSquared(c - b), LengthSquared(a - c)});
  return Length(Cross(b - a, c - a)) > std::max(kFlat * longest, kLeastArea);
}

class TriangleMeshBuilder {
 public:
  explicit TriangleMeshBuilder(const TriangleMeshDef& def) : def_(def) {}

  Result<std::unique_ptr<const TriangleMesh>> Build() {
    const std::vector<std::uint32_t> first = FirstAtPlace();
    for (std::size_t i = 0; i < def_.indices.size(); i += 3) {
      const MeshCorners corners = {first[def_.indices[i]], first[def_.indices[i + 1]],
                                   first[def_.indices[i + 2]]};
      if (!TriangleMesh::HasArea(
              {def_.vertices[corners[0]], def_.vertices[corners[1]], def_.vertices[corners[2]]})) {
        continue;
      }
      corners_.push_back(corners);
      given_.push_back(static_cast<std::uint32_t>(i / 3));
    }
    const std::size_t given = def_.indices.size() / 3;
    if (corners_.empty()) {
      return Fail(ErrorCode::kInvalidArgument, "mesh triangles", static_cast<std::int64_t>(given),
                  "all of them are without area");
    }
    auto mesh = std::unique_ptr<TriangleMesh>(new TriangleMesh);
    mesh->dropped_ = static_cast<std::uint32_t>(given - corners_.size());
    mesh->tree_ = MeshTree::Build(BoxesOf(), order_);
    std::vector<std::uint32_t> given_of_id;
    for (const std::uint32_t triangle : order_) given_of_id.push_back(given_[triangle]);
    mesh->materials_ = SurfaceMaterials(def_.materials).Ordered(given_of_id);
    if (Result<void> fits = TakeVertices(*mesh); !fits) return std::unexpected(fits.error());
    const std::vector<std::uint8_t> active = ActiveEdges(corners_, mesh->places());
    std::vector<TriangleMesh::Packed> packed;
    packed.reserve(corners_.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const auto& [a, b, c] = corners_[i];
      packed.push_back({std::uint64_t{active[i]} << 60 | std::uint64_t{c} << 40 |
                        std::uint64_t{b} << 20 | std::uint64_t{a}});
    }
    mesh->triangles_ = SharedArray<TriangleMesh::Packed>(std::move(packed));
    mesh->FindRounding();
    return mesh;
  }

 private:
  // For each vertex the first one at its place.
  std::vector<std::uint32_t> FirstAtPlace() const {
    const auto place = [&](std::uint32_t i) {
      const Vec3& v = def_.vertices[i];
      return std::tuple(v.x, v.y, v.z);  // minus zero equals zero
    };
    std::vector<std::uint32_t> sorted(def_.vertices.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto of_a = place(a), of_b = place(b);
      return of_a != of_b ? of_a < of_b : a < b;
    });
    std::vector<std::uint32_t> first(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const bool is_new = i == 0 || place(sorted[i]) != place(sorted[i - 1]);
      first[sorted[i]] = is_new ? sorted[i] : first[sorted[i - 1]];
    }
    return first;
  }

  std::vector<Bounds<3>> BoxesOf() const {
    std::vector<Bounds<3>> boxes;
    boxes.reserve(corners_.size());
    for (const auto& [i, j, k] : corners_) {
      const Vec3 a = def_.vertices[i], b = def_.vertices[j], c = def_.vertices[k];
      boxes.push_back(ToBounds(Min(Min(a, b), c), Max(Max(a, b), c)));
    }
    return boxes;
  }

  // Puts the triangles into the order of the tree and the vertices into that of their first use,
  // so that a leaf's vertices lie side by side.
  Result<void> TakeVertices(TriangleMesh& mesh) {
    constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
    std::vector<MeshCorners> ordered;
    ordered.reserve(corners_.size());
    for (const std::uint32_t triangle : order_) ordered.push_back(corners_[triangle]);
    std::vector<std::uint32_t> number(def_.vertices.size(), kUnused);
    std::vector<Vec3> vertices;
    for (MeshCorners& corners : ordered) {
      for (std::uint32_t& corner : corners) {
        if (number[corner] == kUnused) {
          if (vertices.size() == TriangleMesh::kMaxVertices) {
            return Fail(ErrorCode::kCapacity, "mesh vertices", TriangleMesh::kMaxVertices);
          }
          number[corner] = static_cast<std::uint32_t>(vertices.size());
          vertices.push_back(def_.vertices[corner]);
        }
        corner = number[corner];
      }
    }
    vertices.shrink_to_fit();
    mesh.vertices_ = SharedArray<Vec3>(std::move(vertices));
    corners_ = std::move(ordered);
    return {};
  }

  const TriangleMeshDef& def_;
  std::vector<MeshCorners> corners_;
  std::vector<std::uint32_t> given_;  // of those: their places in the definition
  std::vector<std::uint32_t> order_;
};

Result<std::unique_ptr<const TriangleMesh>> TriangleMesh::Create(const TriangleMeshDef& def) {
  if (const Result<void> valid = Check(def); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&] { return TriangleMeshBuilder(def).Build(); });
}

std::size_t TriangleMesh::bytes() const {
  return sizeof(*this) + triangles_.bytes() + vertices_.bytes() + materials_.bytes() +
         tree_.nodes().size_bytes();
}

void TriangleMesh::FindRounding() {
  const Vec3 far = Max(Abs(MinOf(bounds())), Abs(MaxOf(bounds())));
  rounding_ = kRoundingOfPlace * std::max({far.x, far.y, far.z});
}

}  // namespace nowait
