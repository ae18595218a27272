// Files that the checker reads (saved runs, counterexamples, notes): reads that are short,
// interrupted or fail, files that change meanwhile, and paths that name no file.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "models/kit/command/saved_run.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/mutation/notes.h"
#include "tests/whole/faults/reading.h"

namespace nowait::whole {
namespace {

std::string Corpus(const std::string& name) {
  std::ifstream file("tests/fuzz/corpus/" + name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(text.empty());
  return text;
}

Contents Run(const std::string& path, const model::SavedRun& expected) {
  const auto run = model::LoadRun(path, expected.structure, expected.build);
  if (!run) return std::unexpected(run.error());
  return model::Serialise(*run);
}

Contents Record(const std::string& path) {
  const auto record = model::counterexample::Load(path);
  if (!record) return std::unexpected(record.error());
  return model::counterexample::ToJson(*record);
}

Contents NotesOf(const std::string& path) {
  const auto notes = model::ReadNotes(path);
  if (!notes) return std::unexpected(notes.error());
  std::string text;
  for (const std::string& source : notes->sources) text += source + '\n';
  for (const auto& note : notes->survivors) text += note.mutations.front() + note.because + '\n';
  for (const auto& note : notes->stronger) text += note.sites.front() + note.because + '\n';
  for (const auto& note : notes->disagreements) text += note.litmus + note.because + '\n';
  return text;
}

std::vector<Reading> Readings() {
  const std::string run = Corpus("saved_run/whole.json");
  const auto expected = model::Parse(run);
  REQUIRE(expected.has_value());
  return {{"LoadRun", run, [expected](const std::string& path) { return Run(path, *expected); }},
          {"Load", Corpus("counterexample/letter_box.json"), &Record},
          {"ReadNotes", Corpus("notes/whole.toml"), &NotesOf}};
}

TEST_CASE("slow and interrupted reads of a file give its contents") {
  for (const Reading& reading : Readings()) CheckSlowReads(reading);
}

TEST_CASE("each call of the system that fails is an error with its reason") {
  for (const Reading& reading : Readings()) CHECK(CheckFailingCalls(reading) >= 3);
}

TEST_CASE("a file that becomes shorter while it is read is an error") {
  for (const Reading& reading : Readings()) CheckShrinkingFile(reading);
}

TEST_CASE("a path that is no file, or a file without an end, is an error") {
  for (const Reading& reading : Readings()) CheckNoFile(reading);
}

}  // namespace
}  // namespace nowait::whole
