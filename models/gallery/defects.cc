#include "models/gallery/defects.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace nowait::model::gallery {
namespace {

// Reads one table, and keeps the first mistake in the file.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  const std::string& error() const { return error_; }

  void Complain(const toml::source_region& where, const std::string& what) {
    if (error_.empty()) error_ = fmt::format("{}:{}: {}", file_, where.begin.line, what);
  }

  // Every key of the table must be asked for.
  void Begin(const toml::table& table) {
    table_ = &table;
    known_.clear();
  }
  std::string Text(std::string_view key) {
    known_.insert(std::string(key));
    const auto text = (*table_)[key].value<std::string>();
    if (!text || text->empty()) {
      Complain(table_->source(), fmt::format("\"{}\" is missing or not a text", key));
      return "";
    }
    return *text;
  }
  std::vector<std::string> Texts(std::string_view key) {
    known_.insert(std::string(key));
    std::vector<std::string> texts;
    const toml::array* array = (*table_)[key].as_array();
    if (array == nullptr || array->empty()) {
      Complain(table_->source(), fmt::format("\"{}\" is missing or not a list of texts", key));
      return texts;
    }
    for (const toml::node& node : *array) texts.push_back(node.value_or(std::string()));
    return texts;
  }
  // True if it is not there.
  bool Flag(std::string_view key) {
    known_.insert(std::string(key));
    const toml::node* node = table_->get(key);
    if (node == nullptr) return true;
    const auto flag = node->value_exact<bool>();
    if (!flag) Complain(node->source(), fmt::format("\"{}\" is neither true nor false", key));
    return flag.value_or(true);
  }
  void End() {
    for (const auto& [key, value] : *table_) {
      if (!known_.contains(std::string(key.str()))) {
        Complain(key.source(), fmt::format("unknown key \"{}\"", key.str()));
      }
    }
  }

  template <class Read>
  void ForEach(const toml::table& file, std::string_view key, Read read) {
    const toml::array* array = file[key].as_array();
    if (array == nullptr) return;
    for (const toml::node& node : *array) {
      if (!node.is_table()) {
        Complain(node.source(), fmt::format("\"{}\" is written [[{}]]", key, key));
        return;
      }
      Begin(*node.as_table());
      read();
      End();
    }
  }

  const toml::table& table() const { return *table_; }

 private:
  std::string file_;
  std::string error_;
  const toml::table* table_ = nullptr;
  std::set<std::string> known_;
};

bool IsFileName(const std::string& page) {
  return page.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == page.npos;
}

}  // namespace

std::expected<Defects, std::string> ParseDefects(const std::string& file, const std::string& text) {
  toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    return std::unexpected(fmt::format("{}:{}: {}", file, parsed.error().source().begin.line,
                                       parsed.error().description()));
  }
  const toml::table& table = parsed.table();
  Reader reader(file);
  Defects defects;
  for (const auto& [key, value] : table) {
    if (key != "structures" && key != "defect" && key != "missing") {
      reader.Complain(key.source(), fmt::format("unknown key \"{}\"", key.str()));
    }
  }
  std::set<std::string> pages;
  reader.ForEach(table, "defect", [&] {
    Defect defect;
    defect.number = reader.Text("number");
    defect.published = reader.Flag("published");
    defect.title = reader.Text("title");
    const std::string structure = reader.Text("structure");
    defect.structure = table["structures"][structure].value_or(std::string());
    defect.page = reader.Text("page");
    defect.mutant = reader.Text("mutant");
    defect.scenario = reader.Text("scenario");
    defect.fails = reader.Text("fails");
    defect.headers = reader.Texts("headers");
    defect.believed = reader.Text("believed");
    defect.happens = reader.Text("happens");
    defect.fixed = reader.Text("fixed");
    defect.source = reader.Text("source");
    const toml::source_region& where = reader.table().source();
    if (defect.structure.empty() && !structure.empty()) {
      reader.Complain(where, fmt::format("[structures] has no \"{}\"", structure));
    }
    if (!IsFileName(defect.page)) reader.Complain(where, "\"page\" is no name for a file");
    if (!pages.insert(defect.page).second) {
      reader.Complain(where, fmt::format("the page {} is there twice", defect.page));
    }
    if (!defect.mutant.starts_with("//") || defect.mutant.find(':') == std::string::npos) {
      reader.Complain(where, "\"mutant\" is no label");
    }
    defects.pages.push_back(std::move(defect));
  });
  reader.ForEach(table, "missing", [&] {
    defects.missing.push_back({reader.Text("number"), reader.Text("title"), reader.Text("why")});
  });
  if (defects.pages.empty()) reader.Complain(table.source(), "it has no [[defect]]");
  if (!reader.error().empty()) return std::unexpected(reader.error());
  return defects;
}

}  // namespace nowait::model::gallery
