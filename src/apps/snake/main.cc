// snake: a long boss that dies, with one physics step a frame beside two; see --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/number.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/snake/report.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr int kBadArgument = 2;
constexpr int kInterrupted = 130;  // as shells have it: 128 and SIGINT

int Complain(std::string_view what, int status = 1) {
  PrintError("snake", what);
  return status;
}

Result<FightResult> RunWith(FightDef def, std::uint32_t steps, std::uint32_t threads) {
  const auto pool = TaskPool::Create({.main_threads = {"main"}, .workers = threads - 1});
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register("main");
  if (!here) return std::unexpected(here.error());
  def.steps = steps;
  return RunFight(def, **pool);
}

int SnakeMain(int argc, char** argv) {
  Fights fights;
  FightDef& def = fights.def;
  std::uint32_t threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 8u);
  std::string chart = "out/snake.svg";
  CLI::App app(
      "A snake of many links that dies among figures and rubble: once with one physics step a "
      "frame, once with two.",
      "snake");
  AddNumber(app, "--frames", def.frames, 31u, 100'000u, "frames to run, each 1/30 s long");
  AddNumber(app, "--dies-at", def.dies_at, 1u, 100'000u, "the frame in which the snake dies");
  AddNumber(app, "--links", def.links, 2u, 1'000u, "of the snake");
  AddNumber(app, "--cut", def.cut, 0u, 999u,
            "the snake dies of a cut behind this link, from the tail; 0: in one piece");
  AddNumber(app, "--figures", def.figures, 0u, FightDef::kMostFigures, "around it");
  AddNumber(app, "--rubble", def.rubble, 0u, 5'000u, "bits on the floor");
  AddNumber(app, "--motor", def.motor_hertz, 1u, 1'000u, "hertz of the snake's motors");
  AddNumber(app, "--threads", threads, 1u, 64u, "threads of the pool");
  AddNumber<std::uint64_t>(app, "--seed", def.seed, 0, ~std::uint64_t{0}, "of the rubble");
  app.add_option("--chart", chart, "SVG picture of both; '' for no picture")
      ->capture_default_str()
      ->type_name("FILE");
  if (const auto status = Parse(app, argc, argv)) return *status;
  if (def.dies_at >= def.frames) {
    return Complain("--dies-at: not before the last frame", kBadArgument);
  }
  if (def.cut >= def.links) {
    return Complain(fmt::format("--cut: {} is not a link before the head", def.cut), kBadArgument);
  }
  if (!chart.empty()) {
    if (const auto error = CheckOutputFile("--chart", chart)) {
      return Complain(*error, kBadArgument);
    }
  }
  CatchInterrupts();
  def.interrupted = &IsInterrupted;
  for (const std::uint32_t steps : {1u, 2u}) {
    auto fight = RunWith(def, steps, threads);
    if (!fight) return Complain(ToString(fight.error()));
    if (IsInterrupted()) return kInterrupted;
    (steps == 1 ? fights.one : fights.two) = *std::move(fight);
  }
  fmt::print("{}", FightTable(fights));
  if (chart.empty()) return 0;
  if (const auto written = WriteFileWhole(chart, FightChart(fights)); !written) {
    return Complain(chart + ": " + ToString(written.error()));
  }
  fmt::print("  wrote {}\n", chart);
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  return nowait::SnakeMain(argc, argv);
}
