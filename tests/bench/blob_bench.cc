// A scene of 1,000 objects and 8 hulls, from its bytes in memory to their use, in three forms.
//
//   ours      the blob: its checksum and all fields are checked, it is used where it lies
//   pointers  the same structs with pointers, which are offsets in the file: its checksum is
//             checked, each pointer that a table names is patched, and nothing else is checked
//   parsed    JSON of the same numbers, parsed into vectors
//
// Each begins with a copy of the bytes, which stands for the read. The counter "bytes" is the
// length of the file.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/resource/document_text.h"
#include "src/streaming/document_reader.h"
#include "src/streaming/scene_blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kObjects = 1000;
constexpr std::uint32_t kHulls = 8;
constexpr std::uint32_t kPoints = 14;  // of a hull

SceneSource MadeScene() {
  Random random(1);
  SceneSource scene{0, {.x = 0, .z = 0, .encounter = 100, .activation = 150}, {}, {}};
  for (std::uint32_t i = 0; i < kHulls; ++i) {
    std::vector<Vec3> points;
    for (std::uint32_t k = 0; k < kPoints; ++k) points.push_back(random.Direction());
    scene.objects.hulls.push_back(points);
  }
  for (std::uint32_t i = 0; i < kObjects; ++i) {
    PlacedObject object;
    object.kind = PlacedObject::kHull;
    object.hull = i % kHulls;
    object.size = {1, 1, 1};
    object.position = random.InBox({-60, 0, -60}, {60, 30, 60});
    object.rotation = random.Rotation();
    scene.objects.objects.push_back(object);
  }
  return scene;
}

// The use: each object's place, and a point of its hull.
float Sum(const PlacedObject& object, const Vec3& point) { return object.position.x + point.y; }

template <class T>
T OrExit(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "blob_bench: {}\n", ToString(result.error()));
    std::exit(1);
  }
  return *std::move(result);
}

class BlobForm {
 public:
  BlobForm() : file_(OrExit(MakeSceneBlob(MadeScene()))) {}
  std::size_t bytes() const { return file_.size(); }
  float Load() const {
    const std::vector<std::byte> read = file_;
    const SceneBlob scene = OrExit(SceneBlob::Open(read, 0));
    const ObjectsView& view = scene.objects();
    float sum = 0;
    for (const PlacedObject& object : view.objects) {
      sum += Sum(object, view.hull_points[object.hull * kPoints]);
    }
    return sum;
  }

 private:
  const std::vector<std::byte> file_;
};

class PointerForm {
 public:
  PointerForm() {
    const SceneSource scene = MadeScene();
    const std::size_t hulls_at = kObjects * sizeof(Object);
    const std::size_t points_at = hulls_at + kHulls * sizeof(Hull);
    const std::size_t table_at = points_at + kHulls * kPoints * sizeof(Vec3);
    file_.resize(table_at);
    const auto put = [&](std::size_t at, const void* from, std::size_t size) {
      std::memcpy(file_.data() + at, from, size);
    };
    for (std::uint32_t i = 0; i < kObjects; ++i) {
      const PlacedObject& plain = scene.objects.objects[i];
      const std::uint64_t hull = hulls_at + plain.hull * sizeof(Hull);
      const std::size_t at = i * sizeof(Object);
      put(at + offsetof(Object, plain), &plain, sizeof plain);
      put(at + offsetof(Object, hull), &hull, sizeof hull);
      table_.push_back(static_cast<std::uint32_t>(at + offsetof(Object, hull)));
    }
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      const std::uint64_t points = points_at + i * kPoints * sizeof(Vec3);
      put(hulls_at + i * sizeof(Hull), &points, sizeof points);
      put(points, scene.objects.hulls[i].data(), kPoints * sizeof(Vec3));
      table_.push_back(static_cast<std::uint32_t>(hulls_at + i * sizeof(Hull)));
    }
    checksum_ = ChecksumOf(file_);
  }
  std::size_t bytes() const { return file_.size() + table_.size() * sizeof table_[0]; }
  float Load() const {
    std::vector<std::byte> read = file_;
    if (ChecksumOf(read) != checksum_) std::exit(1);
    for (const std::uint32_t at : table_) {
      std::uint64_t address;
      std::memcpy(&address, read.data() + at, sizeof address);
      address += reinterpret_cast<std::uintptr_t>(read.data());
      std::memcpy(read.data() + at, &address, sizeof address);
    }
    float sum = 0;
    const auto* const objects = reinterpret_cast<const Object*>(read.data());
    for (std::uint32_t i = 0; i < kObjects; ++i) {
      sum += Sum(objects[i].plain, *objects[i].hull->points);
    }
    return sum;
  }

 private:
  struct Hull {
    const Vec3* points;
  };
  struct Object {
    PlacedObject plain;
    const Hull* hull;
  };
  static std::uint32_t ChecksumOf(const std::vector<std::byte>& bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  }

  std::vector<std::byte> file_;
  std::vector<std::uint32_t> table_;
  std::uint32_t checksum_ = 0;
};

