#include "tests/whole/scheduler/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace nowait::whole {
namespace {

constexpr std::size_t kWidth = 34;

bool IsCall(const TraceEntry& entry) {
  return entry.step.kind == StepKind::kCall || entry.step.kind == StepKind::kReturn;
}

std::string Words(const Step& step) {
  switch (step.kind) {
    case StepKind::kCall:
      return fmt::format("{}({}) {{", step.text, step.number);
    case StepKind::kReturn:
      return fmt::format("}} {}({})", step.text, step.number);
    case StepKind::kBegin:
    case StepKind::kEnd:
      return NameOf(step.kind);
    default:
      return fmt::format("{} {}:{}", NameOf(step.kind), step.site.file(), step.site.line());
  }
}

class Table {
 public:
  // Only the threads that have entries get a column.
  Table(const Failure& failure, const std::vector<TraceEntry>& entries)
      : column_(failure.names.size(), failure.names.size()) {
    for (std::size_t thread = 0; thread < failure.names.size(); ++thread) {
      const bool has = std::any_of(entries.begin(), entries.end(),
                                   [&](const TraceEntry& entry) { return entry.thread == thread; });
      if (has) column_[thread] = columns_++;
    }
    std::string names = fmt::format("{:>8}  ", "step");
    for (std::size_t thread = 0; thread < failure.names.size(); ++thread) {
      if (column_[thread] < columns_) names += fmt::format("{:<{}}", failure.names[thread], kWidth);
    }
    Add(names);
    for (const TraceEntry& entry : entries) {
      Add(fmt::format("{:>8}  {:{}}{}", entry.number, "", kWidth * column_[entry.thread],
                      Words(entry.step)));
    }
  }
  const std::string& text() const { return text_; }

 private:
  void Add(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }

  std::vector<std::size_t> column_;
  std::size_t columns_ = 0;
  std::string text_;
};

}  // namespace

std::string Lanes(const Failure& failure, std::size_t most_steps) {
  std::string text = fmt::format("{}: {}\n", NameOf(failure.kind), failure.what);
  for (const std::string& thread : failure.threads) text += "  " + thread + "\n";
  const std::vector<TraceEntry>& last = failure.last;
  const auto from = last.end() - static_cast<std::ptrdiff_t>(std::min(most_steps, last.size()));
  std::vector<TraceEntry> calls;
  std::copy_if(last.begin(), from, std::back_inserter(calls), IsCall);
  if (calls.size() > most_steps) {
    calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(most_steps));
  }
  if (!calls.empty()) text += "calls before the last steps\n" + Table(failure, calls).text();
  return text + "the last steps\n" + Table(failure, {from, last.end()}).text();
}

}  // namespace nowait::whole
