// Converts a counterexample to JSON and back. docs/counterexample.md is the schema.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_H_

#include <expected>
#include <string>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

inline constexpr char kFormat[] = "nowait counterexample";
inline constexpr int kVersion = 1;

std::string ToJson(const Counterexample& record);

// If the text is not a record, returns one line that names the error and its place, such as
// "execution.events[3].read.from: 99 is no event". A record has every field, with the right kind of
// value, and no others; every number names something that exists; and the events form an execution.
std::expected<Counterexample, std::string> FromJson(const std::string& text);

// The same from a file, whose name stands before the line.
std::expected<Counterexample, std::string> Load(const std::string& path);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_H_
