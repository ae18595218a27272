#include "models/kit/linearizability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace nowait::model {
namespace {

using Lines = std::vector<HistoryText::Line>;

std::string ThreadName(int thread) {
  if (thread == kSetUp) return "set-up";
  if (thread == kAfter) return "after";
  return fmt::format("thread {}", thread);
}

// The operations by thread: set-up, threads, after. Each thread's are in its own order already.
std::vector<std::size_t> ByThread(const Lines& lines) {
  const auto rank = [&](std::size_t i) {
    return lines[i].thread == kAfter ? kMaxThreads : lines[i].thread;
  };
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

// What must be said of an operation's predecessors: not those of its own thread, nor those that
// another predecessor has, nor that set-up comes first and after last.
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

class Writer {
 public:
  explicit Writer(const HistoryText& text) : text_(text), by_thread_(ByThread(text.lines)) {
    number_.resize(text.lines.size());
    for (std::size_t n = 0; n < by_thread_.size(); ++n) number_[by_thread_[n]] = n + 1;
  }

  std::string Write() const {
    std::string out = "  history\n";
    for (const std::size_t i : by_thread_) {
      const HistoryText::Line& line = text_.lines[i];
      out += fmt::format("    {:<9} [{}] {}", ThreadName(line.thread), number_[i], line.words);
      const std::string told = Numbers(Told(text_.lines, i));
      out += told.empty() ? "\n" : fmt::format("   after {}\n", told);
    }
    OperationSet done = 0;
    out += "  longest linearization:";
    for (const std::size_t i : text_.longest) {
      out += fmt::format(" [{}]", number_[i]);
      done |= OneOperation(i);
    }
    if (text_.longest.empty()) out += " none";
    OperationSet next = 0;
    for (std::size_t i = 0; i < text_.lines.size(); ++i) {
      const bool is_enabled = (text_.lines[i].before & ~done) == 0;
      if (is_enabled && (done & OneOperation(i)) == 0) next |= OneOperation(i);
    }
    out += fmt::format("\n  next to it {} would be allowed, and does not fit", Numbers(next));
    return out;
  }

 private:
  std::string Numbers(OperationSet set) const {
    std::string out;
    for (const std::size_t i : by_thread_) {
      if ((set & OneOperation(i)) == 0) continue;
      out += fmt::format("{}[{}]", out.empty() ? "" : " ", number_[i]);
    }
    return out;
  }

  const HistoryText& text_;
  std::vector<std::size_t> by_thread_;
  std::vector<std::size_t> number_;
};

}  // namespace

std::string Format(const HistoryText& text) { return Writer(text).Write(); }

}  // namespace nowait::model
