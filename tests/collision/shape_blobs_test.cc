// Meshes and height fields as blobs: an opened one is the one that was saved, uses its lists where
// they lie and keeps their bytes; each kind of damage is refused, and names its element.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/field_blob.h"
#include "src/collision/mesh_blob.h"
#include "src/collision/ray_cast.h"
#include "src/math/random.h"
#include "tests/collision/blob_bytes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::At;
using test::Bytes;
using test::Good;
using test::With;

constexpr std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.1f},
                               SurfaceMaterial{.restitution = 0.5f}};

std::unique_ptr<const TriangleMesh> SomeMesh(std::uint32_t cells = 12) {
  const test::MeshData data = test::Sheet(cells, 0.5f, 0.3f, 7);
  std::vector<std::uint8_t> numbers;
  for (std::size_t i = 0; i < data.triangles(); ++i) {
    numbers.push_back(static_cast<std::uint8_t>(i % kTable.size()));
  }
  return std::move(*TriangleMesh::Create(
      {.vertices = data.vertices, .indices = data.indices, .materials = {kTable, numbers}}));
}

std::unique_ptr<const HeightField> SomeField() {
  Random random(8);
  std::vector<float> heights;
  std::vector<std::uint8_t> numbers;
  for (int i = 0; i < 13 * 9; ++i) heights.push_back(random.Between(-1, 1));
  for (int i = 0; i < 12 * 8; ++i) numbers.push_back(static_cast<std::uint8_t>(i % 3));
  return std::move(*HeightField::Create({.columns = 13,
                                         .rows = 9,
                                         .spacing = 0.5f,
                                         .heights = heights,
                                         .materials = {kTable, numbers}}));
}

std::string ErrorOfMesh(const Bytes& bytes) {
  const auto opened = OpenMeshBlob(bytes, {});
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  return std::string(opened.error().subject) + " " + std::to_string(opened.error().amount);
}
std::string ErrorOfField(const Bytes& bytes) {
  const auto opened = OpenFieldBlob(bytes, {});
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  return std::string(opened.error().subject) + " " + std::to_string(opened.error().amount);
}

bool LiesIn(const void* place, const Bytes& bytes) {
  const auto* at = static_cast<const std::byte*>(place);
  return at >= bytes.data() && at < bytes.data() + bytes.size();
}

void CheckSameAnswers(const Shape& a, const Shape& b) {
  Random random(9);
  const Shape box = Shape::Box({0.4f, 0.3f, 0.5f});
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const Placed body(box, random.InBox({-3, -0.5f, -3}, {5, 1, 4}), random.Rotation());
    Manifold of_a, of_b;
    Collide({a, {}, {}}, body, 0.02f, of_a);
    Collide({b, {}, {}}, body, 0.02f, of_b);
    REQUIRE(of_a.count() == of_b.count());
    for (std::uint32_t i = 0; i < of_a.count(); ++i) {
      const ContactPoint &p = of_a.points()[i], &q = of_b.points()[i];
      CHECK((p.position == q.position && p.normal == q.normal && p.separation == q.separation));
      CHECK((p.feature == q.feature && p.material == q.material && p.friction == q.friction));
    }
    const RayCast ray{random.InBox({-3, 2, -3}, {6, 3, 4}), random.InBox({-3, -6, -3}, {3, -4, 3})};
    const auto hit_a = CastAgainstShape(ray, 1.0f, a, {}, {});
    const auto hit_b = CastAgainstShape(ray, 1.0f, b, {}, {});
    REQUIRE(hit_a.has_value() == hit_b.has_value());
    if (!hit_a) continue;
    CHECK((hit_a->fraction == hit_b->fraction && hit_a->normal == hit_b->normal));
    CHECK(hit_a->material == hit_b->material);
  }
}

// The places of the lists in the blob of a mesh.
MeshBlobHeader HeaderOf(const Bytes& bytes) {
  return At<MeshBlobHeader>(bytes, sizeof(BlobHeader));
}

