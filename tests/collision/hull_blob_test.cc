// Hulls as blobs: an opened one is the one that was saved, bit by bit, and each kind of damage is
// refused and names its element.
#include "src/collision/hull_blob.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/hull_mass.h"
#include "src/collision/quickhull.h"
#include "src/math/random.h"
#include "tests/collision/blob_bytes.h"

namespace nowait {
namespace {

using test::At;
using test::Bytes;
using test::Good;
using test::With;

std::unique_ptr<const ConvexHull> HullOf(const std::vector<Vec3>& points) {
  auto hull = ConvexHull::Create({.points = points});
  REQUIRE(hull);
  return std::move(*hull);
}

std::vector<Vec3> Points(Random& random, std::size_t count, Vec3 size, Vec3 middle) {
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Vec3 n = random.Direction();
    points.push_back(middle + Vec3{n.x * size.x, n.y * size.y, n.z * size.z});
  }
  return points;
}

std::unique_ptr<const ConvexHull> Cube() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? 1.f : -1.f, i & 2 ? 1.f : -1.f, i & 4 ? 1.f : -1.f});
  }
  return HullOf(corners);
}

std::string ErrorOf(const Bytes& bytes) {
  const auto opened = OpenHullBlob(bytes);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  return std::string(opened.error().subject) + " " + std::to_string(opened.error().amount);
}

TEST_CASE("a hull from a blob is the one that was saved, bit by bit") {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const float thin = i % 4 == 0 ? 2e-4f : random.Between(0.1f, 1.0f);
    const Vec3 size = Vec3{1, thin, random.Between(0.2f, 1.0f)} * (i % 3 == 0 ? 1000.0f : 0.5f);
    const Vec3 middle =
        random.InBox({-500, -500, -500}, {500, 500, 500}) * (i % 2 == 0 ? 1.f : 0.f);
    const auto made =
        ConvexHull::Create({.points = Points(random, 5 + random.Below(200), size, middle)});
    if (!made) continue;  // too thin beside where it is
    const ConvexHull& hull = **made;
    const Bytes bytes = Good(MakeHullBlob(hull));
    const auto opened = OpenHullBlob(bytes);
    REQUIRE(opened);
    CHECK(std::ranges::equal((*opened)->block(), hull.block()));
    for (int k = 0; k < 20; ++k) {
      const Vec3 n = random.Direction();
      CHECK((*opened)->SupportOf(ToDouble(n)) == hull.SupportOf(ToDouble(n)));
      CHECK((*opened)->FaceTowards(n) == hull.FaceTowards(n));
    }
    CHECK(Good(MakeHullBlob(**opened)) == bytes);
  }
}

