#include "models/kit/scenario/linearizability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace nowait::model {
namespace {

using Lines = std::vector<HistoryLine>;

std::string ThreadName(int thread) {
  if (thread == kSetUp) return "set-up";
  if (thread == kAfter) return "after";
  return fmt::format("thread {}", thread);
}

// The operations by thread: set-up, threads, After. Each thread's operations are already in order.
std::vector<std::size_t> ByThread(const Lines& lines) {
  const auto rank = [&](std::size_t i) {
    return lines[i].thread == kAfter ? kMaxThreads : lines[i].thread;
  };
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

// The predecessors of an operation that must be printed. Not printed are those of its own thread,
// those that another predecessor implies, and the facts that set-up comes first and After last.
OperationSet Told(const Lines& lines, std::size_t i) {
  if (lines[i].thread < 0) return 0;
  OperationSet implied = 0;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if ((lines[i].before & OneOperation(k)) == 0) continue;
    implied |= lines[k].before;
    if (lines[k].thread == lines[i].thread || lines[k].thread < 0) implied |= OneOperation(k);
  }
  return lines[i].before & ~implied;
}

// The numbers that the report gives to the operations: by thread, from 1 up. They are written "#2",
// because "[2]" is a step of the execution.
class Numbering {
 public:
  explicit Numbering(const Lines& lines) : by_thread_(ByThread(lines)), number_(lines.size()) {
    for (std::size_t n = 0; n < by_thread_.size(); ++n) number_[by_thread_[n]] = n + 1;
  }

  const std::vector<std::size_t>& by_thread() const { return by_thread_; }
  std::size_t Number(std::size_t i) const { return number_[i]; }
  // " #1 #4"
  std::string Numbers(OperationSet set) const {
    std::string out;
    for (const std::size_t i : by_thread_) {
      if ((set & OneOperation(i)) != 0) out += fmt::format(" #{}", number_[i]);
    }
    return out;
  }

 private:
  std::vector<std::size_t> by_thread_;
  std::vector<std::size_t> number_;
};

}  // namespace

std::string FormatHistory(const Lines& lines) {
  const Numbering numbering(lines);
  std::string out = "  history";
  for (const std::size_t i : numbering.by_thread()) {
    out += fmt::format("\n    {:<9} #{} {}", ThreadName(lines[i].thread), numbering.Number(i),
                       lines[i].words);
    const std::string told = numbering.Numbers(Told(lines, i));
    if (!told.empty()) out += "   after" + told;
  }
  return out;
}

std::string FormatLongest(const Lines& lines, std::span<const std::uint8_t> longest) {
  const Numbering numbering(lines);
  std::string out = "  longest linearization:";
  OperationSet done = 0;
  for (const std::size_t i : longest) {
    out += fmt::format(" #{}", numbering.Number(i));
    done |= OneOperation(i);
  }
  if (longest.empty()) out += " none";
  OperationSet next = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool may_be_next = (lines[i].before & ~done) == 0;
    if (may_be_next && (done & OneOperation(i)) == 0) next |= OneOperation(i);
  }
  return out + "\n  could be next, and does not fit:" + numbering.Numbers(next);
}

}  // namespace nowait::model
