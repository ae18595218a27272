// Notes beside models: refused with one line that begins with file and line, or notes that find
// each name in them, with the evidence of its class.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/kit/mutation/notes.h"
#include "tests/fuzz/promise.h"

namespace nowait::model {
namespace {

constexpr std::string_view kFile = "x.toml";

void CheckError(const std::string& error) {
  fuzz::PromiseOneLine(error);
  // x.toml:LINE: words
  fuzz::Promise(error.starts_with(std::string(kFile) + ":"), "an error names its file");
  const auto line = error.begin() + kFile.size() + 1;
  const auto end =
      std::find_if_not(line, error.end(), [](unsigned char c) { return std::isdigit(c); });
  fuzz::Promise(end != line && *line != '0', "an error names its line");
  fuzz::Promise(std::string_view(end, error.end()).starts_with(": "), "an error has words");
  fuzz::Promise(std::none_of(error.begin(), error.end(), [](unsigned char c) { return c < ' '; }),
                "an error has no control characters");
}

void CheckNotes(const Notes& notes) {
  fuzz::Promise(!notes.sources.empty() && notes.executions > 0, "notes say what they answer for");
  for (const SurvivorNote& note : notes.survivors) {
    fuzz::Promise(!note.mutations.empty() && !note.because.empty(), "a survivor has its reason");
    fuzz::Promise((note.survivor_class == SurvivorClass::kUnverified) == !note.litmus.empty(),
                  "an unverified survivor, and no other, names its litmus test");
    fuzz::Promise((note.survivor_class == SurvivorClass::kPerformance) == !note.shown_by.empty(),
                  "a slower survivor, and no other, names what shows it");
    for (const std::string& mutation : note.mutations) {
      fuzz::Promise(notes.FindSurvivor(mutation) == &note, "a survivor is found by its name");
    }
  }
  for (const StrongerNote& note : notes.stronger) {
    fuzz::Promise(!note.sites.empty() && !note.because.empty(), "a stronger order has its reason");
    for (const std::string& site : note.sites) {
      fuzz::Promise(notes.FindStronger(site) == &note, "a stronger order is found by its site");
    }
  }
  for (const DisagreementNote& note : notes.disagreements) {
    fuzz::Promise(!note.mutations.empty() && !note.because.empty() && !note.litmus.empty(),
                  "a disagreement has its reason");
    for (const std::string& mutation : note.mutations) {
      fuzz::Promise(notes.FindDisagreement(mutation) == &note,
                    "a disagreement is found by its name");
    }
  }
}

}  // namespace
}  // namespace nowait::model

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nowait::model;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto notes = ParseNotes(text, std::string(kFile));
  if (notes) {
    CheckNotes(*notes);
  } else {
    CheckError(notes.error());
  }
  return 0;
}
