// The gallery's list of defects: refused with one line that begins with the place, or whole.
#include <cstdint>
#include <string>

#include "models/gallery/defects.h"
#include "tests/fuzz/promise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto defects = nowait::model::gallery::ParseDefects("defects.toml", text);
  if (!defects) {
    nowait::fuzz::PromiseOneLine(defects.error());
    nowait::fuzz::Promise(defects.error().starts_with("defects.toml:"), "an error names the place");
    return 0;
  }
  nowait::fuzz::Promise(!defects->pages.empty(), "there is a defect");
  for (const auto& defect : defects->pages) {
    nowait::fuzz::Promise(!defect.headers.empty(), "a defect names its headers");
    for (const std::string& header : defect.headers) {
      nowait::fuzz::Promise(!header.empty(), "a header has a name");
    }
  }
  return 0;
}
