// Meshes, height fields, hulls, compounds and sets of them as blobs of any bytes: refused with one
// line, or shapes that answer.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/compound_blob.h"
#include "src/collision/field_blob.h"
#include "src/collision/hull_blob.h"
#include "src/collision/mesh_blob.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_set.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.5f}};
constexpr std::uint32_t kCells = 5;

std::vector<float> Heights() {
  std::vector<float> heights;
  for (std::uint32_t i = 0; i < (kCells + 1) * (kCells + 1); ++i) {
    heights.push_back(0.25f * static_cast<float>(i * 7 % 5));
  }
  return heights;
}

Bytes GoodField() {
  const std::vector<float> heights = Heights();
  std::vector<std::uint8_t> numbers(kCells * kCells, 1);
  numbers[7] = numbers[8] = SurfaceMaterials::kHole;
  const auto field = HeightField::Create({.columns = kCells + 1,
                                          .rows = kCells + 1,
                                          .heights = heights,
                                          .materials = {kTable, numbers}});
  return *MakeFieldBlob(**field);
}

Bytes GoodMesh() {
  const std::vector<float> heights = Heights();
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t k = 0; k <= kCells; ++k) {
    for (std::uint32_t i = 0; i <= kCells; ++i) {
      const std::uint32_t at = k * (kCells + 1) + i, across = at + kCells + 2;
      vertices.push_back({static_cast<float>(i), heights[at], static_cast<float>(k)});
      if (i == kCells || k == kCells) continue;
      indices.insert(indices.end(), {at, across - 1, across, at, across, at + 1});
    }
  }
  const std::vector<std::uint8_t> numbers(indices.size() / 3, 1);
  const auto mesh = TriangleMesh::Create(
      {.vertices = vertices, .indices = indices, .materials = {kTable, numbers}});
  return *MakeMeshBlob(**mesh);
}

Bytes GoodHull() {
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i) {
    const auto at = [i](int step) { return static_cast<float>(i * step % 13) - 6.0f; };
    points.push_back({at(5), at(3), at(7)});
  }
  const auto hull = ConvexHull::Create({.points = points});
  return *MakeHullBlob(**hull);
}

// The hulls of the good compound, and of any bytes that are tried as one.
const std::vector<const ConvexHull*>& Hulls() {
  static const auto hull = *OpenHullBlob(GoodHull());
  static const std::vector<const ConvexHull*> hulls = {hull.get()};
  return hulls;
}

std::unique_ptr<const CompoundShape> GoodCompound() {
  std::vector<CompoundChild> children = {
      {.shape = Shape::Hull(Hulls()[0]), .position = {1, 2, 3}},
      {.shape = Shape::Cylinder(0.5f, 1), .position = {-7, 0, 0}, .rotation = {0, 0.6f, 0, 0.8f}}};
  for (int i = 0; i < 12; ++i) {
    const float at = static_cast<float>(i);
    children.push_back({.shape = Shape::Box({1, 0.5f, 0.25f}), .position = {at, 0.5f * at, -at}});
    children.push_back({.shape = Shape::Sphere(0.5f), .position = {-at, at, 2.0f * at}});
  }
  return std::move(*CompoundShape::Create({.children = children}));
}

// With the header of a blob of this kind, and the right checksum.
Bytes Sealed(Bytes bytes, std::uint32_t kind, std::uint32_t version) {
  BlobHeader header{{'N', 'O', 'W', 'A', 'I', 'T', 'B', 'L'}, 1, 0, kind, version, bytes.size()};
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + 16, bytes.size() - 16));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

void CheckAnswers(const Shape& shape, const SurfaceMaterials& materials) {
  const Shape box = Shape::Box({1.5f, 0.5f, 1});
  for (const float at : {0.5f, 2.5f, 4.25f}) {
    Manifold manifold;
    Collide({shape, {}, {}}, {box, {at, 1, at}, {}}, 0.02f, manifold);
    for (const ContactPoint& point : manifold.points()) {
      fuzz::Promise(IsFinite(point.position) && IsFinite(point.normal), "contacts are finite");
      fuzz::Promise(point.separation <= 0.0201f, "a contact is no farther than the margin");
    }
    const auto hit = CastAgainstShape({{at, 1e4f, at}, {0.1f, -2e4f, 0.1f}}, 1.0f, shape, {}, {});
    if (!hit) continue;
    fuzz::Promise(hit->fraction >= 0.0f && hit->fraction <= 1.0f, "a hit lies on the ray");
    fuzz::Promise(hit->material < std::max<std::size_t>(materials.table().size(), 1),
                  "a hit names one of the surface's materials");
  }
}

void CheckMesh(const Bytes& bytes) {
  const auto mesh = OpenMeshBlob(bytes, {});
  if (!mesh) return fuzz::PromiseOneLine(ToString(mesh.error()));
  std::uint32_t met = 0;
  (*mesh)->VisitTriangles((*mesh)->bounds(), [&](const TriangleMesh::Triangle& triangle) {
    fuzz::Promise(std::abs(Length(triangle.normal) - 1.0f) < 1e-3f, "a normal has length one");
    ++met;
  });
  fuzz::Promise(met == (*mesh)->triangles(), "a walk meets each triangle once");
  CheckAnswers(Shape::Mesh(mesh->get()), (*mesh)->materials());
  const auto again = MakeMeshBlob(**mesh);
  const auto opened = OpenMeshBlob(*again, {});
  fuzz::Promise(opened.has_value(), "a mesh can be saved again");
}

