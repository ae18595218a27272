// The parts of a message that are about the threads: spans, and the tasks that they have made.
#include <cstdint>

#include "src/live/encoder.h"
#include "src/live/wire.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

// Zero where the core is not known.
std::uint64_t NumberOfCore(std::uint16_t core) { return core == kNoCore ? 0 : core + 1u; }

}  // namespace

std::uint32_t LiveEncoder::NameOf(const char* name) {
  const auto [entry, added] = names_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) {
    writer_.Begin(kLiveName);
    writer_.Value(entry->second);
    writer_.Text(name);
    writer_.End();
  }
  return entry->second;
}

void LiveEncoder::AddSpans(const LiveFrame& frame) {
  if (frame.spans.empty()) return;
  for (const LaneSpan& span : frame.spans) NameOf(span.span.name);
  writer_.Begin(kLiveSpans);
  std::uint64_t before = frame.moment.begin;
  writer_.Value(before);
  cores_.clear();
  for (const auto& [lane, span] : frame.spans) {
    if (cores_.size() <= lane) cores_.resize(lane + 1, kNoCore);
    const bool is_about = span.about != Span::kAboutNothing;
    const bool stays = span.begin_core == cores_[lane] && span.end_core == cores_[lane];
    writer_.Varint(lane);
    writer_.Varint(std::uint64_t{NameOf(span.name)} << 2 | (stays ? 0 : 2) | (is_about ? 1 : 0));
    if (is_about) writer_.Varint(span.about);
    if (!stays) {
      writer_.Varint(NumberOfCore(span.begin_core));
      writer_.Varint(NumberOfCore(span.end_core));
      cores_[lane] = span.end_core;
    }
    writer_.SignedVarint(static_cast<std::int64_t>(span.begin - before));
    writer_.Varint(span.end - span.begin);
    before = span.begin;
  }
  writer_.End();
}

void LiveEncoder::AddTasks(const LiveFrame& frame) {
  if (frame.tasks.empty()) return;
  writer_.Begin(kLiveTasks);
  std::uint64_t before = frame.moment.begin;
  writer_.Value(before);
  for (const auto& [lane, task] : frame.tasks) {
    const bool has_parent = task.parent != TaskRecord::kNoTask;
    const bool has_dependency = task.dependency != TaskRecord::kNoTask;
    writer_.Varint(lane);
    writer_.Varint((has_parent ? 1u : 0u) | (has_dependency ? 2u : 0u) | (task.bound ? 4u : 0u) |
                   static_cast<std::uint32_t>(task.kind) << 3 | std::uint32_t{task.priority} << 6);
    writer_.Varint(task.task);
    if (has_parent) writer_.Varint(task.parent);
    if (has_dependency) writer_.Varint(task.dependency);
    writer_.SignedVarint(static_cast<std::int64_t>(task.time - before));
    before = task.time;
  }
  writer_.End();
}

}  // namespace nowait
