#include "src/apps/crowd/crowd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "src/apps/crowd/footsteps.h"
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
AnimationTable TableOf(std::span<const CrowdClip> clips) {
  AnimationTable table;
  for (std::uint32_t clip = 0; clip < clips.size(); ++clip) {
    const PackedClip& packed = clips[clip].clip;
    const float seconds = static_cast<float>(packed.end_frame()) / packed.frame_rate();
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

// Whether `time` lies behind `before`, and not behind `now`, in a clip that may have begun again.
bool HasPassed(float time, float before, float now) {
  return before <= now ? before < time && time <= now : before < time || time <= now;
}

// In a frame each foot of each character may come down.
constexpr std::uint32_t kStepBytes =
    2 * BytesInStream(sizeof(Footstep)) + static_cast<std::uint32_t>(EventLane::kSectionCost);

}  // namespace

Crowd::Crowd(TaskPool& pool, const Skeleton& skeleton, std::vector<CrowdClip> clips,
             CrowdGround ground)
    : pool_(pool),
      skeleton_(skeleton),
      clips_(std::move(clips)),
      feet_(skeleton),
      ground_(ground),
      table_(TableOf(clips_)) {}

Result<std::unique_ptr<Crowd>> Crowd::Create(TaskPool& pool, const Skeleton& skeleton,
                                             std::vector<CrowdClip> clips, CrowdGround ground,
                                             std::uint32_t characters, std::uint64_t seed,
                                             const BlendBatchesDef& blends) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<Crowd>> {
    for (const auto& [clip, footfalls] : clips) {
      if (clip.bones() != skeleton.size()) {
        return Fail(ErrorCode::kInvalidArgument, "clip", clip.bones(), "of another skeleton");
      }
    }
    std::unique_ptr<Crowd> crowd(new Crowd(pool, skeleton, std::move(clips), ground));
    if (auto checked = crowd->table_.Check(); !checked) return std::unexpected(checked.error());
    // A section is open on a thread of the pool alone, one at a time.
    auto steps =
        EventLanes::Create({.lanes = pool.threads(), .most_bytes = characters * kStepBytes});
    if (!steps) return std::unexpected(steps.error());
    crowd->steps_ = std::move(*steps);
    auto batches = BlendBatches::Create(pool, skeleton, blends);
    if (!batches) return std::unexpected(batches.error());
    crowd->batches_ = std::move(*batches);
    if (auto added = crowd->AddCharacters(characters, seed); !added) {
      return std::unexpected(added.error());
    }
    return crowd;
  });
}

Result<void> Crowd::AddCharacters(std::uint32_t count, std::uint64_t seed) {
  characters_.reserve(count);
  blends_.reserve(count);
  matrices_.resize(std::size_t{count} * skeleton_.size());
  // A sampler that has played the clip with the most tracks has room for each.
  const auto largest = std::max_element(
      clips_.begin(), clips_.end(),
      [](const auto& a, const auto& b) { return a.clip.tracks().size() < b.clip.tracks().size(); });
  std::uint32_t side = 1;
  while (side * side < count) ++side;
  for (std::uint32_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const std::uint32_t state = random.Below(static_cast<std::uint32_t>(table_.states.size()));
    const float begin = random.Between(0.0f, table_.states[state].seconds);
    const float until_trigger = random.Between(kShortestStay, kLongestStay);
    const float middle = 0.5f * static_cast<float>(side - 1);
    const Vec3 origin{(static_cast<float>(i % side) - middle) * kDistance, 0.0f,
                      (static_cast<float>(i / side) - middle) * kDistance};
    characters_.push_back({random,
                           origin,
                           AnimationMachine(table_, state, begin),
                           until_trigger,
                           {},
                           Pose(skeleton_),
                           Pose(skeleton_)});
    for (int k = 0; k < 2; ++k) {
      auto sampler = Sampler::Create(largest->clip);
      if (!sampler) return std::unexpected(sampler.error());
      characters_.back().players.push_back({std::move(*sampler), kNoClip, Pose(skeleton_)});
    }
  }
  return {};
}

Result<void> Crowd::Animate(float dt) {
  const ProfileScope span("animation");
  auto sampled =
      ParallelFor(pool_, characters(), kGrain, [&](std::uint32_t begin, std::uint32_t end) {
        const ProfileScope piece("animation");
        const FloatModeScope mode;
        for (std::uint32_t i = begin; i < end; ++i) AnimateOne(characters_[i], dt);
      });
  if (!sampled) return sampled;
  blends_.clear();
  for (Character& character : characters_) {
    const auto shown = character.machine.Shown();
    if (shown.size() < 2) continue;
    const auto& players = character.players;
    blends_.push_back({&players[0].pose, &players[1].pose, shown[1].weight, &character.blended});
  }
  return batches_->Run(blends_);
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
  if (shown.size() == 2) Show(players[1], shown[1]);
}

void Crowd::Show(Player& player, const AnimationMachine::ShownClip& shown) {
  const PackedClip& clip = clips_[shown.clip].clip;
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

Result<void> Crowd::PlantFeet() {
  const ProfileScope span("feet");
  if (!feet_.legs()) return {};
  return ParallelFor(pool_, characters(), kGrain, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("feet");
    const FloatModeScope mode;
    std::optional<WorldView> view;
    if (ground_.world != nullptr) view = ground_.world->ReadNoLock();
    for (std::uint32_t i = begin; i < end; ++i) {
      Character& character = characters_[i];
      if (view) feet_.Plant(*view, ground_.top, character.local(), character.origin);
      PostSteps(i);
    }
  });
}

// The footfalls that the last Animate has passed, in the clip that is shown more than the other.
void Crowd::PostSteps(std::uint32_t index) {
  Character& character = characters_[index];
  const auto shown = character.machine.Shown();
  const auto& most = shown.back().weight >= 0.5f ? shown.back() : shown.front();
  const float rate = clips_[most.clip].clip.frame_rate();
  std::optional<EventLanes::Section> section;
  for (const Footfall& footfall : clips_[most.clip].footfalls) {
    if (!HasPassed(footfall.frame, most.before * rate, most.seconds * rate)) continue;
    if (!section) {
      auto opened = steps_->Open(index);
      NOWAIT_ASSERT(opened, "a lane for each thread");
      section.emplace(std::move(*opened));
    }
    const Leg& leg = (*feet_.legs())[footfall.foot];
    section->Post(Footstep{index, footfall.foot,
                           character.origin + PlaceOf(skeleton_, character.local(), leg.foot)});
  }
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