TEST_CASE("a mesh from a blob is the one that was saved, and its lists lie in the blob") {
  const auto mesh = SomeMesh();
  const Bytes bytes = Good(MakeMeshBlob(*mesh));
  CHECK(HeaderOf(bytes).nodes.at % sizeof(MeshNode) == 0);
  const auto opened = OpenMeshBlob(bytes, {});
  REQUIRE(opened);
  CHECK((*opened)->triangles() == mesh->triangles());
  CHECK((*opened)->dropped() == mesh->dropped());
  CHECK((*opened)->rounding() == mesh->rounding());
  CHECK((*opened)->bounds() == mesh->bounds());
  CHECK((*opened)->tree().step() == mesh->tree().step());
  for (const void* list : {static_cast<const void*>((*opened)->packed().data()),
                           static_cast<const void*>((*opened)->places().data()),
                           static_cast<const void*>((*opened)->tree().nodes().data()),
                           static_cast<const void*>((*opened)->materials().numbers().data()),
                           static_cast<const void*>((*opened)->materials().table().data())}) {
    CHECK(LiesIn(list, bytes));
  }
  CHECK(Good(MakeMeshBlob(**opened)) == bytes);
  CheckSameAnswers(Shape::Mesh(mesh.get()), Shape::Mesh(opened->get()));
}

TEST_CASE("a height field from a blob is the one that was saved, and its lists lie in the blob") {
  const auto field = SomeField();
  const Bytes bytes = Good(MakeFieldBlob(*field));
  const auto opened = OpenFieldBlob(bytes, {});
  REQUIRE(opened);
  CHECK((*opened)->max_height() == field->max_height());
  CHECK(LiesIn((*opened)->heights().data(), bytes));
  CHECK(LiesIn((*opened)->materials().numbers().data(), bytes));
  CHECK(Good(MakeFieldBlob(**opened)) == bytes);
  CheckSameAnswers(Shape::Ground(field.get()), Shape::Ground(opened->get()));
}

TEST_CASE("a shape keeps the bytes that it lies in, and lets go of them with itself") {
  auto of_mesh = std::make_shared<const Bytes>(Good(MakeMeshBlob(*SomeMesh())));
  auto of_field = std::make_shared<const Bytes>(Good(MakeFieldBlob(*SomeField())));
  const std::weak_ptr mesh_bytes = of_mesh, field_bytes = of_field;
  auto mesh = std::move(*OpenMeshBlob(*of_mesh, of_mesh));
  auto field = std::move(*OpenFieldBlob(*of_field, of_field));
  of_mesh.reset();
  of_field.reset();
  CHECK(!mesh_bytes.expired());
  CHECK(!field_bytes.expired());
  CheckSameAnswers(Shape::Mesh(mesh.get()), Shape::Mesh(SomeMesh().get()));
  mesh.reset();
  field.reset();
  CHECK(mesh_bytes.expired());
  CHECK(field_bytes.expired());
}

