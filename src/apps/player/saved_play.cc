#include "src/apps/player/saved_play.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "src/apps/player/options.h"
#include "src/apps/player/scenes.h"
#include "src/resource/blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kKind = FourCharacters("PLAY");
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kAsTheSceneHasIt = ~std::uint32_t{0};

struct WallHead {
  std::uint32_t wall;
  std::uint32_t shots;
  float until_shot;
  BlobArray<std::uint32_t> stones;
  BlobArray<SavedWall::Fallen> fallen;
};

struct WalkersHead {
  float ferry_time;
  BlobArray<SavedWalkers::Walker> walkers;
};

struct Head {
  std::array<char, 32> scene;  // zeros follow its name
  std::uint64_t seed;
  std::uint64_t step;
  BlobArray<std::uint32_t> thrown;
  BlobArray<WallHead> wall;        // at most one
  BlobArray<WalkersHead> walkers;  // likewise
  BlobArray<float> lift_time;      // likewise
  std::uint32_t bodies;
  std::uint32_t zero;
};

std::unexpected<Error> Corrupt(const char* what, const char* why) {
  return Fail(ErrorCode::kCorrupt, what, 0, why);
}

Result<void> AddWall(const SavedWall& wall, BlobWriter& writer, Head& head) {
  const auto stones = writer.AddArray(std::span<const std::uint32_t>(wall.stones));
  if (!stones) return std::unexpected(stones.error());
  const auto fallen = writer.AddArray(std::span<const SavedWall::Fallen>(wall.fallen));
  if (!fallen) return std::unexpected(fallen.error());
  const WallHead one{wall.wall, wall.shots, wall.until_shot, *stones, *fallen};
  const auto added = writer.AddArray(std::span(&one, 1));
  if (!added) return std::unexpected(added.error());
  head.wall = *added;
  return {};
}

Result<void> AddWalkers(const SavedWalkers& walkers, BlobWriter& writer, Head& head) {
  const auto all = writer.AddArray(std::span<const SavedWalkers::Walker>(walkers.walkers));
  if (!all) return std::unexpected(all.error());
  const WalkersHead one{walkers.ferry_time, *all};
  const auto added = writer.AddArray(std::span(&one, 1));
  if (!added) return std::unexpected(added.error());
  head.walkers = *added;
  return {};
}

// The entry of an array of at most one, or null.
template <class T>
Result<const T*> OneOf(const Blob& blob, BlobArray<T> array) {
  if (array.count == 0) return nullptr;
  if (array.count > 1) return Corrupt("saved play", "a scene has one such part at most");
  const auto one = blob.Get(array);
  if (!one) return std::unexpected(one.error());
  return &one->front();
}

Result<void> ReadWall(const Blob& blob, const Head& head, SavedPlay& saved) {
  const auto one = OneOf(blob, head.wall);
  if (!one) return std::unexpected(one.error());
  if (*one == nullptr) return {};
  const WallHead& from = **one;
  const auto stones = blob.Get(from.stones);
  if (!stones) return std::unexpected(stones.error());
  const auto fallen = blob.Get(from.fallen);
  if (!fallen) return std::unexpected(fallen.error());
  saved.wall = SavedWall{.wall = from.wall,
                         .shots = from.shots,
                         .until_shot = from.until_shot,
                         .stones = {stones->begin(), stones->end()},
                         .fallen = {fallen->begin(), fallen->end()}};
  return {};
}

Result<void> ReadWalkers(const Blob& blob, const Head& head, SavedPlay& saved) {
  const auto one = OneOf(blob, head.walkers);
  if (!one) return std::unexpected(one.error());
  if (*one == nullptr) return {};
  const auto walkers = blob.Get((*one)->walkers);
  if (!walkers) return std::unexpected(walkers.error());
  saved.walkers =
      SavedWalkers{.ferry_time = (*one)->ferry_time, .walkers = {walkers->begin(), walkers->end()}};
  return {};
}

Result<void> ReadMachines(const Blob& blob, const Head& head, SavedPlay& saved) {
  const auto time = OneOf(blob, head.lift_time);
  if (!time) return std::unexpected(time.error());
  if (*time != nullptr) saved.lift_time = **time;
  return {};
}

