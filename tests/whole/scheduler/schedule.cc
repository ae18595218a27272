#include "tests/whole/scheduler/schedule.h"

#include <algorithm>
#include <charconv>

namespace nowait::whole {
namespace {

constexpr std::uint32_t kMostThreads = 1000;

// Reads a number and what stands after it.
bool Read(std::string_view& text, std::uint32_t& number, char after) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return after == ' ';
  if (text.front() != after) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string ToString(const Schedule& schedule) {
  std::string text;
  for (const Choice& choice : schedule) {
    if (!text.empty()) text += ' ';
    text += std::to_string(choice.thread) + '.' + std::to_string(choice.number) + '>' +
            std::to_string(choice.answer);
  }
  return text;
}

std::optional<Schedule> ParseSchedule(std::string_view text) {
  Schedule schedule;
  while (!text.empty()) {
    Choice choice;
    if (!Read(text, choice.thread, '.') || choice.thread >= kMostThreads ||
        !Read(text, choice.number, '>') || !Read(text, choice.answer, ' ')) {
      return std::nullopt;
    }
    schedule.push_back(choice);
  }
  return schedule;
}

Prompter::Prompter(const Schedule& schedule) {
  for (const Choice& choice : schedule) {
    if (parts_.size() <= choice.thread) parts_.resize(choice.thread + 1);
    parts_[choice.thread].choices.push_back(choice);
  }
  for (Part& part : parts_) {
    std::sort(part.choices.begin(), part.choices.end(),
              [](const Choice& a, const Choice& b) { return a.number < b.number; });
  }
}

std::optional<std::uint32_t> Prompter::Find(std::uint32_t thread, std::uint32_t number) {
  if (thread >= parts_.size()) return std::nullopt;
  Part& part = parts_[thread];
  while (part.next < part.choices.size() && part.choices[part.next].number < number) ++part.next;
  if (part.next == part.choices.size() || part.choices[part.next].number != number) {
    return std::nullopt;
  }
  return part.choices[part.next].answer;
}

}  // namespace nowait::whole
