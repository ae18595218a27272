// Grades the two middle threads of litmus.cc by the verdicts of the exhaustive back end.
//
//   thread 0            thread 1                     thread 2
//     x = 1, relaxed      KeepChain or BreakChain      r0 = y, acquire
//     y = 1, release                                   r1 = x, relaxed
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/litmus/litmus.h"

namespace nowait::model {
namespace {

using Middle = void (*)(Cells&);

void Write(Cells& c) {
  c.x.store(1, std::memory_order::relaxed);
  c.y.store(1, std::memory_order::release);
}
void Read(Cells& c) {
  c.r[0] = c.y.load(std::memory_order::acquire);
  c.r[1] = c.x.load(std::memory_order::relaxed);
}
bool MissesMessage(const Cells& c) { return c.r[0] == 2 && c.r[1] == 0; }
bool SeesMessage(const Cells& c) { return c.r[0] == 2 && c.r[1] == 1; }
bool TwoFromNowhere(const Cells& c) { return c.last.y == 2; }

Measured Run(const char* name, std::vector<Middle> threads, bool (*outcome)(const Cells&)) {
  const LitmusTest test{.name = name,
                        .says = "a message that is passed on",
                        .threads = std::move(threads),
                        .asked = "the outcome that is asked about",
                        .outcome = outcome,
                        .cxx20 = Cxx20::kAllowed,
                        .source = ""};
  return Measure(test, Graphs());
}

// Whether thread 1 keeps to relaxed operations on y, as far as this execution shows.
bool IsRelaxedOnY(const Trace& trace) {
  std::uint32_t y = 0;
  for (EventNumber i = 1; i <= trace.last(); ++i) {
    const Event& event = trace[i];
    if (event.thread == 0 && event.order == std::memory_order::release) y = event.object;
  }
  for (EventNumber i = 1; i <= trace.last(); ++i) {
    const Event& event = trace[i];
    if (event.thread == 1 && (event.order != std::memory_order::relaxed || event.object != y)) {
      return false;
    }
  }
  return true;
}

// Without what the set-up and the look at the end do.
Trace OfThreads(const Trace& trace) {
  std::vector<EventNumber> order;
  for (EventNumber i = 1; i <= trace.last(); ++i) {
    if (trace[i].thread >= 0) order.push_back(i);
  }
  return trace.Take(order);
}

int failed = 0;

void Judge(bool holds, const char* name, const char* what) {
  fmt::print("{}: {}: {}\n", name, what, holds ? "yes" : "NO");
  if (!holds) ++failed;
}

void JudgeMiddle(const char* name, Middle middle, bool keeps) {
  const Measured seen = Run(name, {Write, middle, Read}, SeesMessage);
  Judge(seen.produced, name, "thread 2 can read 2 and see the message");
  Judge(seen.produced && IsRelaxedOnY(seen.result.trace), name,
        "thread 1 has relaxed operations on y and nothing more");
  const Measured alone = Run(name, {[](Cells&) {}, middle, Read}, TwoFromNowhere);
  Judge(!alone.produced && alone.exhausted, name, "without thread 0 no thread writes a 2");
  const Measured missed = Run(name, {Write, middle, Read}, MissesMessage);
  if (keeps) {
    Judge(!missed.produced && missed.exhausted, name,
          "in no execution does thread 2 read 2 and miss the message");
  } else {
    Judge(missed.produced, name, "in some execution thread 2 reads 2 and misses the message");
  }
  if (missed.produced) fmt::print("{}", OfThreads(missed.result.trace).Format());
}

}  // namespace
}  // namespace nowait::model

int main() {
  using namespace nowait::model;
  JudgeMiddle("KeepChain", KeepChain, true);
  JudgeMiddle("BreakChain", BreakChain, false);
  fmt::print("{}\n", failed == 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return failed == 0 ? 0 : 1;
}