// The set keeps the bytes that its meshes and height fields lie in.
Result<void> ReadShapes(std::span<const std::byte> bytes, SavedPlay& saved) {
  const auto own = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  BlobSequence sequence(*own);
  auto set = ShapeSet::Take(sequence, own);
  if (!set) return std::unexpected(set.error());
  if (sequence.place() != bytes.size()) return Corrupt("saved play", "bytes follow the shapes");
  saved.shapes = std::make_shared<const ShapeSet>(std::move(*set));
  saved.shared.assign(saved.shapes->shapes().begin(), saved.shapes->shapes().end());
  return {};
}

}  // namespace

Result<std::vector<std::byte>> ToBytes(const SavedPlay& saved) {
  Head head{};
  head.seed = saved.seed;
  head.step = saved.step;
  head.bodies = saved.bodies.value_or(kAsTheSceneHasIt);
  saved.scene.copy(head.scene.data(), head.scene.size() - 1);
  BlobWriter writer(kKind, kVersion, std::numeric_limits<std::uint32_t>::max());
  const auto at = writer.Add(head);
  if (!at) return std::unexpected(at.error());
  const auto thrown = writer.AddArray(std::span<const std::uint32_t>(saved.thrown));
  if (!thrown) return std::unexpected(thrown.error());
  head.thrown = *thrown;
  if (saved.wall) {
    if (auto added = AddWall(*saved.wall, writer, head); !added) {
      return std::unexpected(added.error());
    }
  }
  if (saved.walkers) {
    if (auto added = AddWalkers(*saved.walkers, writer, head); !added) {
      return std::unexpected(added.error());
    }
  }
  if (saved.lift_time) {
    const auto added = writer.AddArray(std::span(&*saved.lift_time, 1));
    if (!added) return std::unexpected(added.error());
    head.lift_time = *added;
  }
  writer.Set(*at, head);
  auto bytes = writer.Finish();
  if (!bytes) return bytes;
  const auto shapes = ShapeSet::ToBytes(saved.shared);
  if (!shapes) return shapes;
  bytes->insert(bytes->end(), saved.world.begin(), saved.world.end());
  bytes->insert(bytes->end(), shapes->begin(), shapes->end());
  return bytes;
}

Result<SavedPlay> ReadSavedPlay(std::span<const std::byte> bytes) {
  BlobSequence sequence(bytes);
  const auto first = sequence.TakeNext();
  if (!first) return std::unexpected(first.error());
  if (!*first) return Corrupt("saved play", "the file is empty");
  if (auto expected = (*first)->Expect(kKind, kVersion); !expected) {
    return std::unexpected(expected.error());
  }
  const auto head = (*first)->First<Head>();
  if (!head) return std::unexpected(head.error());
  const auto thrown = (*first)->Get((*head)->thrown);
  if (!thrown) return std::unexpected(thrown.error());
  const auto second = sequence.TakeNext();
  if (!second) return std::unexpected(second.error());
  if (!*second) return Corrupt("saved play", "it has no world");
  SavedPlay saved;
  if (auto read = ReadWall(**first, **head, saved); !read) return std::unexpected(read.error());
  if (auto read = ReadWalkers(**first, **head, saved); !read) {
    return std::unexpected(read.error());
  }
  if (auto read = ReadMachines(**first, **head, saved); !read) {
    return std::unexpected(read.error());
  }
  if (auto read = ReadShapes(bytes.subspan(sequence.place()), saved); !read) {
    return std::unexpected(read.error());
  }
  const auto& name = (*head)->scene;
  saved.scene.assign(name.begin(), std::find(name.begin(), name.end(), '\0'));
  if (!IsScene(saved.scene)) return Corrupt("scene", "there is none of this name");
  if ((*head)->bodies != kAsTheSceneHasIt) saved.bodies = (*head)->bodies;
  if (saved.bodies.value_or(1) - 1 >= PlayerOptions::kMaxBodies) {
    return Corrupt("saved play", "no scene has that many bodies");
  }
  saved.seed = (*head)->seed;
  saved.step = (*head)->step;
  saved.thrown.assign(thrown->begin(), thrown->end());
  saved.world.assign((*second)->bytes().begin(), (*second)->bytes().end());
  return saved;
}

}  // namespace nowait
