// JSON of results: a program's findings, in a file that another program can read.
//
// Every report is one JSON object that opens with
//   "schema": "nowait.<name>", "version": N
// and keeps the order in which its fields were added. A field's unit is the end of its name:
// `_ms`, `_us`, `_bytes`, `_ratio`; a count has no suffix. A version rises when a field changes its
// meaning or is removed; new fields do not change it. 64-bit hashes are written as strings of 16
// hexadecimal digits, because many readers take JSON numbers for doubles.
//
// Thread safety: a report belongs to one thread.
#ifndef NOWAIT_SRC_BASE_REPORT_H_
#define NOWAIT_SRC_BASE_REPORT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "src/base/result.h"

namespace nowait {

using Json = nlohmann::ordered_json;

// An object with only its schema and version.
Json NewReport(std::string_view schema, int version);

// 16 lower-case hexadecimal digits.
std::string HashString(std::uint64_t hash);

// Writes `text` to `path` whole or not at all: into a temporary file beside it, which is then
// renamed. kIo with errno on failure, kCapacity "memory"; then no file is left behind. EOPNOTSUPP:
// `path` names a device, or anything but an ordinary file, or a link to that; it stays as it is.
Result<void> WriteFileWhole(const std::string& path, std::string_view text);

// The report, indented by two spaces, with a final newline; written as by WriteFileWhole. A byte
// that is no UTF-8 becomes U+FFFD.
Result<void> WriteReport(const std::string& path, const Json& report);

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_REPORT_H_
