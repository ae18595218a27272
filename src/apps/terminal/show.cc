#include "src/apps/terminal/show.h"

#include <memory>

#include "src/apps/player/game.h"
#include "src/apps/terminal/person.h"
#include "src/apps/terminal/screen.h"
#include "src/apps/terminal/stage.h"
#include "src/jobs/task_pool.h"

namespace nowait {
namespace {

constexpr const char* kTerminal = "terminal";  // the main thread

TaskPoolDef PoolOf(const TerminalOptions& options, bool shows) {
  TaskPoolDef def;
  def.main_threads = {kTerminal};
  if (shows) def.devices = {Person::kKeyboard, "clock"};
  def.workers = options.threads - 1;
  def.named_workers = options.painter ? 1 : 0;
  return def;
}

}  // namespace

Result<ShowRecord> RunShow(const TerminalOptions& options, const PlayerScene& scene, int in,
                           int out) {
  auto game = PlayerGame::Create(scene, options.bodies, 0, options.seed);
  if (!game) return std::unexpected(game.error());
  std::unique_ptr<Screen> screen;  // outlives the pool, whose keyboard it is
  if (Screen::IsTerminal(in, out)) {
    auto opened = Screen::Open(in, out);
    if (!opened) return std::unexpected(opened.error());
    screen = *std::move(opened);
  }
  const auto pool = TaskPool::Create(PoolOf(options, screen != nullptr));
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register(kTerminal);
  if (!here) return std::unexpected(here.error());
  const auto shows = (*pool)->AffinityTo(kTerminal);
  if (!shows) return std::unexpected(shows.error());
  const auto paints =
      options.painter ? (*pool)->AffinityToWorker(0) : Result<std::uint8_t>(std::uint8_t{0});
  if (!paints) return std::unexpected(paints.error());

  Stage stage(options, *game, **pool, screen.get(), *shows, *paints);
  std::optional<Person> person;
  if (screen != nullptr) {
    person.emplace(**pool, *screen,
                   [&stage](std::span<const Key> keys) { return stage.Obey(keys); });
    person->Listen();
  }
  auto record = stage.Run();
  if (screen != nullptr) {
    if (auto stopped = (*pool)->StopDevice(Person::kKeyboard); !stopped) {
      return std::unexpected(stopped.error());
    }
  }
  if (auto closed = (*pool)->Close(TaskShutdown::kFinish); !closed) {
    return std::unexpected(closed.error());
  }
  return record;
}

}  // namespace nowait
