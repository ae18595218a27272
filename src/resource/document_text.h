// Documents as text: JSON (RFC 8259) read into a Value, and written so that a line of a file
// changes only where its content does.
//
//   const auto document = ParseDocument(text);
//   if (!document) return Complain(ToString(document.error()));
//   const std::string again = WriteDocument(*document, LayoutOf(text));
//
// Written are: one member or item a line, but an array without containers on one line, as positions
// and colours are written; numbers in the texts that they had; strings in UTF-8, with the escapes
// that JSON demands.
//
// Bound: kMostLevels containers in each other; the nesting of a hostile document is refused before
// it reaches the stack. Thread safety: pure functions.
#ifndef NOWAIT_SRC_RESOURCE_DOCUMENT_TEXT_H_
#define NOWAIT_SRC_RESOURCE_DOCUMENT_TEXT_H_

#include <string>
#include <string_view>

#include "src/base/result.h"
#include "src/resource/document.h"

namespace nowait {

inline constexpr int kMostLevels = 200;

// Errors, `amount` is the offset in bytes where reading stopped: kCorrupt "JSON" (not JSON, not
// UTF-8, or a key that occurs twice in its object); kCapacity "levels of JSON", `amount` is
// kMostLevels; kCapacity "memory".
Result<Value> ParseDocument(std::string_view text);

struct Layout {
  std::string indent = "  ";  // of a level
  bool lines = true;          // false: everything on one line
  bool newline = true;        // at the end
  bool returns = false;       // a line ends with "\r\n"
};

// How `text`, a JSON document, is laid out: the indent is the one of its first indented line.
Layout LayoutOf(std::string_view text);

std::string WriteDocument(const Value& document, const Layout& layout);

// The line and column of an offset in bytes, both from 1, as "3:14".
std::string PlaceOf(std::string_view text, std::size_t offset);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_DOCUMENT_TEXT_H_
