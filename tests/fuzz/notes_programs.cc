// The notes beside a model: refused with one line that begins with the place, or whole.
#include <cstdint>
#include <string>
#include <string_view>

#include "models/kit/mutation/notes.h"
#include "tests/fuzz/promise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto notes = nowait::model::ParseNotes(text, "notes.toml");
  if (!notes) {
    nowait::fuzz::PromiseOneLine(notes.error());
    nowait::fuzz::Promise(notes.error().starts_with("notes.toml:"), "an error names the place");
    return 0;
  }
  nowait::fuzz::Promise(!notes->sources.empty(), "notes have sources");
  nowait::fuzz::Promise(notes->executions > 0, "notes have a number of executions");
  for (const auto& note : notes->survivors) {
    nowait::fuzz::Promise(!note.mutations.empty() && !note.because.empty(), "a note is whole");
  }
  return 0;
}
