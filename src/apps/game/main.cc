// game: thousands of objects with scripts in Lua and C++; see --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/number.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/game/game.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/resource/file.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::size_t kMostLines = 20;  // about scripts, in one run

int Complain(std::string_view what, int status) {
  PrintError("game", what);
  return status;
}

struct Times {
  std::uint64_t all = 0;  // nanoseconds
  std::uint64_t longest = 0;
  std::uint32_t frames = 0;
};

void Print(Game& game, const GameDef& def, const GameTotals& totals, const Times& times) {
  const ScriptCounts counts = game.system().Counts();
  const TransactionCounts& tx = counts.transactions;
  const double frames = std::max(times.frames, 1u);
  const auto ms = [&](std::uint64_t ns) { return static_cast<double>(ns) / 1e6; };
  fmt::print(
      "{} objects: {} horses with riders, {} archers, {} gates, a tally; {} frames, {} threads; "
      "checksum {:016x}\n",
      def.objects, game.horses(), game.archers(), game.gates(), times.frames, def.threads,
      game.system().Checksum());
  fmt::print(
      "  updates       {:.0f} a frame, {:.0f} put off; {} events, {} without a receiver, {} lost\n",
      static_cast<double>(counts.updates) / frames, static_cast<double>(counts.put_off) / frames,
      counts.events, counts.unreceived, counts.lost);
  const WorldManagerCounts& physics = game.physics();
  fmt::print("  physics       {} callbacks; {} events of bodies without an object, {} lost\n",
             counts.callbacks, physics.unbound, physics.lost + game.events().lost());
  fmt::print("  transactions  {} committed, {} begun again, {} conflicts, {} last resorts\n",
             tx.commits, tx.restarts, tx.conflicts, tx.last_resorts);
  fmt::print(
      "  scripts       {:.2f} ms a frame of all threads, of it {:.2f} ms collecting garbage, "
      "{:.3f} ms at most at once; {} bytes in a state at most\n",
      ms(counts.busy) / frames, ms(counts.machines.tidying) / frames,
      ms(counts.machines.most_tidying), counts.machines.most_bytes);
  fmt::print("  frame         {:.2f} ms, {:.2f} ms at most\n", ms(times.all) / frames,
             ms(times.longest));
  fmt::print("  tally         {:.0f} steps, {:.0f} crossings, {:.0f} gates opened\n", totals.steps,
             totals.crossings, totals.opened);
  fmt::print(
      "  archers       {:.0f} shots, {:.0f} hits, {:.0f} missed, {:.0f} behind a wall, {:.0f} "
      "spared\n",
      totals.shots, totals.hits, totals.missed, totals.hidden, totals.spared);
  fmt::print("  faults        {}, {} objects stopped\n", counts.faults, game.system().disabled());
}

// The folder of this program.
std::string OwnFolder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

int GameMain(int argc, char** argv) {
  GameDef def;
  def.compiled = OwnFolder();
  std::uint32_t workers = std::max(EngineSync::HardwareConcurrency(), 1u) - 1;
  std::uint32_t frames = 120;
  CLI::App app("Objects with scripts: horses, riders, archers, gates, and a tally.", "game");
  AddNumber(app, "objects,--objects", def.objects, 16u, 100'000u, "how many");
  AddNumber(app, "--frames", frames, 1u, 1'000'000u, "frames to run, of 1/30 s");
  AddNumber(app, "--workers", workers, 0u, 63u, "threads beside the main thread");
  AddNumber<std::uint64_t>(app, "--seed", def.seed, 0, ~std::uint64_t{0},
                           "of places and random numbers");
  app.add_option("--scripts", def.scripts,
                 "folder of horse, rider, archer, arrow, gate and tally, each "
                 ".lua or .so; a file that changes is loaded again")
      ->capture_default_str();
  std::string events, replay;
  app.add_option("--events", events, "write what the physics did there, a blob a frame");
  app.add_option("--replay", replay,
                 "give the objects the events of that file, in place of those of the physics");
  app.add_flag("--twice", def.twice, "run each call twice before its commit, and compare");
  if (const auto status = Parse(app, argc, argv)) return *status;
  def.threads = workers + 1;
  std::vector<std::byte> file;
  if (!events.empty()) {
    if (const auto wrong = CheckOutputFile("--events", events)) return Complain(*wrong, 2);
    def.save_events = true;
  }
  if (!replay.empty()) {
    auto bytes = ReadFile(replay);
    if (!bytes) return Complain(ToString(bytes.error()), 1);
    if (bytes->empty()) return Complain(replay + ": no events", 1);
    file = std::move(*bytes);
    def.replay = file;
  }
  const auto pool = TaskPool::Create({.workers = workers});
  if (!pool) return Complain(ToString(pool.error()), 1);
  const auto here = (*pool)->Register("main");
  if (!here) return Complain(ToString(here.error()), 1);
  auto game = Game::Create(def);
  if (!game) return Complain(game.error().text, 1);
  CatchInterrupts();
  Times times;
  std::size_t said = 0;
  for (; times.frames < frames && !IsInterrupted(); ++times.frames) {
    const std::uint64_t begin = SteadyNanoseconds();
    const auto lines = (*game)->Frame(**pool);
    if (!lines) return Complain(ToString(lines.error()), 1);
    const std::uint64_t time = SteadyNanoseconds() - begin;
    times.all += time;
    times.longest = std::max(times.longest, time);
    for (const std::string& line : *lines) {
      if (said++ < kMostLines) fmt::print("frame {}: {}\n", times.frames, line);
    }
    if (!lines->empty()) std::fflush(stdout);
  }
  if (said > kMostLines) fmt::print("and {} lines more\n", said - kMostLines);
  const auto totals = (*game)->Totals();
  if (!totals) return Complain(ToString(totals.error()), 1);
  Print(**game, def, *totals, times);
  if (def.save_events) {
    const auto saved = (*game)->events().TakeSaved();
    const auto written =
        WriteFileWhole(events, {reinterpret_cast<const char*>(saved.data()), saved.size()});
    if (!written) return Complain(events + ": " + ToString(written.error()), 1);
  }
  return (*game)->system().Counts().faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage, 1);
  return nowait::GameMain(argc, argv);
}
