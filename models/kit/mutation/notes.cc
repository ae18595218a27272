#include "models/kit/mutation/notes.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/back_ends/unsupported_behaviours.h"
#include "models/kit/process/files.h"
#include "models/kit/process/one_line.h"

namespace nowait::model {
namespace {

// Reads one file, and keeps the first error in it.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }

  void Complain(const toml::source_region& where, const std::string& what) {
    if (!failed()) error_ = fmt::format("{}:{}: {}", file_, where.begin.line, what);
  }

  void AllowOnly(const toml::table& table, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        Complain(key.source(), fmt::format("unknown key \"{}\"", key.str()));
      }
    }
  }

  std::string Text(const toml::table& table, std::string_view key) {
    const auto text = table[key].value<std::string>();
    if (!text || text->find_first_not_of(" \n") == text->npos) {
      Complain(table.source(), fmt::format("\"{}\" is missing or not a text", key));
      return "";
    }
    return *text;
  }

  std::vector<std::string> Texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> texts;
    const toml::array* array = table[key].as_array();
    if (array == nullptr || array->empty()) {
      Complain(table.source(), fmt::format("\"{}\" is missing or not a list of texts", key));
      return texts;
    }
    for (const toml::node& node : *array) {
      if (const auto text = node.value<std::string>()) {
        texts.push_back(*text);
      } else {
        Complain(node.source(), fmt::format("\"{}\" has an entry that is not a text", key));
      }
    }
    return texts;
  }

  // Calls read(table) for every [[key]].
  template <class Read>
  void ForEachTable(const toml::table& table, std::string_view key, Read read) {
    if (!table.contains(key)) return;
    const toml::array* array = table[key].as_array();
    if (array == nullptr || !array->is_array_of_tables()) {
      Complain(table.source(), fmt::format("\"{}\" is written [[{}]]", key, key));
      return;
    }
    for (const toml::node& node : *array) read(*node.as_table());
  }

  void OnlyOnce(const std::string& name, const toml::source_region& where) {
    if (!seen_.insert(name).second) Complain(where, fmt::format("{} is here twice", name));
  }

 private:
  std::string file_;
  std::string error_;
  std::set<std::string> seen_;
};

std::optional<SurvivorClass> ClassNamed(std::string_view name) {
  for (const SurvivorClass c :
       {SurvivorClass::kEquivalent, SurvivorClass::kUnverified, SurvivorClass::kPerformance}) {
    if (name == Name(c)) return c;
  }
  return std::nullopt;
}

SurvivorNote ReadSurvivor(Reader& reader, const toml::table& table) {
  reader.AllowOnly(table, {"mutations", "class", "because", "litmus", "shown_by"});
  SurvivorNote note;
  note.mutations = reader.Texts(table, "mutations");
  for (const std::string& mutation : note.mutations) reader.OnlyOnce(mutation, table.source());
  note.because = reader.Text(table, "because");
  const std::string name = reader.Text(table, "class");
  const auto survivor_class = ClassNamed(name);
  if (!survivor_class) {
    reader.Complain(table.source(), fmt::format("unknown class \"{}\"", name));
    return note;
  }
  note.survivor_class = *survivor_class;
  // Each class requires its own evidence and permits no other.
  if (note.survivor_class == SurvivorClass::kUnverified) note.litmus = reader.Text(table, "litmus");
  if (note.survivor_class == SurvivorClass::kPerformance) {
    note.shown_by = reader.Text(table, "shown_by");
  }
  if ((table.contains("litmus") && note.litmus.empty()) ||
      (table.contains("shown_by") && note.shown_by.empty())) {
    reader.Complain(table.source(), "\"litmus\" is for unverified, \"shown_by\" for performance");
  }
  return note;
}

StrongerNote ReadStronger(Reader& reader, const toml::table& table) {
  reader.AllowOnly(table, {"sites", "because"});
  StrongerNote note{reader.Texts(table, "sites"), reader.Text(table, "because")};
  for (const std::string& site : note.sites) reader.OnlyOnce(site, table.source());
  return note;
}

