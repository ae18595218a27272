#include "src/apps/player/proof_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/resource/file.h"

namespace nowait {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoot = "/proofs";
constexpr std::array<std::string_view, 2> kFolders = {"gallery", "counterexamples"};
constexpr std::string_view kIndex = "index.html";  // the list stands for it
constexpr std::string_view kEnd = ".html";
constexpr int kDeepestProgress = 4;  // objects within objects, of which it has two

// A link leads anywhere.
bool IsPlainFile(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::regular;
}

bool IsPageName(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return name.ends_with(kEnd) && name.size() > kEnd.size() && !name.starts_with('.') &&
         std::ranges::all_of(name, is_plain);
}

std::string TextOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void Replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// The title at the beginning of a page, or an empty text.
std::string TitleOf(const std::string& path, std::uintmax_t size) {
  constexpr std::string_view kBegin = "<title>";
  std::vector<std::byte> head(std::min<std::uintmax_t>(size, 4096));
  if (!ReadFileRange(path, 0, head)) return {};
  const std::string text = TextOf(head);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = begin == text.npos ? begin : text.find("</title>", begin);
  if (end == text.npos) return {};
  std::string title = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  Replace(title, "&lt;", "<");
  Replace(title, "&gt;", ">");
  Replace(title, "&quot;", "\"");
  Replace(title, "&amp;", "&");
  Replace(title, " - nowait", "");
  return title;
}

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator next(folder, error), end; !error && next != end;
       next.increment(error)) {
    std::string name = next->path().filename().string();
    if (name == kIndex || !IsPageName(name) || !IsPlainFile(next->path())) continue;
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

// The progress, or null and the reason.
std::pair<Json, std::string> ProgressIn(const std::string& path) {
  const auto file = ReadFile(path, ProofFiles::kMostProgressBytes);
  if (!file) {
    if (file.error().code == ErrorCode::kNotFound) return {};
    return {Json(), ToString(file.error())};
  }
  // Writing takes a call for each level, and the thread's stack has an end.
  bool deep = false;
  const auto keep = [&deep](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kDeepestProgress;
    return !deep;
  };
  Json json = Json::parse(TextOf(*file), keep, /*allow_exceptions=*/false);
  const bool is_progress = !deep && json.is_object() &&
                           json.value("schema", Json()) == "nowait.check_progress" &&
                           json.value("version", Json()) == 1;
  if (!is_progress)
    return {Json(), path + " is not the progress of a check, or of another version"};
  return {std::move(json), ""};
}

}  // namespace

LiveDocument ProofFiles::List() const {
  Json list = NewReport("proofs", 1);
  Json pages = Json::array();
  std::size_t left_out = 0;
  for (const std::string_view folder : kFolders) {
    const fs::path path = fs::path(folder_) / folder;
    for (const std::string& name : NamesIn(path)) {
      std::error_code error;
      const std::uintmax_t size = fs::file_size(path / name, error);
      if (error) continue;  // gone since
      if (pages.size() == kMostPages) {
        ++left_out;
        continue;
      }
      std::string title = TitleOf((path / name).string(), size);
      if (title.empty()) title = name;
      pages.push_back({{"path", fmt::format("{}/{}/{}", kRoot, folder, name)},
                       {"folder", folder},
                       {"title", std::move(title)}});
    }
  }
  auto [progress, why] = ProgressIn((fs::path(folder_) / "check" / "progress.json").string());
  list["pages"] = std::move(pages);
  list["left_out"] = left_out;
  list["check"] = std::move(progress);
  list["check_error"] = std::move(why);
  return {"application/json", list.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::optional<LiveDocument> ProofFiles::Find(std::string_view path) const {
  if (path == kRoot) return List();
  for (const std::string_view folder : kFolders) {
    const std::string begin = fmt::format("{}/{}/", kRoot, folder);
    if (!path.starts_with(begin) || !IsPageName(path.substr(begin.size()))) continue;
    const fs::path file = fs::path(folder_) / folder / path.substr(begin.size());
    if (!IsPlainFile(file)) return std::nullopt;
    const auto page = ReadFile(file.string(), kMostPageBytes);
    if (!page) return std::nullopt;
    return LiveDocument{"text/html; charset=utf-8", TextOf(*page)};
  }
  return std::nullopt;
}

}  // namespace nowait
