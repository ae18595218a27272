#include "models/kit/exhaustive/oracle/generator.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/kit/exhaustive/oracle/written.h"
#include "src/math/random.h"

namespace nowait::model::oracle {
namespace {

using Kind = Statement::Kind;
using Order = std::memory_order;
using Shape = Style::Shape;

// One location with many stores has very many executions, of which hardly any is of a new kind.
constexpr std::uint32_t kFewer = kMaxOperations - 1;

constexpr std::array kStyles = {
    //     load store add exchange strong weak fence read write
    Style{"mixed", {6, 6, 2, 2, 2, 2, 2, 0, 0}},
    Style{"accesses", {1, 1, 0, 0, 0, 0, 0, 0, 0}},
    Style{"one-location", {2, 2, 1, 2, 2, 1, 0, 0, 0}, 1, 1, 0, Shape::kFree, kFewer},
    Style{"updates", {1, 1, 2, 2, 2, 2, 1, 0, 0}, 1, 2, 0, Shape::kFree, kFewer},
    Style{"weak", {1, 2, 1, 1, 0, 5, 0, 0, 0}, 1, 2, 0, Shape::kFree, kFewer},
    Style{"fences", {4, 4, 1, 1, 0, 0, 4, 0, 0}, 2, 3},
    Style{"fenced", {4, 4, 1, 1, 1, 0, 0, 0, 0}, 2, 3, 0, Shape::kFenced},
    Style{"seq-cst", {5, 5, 1, 1, 1, 1, 2, 0, 0}, 1, 3, 60},
    Style{"cycles", {4, 4, 1, 1, 0, 0, 0, 0, 0}, 2, 3, 50, Shape::kCycle},
    Style{"written", {}, 1, 3, 0, Shape::kWritten},
    Style{"data", {4, 4, 1, 1, 1, 1, 2, 2, 2}, 1, 2},
    Style{"messages", {0, 3, 1, 1, 1, 1, 0, 0, 0}, 1, 2, 0, Shape::kMessages},
};

class Generator {
 public:
  Generator(const Style& style, std::uint64_t seed) : style_(style), random_(seed) {}

  StraightLine Make() {
    locations_ =
        style_.min_locations + random_.Below(style_.max_locations - style_.min_locations + 1);
    switch (style_.shape) {
      case Shape::kFree:
        return MakeFree();
      case Shape::kFenced:
        return MakeFenced();
      case Shape::kCycle:
        return MakeCycle();
      case Shape::kMessages:
        return MakeMessages();
      case Shape::kWritten:
        return MakeWritten();
    }
    return {};
  }

 private:
  static constexpr std::array kLoadOrders = {Order::relaxed, Order::acquire, Order::seq_cst};
  static constexpr std::array kStoreOrders = {Order::relaxed, Order::release, Order::seq_cst};
  static constexpr std::array kFenceOrders = {Order::acquire, Order::release, Order::acq_rel,
                                              Order::seq_cst};
  static constexpr std::array kOrders = {Order::relaxed, Order::acquire, Order::release,
                                         Order::acq_rel, Order::seq_cst};

  template <std::size_t n>
  Order One(const std::array<Order, n>& orders) {
    return orders[random_.Below(n)];
  }

  StraightLine MakeFree() {
    StraightLine program;
    program.threads.resize(2 + random_.Below(3));
    const std::size_t size = 4 + random_.Below(style_.max_operations - 3);
    for (std::size_t i = 0; i < size; ++i) {
      // One statement for each thread, then the rest at random.
      const auto threads = static_cast<std::uint32_t>(program.threads.size());
      const std::size_t thread = i < threads ? i : random_.Below(threads);
      program.threads[thread].push_back(Make(DrawKind()));
    }
    return program;
  }

  StraightLine MakeFenced() {
    StraightLine program;
    program.threads.resize(2 + random_.Below(2));
    for (auto& thread : program.threads) {
      thread.push_back(Make(DrawKind()));
      thread.push_back(Make(Kind::kFence));
      if (random_.Below(3) != 0) thread.back().order = Order::seq_cst;
      thread.push_back(Make(DrawKind()));
    }
    if (program.threads.size() == 2 && random_.Below(2) == 0) {
      program.threads.push_back({Make(DrawKind())});
      if (random_.Below(2) == 0) program.threads.push_back({Make(DrawKind())});
    }
    return program;
  }

  // The shapes SB, RWC, IRIW, W+RWC and so on. A forbidden outcome is a cycle of program order
  // within threads and coherence order between them, which is how Alglave, Maranget, Sarkar, Sewell
  // ("Fences in Weak Memory Models", CAV 2010) make litmus tests. A thread with one access stays at
  // the location of the thread before it.
  StraightLine MakeCycle() {
    StraightLine program;
    program.threads.resize(2 + random_.Below(3));
    std::size_t location = 0;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      auto& thread = program.threads[t];
      thread.push_back(MakeLinked(location));
      const std::size_t left = program.threads.size() - t;
      const bool last = left == 1;
      if (!last && (location + 1 == locations_ || (left > 2 && random_.Below(3) == 0))) continue;
      location = last ? 0 : location + 1;
      thread.push_back(MakeLinked(location));
      if (random_.Below(3) == 0 && program.Size() + 2 * left <= style_.max_operations) {
        for (Statement& access : thread) Weaken(access);
        thread.insert(thread.begin() + 1, Make(Kind::kFence));
        thread[1].order = Order::seq_cst;
      }
    }
    return program;
  }

