// `./nowait show`: displays a counterexample that was written before.
//
//   show FILE.json                    in lanes
//   show FILE.json --color always     with colours even without a terminal
//   show FILE.json --page OUT.html    as a page
//
// Exit code: 0; 2 if the command line is invalid, if the file is not a counterexample, or if the
// page or the lanes cannot be written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/counterexample/page/page.h"
#include "models/kit/process/files.h"
#include "models/kit/process/printing.h"

namespace {

namespace counterexample = nowait::model::counterexample;

constexpr int kUsageError = 2;

int Run(int argc, char** argv) {
  std::string path;
  std::string page;
  std::string color = "auto";
  CLI::App app("Shows a counterexample that a model has written.");
  app.name("./nowait show");
  app.add_option("FILE", path, "What a failing scenario was written to")->required();
  app.add_option("--page", page, "Write it to this file, as a page for a browser");
  app.add_option("--color", color, "auto (on a terminal, default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kUsageError;
  }
  const auto record = counterexample::Load(path);
  if (!record) {
    fmt::print(stderr, "{}\n", record.error());
    return kUsageError;
  }
  if (!page.empty()) {
    const std::string text =
        counterexample::PageOf({ToJson(*record), FormatLanes(*record, {}), ""});
    if (!nowait::model::WriteWhole(page, text)) {
      fmt::print(stderr, "{} cannot be written: {}\n", page, std::strerror(errno));
      return kUsageError;
    }
    fmt::print("page: {}\n", page);
    return 0;
  }
  const auto colors = counterexample::ColorsFrom(color);
  fmt::print("{} {}: {}\n", record->structure, record->scenario.name, record->scenario.promise);
  fmt::print("  {}, execution {}\n", record->search.words, record->search.executions);
  fmt::print("{}", FormatLanes(*record, counterexample::StyleFor(stdout, colors)));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return Run(argc, argv); });
}
