// Counterexamples: refused with one line, or a record that is written and read again as it is, and
// that can be shown.
#include <cstdint>
#include <string>

#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/lanes.h"
#include "tests/fuzz/promise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nowait::model::counterexample;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto record = FromJson(text);
  if (!record) {
    nowait::fuzz::PromiseOneLine(record.error());
    return 0;
  }
  const std::string again = ToJson(*record);
  const auto second = FromJson(again);
  nowait::fuzz::Promise(second.has_value(), "what is written can be read");
  nowait::fuzz::Promise(ToJson(*second) == again, "a record that is read is written as it was");
  nowait::fuzz::Promise(!FormatLanes(*record, {}).empty(), "a record can be shown");
  return 0;
}
