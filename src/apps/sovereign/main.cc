// sovereign: game and front end, back end and input sampler, on a thread each; see --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <string>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/sovereign/run.h"
#include "src/base/cpu.h"
#include "src/base/result.h"

namespace nowait {
namespace {

void Print(const SovereignDef& def, const SovereignResult& result) {
  const auto ms = [](std::uint64_t ns) { return static_cast<double>(ns) / 1e6; };
  fmt::print(
      "{} frames of {} objects, {} workers; {:.0f} draw commands a frame; image hash {:016x}\n",
      def.frames, def.objects, def.workers, static_cast<double>(result.commands) / def.frames,
      result.image_hash);
  fmt::print("  sampler    {} samples, {} lost; {} to {} a frame{}\n", result.samples, result.lost,
             result.least_samples, result.most_samples,
             def.lockstep
                 ? ""
                 : fmt::format(", {:.2f} ms old when the game takes them", ms(result.input_age)));
  fmt::print(
      "  game       {:.2f} ms a frame with the front end, {:.3f} ms of waiting for a buffer\n",
      ms(result.game_time), ms(result.game_waits));
  fmt::print(
      "  back end   {:.2f} ms a frame, {:.2f} ms of waiting for one; {:.2f} ms from hand-over "
      "to image\n",
      ms(result.back_end_time), ms(result.back_end_waits), ms(result.latency));
}

int Sovereign(int argc, char** argv) {
  SovereignDef def;
  CLI::App app("Three threads that each have their own pace, and workers that help them.",
               "sovereign");
  AddNumber(app, "--frames", def.frames, 1u, 100'000u, "frames to run, 60 a second");
  AddNumber(app, "--objects", def.objects, 1u, 1'000'000u, "objects that move");
  AddNumber(app, "--workers", def.workers, 0u, 64u, "threads that help the game");
  AddNumber<std::uint64_t>(app, "--seed", def.seed, 0, ~std::uint64_t{0}, "of the objects");
  app.add_flag("--lockstep", def.lockstep,
               "as fast as it goes, four samples a frame: the same images in every run");
  if (const auto status = Parse(app, argc, argv)) return *status;
  const auto result = RunSovereign(def);
  if (!result) {
    PrintError("sovereign", ToString(result.error()));
    return 1;
  }
  Print(def, *result);
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) {
    nowait::PrintError("sovereign", nowait::kCpuMessage);
    return 1;
  }
  return nowait::Sovereign(argc, argv);
}