class ParsedForm {
 public:
  ParsedForm() {
    const SceneSource scene = MadeScene();
    text_ = R"({"hulls":[)";
    for (const std::vector<Vec3>& hull : scene.objects.hulls) {
      text_ += R"({"points":[)";
      for (const Vec3 p : hull) text_ += fmt::format("[{},{},{}],", p.x, p.y, p.z);
      text_.back() = ']';
      text_ += "},";
    }
    text_.back() = ']';
    text_ += R"(,"objects":[)";
    for (const PlacedObject& object : scene.objects.objects) {
      const Quat& turn = object.rotation;
      text_ += fmt::format(
          R"({{"hull":{},"size":[1,1,1],"at":[{},{},{}],"turn":[{},{},{},{}],"friction":0.7}},)",
          object.hull, object.position.x, object.position.y, object.position.z, turn.x, turn.y,
          turn.z, turn.w);
    }
    text_.back() = ']';
    text_ += "}";
  }
  std::size_t bytes() const { return text_.size(); }
  float Load() const {
    const std::string read = text_;
    const Value document = OrExit(ParseDocument(read));
    DocumentReader in("scene");
    std::vector<std::vector<Vec3>> hulls;
    for (const Value& hull : in.Items(document, "hulls")) {
      hulls.emplace_back();
      for (const Value& point : in.Items(hull, "points")) hulls.back().push_back(PointOf(point));
    }
    std::vector<PlacedObject> objects;
    for (const Value& item : in.Items(document, "objects")) {
      PlacedObject object;
      object.kind = PlacedObject::kHull;
      object.hull = in.Whole(item, "hull", 0, kHulls - 1);
      object.size = in.Vector(item, "size", 128);
      object.position = in.Vector(item, "at", 1e6);
      const std::vector<double> turn = in.Numbers(item, "turn", 4, 1);
      object.rotation = {static_cast<float>(turn[0]), static_cast<float>(turn[1]),
                         static_cast<float>(turn[2]), static_cast<float>(turn[3])};
      object.friction = static_cast<float>(in.Number(item, "friction", 0, 10));
      objects.push_back(object);
    }
    if (!in.error().empty()) std::exit(1);
    float sum = 0;
    for (const PlacedObject& object : objects) sum += Sum(object, hulls[object.hull][0]);
    return sum;
  }

 private:
  static Vec3 PointOf(const Value& value) {
    const auto number = [&](std::size_t i) {
      return std::strtof((*value.items())[i].number()->text.c_str(), nullptr);
    };
    return {number(0), number(1), number(2)};
  }

  std::string text_;
};

template <class Form>
void Load(benchmark::State& state) {
  const Form form;
  // All forms have the same numbers in the same order.
  if (form.Load() != BlobForm().Load()) state.SkipWithError("another sum than the blob's");
  for (auto _ : state) benchmark::DoNotOptimize(form.Load());
  state.counters["bytes"] = static_cast<double>(form.bytes());
}

BENCHMARK(Load<BlobForm>)->Name("patch/ours/1");
BENCHMARK(Load<PointerForm>)->Name("patch/baseline/1");
BENCHMARK(Load<BlobForm>)->Name("parse/ours/1");
BENCHMARK(Load<ParsedForm>)->Name("parse/baseline/1");

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
