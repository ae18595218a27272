#include "src/apps/demo/game_threads.h"

#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "src/apps/demo/game_events.h"

namespace nowait {
namespace {

using std::literals::operator""sv;

constexpr std::uint32_t kRaysPerMover = 12;
constexpr float kRayLength = 40.0f;
constexpr float kMoverRadius = 0.5f;
constexpr float kMoverHeight = 14.0f;  // above the ground
constexpr float kNear = 30.0f;

// The versions that threads use beside the current ones: a thread has one copy or one view at a
// time, and a copy takes two.
std::uint32_t VersionsOf(std::uint32_t threads) { return 2 * threads; }

// Commits a change of the object, again and again until no other thread comes first.
template <class T, class F>
Result<void> Change(ObjectTable<T>& table, ObjectHandle handle, F&& change, GameReport& report) {
  for (;;) {
    auto edit = table.Edit(handle);
    if (!edit) return std::unexpected(edit.error());
    change(**edit);
    if (edit->Commit()) break;
    ++report.commits_in_vain;
  }
  ++report.commits;
  return {};
}

// Counts an error that passes with time, and returns success for it.
Result<void> Defer(const Error& error, GameReport& report) {
  const bool heals = error.code == ErrorCode::kCapacity && error.subject == "tree nodes"sv;
  if (!heals) return std::unexpected(error);
  ++report.deferred;
  return {};
}

}  // namespace

GameThreads::GameThreads(std::uint32_t count, World& world, const Ground& ground, Profile* profile,
                         EventLanes& events, std::uint64_t seed)
    : world_(world),
      ground_(ground),
      events_(events),
      scouts_(count * kMovers, count * kMovers + VersionsOf(count)),
      score_(1, 1 + VersionsOf(count)),
      start_(count + 1),
      end_(count + 1) {
  for (std::uint32_t i = 0; i < count; ++i) players_.emplace_back(seed + i + 1).index = i;
  const Result<void> created = CreateObjects();
  for (Player& player : players_) {
    if (!created) player.report.error = created.error();
    player.report.name = "game " + std::to_string(player.index + 1);
    // Without a free lane, the thread is not measured.
    if (profile != nullptr) player.lane = profile->AddLane(player.report.name).value_or(nullptr);
    auto started = EngineSync::thread::Start(player.report.name, [this, &player] { Play(player); });
    if (started) {
      threads_.push_back(std::move(*started));
    } else {
      player.report.error = started.error();
      start_.Drop();
      end_.Drop();
    }
  }
}

Result<void> GameThreads::CreateObjects() {
  const auto score = score_.Create({});
  if (!score) return std::unexpected(score.error());
  score_handle_ = *score;
  for (Player& player : players_) {
    for (std::uint32_t i = 0; i < kMovers; ++i) {
      const auto scout = scouts_.Create({});
      if (!scout) return std::unexpected(scout.error());
      player.scouts.push_back(*scout);
    }
  }
  return {};
}

GameThreads::~GameThreads() {
  closing_ = true;
  start_.ArriveAndWait();
}

void GameThreads::Update(std::uint32_t frame) {
  frame_ = frame;
  start_.ArriveAndWait();
  end_.ArriveAndWait();
}

std::vector<GameReport> GameThreads::reports() const {
  std::vector<GameReport> reports;
  for (const Player& player : players_) reports.push_back(player.report);
  return reports;
}

Score GameThreads::score() {
  const auto score = score_.Read(score_handle_);
  return score ? **score : Score();
}

std::optional<Error> GameThreads::error() const {
  for (const Player& player : players_) {
    if (player.report.error) return player.report.error;
  }
  return {};
}

void GameThreads::Play(Player& player) {
  const LaneScope lane(player.lane);
  for (;;) {
    start_.ArriveAndWait();
    if (closing_) {
      static_cast<void>(world_.AbortBatch(player.prepared));  // cannot fail: this world's, or empty
      return;
    }
    if (!player.report.error) {
      const ProfileScope scope("game update");
      const Result<void> done = Turn(player);
      if (!done) player.report.error = done.error();
    }
    end_.ArriveAndWait();
  }
}

Result<void> GameThreads::Turn(Player& player) {
  auto events = events_.Open(player.index);
  if (!events) return std::unexpected(events.error());
  RemoveBatches(player, *events);
  if (auto prepared = Prepare(player); !prepared) return prepared;
  if (auto inserted = Insert(player, *events); !inserted) return inserted;
  if (auto moved = Move(player); !moved) return moved;
  const std::uint64_t hits = Look(player, *events);
  if (auto looked = LookAround(player); !looked) return looked;
  return Change(
      score_, score_handle_,
      [hits](Score& score) {
        score.hits += hits;
        ++score.updates;
      },
      player.report);
}

// A circle for each mover around the middle, of different sizes, for the threads in turn.
Vec3 GameThreads::PlaceOf(const Player& player, std::uint32_t mover) const {
  const auto number = static_cast<float>(mover * players_.size() + player.index);
  const float circle = number / static_cast<float>(kMovers * players_.size());
  const float radius = ground_.terrain.half_size() * (0.25f + 0.6f * circle);
  const float turn = 2.0f * std::numbers::pi_v<float> * 1.618f * number +
                     0.3f * static_cast<float>(frame_) / radius;
  const float x = radius * std::cos(turn);
  const float z = radius * std::sin(turn);
  return {x, ground_.HeightAt(x, z) + kMoverHeight, z};
}

std::vector<BodyDef> GameThreads::Movers(const Player& player) const {
  std::vector<BodyDef> defs(kMovers);
  for (std::uint32_t i = 0; i < kMovers; ++i) {
    defs[i].type = BodyType::kStatic;
    defs[i].shape = Shape::Sphere(kMoverRadius);
    defs[i].position = PlaceOf(player, i);
    defs[i].user = static_cast<std::uint64_t>(Owner::kGameMover);
  }
  return defs;
}

// In a corner of the ground, one for each thread; more than four threads share them.
std::vector<BodyDef> GameThreads::Crates(Player& player) const {
  const float reach = 0.85f * ground_.terrain.half_size();
  const Vec3 corner{(player.index & 1) != 0 ? reach : -reach, 0.0f,
                    (player.index & 2) != 0 ? -reach : reach};
  std::vector<BodyDef> defs(kCrates);
  for (std::uint32_t i = 0; i < kCrates; ++i) {
    const Vec3 at = corner + player.random.InBox({-5, 0, -5}, {5, 0, 5});
    defs[i].shape = Shape::Box({0.3f, 0.3f, 0.3f});
    defs[i].position = {at.x, ground_.HeightAt(at.x, at.z) + 1.0f + static_cast<float>(i), at.z};
    defs[i].friction = 0.7f;
    defs[i].user = static_cast<std::uint64_t>(Owner::kGameBatch);
  }
  return defs;
}

// The movers come first, then crates from time to time.
Result<void> GameThreads::Prepare(Player& player) {
  if (!player.prepared.empty()) return {};
  const bool movers = player.movers.empty();
  if (!movers && frame_ % kBatchEvery != player.index % kBatchEvery) return {};
  const ProfileScope scope("prepare batch");
  auto batch = world_.PrepareBatch(movers ? Movers(player) : Crates(player));
  if (!batch) return Defer(batch.error(), player.report);
  player.prepared = std::move(*batch);
  player.prepared_movers = movers;
  return {};
}

Result<void> GameThreads::Insert(Player& player, EventLanes::Section& events) {
  if (player.prepared.empty()) return {};
  const ProfileScope scope("insert batch");
  auto bodies = world_.FinaliseBatch(player.prepared, player.report.wait);
  if (!bodies) return Defer(bodies.error(), player.report);
  events.Post(BatchAdded{bodies->front(), bodies->size()});
  if (player.prepared_movers) {
    player.movers = std::move(*bodies);
  } else {
    player.report.added += bodies->size();
    player.batches.push_back({std::move(*bodies), frame_ + kBatchLife});
  }
  return {};
}

Result<void> GameThreads::Move(Player& player) {
  const ProfileScope scope("move");
  for (std::uint32_t i = 0; i < player.movers.size(); ++i) {
    const auto moved =
        world_.MoveBody(player.movers[i], PlaceOf(player, i), {}, player.report.wait);
    if (!moved) return moved;
    ++player.report.moved;
    const auto told = Change(
        scouts_, player.scouts[i],
        [&](Scout& scout) {
          scout = {PlaceOf(player, i), frame_};
        },
        player.report);
    if (!told) return told;
  }
  return {};
}

// Other threads' scouts may be where they were in the update before: their threads write them in
// this one.
Result<void> GameThreads::LookAround(Player& player) {
  const ProfileScope scope("look around");
  for (const Player& other : players_) {
    if (other.index == player.index) continue;
    for (const ObjectHandle handle : other.scouts) {
      const auto scout = scouts_.Read(handle);
      if (!scout) return std::unexpected(scout.error());
      ++player.report.views;
      for (std::uint32_t i = 0; i < player.movers.size(); ++i) {
        if (Length((*scout)->place - PlaceOf(player, i)) < kNear) ++player.report.near;
      }
    }
  }
  return {};
}

std::uint64_t GameThreads::Look(Player& player, EventLanes::Section& events) {
  const ProfileScope scope("cast rays");
  const std::uint64_t before = player.report.hits;
  for (std::uint32_t i = 0; i < player.movers.size(); ++i) {
    const Vec3 from = PlaceOf(player, i);
    for (std::uint32_t ray = 0; ray < kRaysPerMover; ++ray) {
      Vec3 direction = player.random.Direction();
      direction.y = -std::abs(direction.y);
      const auto hit = world_.CastRay({from, direction * kRayLength}, {.ignore = player.movers[i]},
                                      player.report.wait);
      ++player.report.rays;
      if (!hit) continue;
      ++player.report.hits;
      events.Post(RaySaw{player.movers[i], hit->body, hit->point, hit->fraction});
    }
  }
  return player.report.hits - before;
}

void GameThreads::RemoveBatches(Player& player, EventLanes::Section& events) {
  while (!player.batches.empty() && player.batches.front().until <= frame_) {
    const ProfileScope scope("remove batch");
    const std::vector<BodyId>& bodies = player.batches.front().bodies;
    const std::uint32_t removed = world_.RemoveBodies(bodies, player.report.wait);
    player.report.removed += removed;
    events.Post(BatchRemoved{bodies.front(), removed});
    player.batches.pop_front();
  }
}

}  // namespace nowait
