// Saved runs: refused with one line, or a run that is written again byte for byte.
#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/kit/command/saved_run.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void Check(const std::string& text) {
  const auto run = model::Parse(text);
  if (!run) return fuzz::PromiseOneLine(run.error());
  fuzz::Promise(model::Serialise(*run) == text, "a run that is read is written as it was");
}

// The text with the checksum that it would have, which no fuzzer guesses; empty when it is no JSON.
std::string Sealed(const std::string& text) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return "";
  json["checksum"] = "00000000";
  const std::string open = json.dump(1);
  json["checksum"] =
      fmt::format("{:08x}", static_cast<std::uint32_t>(crc32_z(
                                0, reinterpret_cast<const Bytef*>(open.data()), open.size())));
  return json.dump(1) + "\n";
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  nowait::Check(text);
  nowait::Check(nowait::Sealed(text));
  return 0;
}
