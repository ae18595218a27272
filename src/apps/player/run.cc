#include "src/apps/player/run.h"

#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

#include "src/apps/player/game.h"
#include "src/apps/player/proof_files.h"
#include "src/apps/player/trace.h"
#include "src/jobs/task_pool.h"
#include "src/live/feed.h"
#include "src/live/service.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

using Clock = EngineSync::clock;

constexpr std::uint64_t kFramesPerSecond = 30;
constexpr auto kPeriod =
    std::chrono::duration_cast<Clock::duration>(std::chrono::seconds(1)) / kFramesPerSecond;
// A program that is later than this does not make up for it.
constexpr auto kMakesUpFor = 8 * kPeriod;
constexpr std::uint32_t kBuffers = 4;
constexpr std::size_t kAll = ~std::size_t{0};
constexpr std::uint32_t kSpansPerLane = 1u << 14;  // of one frame, and of those on their way

// The next moment at which a frame is due.
class Pace {
 public:
  void Wait() {
    next_ += kPeriod;
    const Clock::time_point now = Clock::now();
    if (now > next_ + kMakesUpFor) next_ = now;
    EngineSync::SleepUntil(next_);
  }

 private:
  Clock::time_point next_ = Clock::now();
};

struct Sums {
  std::uint64_t frames = 0;
  std::uint64_t work = 0;
  std::uint64_t offers = 0;
};

// Commands, one frame, and what the viewers get of it.
Result<void> Frame(PlayerGame& game, TaskPool& pool, LiveFeed& feed, WhenFull when_full,
                   Sums& sums) {
  const std::uint64_t begin = SteadyNanoseconds();
  // At most as many as wait at once, and none behind a reset, which takes long: viewers that go on
  // sending do not hold up the frame.
  LiveCommand command;
  for (std::size_t i = 0; i < LiveFeed::kMostCommands && feed.TakeCommand(&command); ++i) {
    if (auto obeyed = game.Obey(command); !obeyed) return obeyed;
    if (command.kind == LiveCommand::Kind::kReset) break;
  }
  const auto advanced = game.Advance(pool);
  if (!advanced) return std::unexpected(advanced.error());
  LiveMoment moment = game.moment();
  moment.begin = begin;
  moment.end = SteadyNanoseconds();
  if (auto offered = feed.Offer(game.world(), moment, when_full); !offered) {
    return std::unexpected(offered.error());
  }
  if (*advanced) {
    ++sums.frames;
    sums.work += moment.end - begin;
    sums.offers += SteadyNanoseconds() - moment.end;
  }
  return {};
}

}  // namespace

Result<PlayRecord> Play(const PlayerOptions& options, const PlayerScene& scene,
                        const SavedPlay* from,
                        const std::function<void(const std::string&)>& on_start,
                        const std::function<bool()>& go_on) {
  auto game = PlayerGame::Create(scene, options.bodies, options.lamps, options.seed);
  if (!game) return std::unexpected(game.error());
  if (from != nullptr) {
    if (auto restored = game->Restore(*from); !restored) return std::unexpected(restored.error());
  }
  game->Plant(options.planted);
  Profile profile({.lanes = options.threads,
                   .spans_per_lane = 0,
                   .samples_per_lane = 0,
                   .live_spans_per_lane = kSpansPerLane});
  const auto pool = TaskPool::Create({.workers = options.threads - 1, .profile = &profile});
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register("main");
  if (!here) return std::unexpected(here.error());

  const auto feed = LiveFeed::Create(kBuffers, &profile, pool->get());
  if (!feed) return std::unexpected(feed.error());
  LiveServiceDef def;
  def.hello = {
      .scene = scene.name(), .frame_seconds = PlayerGame::kFrameTime, .lanes = (*feed)->lanes()};
  for (const LayerDef& layer : game->world().def().user_layers) {
    def.hello.layers.push_back(layer.name);
  }
  def.hello.body_locks = game->world().def().body_locks;
  if (!options.headless) def.port = options.port;
  def.documents = [files = ProofFiles(options.proofs)](std::string_view path) {
    return files.Find(path);
  };
  def.record = !options.record.empty() || !options.export_page.empty();
  if (options.structures) def.recorded_parts.bits = LiveParts::kAll;
  def.most_recorded_bytes = std::size_t{options.record_mib} << 20;
  const auto service = LiveService::Start(**feed, def);
  if (!service) return std::unexpected(service.error());
  if (!options.headless) on_start((*service)->address());

  const std::uint64_t frames = options.seconds * kFramesPerSecond;
  const WhenFull when_full = options.headless && def.record ? WhenFull::kWait : WhenFull::kDrop;
  Sums sums;
  Pace pace;
  Result<void> ran;
  TraceWriter trace;
  for (std::uint64_t frame = 0; ran && (frames == 0 || frame < frames) && go_on(); ++frame) {
    const std::uint64_t frames_before = sums.frames;
    ran = Frame(*game, **pool, **feed, when_full, sums);
    if (!options.trace.empty() && sums.frames > frames_before) trace.Add(game->world());
    if (!options.headless) pace.Wait();
  }
  (*feed)->End();
  (*service)->Stop();
  if (!ran) return std::unexpected(ran.error());

  PlayRecord record;
  if (!options.trace.empty()) {
    auto traced = trace.Finish();
    if (!traced) return std::unexpected(traced.error());
    record.trace = std::move(*traced);
  }
  if (!options.save.empty()) {
    const auto saved = game->Save();
    if (!saved) return std::unexpected(saved.error());
    auto bytes = ToBytes(*saved);
    if (!bytes) return std::unexpected(bytes.error());
    record.saved = std::move(*bytes);
  }
  record.frames = sums.frames;
  if (sums.frames > 0) {
    record.mean_frame = sums.work / sums.frames;
    record.mean_offer = sums.offers / sums.frames;
  }
  record.state_hash = game->world().StateHash();
  record.planted_sum = game->planted_sum();
  game->world().Snapshot(record.last);
  record.counts = (*service)->counts();
  record.recording = (*service)->TakeRecording();
  record.dropped = (*service)->frames_dropped();
  record.recorded = (*service)->recorded();
  record.after_end = (*service)->frames_after_end();
  game->world().SnapshotTree(kAll, record.tree);
  game->world().SnapshotLinks(kAll, record.links);
  game->world().SnapshotContacts(record.contacts);
  return record;
}

}  // namespace nowait
