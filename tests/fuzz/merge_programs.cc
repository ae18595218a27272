// Three documents of any bytes: refused with one line, or joined into JSON that keeps the promises.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/resource/document.h"
#include "src/resource/document_text.h"
#include "src/resource/merge.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

// Documents stand behind each other, each ends with a NUL.
std::vector<Value> Documents(std::string_view bytes) {
  std::vector<Value> documents;
  while (!bytes.empty() && documents.size() < 3) {
    const std::string_view text = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(std::min(text.size() + 1, bytes.size()));
    Result<Value> document = ParseDocument(text);
    if (!document) {
      fuzz::PromiseOneLine(ToString(document.error()));
      continue;
    }
    const auto again = ParseDocument(WriteDocument(*document, LayoutOf(text)));
    fuzz::Promise(again && Same(*again, *document), "a document is read as it was written");
    documents.push_back(*std::move(document));
  }
  return documents;
}

void Check(std::string_view bytes) {
  const std::vector<Value> documents = Documents(bytes);
  if (documents.size() < 3) return;
  const Value &base = documents[0], &left = documents[1], &right = documents[2];
  const auto merged = Merge(&base, left, right, {});
  if (!merged) return fuzz::PromiseOneLine(ToString(merged.error()));
  const auto both = Merge(&base, left, left, {});
  fuzz::Promise(both && Same(both->document, left), "a change of both sides is the result");
  // A base may hold a conflict, and a side may not.
  if (const auto one_side = Merge(&base, left, base, {})) {
    fuzz::Promise(Same(one_side->document, left), "a change of one side is the result");
  } else {
    fuzz::Promise(one_side.error().subject == std::string_view("right"), "the base as a side");
  }
  const auto swapped = Merge(&base, right, left, {});
  fuzz::Promise(swapped && swapped->conflicts.size() == merged->conflicts.size(),
                "swapping the sides keeps the number of conflicts");
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nowait::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