TEST_CASE("a damaged hull is refused with its element") {
  const auto cube = Cube();
  const Bytes good = Good(MakeHullBlob(*cube));
  constexpr std::size_t kHeader = sizeof(BlobHeader);
  const auto header = At<HullBlobHeader>(good, kHeader);
  const auto with_header = [&](auto change) {
    HullBlobHeader changed = header;
    change(changed);
    return With(good, kHeader, changed);
  };
  const auto vertex = [&](std::size_t i) { return header.vertices.at + 12 * i; };
  CHECK(header.vertices.count == 8);
  CHECK(header.first.count == 7);
  CHECK(header.corners.count == 24);

  CHECK(ErrorOf(With(good, vertex(3), std::numeric_limits<float>::quiet_NaN())) == "hull vertex 3");
  CHECK(ErrorOf(With(good, vertex(3), 5e4f)) == "hull vertex 3");
  // A corner that is drawn out bends three faces; one that is drawn in, too.
  CHECK(ErrorOf(With(good, vertex(0), Vec3{-1.3f, -1, -1})).starts_with("hull"));
  CHECK(ErrorOf(With(good, vertex(0), Vec3{-0.5f, -0.5f, -0.5f})).starts_with("hull"));
  CHECK(ErrorOf(With(good, header.corners.at, std::uint8_t{8})) == "hull face 0");
  const auto second = At<std::uint8_t>(good, header.corners.at + 1);
  CHECK(ErrorOf(With(good, header.corners.at, second)) == "hull face 0");
  CHECK(ErrorOf(With(good, header.first.at, std::uint16_t{1})).starts_with("hull face"));
  CHECK(ErrorOf(With(good, header.first.at + 2, std::uint16_t{2})) == "hull face 0");
  CHECK(ErrorOf(With(good, header.first.at + 2, std::uint16_t{60'000})) == "hull face 0");
  // Two corners that change places: the face is turned inside out, and its edges are those of its
  // neighbours.
  const auto third = At<std::uint8_t>(good, header.corners.at + 2);
  CHECK(ErrorOf(With(With(good, header.corners.at + 1, third), header.corners.at + 2, second))
            .starts_with("hull face"));

  CHECK(ErrorOf(with_header([](auto& h) { h.vertices.count = 3; })) == "hull vertices 3");
  CHECK(ErrorOf(with_header([](auto& h) { h.vertices.count = 7; })).starts_with("hull face"));
  CHECK(ErrorOf(with_header([](auto& h) { h.first.count = 4; })) == "hull faces 4");
  CHECK(ErrorOf(with_header([](auto& h) { --h.first.count; })).starts_with("hull faces"));
  CHECK(ErrorOf(with_header([](auto& h) { --h.corners.count; })).starts_with("hull faces"));
  CHECK(ErrorOf(with_header([](auto& h) { h.vertices.at = 0; })).starts_with("blob"));
  CHECK(ErrorOf(with_header([](auto& h) { h.corners.count = ~0u; })).starts_with("blob"));
  CHECK(ErrorOf(with_header([](auto& h) { h.volume = -h.volume; })) == "hull volume 0");
  CHECK(ErrorOf(with_header([](auto& h) { h.volume *= 1.1f; })) == "hull volume 0");
  CHECK(ErrorOf(with_header([](auto& h) { h.inertia.y = 0.0f; })).starts_with("hull inertia"));
  CHECK(ErrorOf(with_header([](auto& h) { h.inertia.z *= 1.1f; })).starts_with("hull inertia"));
  CHECK(ErrorOf(with_header([](auto& h) {
          h.centre.x = std::numeric_limits<float>::infinity();
        })) == "hull centre 0");
  CHECK(ErrorOf(with_header([](auto& h) { h.rotation.w = 2.0f; })) == "hull rotation 0");
}

// The more of it the rounding of far points is, the more corners are not in the planes of faces.
TEST_CASE("a hull of points far from the origin opens from its blob, however small it is") {
  Random random(7);
  int hulls = 0, rough = 0;
  for (int i = 0; i < 3000; ++i) {
    const float size = std::exp(random.Between(std::log(2e-3f), std::log(1.0f)));
    const Vec3 middle = random.Direction() * std::exp(random.Between(0.0f, std::log(9000.0f)));
    const float thin = i % 2 == 0 ? 1.0f : random.Between(0.01f, 1.0f);
    const auto hull = ConvexHull::Create(
        {.points = Points(random, 4 + random.Below(80), Vec3{1, thin, 1} * size, middle)});
    if (!hull) continue;  // so far away that rounding has made it flat
    ++hulls;
    if (Length(middle) > 1000.0f * size) ++rough;
    const Bytes bytes = Good(MakeHullBlob(**hull));
    const auto opened = OpenHullBlob(bytes);
    CAPTURE(i, size, middle.x, middle.y, middle.z);
    REQUIRE(opened);
    REQUIRE(Good(MakeHullBlob(**opened)) == bytes);
  }
  CHECK(hulls > 2000);
  CHECK(rough > 500);
}

// A hull that Create would not make, with the volume and the moments of its surface.
Bytes BlobOf(const std::vector<Vec3>& vertices, const HullFaces& faces, float volume,
             Vec3 inertia) {
  BlobWriter writer(kHullKind, kHullVersion, 1u << 16);
  HullBlobHeader header;
  const auto at = *writer.Add(header);
  header.vertices = *writer.AddArray<Vec3>(vertices);
  header.first = *writer.AddArray<std::uint16_t>(
      std::vector<std::uint16_t>(faces.first.begin(), faces.first.end()));
  header.corners = *writer.AddArray<std::uint8_t>(
      std::vector<std::uint8_t>(faces.corners.begin(), faces.corners.end()));
  header.volume = volume;
  header.inertia = inertia;
  header.rotation = {0, 0, 0, 1};
  writer.Set(at, header);
  return *writer.Finish();
}

Bytes BlobOf(const std::vector<Vec3>& vertices, HullFaces faces) {
  faces.vertices = vertices;
  const HullMass mass = MassOfHull(faces);
  return BlobOf(vertices, faces, static_cast<float>(mass.volume), ToFloat(mass.inertia));
}

TEST_CASE("a hull of a size or thickness that Create refuses is refused as a blob") {
  const std::vector<Vec3> corners = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  const auto faces = BuildHull(corners);
  REQUIRE(faces);
  const auto blob = [&](Vec3 half) {
    std::vector<Vec3> vertices;
    for (const Vec3& v : faces->vertices) {
      vertices.push_back({v.x * half.x, v.y * half.y, v.z * half.z});
    }
    return BlobOf(vertices, *faces);
  };
  for (const float half : {6e-4f, 1.0f, 9999.0f, 1e4f}) {
    CHECK(OpenHullBlob(blob({half, half, half})));
  }
  CHECK(OpenHullBlob(blob({1, 1.1e-4f, 1})));
  for (const float half : {4e-4f, 1e-5f, 1e-8f, 3e-9f}) {
    CHECK(ErrorOf(blob({half, half, half})) == "hull vertices 8");
  }
  for (const float half : {1.001e4f, 2.2e4f, 3.9e4f, 1e20f}) {
    CHECK(ErrorOf(blob({half, half, half})) == "hull vertex 0");
  }
  for (const float thin : {1e-5f, 1e-6f, 1e-9f}) {
    CHECK(ErrorOf(blob({1, thin, 1})).starts_with("hull face"));
  }
}

TEST_CASE("a sliver that is turned inside out is refused, however thin it is") {
  for (const float half : {4e-4f, 1e-6f, 3e-7f, 1e-8f}) {
    const std::vector<Vec3> vertices = {{1, half, 0}, {-1, half, 0}, {0, -half, 1}, {0, -half, -1}};
    HullFaces faces;
    faces.corners = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    faces.first = {0, 3, 6, 9, 12};
    faces.vertices = vertices;
    if (MassOfHull(faces).volume > 0.0) {
      for (std::size_t face = 0; face < 4; ++face) {
        std::swap(faces.corners[3 * face + 1], faces.corners[3 * face + 2]);
      }
    }
    CAPTURE(half);
    CHECK(ErrorOf(BlobOf(vertices, faces, 1e-8f, {1e-8f, 1e-8f, 1e-8f})) == "hull volume 0");
  }
}

// Two tetrahedra in one list are closed, and no body.
TEST_CASE("two bodies are not a hull") {
  HullBlobHeader header;
  std::vector<Vec3> vertices;
  std::vector<std::uint16_t> first = {0};
  std::vector<std::uint8_t> corners;
  for (std::uint8_t body = 0; body < 2; ++body) {
    const float size = body == 0 ? 1.0f : 0.5f;
    for (const Vec3 corner : {Vec3{1, 1, 1}, Vec3{-1, -1, 1}, Vec3{-1, 1, -1}, Vec3{1, -1, -1}}) {
      vertices.push_back(corner * size);
    }
    for (const auto& face :
         {std::array{0, 2, 1}, std::array{0, 1, 3}, std::array{0, 3, 2}, std::array{1, 2, 3}}) {
      for (const int corner : face) {
        corners.push_back(static_cast<std::uint8_t>(corner + 4 * body));
      }
      first.push_back(static_cast<std::uint16_t>(corners.size()));
    }
  }
  BlobWriter writer(kHullKind, kHullVersion, 1u << 16);
  const auto at = *writer.Add(header);
  header.vertices = *writer.AddArray<Vec3>(vertices);
  header.first = *writer.AddArray<std::uint16_t>(first);
  header.corners = *writer.AddArray<std::uint8_t>(corners);
  header.volume = 1.0f;
  writer.Set(at, header);
  CHECK(ErrorOf(*writer.Finish()) == "hull faces 8");
}

TEST_CASE("a blob of a hull that is cut off, or has another byte, is refused") {
  const Bytes good = Good(MakeHullBlob(*Cube()));
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK(ErrorOf(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)))
              .starts_with("blob"));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes changed = good;
    changed[at] ^= std::byte{0x10};
    CHECK(ErrorOf(changed).starts_with("blob"));
  }
}

}  // namespace
}  // namespace nowait
