// Grades the exercise "The weakest orders": each program's outcome must not happen with the orders
// of weakest_orders.h, and must happen when any one of them is weaker. Every execution is examined.
// The header comes before this file, as the student's does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// The orders that the program under test has; its threads are functions without captures.
std::array<Order, 4> orders;

enum class Access { kLoad, kStore, kUpdate };

struct Exercise {
  std::string_view name;
  std::string_view wrong;  // what must not happen
  std::vector<Access> accesses;
  std::vector<Order> chosen;
  LitmusTest program;
};

bool BothReadZero(const Cells& c) { return c.r[0] == 0 && c.r[1] == 0; }

LitmusTest Counted() {
  return {.name = "counted",
          .says = "a message that is counted on its way",
          .threads = {[](Cells& c) {
                        c.data.set(1);
                        c.y.fetch_add(1, orders[0]);
                      },
                      [](Cells& c) { c.y.fetch_add(1, orders[1]); },
                      [](Cells& c) {
                        if (c.y.load(orders[2]) == 2) c.data.get();
                      }},
          .asked = "a data race",
          .failure = FailureKind::kDataRace,
          .cxx20 = Cxx20::kForbidden,
          .source = "[atomics.order] 2; [intro.races] 5"};
}

LitmusTest PassedOn() {
  return {.name = "passed_on",
          .says = "a message that is passed on",
          .threads = {[](Cells& c) {
                        c.data.set(1);
                        c.y.store(1, orders[0]);
                      },
                      [](Cells& c) {
                        if (c.y.load(orders[1]) == 1) c.z.store(1, orders[2]);
                      },
                      [](Cells& c) {
                        if (c.z.load(orders[3]) == 1) c.data.get();
                      }},
          .asked = "a data race",
          .failure = FailureKind::kDataRace,
          .cxx20 = Cxx20::kForbidden,
          .source = "[atomics.order] 2; [intro.races] 10"};
}

LitmusTest Meeting() {
  return {.name = "meeting",
          .says = "two threads meet",
          .threads = {[](Cells& c) {
                        c.x.store(1, orders[0]);
                        c.r[0] = c.y.load(orders[1]);
                      },
                      [](Cells& c) {
                        c.y.store(1, orders[2]);
                        c.r[1] = c.x.load(orders[3]);
                      }},
          .asked = "each thread reads the other's variable as 0",
          .outcome = BothReadZero,
          .cxx20 = Cxx20::kForbidden,
          .source = "[atomics.order] 3 and 4"};
}

// From weak to strong. Acquire and release, which nothing ranks, are both for read-modify-writes
// only.
std::vector<Order> OrdersOf(Access access) {
  using enum std::memory_order;
  if (access == Access::kLoad) return {relaxed, acquire, seq_cst};
  if (access == Access::kStore) return {relaxed, release, seq_cst};
  return {relaxed, acquire, release, acq_rel, seq_cst};
}

bool IsWeaker(Order a, Order b) {
  using enum std::memory_order;
  if (a == b) return false;
  if (a == relaxed || b == seq_cst) return true;
  return b == acq_rel && (a == acquire || a == release);
}

bool Takes(Access access, Order order) {
  const std::vector<Order> all = OrdersOf(access);
  return std::find(all.begin(), all.end(), order) != all.end();
}

bool Happens(const Exercise& exercise, std::span<const Order> with) {
  std::copy(with.begin(), with.end(), orders.begin());
  return Measure(exercise.program, Graphs()).produced;
}

// The fault of the chosen orders; empty if they have no fault.
std::string Judge(const Exercise& exercise) {
  for (std::size_t i = 0; i < exercise.chosen.size(); ++i) {
    if (!Takes(exercise.accesses[i], exercise.chosen[i])) {
      return fmt::format("order {} is not one that this access takes", i + 1);
    }
  }
  if (Happens(exercise, exercise.chosen)) return std::string(exercise.wrong);
  for (std::size_t i = 0; i < exercise.chosen.size(); ++i) {
    for (const Order weaker : OrdersOf(exercise.accesses[i])) {
      if (!IsWeaker(weaker, exercise.chosen[i])) continue;
      std::vector<Order> with = exercise.chosen;
      with[i] = weaker;
      if (!Happens(exercise, with)) return fmt::format("order {} can be weaker", i + 1);
    }
  }
  return {};
}

template <std::size_t kSize>
std::vector<Order> Chosen(const std::array<Order, kSize>& array) {
  return {array.begin(), array.end()};
}

int Main() {
  using enum Access;
  const std::vector<Exercise> exercises = {
      {"kCounted",
       "the message is read before it is written: a data race",
       {kUpdate, kUpdate, kLoad},
       Chosen(kCounted),
       Counted()},
      {"kPassedOn",
       "the message is read before it is written: a data race",
       {kStore, kLoad, kStore, kLoad},
       Chosen(kPassedOn),
       PassedOn()},
      {"kMeeting",
       "neither thread sees the other",
       {kStore, kLoad, kStore, kLoad},
       Chosen(kMeeting),
       Meeting()},
  };
  int failed = 0;
  for (const Exercise& exercise : exercises) {
    const std::string wrong = Judge(exercise);
    fmt::print("{}: {}\n", exercise.name, wrong.empty() ? "right" : wrong);
    if (!wrong.empty()) ++failed;
  }
  fmt::print("{} passed, {} failed\n", exercises.size() - static_cast<std::size_t>(failed), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nowait::model

int main() { return nowait::model::Main(); }
