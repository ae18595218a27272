#include "src/apps/player/saved_play.h"

#include <algorithm>
#include <array>
#include <limits>

#include "src/apps/player/options.h"
#include "src/apps/player/scenes.h"
#include "src/resource/blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kKind = FourCharacters("PLAY");
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kAsTheSceneHasIt = ~std::uint32_t{0};

struct Head {
  std::array<char, 32> scene;  // zeros follow its name
  std::uint64_t seed;
  std::uint64_t step;
  BlobArray<std::uint32_t> thrown;
  std::uint32_t bodies;
  std::uint32_t zero;
};

std::unexpected<Error> Corrupt(const char* what, const char* why) {
  return Fail(ErrorCode::kCorrupt, what, 0, why);
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
  writer.Set(*at, head);
  auto bytes = writer.Finish();
  if (!bytes) return bytes;
  bytes->insert(bytes->end(), saved.world.begin(), saved.world.end());
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
  if (sequence.place() != bytes.size()) return Corrupt("saved play", "bytes follow the world");

  SavedPlay saved;
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