DisagreementNote ReadDisagreement(Reader& reader, const toml::table& table) {
  reader.AllowOnly(table, {"mutations", "litmus", "because"});
  DisagreementNote note{reader.Texts(table, "mutations"), reader.Text(table, "litmus"),
                        reader.Text(table, "because")};
  for (const std::string& mutation : note.mutations) reader.OnlyOnce(mutation, table.source());
  // The explanation claims that the graphs leave something out.
  if (!reader.failed() && !LeavesOut(Graphs(), note.litmus)) {
    reader.Complain(table.source(),
                    fmt::format("{} is no row that graphs leaves out", note.litmus));
  }
  return note;
}

// The line of the first non-ASCII character, if there is one.
std::optional<std::ptrdiff_t> LineNotAscii(std::string_view text) {
  const auto found =
      std::find_if(text.begin(), text.end(), [](unsigned char c) { return c >= 0x80; });
  if (found == text.end()) return std::nullopt;
  return 1 + std::count(text.begin(), found, '\n');
}

template <class NoteType>
const NoteType* FindIn(const std::vector<NoteType>& notes,
                       std::vector<std::string> NoteType::*names, std::string_view name) {
  for (const NoteType& note : notes) {
    if (std::find((note.*names).begin(), (note.*names).end(), name) != (note.*names).end()) {
      return &note;
    }
  }
  return nullptr;
}

}  // namespace

const char* Name(SurvivorClass survivor_class) {
  switch (survivor_class) {
    case SurvivorClass::kEquivalent:
      return "equivalent";
    case SurvivorClass::kUnverified:
      return "unverified";
    case SurvivorClass::kPerformance:
      return "performance";
  }
  return "?";
}

const SurvivorNote* Notes::FindSurvivor(std::string_view mutation) const {
  return FindIn(survivors, &SurvivorNote::mutations, mutation);
}

const StrongerNote* Notes::FindStronger(std::string_view site) const {
  return FindIn(stronger, &StrongerNote::sites, site);
}

const DisagreementNote* Notes::FindDisagreement(std::string_view mutation) const {
  return FindIn(disagreements, &DisagreementNote::mutations, mutation);
}

std::expected<Notes, std::string> ParseNotes(std::string_view text, const std::string& file) {
  // The behaviour of toml++ 3.3 is undefined for most of them outside of strings.
  if (const auto line = LineNotAscii(text)) {
    return std::unexpected(fmt::format("{}:{}: a character that is not ASCII", file, *line));
  }
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    return std::unexpected(OneLine(fmt::format(
        "{}:{}: {}", file, parsed.error().source().begin.line, parsed.error().description())));
  }
  const toml::table& table = parsed.table();
  Reader reader(file);
  reader.AllowOnly(table, {"sources", "executions", "survivor", "stronger", "disagreement"});
  Notes notes;
  notes.sources = reader.Texts(table, "sources");
  if (table.contains("executions")) {
    const auto executions = table["executions"].value<std::int64_t>();
    if (executions && *executions > 0) {
      notes.executions = static_cast<std::uint64_t>(*executions);
    } else {
      reader.Complain(table.source(), "\"executions\" is not a positive number");
    }
  }
  reader.ForEachTable(table, "survivor", [&](const toml::table& survivor) {
    notes.survivors.push_back(ReadSurvivor(reader, survivor));
  });
  reader.ForEachTable(table, "stronger", [&](const toml::table& stronger) {
    notes.stronger.push_back(ReadStronger(reader, stronger));
  });
  reader.ForEachTable(table, "disagreement", [&](const toml::table& disagreement) {
    notes.disagreements.push_back(ReadDisagreement(reader, disagreement));
  });
  if (reader.failed()) return std::unexpected(OneLine(reader.error()));
  return notes;
}

std::expected<Notes, std::string> ReadNotes(const std::string& file) {
  const auto text = ReadAll(file);
  if (!text) {
    return std::unexpected(fmt::format("{} cannot be read: {}", file, std::strerror(errno)));
  }
  return ParseNotes(*text, file);
}

}  // namespace nowait::model
