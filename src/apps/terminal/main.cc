// terminal: a scene in the terminal; see --help.
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/print.h"
#include "src/apps/player/scenes.h"
#include "src/apps/terminal/options.h"
#include "src/apps/terminal/screen.h"
#include "src/apps/terminal/show.h"
#include "src/base/cpu.h"
#include "src/base/report.h"

namespace nowait {
namespace {

int Complain(std::string_view what) {
  PrintError("terminal", what);
  return 1;
}

std::string TextOf(const ShowRecord& record, const std::string& scene) {
  const auto ms = [](std::uint64_t time) { return static_cast<double>(time) / 1e6; };
  std::string text = record.last_picture;
  text += fmt::format("{}: {} frames, {} bodies, state {}\n", scene, record.frames, record.bodies,
                      HashString(record.state_hash));
  text += fmt::format("  a step    {:.2f} ms on average, {:.2f} ms at most\n",
                      ms(record.mean_frame), ms(record.longest_frame));
  text += fmt::format("  pictures  {} painted, {} given up; {} frames without one\n",
                      record.painted, record.given_up, record.passed_by);
  if (record.thrown + record.not_thrown > 0) {
    text += fmt::format("  balls     {} thrown; for {} there was no room\n", record.thrown,
                        record.not_thrown);
  }
  return text;
}

int TerminalMain(int argc, char** argv) {
  const bool shows = Screen::IsTerminal(STDIN_FILENO, STDOUT_FILENO);
  const auto options = ParseTerminalOptions(argc, argv, shows);
  if (!options) return options.error();
  const auto scene = PlayerScene::Load(options->scene, options->terrain);
  if (!scene) return Complain(options->terrain + ": " + ToString(scene.error()));
  CatchInterrupts();
  const auto record = RunShow(*options, *scene, STDIN_FILENO, STDOUT_FILENO);
  if (!record) return Complain(ToString(record.error()));
  // A signal ends the program although nobody reads what it did.
  if (shows && IsInterrupted() && !Screen::TakesText(STDOUT_FILENO)) return 1;
  return PrintOut(TextOf(*record, options->scene)) ? 0 : Complain("the output cannot be written");
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  return nowait::TerminalMain(argc, argv);
}