void CheckField(const Bytes& bytes) {
  const auto field = OpenFieldBlob(bytes, {});
  if (!field) return fuzz::PromiseOneLine(ToString(field.error()));
  fuzz::Promise((*field)->min_height() <= (*field)->max_height(), "a field has heights");
  CheckAnswers(Shape::Ground(field->get()), (*field)->materials());
}

void CheckHull(const Bytes& bytes) {
  const auto hull = OpenHullBlob(bytes);
  if (!hull) return fuzz::PromiseOneLine(ToString(hull.error()));
  const float size = (*hull)->radius();
  for (const HullPlane& plane : (*hull)->planes()) {
    fuzz::Promise(std::abs(Length(plane.normal) - 1.0f) < 1e-3f, "a normal has length one");
    const Vec3 furthest = (*hull)->vertices()[(*hull)->SupportOf(ToDouble(plane.normal))];
    fuzz::Promise(std::abs(Dot(plane.normal, furthest) - plane.offset) <= 2e-3f * size,
                  "a face is as far out as any vertex");
  }
  const Shape shape = Shape::Hull(hull->get()), box = Shape::Box({1, 1, 1});
  Manifold manifold;
  Collide({shape, {}, {}}, {box, {size, 0, 0}, {}}, 0.02f, manifold);
  for (const ContactPoint& point : manifold.points()) {
    fuzz::Promise(IsFinite(point.position) && IsFinite(point.normal), "contacts are finite");
  }
  const auto again = MakeHullBlob(**hull);
  fuzz::Promise(OpenHullBlob(*again).has_value(), "a hull can be saved again");
}

void CheckCompound(const Bytes& bytes) {
  const auto compound = OpenCompoundBlob(bytes, Hulls());
  if (!compound) return fuzz::PromiseOneLine(ToString(compound.error()));
  std::size_t met = 0;
  (*compound)->tree().VisitLeaves((*compound)->tree().bounds(),
                                  [&](std::uint32_t, std::uint32_t count) { met += count; });
  fuzz::Promise(met == (*compound)->children().size(), "a walk meets each child once");
  fuzz::Promise((*compound)->mass() > 0.0f, "a compound has a mass");
  CheckAnswers(Shape::Compound(compound->get()), {});
  const auto again = MakeCompoundBlob(**compound, Hulls());
  fuzz::Promise(OpenCompoundBlob(*again, Hulls()).has_value(), "a compound can be saved again");
}

void CheckSet(const Bytes& bytes) {
  BlobSequence sequence(bytes);
  const auto set = ShapeSet::Take(sequence, {});
  if (!set) return fuzz::PromiseOneLine(ToString(set.error()));
  for (const Shape& shape : set->shapes()) {
    fuzz::Promise(HasSharedData(shape), "a set has shapes with shared data");
  }
  fuzz::Promise(ShapeSet::ToBytes(set->shapes()).has_value(), "a set can be saved again");
}

// Of a compound, a hull that it shares, and that hull once more.
Bytes GoodSet(const CompoundShape& compound) {
  const std::array shapes = {Shape::Hull(Hulls()[0]), Shape::Compound(&compound),
                             Shape::Hull(Hulls()[0])};
  return *ShapeSet::ToBytes(shapes);
}

// Each three bytes put one into a good blob, at a place of two bytes.
Bytes Edited(Bytes bytes, const std::uint8_t* edits, std::size_t size) {
  for (std::size_t i = 0; i + 3 <= size; i += 3) {
    const std::size_t place = edits[i] | std::size_t{edits[i + 1]} << 8;
    bytes[place % bytes.size()] = std::byte{edits[i + 2]};
  }
  return bytes;
}

// The first blob of the set is edited, and sealed; the others follow.
Bytes SetWith(const Bytes& set, const std::uint8_t* edits, std::size_t size) {
  BlobHeader header;
  std::memcpy(&header, set.data(), sizeof header);
  const auto end = set.begin() + static_cast<std::ptrdiff_t>(header.bytes);
  Bytes bytes = Sealed(Edited({set.begin(), end}, edits, size), kShapeSetKind, kShapeSetVersion);
  bytes.insert(bytes.end(), end, set.end());
  return bytes;
}

}  // namespace
}  // namespace nowait

// The bytes as they are; with what no fuzzer guesses made right; and as edits of good blobs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nowait;
  if (size > 8192) return 0;
  static const Bytes mesh = GoodMesh(), field = GoodField(), hull = GoodHull();
  static const auto compound = GoodCompound();
  static const Bytes of_compound = *MakeCompoundBlob(*compound, Hulls());
  static const Bytes set = GoodSet(*compound);
  Bytes bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  CheckMesh(bytes);
  CheckField(bytes);
  CheckHull(bytes);
  CheckCompound(bytes);
  CheckSet(bytes);
  CheckMesh(Sealed(Edited(mesh, data, size), kMeshKind, kMeshVersion));
  CheckField(Sealed(Edited(field, data, size), kFieldKind, kFieldVersion));
  CheckHull(Sealed(Edited(hull, data, size), kHullKind, kHullVersion));
  CheckCompound(Sealed(Edited(of_compound, data, size), kCompoundKind, kCompoundVersion));
  CheckSet(SetWith(set, data, size));
  if (size < 96) return 0;
  bytes.resize(size / 16 * 16);
  CheckMesh(Sealed(bytes, kMeshKind, kMeshVersion));
  CheckField(Sealed(bytes, kFieldKind, kFieldVersion));
  CheckHull(Sealed(bytes, kHullKind, kHullVersion));
  CheckCompound(Sealed(bytes, kCompoundKind, kCompoundVersion));
  CheckSet(Sealed(bytes, kShapeSetKind, kShapeSetVersion));
  return 0;
}