TEST_CASE("a damaged mesh is refused with its element") {
  const auto mesh = SomeMesh();
  const Bytes good = Good(MakeMeshBlob(*mesh));
  const MeshBlobHeader header = HeaderOf(good);
  const auto vertex = [&](std::size_t i) { return header.vertices.at + 12 * i; };
  const auto triangle = [&](std::size_t i) { return header.triangles.at + 8 * i; };
  const auto node = [&](std::size_t i) { return header.nodes.at + 64 * i; };
  const auto child = [&](std::size_t i, std::size_t c) { return node(i) + 48 + 4 * c; };

  CHECK(ErrorOfMesh(With(good, vertex(5) + 4, std::numeric_limits<float>::quiet_NaN())) ==
        "mesh vertex 5");
  CHECK(ErrorOfMesh(With(good, vertex(7), 10001.0f)) == "mesh vertex 7");
  const auto word = At<std::uint64_t>(good, triangle(9));
  CHECK(ErrorOfMesh(With(good, triangle(9), word | 0xf'ffffu)) == "mesh triangle 9");
  CHECK(ErrorOfMesh(With(good, triangle(9), word | std::uint64_t{1} << 63)) == "mesh triangle 9");
  const std::uint64_t flat = (word & ~std::uint64_t{0xf'ffff}) | (word >> 20 & 0xf'ffff);
  CHECK(ErrorOfMesh(With(good, triangle(9), flat)) == "mesh triangle 9");
  // A vertex that has moved leaves the box of its node.
  const float y = At<float>(good, vertex(20) + 4);
  CHECK(ErrorOfMesh(With(good, vertex(20) + 4, y + 1.0f)).starts_with("mesh node"));
  // A box that is one step too small, a cycle, a node that is left out, a leaf that is read twice.
  const auto low = At<std::uint16_t>(good, node(1));
  CHECK(ErrorOfMesh(With(good, node(1), static_cast<std::uint16_t>(low + 1))) == "mesh node 1");
  CHECK(ErrorOfMesh(With(good, child(0, 0), std::uint32_t{0})) == "mesh node 0");
  CHECK(ErrorOfMesh(With(good, child(0, 0), std::uint32_t{2})) == "mesh node 0");
  CHECK(ErrorOfMesh(With(good, child(0, 1), At<std::uint32_t>(good, child(0, 0)))) ==
        "mesh node 0");
  CHECK(ErrorOfMesh(With(good, child(0, 0), 0x8000'0000u | 300u)) == "mesh node 0");
  CHECK(ErrorOfMesh(With(good, child(0, 0), 0xffff'ffffu)) == "mesh node 0");

  const auto with_header = [&](auto change) {
    MeshBlobHeader changed = header;
    change(changed);
    return With(good, sizeof(BlobHeader), changed);
  };
  CHECK(ErrorOfMesh(with_header([](auto& h) { h.triangles.count = 0; })) == "mesh triangles 0");
  CHECK(ErrorOfMesh(with_header([](auto& h) { h.nodes.count = 0; })) == "mesh nodes 0");
  CHECK(ErrorOfMesh(with_header([](auto& h) { --h.nodes.count; })).starts_with("mesh node"));
  CHECK(ErrorOfMesh(with_header([](auto& h) { --h.vertices.count; })).starts_with("mesh triangle"));
  CHECK(ErrorOfMesh(with_header([](auto& h) { h.vertices.at = 0; })) == "blob 0");
  CHECK(ErrorOfMesh(with_header([](auto& h) { h.triangles.count = ~0u; })).starts_with("blob"));
  CHECK(ErrorOfMesh(with_header([](auto& h) { --h.materials.table.count; })) ==
        "material number 2");
  CHECK(ErrorOfMesh(with_header([](auto& h) { --h.materials.numbers.count; })) ==
        "material numbers " + std::to_string(mesh->triangles() - 1));
  CHECK(ErrorOfMesh(With(good, header.materials.table.at + 8, -1.0f)) == "surface friction 1");
}

TEST_CASE("a damaged height field is refused with its element") {
  const Bytes good = Good(MakeFieldBlob(*SomeField()));
  const auto header = At<FieldBlobHeader>(good, sizeof(BlobHeader));
  const auto with_header = [&](auto change) {
    FieldBlobHeader changed = header;
    change(changed);
    return With(good, sizeof(BlobHeader), changed);
  };
  CHECK(ErrorOfField(With(good, header.heights.at + 4 * 30,
                          std::numeric_limits<float>::infinity())) == "height field height 30");
  CHECK(ErrorOfField(with_header([](auto& h) { h.columns = 1; })) == "height field columns 1");
  CHECK(ErrorOfField(with_header([](auto& h) { h.rows = 8; })) == "height field heights 117");
  CHECK(ErrorOfField(with_header([](auto& h) { h.spacing = 0.0f; })) == "height field spacing 0");
  CHECK(ErrorOfField(with_header([](auto& h) { h.heights.at += 2; })).starts_with("blob"));
  CHECK(ErrorOfField(With(good, header.materials.numbers.at + 6, std::uint8_t{3})) ==
        "material number 6");
}

TEST_CASE("a blob that is cut off, has another byte or another content is refused") {
  const Bytes mesh = Good(MakeMeshBlob(*SomeMesh(3))), field = Good(MakeFieldBlob(*SomeField()));
  for (std::size_t size = 0; size < mesh.size(); size += 7) {
    CHECK(ErrorOfMesh(Bytes(mesh.begin(), mesh.begin() + static_cast<std::ptrdiff_t>(size)))
              .starts_with("blob"));
  }
  for (std::size_t at = 0; at < mesh.size(); ++at) {
    Bytes changed = mesh;
    changed[at] ^= std::byte{0x10};
    CHECK(ErrorOfMesh(changed).starts_with("blob"));
  }
  CHECK(ErrorOfMesh(field) == "blob 16");
  CHECK(ErrorOfField(mesh) == "blob 16");
}

}  // namespace
}  // namespace nowait
