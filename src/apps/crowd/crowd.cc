#include "src/apps/crowd/crowd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/animation/blend.h"
#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/jobs/parallel_for.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr std::uint32_t kGrain = 10;  // characters: some 100 microseconds
constexpr std::uint32_t kNoClip = ~0u;
constexpr float kDistance = 1.5f;  // metres between two characters
constexpr float kFadeSeconds = 0.4f;
constexpr float kShortestStay = 1.0f;  // seconds between two triggers of a character
constexpr float kLongestStay = 6.0f;
constexpr std::array<float, 3> kSpeeds = {0.8f, 1.0f, 1.25f};

// Each clip at each speed is a state, and the trigger that is a state's number leads to it.
AnimationTable TableOf(std::span<const PackedClip> clips) {
  AnimationTable table;
  for (std::uint32_t clip = 0; clip < clips.size(); ++clip) {
    const float seconds = static_cast<float>(clips[clip].end_frame()) / clips[clip].frame_rate();
    for (const float speed : kSpeeds) table.states.push_back({clip, seconds, speed});
  }
  const auto states = static_cast<std::uint32_t>(table.states.size());
  for (std::uint32_t from = 0; from < states; ++from) {
    for (std::uint32_t to = 0; to < states; ++to) {
      if (from != to) table.transitions.push_back({from, to, to, kFadeSeconds});
    }
  }
  return table;
}

}  // namespace

Crowd::Crowd(TaskPool& pool, const Skeleton& skeleton, std::vector<PackedClip> clips)
    : pool_(pool), skeleton_(skeleton), clips_(std::move(clips)), table_(TableOf(clips_)) {}

Result<std::unique_ptr<Crowd>> Crowd::Create(TaskPool& pool, const Skeleton& skeleton,
                                             std::vector<PackedClip> clips,
                                             std::uint32_t characters, std::uint64_t seed) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<Crowd>> {
    for (const PackedClip& clip : clips) {
      if (clip.bones() != skeleton.size()) {
        return Fail(ErrorCode::kInvalidArgument, "clip", clip.bones(), "of another skeleton");
      }
    }
    std::unique_ptr<Crowd> crowd(new Crowd(pool, skeleton, std::move(clips)));
    if (auto checked = crowd->table_.Check(); !checked) return std::unexpected(checked.error());
    if (auto added = crowd->AddCharacters(characters, seed); !added) {
      return std::unexpected(added.error());
    }
    return crowd;
  });
}

Result<void> Crowd::AddCharacters(std::uint32_t count, std::uint64_t seed) {
  characters_.reserve(count);
  matrices_.resize(std::size_t{count} * skeleton_.size());
  // A sampler that has played the clip with the most tracks has room for each.
  const auto largest = std::max_element(
      clips_.begin(), clips_.end(),
      [](const auto& a, const auto& b) { return a.tracks().size() < b.tracks().size(); });
  std::uint32_t side = 1;
  while (side * side < count) ++side;
  for (std::uint32_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const std::uint32_t state = random.Below(static_cast<std::uint32_t>(table_.states.size()));
    const float begin = random.Between(0.0f, table_.states[state].seconds);
    const float until_trigger = random.Between(kShortestStay, kLongestStay);
    const Vec3 origin{static_cast<float>(i % side) * kDistance, 0.0f,
                      static_cast<float>(i / side) * kDistance};
    characters_.push_back({random,
                           origin,
                           AnimationMachine(table_, state, begin),
                           until_trigger,
                           {},
                           Pose(skeleton_),
                           Pose(skeleton_)});
    for (int k = 0; k < 2; ++k) {
      auto sampler = Sampler::Create(*largest);
      if (!sampler) return std::unexpected(sampler.error());
      characters_.back().players.push_back({std::move(*sampler), kNoClip, Pose(skeleton_)});
    }
  }
  return {};
}

Result<void> Crowd::Animate(float dt) {
  const ProfileScope span("animation");
  return ParallelFor(pool_, characters(), kGrain, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("animation");
    const FloatModeScope mode;
    for (std::uint32_t i = begin; i < end; ++i) AnimateOne(characters_[i], dt);
  });
}

void Crowd::AnimateOne(Character& character, float dt) {
  character.until_trigger -= dt;
  if (character.until_trigger <= 0.0f) {
    const auto states = static_cast<std::uint32_t>(table_.states.size());
    character.until_trigger = character.random.Between(kShortestStay, kLongestStay);
    // The state that it is in has no transition to itself: then it stays.
    character.machine.Trigger(character.random.Below(states));
  }
  character.machine.Update(dt);
  const auto shown = character.machine.Shown();
  // After a fade its second clip is the first: its player goes on where it is.
  auto& players = character.players;
  if (players[0].clip != shown[0].clip && players[1].clip == shown[0].clip) {
    std::swap(players[0], players[1]);
  }
  Show(players[0], shown[0]);
  if (shown.size() < 2) return;
  Show(players[1], shown[1]);
  Blend(players[0].pose, players[1].pose, shown[1].weight, character.blended);
}

void Crowd::Show(Player& player, const AnimationMachine::ShownClip& shown) {
  const PackedClip& clip = clips_[shown.clip];
  if (player.clip != shown.clip) {
    const auto playing = player.sampler.Play(clip);
    NOWAIT_ASSERT(playing, "a sampler has room for each clip");
    player.clip = shown.clip;
    // A bone for which the clip has no track is at rest.
    for (std::uint32_t i = 0; i < skeleton_.size(); ++i) {
      player.pose.SetPosition(i, skeleton_[i].rest);
    }
  }
  player.sampler.Sample(shown.seconds * clip.frame_rate(), player.pose);
}

Result<void> Crowd::UpdateScene() {
  const ProfileScope span("scene graph");
  return ParallelFor(pool_, characters(), kGrain, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("scene graph");
    const FloatModeScope mode;
    for (std::uint32_t i = begin; i < end; ++i) {
      LocalToGlobal(skeleton_, characters_[i].local(), characters_[i].global);
    }
  });
}

Result<void> Crowd::CopyMatrices() {
  const ProfileScope span("matrices");
  return ParallelFor(pool_, characters(), kGrain, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("matrices");
    const FloatModeScope mode;
    for (std::uint32_t i = begin; i < end; ++i) {
      const auto own =
          std::span(matrices_).subspan(std::size_t{i} * skeleton_.size(), skeleton_.size());
      ToMatrices(characters_[i].global, characters_[i].origin, own);
    }
  });
}

std::uint32_t Crowd::Fading() const {
  return static_cast<std::uint32_t>(std::count_if(
      characters_.begin(), characters_.end(),
      [](const Character& character) { return character.machine.Shown().size() == 2; }));
}

}  // namespace nowait
