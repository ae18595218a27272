// merge: joins two changes of a JSON document; also as git's merge driver. See --help.
//
// Exit status, as git expects it: 0 joined, 1 joined with conflicts, 2 not joined, nothing written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/base/result.h"
#include "src/resource/document.h"
#include "src/resource/document_text.h"
#include "src/resource/file.h"
#include "src/resource/merge.h"

namespace nowait {
namespace {

// A person's edit: larger documents are data.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 28;

struct Words {
  std::string base, left, right, out;
  MergeOptions options;
};

void Complain(std::string_view line) { PrintError("merge", line); }

struct Read {
  std::string text;
  std::optional<Value> document;  // none: the file is empty
};

std::optional<Read> ReadDocument(const std::string& path) {
  const auto bytes = ReadFile(path, kMostBytes);
  if (!bytes) {
    Complain(ToString(bytes.error()));
    return {};
  }
  Read read{.text = std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()),
            .document = {}};
  if (read.text.empty()) return read;
  Result<Value> document = ParseDocument(read.text);
  if (!document) {
    const Error& error = document.error();
    const bool placed = error.code == ErrorCode::kCorrupt;
    const std::string place =
        placed ? ":" + PlaceOf(read.text, static_cast<std::size_t>(error.amount)) : "";
    Complain(fmt::format("{}{}: {}", path, place, ToString(error)));
    return {};
  }
  read.document = *std::move(document);
  return read;
}

bool WriteOut(const std::string& path, const std::string& text) {
  if (path.empty()) {
    if (PrintOut(text)) return true;
    Complain("standard output: cannot be written");
    return false;
  }
  const auto written = WriteFileWhole(path, text);
  if (!written) Complain(fmt::format("{}: {}", path, ToString(written.error())));
  return written.has_value();
}

int Join(const Words& words) {
  const auto base = ReadDocument(words.base);
  if (!base) return 2;
  const auto left = ReadDocument(words.left);
  if (!left) return 2;
  const auto right = ReadDocument(words.right);
  if (!right) return 2;
  // git gives an empty file as the base of a document that is new on both sides.
  if (!left->document || !right->document) {
    const std::string& path = left->document ? words.right : words.left;
    Complain(fmt::format("{}: JSON is damaged: the file is empty", path));
    return 2;
  }
  const auto merged = Merge(base->document ? &*base->document : nullptr, *left->document,
                            *right->document, words.options);
  if (!merged) {
    const std::string_view side = merged.error().subject;
    const std::string& path = side == "left"    ? words.left
                              : side == "right" ? words.right
                                                : words.out;
    Complain(fmt::format("{}: {}", path, ToString(merged.error())));
    return 2;
  }
  if (!WriteOut(words.out, WriteDocument(merged->document, LayoutOf(left->text)))) return 2;
  for (const std::string& place : merged->conflicts) {
    Complain(fmt::format("conflict at {}", place.empty() ? "the whole document" : place));
  }
  return merged->conflicts.empty() ? 0 : 1;
}

int Main(int argc, char** argv) {
  Words words;
  CLI::App app(
      "Joins two changes of a JSON document, field by field. What both changed stands in the "
      "result as a value with the member \"$conflict\". Exit status: 0 joined, 1 with conflicts, "
      "2 not joined.",
      "merge");
  app.add_option("BASE", words.base,
                 "the document before both changes, or an empty file if it is new")
      ->required();
  app.add_option("LEFT", words.left, "after one change; its layout is kept")->required();
  app.add_option("RIGHT", words.right, "after the other")->required();
  app.add_option("--out", words.out, "written whole or not at all; otherwise to standard output");
  app.add_option("--id", words.options.identities,
                 "members that identify an object in an array; may be given several times")
      ->capture_default_str()
      ->delimiter(',');
  if (const auto status = Parse(app, argc, argv)) return *status;
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error of its write
  try {
    return Join(words);
  } catch (const std::bad_alloc&) {  // the text of a document is longer than there is memory for
    Complain(ToString({ErrorCode::kCapacity, "memory"}));
    return 2;
  }
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) {
    nowait::PrintError("merge", nowait::kCpuMessage);
    return 2;
  }
  return nowait::Main(argc, argv);
}
