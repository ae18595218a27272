#include "src/profile/chrome_trace.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <limits>
#include <utility>

#include "src/base/report.h"

namespace nowait {
namespace {

// A thread's name may contain any bytes: those that are not UTF-8 become U+FFFD.
std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Microseconds with three decimals: the exact nanoseconds, not rounded by a double.
std::string Microseconds(std::uint64_t nanoseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, nanoseconds / 1000,
                nanoseconds % 1000);
  return text;
}

std::uint64_t FirstMoment(const Profile& profile) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) first = std::min(first, span.begin);
    for (const Sample& sample : lane.samples) first = std::min(first, sample.time);
  }
  return first;
}

// Writes the events as text: a trace has hundreds of thousands, too many for a tree of JSON values.
class Writer {
 public:
  explicit Writer(const Profile& profile) : profile_(profile), start_(FirstMoment(profile)) {}

  std::string Write() {
    text_ =
        "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"lost\":" + std::to_string(profile_.lost()) +
        "},\"traceEvents\":[";
    std::uint32_t thread = 0;
    for (const Lane& lane : profile_.lanes()) WriteLane(lane, ++thread);
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  void WriteLane(const Lane& lane, std::uint32_t thread) {
    const std::string number = std::to_string(thread);
    const std::string place = ",\"pid\":1,\"tid\":" + number;
    Event("\"ph\":\"M\",\"name\":\"thread_name\"" + place +
          ",\"args\":{\"name\":" + Quoted(lane.name) + "}");
    Event("\"ph\":\"M\",\"name\":\"thread_sort_index\"" + place +
          ",\"args\":{\"sort_index\":" + number + "}");
    for (const Span& span : lane.spans) WriteSpan(span, place);
    for (const Sample& sample : lane.samples) {
      Event("\"ph\":\"C\",\"name\":" + Quoted(sample.name) + place +
            ",\"ts\":" + Microseconds(sample.time - start_) +
            ",\"args\":{\"value\":" + std::to_string(sample.value) + "}");
    }
  }

  // A mark is an "instant event" of its thread.
  void WriteSpan(const Span& span, const std::string& place) {
    const bool is_mark = span.begin == span.end;
    std::string fields = is_mark ? "\"ph\":\"i\",\"s\":\"t\"" : "\"ph\":\"X\"";
    fields +=
        ",\"name\":" + Quoted(span.name) + place + ",\"ts\":" + Microseconds(span.begin - start_);
    if (!is_mark) fields += ",\"dur\":" + Microseconds(span.end - span.begin);
    const std::string arguments = ArgumentsOf(span);
    if (!arguments.empty()) fields += ",\"args\":{" + arguments + "}";
    Event(fields);
  }

  static std::string ArgumentsOf(const Span& span) {
    std::string text;
    const auto add = [&text](const char* name, std::uint32_t value, std::uint32_t unknown) {
      if (value == unknown) return;
      if (!text.empty()) text += ',';
      text += '"';
      text += name;
      text += "\":" + std::to_string(value);
    };
    add("about", span.about, Span::kAboutNothing);
    add("core", span.begin_core, kNoCore);
    if (span.end_core != span.begin_core) add("end_core", span.end_core, kNoCore);
    return text;
  }

  void Event(const std::string& fields) {
    text_ += first_ ? "\n{" : ",\n{";
    text_ += fields;
    text_ += '}';
    first_ = false;
  }

  const Profile& profile_;
  const std::uint64_t start_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

std::string ChromeTrace(const Profile& profile) { return Writer(profile).Write(); }

}  // namespace nowait