  Statement MakeLinked(std::size_t location) {
    Statement statement = Make(DrawKind());
    statement.location = location;
    if (statement.order != Order::seq_cst) Weaken(statement);
    return statement;
  }

  // Usually to an order that synchronises but has no part in S.
  void Weaken(Statement& access) {
    access.order = random_.Below(4) == 0         ? Order::relaxed
                   : access.kind == Kind::kLoad  ? Order::acquire
                   : access.kind == Kind::kStore ? Order::release
                                                 : Order::acq_rel;
  }

  StraightLine MakeMessages() {
    StraightLine program;
    program.threads.push_back({Make(Kind::kWrite)});
    auto& sender = program.threads.back();
    sender.back().only_if.reset();
    if (random_.Below(3) == 0) sender.push_back(Make(Kind::kFence));
    sender.push_back(Make(DrawKind()));
    if (random_.Below(2) == 0) sender.push_back(Make(DrawKind()));
    if (random_.Below(2) == 0) {
      program.threads.push_back({Make(random_.Below(2) == 0 ? Kind::kLoad : DrawKind())});
      program.threads.back().push_back(Make(DrawKind()));
    }
    program.threads.push_back({Make(random_.Below(3) == 0 ? Kind::kStrong : Kind::kLoad)});
    auto& receiver = program.threads.back();
    if (random_.Below(3) == 0) receiver.push_back(Make(Kind::kFence));
    receiver.push_back(Make(random_.Below(3) == 0 ? Kind::kWrite : Kind::kRead));
    receiver.back().only_if = static_cast<int>(1 + random_.Below(3));
    // A checker that runs threads in numerical order must not profit from it.
    if (random_.Below(2) == 0) std::ranges::reverse(program.threads);
    return program;
  }

  StraightLine MakeWritten() {
    const auto all = WrittenPrograms();
    StraightLine program = all[random_.Below(static_cast<std::uint32_t>(all.size()))].program;
    for (std::size_t left = program.threads.size(); left > 1; --left) {
      std::swap(program.threads[left - 1],
                program.threads[random_.Below(static_cast<std::uint32_t>(left))]);
    }
    auto& thread =
        program.threads[random_.Below(static_cast<std::uint32_t>(program.threads.size()))];
    Statement& changed = thread[random_.Below(static_cast<std::uint32_t>(thread.size()))];
    if (random_.Below(2) == 0) changed.order = OrderOf(changed.kind);
    return program;
  }

  Order OrderOf(Kind kind) {
    return kind == Kind::kLoad    ? One(kLoadOrders)
           : kind == Kind::kStore ? One(kStoreOrders)
           : kind == Kind::kFence ? One(kFenceOrders)
                                  : One(kOrders);
  }

  Kind DrawKind() {
    const std::uint32_t total =
        std::accumulate(style_.weights.begin(), style_.weights.end(), std::uint32_t{0});
    std::uint32_t left = random_.Below(total);
    std::size_t kind = 0;
    while (left >= style_.weights[kind]) left -= style_.weights[kind++];
    return static_cast<Kind>(kind);
  }

  Statement Make(Kind kind) {
    Statement statement{.kind = kind};
    if (statement.IsPlain()) {
      if (random_.Below(4) != 0) statement.only_if = static_cast<int>(random_.Below(4));
      return statement;
    }
    if (!statement.IsFence()) statement.location = random_.Below(locations_);
    statement.value = static_cast<int>(1 + random_.Below(2));
    statement.expected = static_cast<int>(random_.Below(3));
    statement.failure = One(kLoadOrders);
    statement.order = OrderOf(kind);
    if (random_.Below(100) < style_.seq_cst_percent) statement.order = Order::seq_cst;
    return statement;
  }

  const Style& style_;
  nowait::Random random_;
  std::uint32_t locations_ = 1;
};

}  // namespace

std::span<const Style> Styles() { return kStyles; }

bool HasData(const Style& style) {
  return style.shape == Shape::kMessages ||
         style.weights[static_cast<std::size_t>(Kind::kRead)] != 0 ||
         style.weights[static_cast<std::size_t>(Kind::kWrite)] != 0;
}

StraightLine Generate(const Style& style, std::uint64_t seed, std::uint64_t number) {
  // The golden ratio keeps neighbouring numbers of neighbouring seeds apart.
  return Generator(style, seed * 0x9e3779b97f4a7c15u + number).Make();
}

}  // namespace nowait::model::oracle
