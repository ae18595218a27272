// The gallery's program; ./nowait gallery runs it.
//
//   gallery --list                       a line for each page: page, mutant, scenario, and its
//   failure
//   gallery --records DIR --out DIR      the pages, of the records in DIR/<page>/*.json, and
//   index.html
//
// Both read --defects FILE and, with the second, nowait's own headers below --root. A record that
// is missing fails the whole: a gallery with a gap would suggest that the defect is gone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <expected>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/gallery/defects.h"
#include "models/gallery/index.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/counterexample/page/page.h"
#include "models/kit/process/files.h"
#include "models/kit/process/printing.h"

namespace nowait::model::gallery {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string defects = "models/gallery/defects.toml";
  std::string records;
  std::string out;
  std::string root = ".";
  bool list = false;
};

std::expected<std::string, std::string> ReadFile(const fs::path& path) {
  auto text = ReadAll(path.string());
  if (text) return *std::move(text);
  return std::unexpected(fmt::format("{} cannot be read: {}", path.string(), std::strerror(errno)));
}

// The only record in a folder.
std::expected<std::string, std::string> RecordIn(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> records;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") records.push_back(entry.path());
  }
  if (records.size() != 1) {
    return std::unexpected(
        fmt::format("{} has {} records, not one", folder.string(), records.size()));
  }
  return ReadFile(records[0]);
}

std::expected<std::string, std::string> PageOf(const Defect& defect, const Options& options) {
  const auto json = RecordIn(fs::path(options.records) / defect.page);
  if (!json) return std::unexpected(json.error());
  const auto record = counterexample::FromJson(*json);
  if (!record) return std::unexpected(fmt::format("{}: {}", defect.page, record.error()));
  std::vector<SourceFile> repaired;
  for (const std::string& header : defect.headers) {
    const auto text = ReadFile(fs::path(options.root) / header);
    if (!text) return std::unexpected(text.error());
    repaired.push_back({header, *text});
  }
  return counterexample::PageOf({*json, FormatLanes(*record, {}), StoryOf(defect, repaired)});
}

std::expected<void, std::string> Run(const Options& options) {
  const auto text = ReadFile(options.defects);
  if (!text) return std::unexpected(text.error());
  const auto defects = ParseDefects(options.defects, *text);
  if (!defects) return std::unexpected(defects.error());
  if (options.list) {
    for (const Defect& defect : defects->pages) {
      fmt::print("{} {} {} {}\n", defect.page, defect.mutant, defect.scenario, defect.fails);
    }
    return {};
  }
  // Nothing is written before every page has been made.
  std::vector<std::pair<std::string, std::string>> files;
  for (const Defect& defect : defects->pages) {
    auto page = PageOf(defect, options);
    if (!page) return std::unexpected(page.error());
    files.emplace_back(defect.page + ".html", *std::move(page));
  }
  files.emplace_back("index.html", IndexOf(*defects));
  std::error_code error;
  fs::create_directories(options.out, error);
  for (const auto& [name, contents] : files) {
    const std::string path = (fs::path(options.out) / name).string();
    if (!WriteWhole(path, contents)) {
      return std::unexpected(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
    }
  }
  return {};
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Pages of the defects that the models kill.");
  app.add_option("--defects", options.defects, "The list of them");
  auto* list = app.add_flag("--list", options.list, "Page, mutant, scenario and failure of each");
  auto* records = app.add_option("--records", options.records, "Where their records are");
  auto* out = app.add_option("--out", options.out, "Where the pages go");
  app.add_option("--root", options.root, "Where src is");
  records->needs(out)->excludes(list);
  out->needs(records);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (!options.list && options.out.empty()) {
    fmt::print(stderr, "gallery: --list, or --records and --out\n");
    return 2;
  }
  if (const auto done = Run(options); !done) {
    fmt::print(stderr, "gallery: {}\n", done.error());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nowait::model::gallery

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::model::gallery::Main(argc, argv); });
}
