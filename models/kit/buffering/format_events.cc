#include "models/kit/buffering/format_events.h"

#include <fmt/format.h>

#include <cstddef>

namespace nowait::model::buffering {
namespace {

// a .. z, then a2 .. z2, ...
std::string LetterOf(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  const std::string letter(1, static_cast<char>('a' + number % kLetters));
  return number < kLetters ? letter : letter + std::to_string(number / kLetters + 1);
}

std::string Words(const Event& event) {
  const std::string found = Format(event.read, event.type);
  const std::string written = Format(event.written, event.type);
  if (event.call == OperationKind::kWait) {
    return fmt::format("wait at atomic {}: {}, {}", event.object, found, Name(event.order));
  }
  if (event.call) {
    return fmt::format("{} mutex {}{}", Name(*event.call), event.object,
                       event.Writes() ? "" : ", in vain");
  }
  switch (event.kind) {
    case Event::Kind::kRead:
      return fmt::format("load atomic {}: {}, {}", event.object, found, Name(event.order));
    case Event::Kind::kWrite:
      return fmt::format("store atomic {}: {}, {}", event.object, written, Name(event.order));
    case Event::Kind::kUpdate:
      return fmt::format("update atomic {}: {} to {}, {}", event.object, found, written,
                         Name(event.order));
    case Event::Kind::kFence:
      return fmt::format("fence, {}", Name(event.order));
    case Event::Kind::kPlainRead:
      return fmt::format("read plain {}: {}", event.object, found);
    case Event::Kind::kPlainWrite:
      return fmt::format("write plain {}: {}", event.object, written);
  }
  return "";
}

}  // namespace

std::string FormatEvents(const std::vector<const Events*>& threads, const Judged& execution) {
  std::string lines;
  std::size_t number = 0;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    for (const Event& event : *threads[thread]) {
      const axioms::Event& judged = execution.execution[execution.initials + number];
      std::string from;
      if (judged.from != axioms::kNothing) {
        from = judged.from < execution.initials
                   ? ", the initial value"
                   : fmt::format(", from {}", LetterOf(judged.from - execution.initials));
      }
      lines += fmt::format("  thread {}  {:<3} {}{}  {}\n", thread, LetterOf(number), Words(event),
                           from, Format(event.site));
      ++number;
    }
  }
  return lines;
}

}  // namespace nowait::model::buffering
