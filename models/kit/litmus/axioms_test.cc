// Random programs: C++20 allows every execution that the checker produces, and no execution that
// passes has a data race (axioms.h).
#include "models/kit/litmus/axioms.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

struct Operation {
  enum class Kind { kLoad, kStore, kAdd, kExchange, kWeak, kStrong, kFence, kRead, kWrite, kYield };
  Kind kind;
  int object;
  int value;
  Order order;
  Order failure;
};
using RandomProgram = std::vector<std::vector<Operation>>;

// The program that the scenario runs, and the error that was observed.
const RandomProgram* running = nullptr;
std::string broken;

class Interpreter final : public Program {
 public:
  void Thread(int t) override {
    for (const Operation& operation : (*running)[static_cast<std::size_t>(t)]) Run(operation);
  }
  void After() override {
    const Trace& trace = CurrentMachine()->trace();
    broken = BrokenAxiom(trace);
    if (broken.empty() && HasDataRace(trace)) broken = "a data race was not reported";
    Check(broken.empty(), "the execution is one that C++20 allows");
  }

 private:
  void Run(const Operation& operation) {
    using enum Operation::Kind;
    ModelSync::atomic<int>& x = operation.object == 0 ? first_ : second_;
    int expected = operation.value - 1;
    switch (operation.kind) {
      case kLoad:
        x.load(operation.order);
        break;
      case kStore:
        x.store(operation.value, operation.order);
        break;
      case kAdd:
        x.fetch_add(1, operation.order);
        break;
      case kExchange:
        x.exchange(operation.value, operation.order);
        break;
      case kWeak:
        x.compare_exchange_weak(expected, operation.value, operation.order, operation.failure);
        break;
      case kStrong:
        x.compare_exchange_strong(expected, operation.value, operation.order, operation.failure);
        break;
      case kFence:
        Fence(operation.order);
        break;
      case kRead:
        data_.get();
        break;
      case kWrite:
        data_.set(operation.value);
        break;
      case kYield:
        ModelSync::Yield();
        break;
    }
  }

  ModelSync::atomic<int> first_{0};
  ModelSync::atomic<int> second_{0};
  ModelSync::plain<int> data_{0};
};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  // with_data: one thread first writes plain data, and another thread finally reads it.
  RandomProgram Make(bool with_data) {
    using enum Operation::Kind;
    RandomProgram program(2 + Draw(3));
    const std::uint32_t style = Draw(3);
    for (auto& thread : program) {
      if (style == 0) {  // fences between loads and stores: the shapes SB, MP, RWC, IRIW
        thread = {Access(), AFence(), Access()};
        if (program.size() == 4 && Draw(2) == 0) thread.resize(1);
        continue;
      }
      const bool strong = style == 1;  // mostly seq_cst, which exercises S
      const std::uint32_t length =
          (program.size() == 2 ? 3u : 2u) + Draw(program.size() == 4 ? 1 : 2);
      for (std::uint32_t i = 0; i < length; ++i) thread.push_back(Any(strong));
    }
    if (with_data) {
      program[0].insert(program[0].begin(), {kWrite, 0, 1, Order::relaxed, Order::relaxed});
      program.back().push_back({kRead, 0, 0, Order::relaxed, Order::relaxed});
    }
    return program;
  }

 private:
  static constexpr Order kLoads[] = {Order::relaxed, Order::acquire, Order::seq_cst};
  static constexpr Order kStores[] = {Order::relaxed, Order::release, Order::seq_cst};
  static constexpr Order kAny[] = {Order::relaxed, Order::acquire, Order::release, Order::acq_rel,
                                   Order::seq_cst};

  std::uint32_t Draw(std::uint32_t n) { return random_() % n; }
  template <std::size_t n>
  Order One(const Order (&orders)[n]) {
    return orders[Draw(n)];
  }

  Operation Access() {
    const bool load = Draw(2) == 0;
    return {load ? Operation::Kind::kLoad : Operation::Kind::kStore, static_cast<int>(Draw(2)),
            static_cast<int>(1 + Draw(2)), load ? One(kLoads) : One(kStores), Order::relaxed};
  }
  Operation AFence() {
    const Order order = Draw(2) == 0 ? Order::seq_cst : One(kAny);
    return {Operation::Kind::kFence, 0, 0, order, Order::relaxed};
  }

  Operation Any(bool strong) {
    using enum Operation::Kind;
    static constexpr Operation::Kind kKinds[] = {kLoad,  kLoad,  kLoad,     kLoad,   kStore,
                                                 kStore, kStore, kAdd,      kStrong, kWeak,
                                                 kFence, kFence, kExchange, kYield};
    Operation operation{kKinds[Draw(std::size(kKinds))], static_cast<int>(Draw(2)),
                        static_cast<int>(1 + Draw(2)), One(kAny), One(kLoads)};
    if (operation.kind == kLoad) operation.order = One(kLoads);
    if (operation.kind == kStore) operation.order = One(kStores);
    if (strong && Draw(3) != 0) operation.order = Order::seq_cst;
    return operation;
  }

  std::mt19937 random_;
};

SearchResult Run(const RandomProgram& program, const Search& search) {
  running = &program;
  broken.clear();
  const ScenarioEntry scenario{{.name = "random", .promise = "", .searches = {}},
                               static_cast<int>(program.size()),
                               [] { return std::unique_ptr<Program>(new Interpreter); }};
  SiteTable sites;
  return RunSearch(scenario, search, {}, sites);
}

std::vector<Search> Searches() {
  const Search all = Full().DeferringStores().StaleExchanges().DeepHistory();
  return {all.AtMost(1'000), Random(1'000).DeferringStores().StaleExchanges().DeepHistory(),
          ContextBound(1).DeepHistory().AtMost(1'000)};
}

constexpr std::uint32_t kPrograms = 400;

TEST_CASE("every execution is one that C++20 allows") {
  std::uint64_t executions = 0;
  for (std::uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const RandomProgram program = Generator(seed).Make(false);
    for (const Search& search : Searches()) {
      const SearchResult result = Run(program, search);
      INFO("program " << seed << " under " << Format(search) << ": " << broken << "\n"
                      << result.trace.Format());
      REQUIRE_FALSE(result.failure.has_value());
      executions += result.executions;
    }
  }
  CHECK(executions > 100'000);
}

TEST_CASE("an execution with a data race is never passed over") {
  std::uint32_t racy = 0;
  for (std::uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const RandomProgram program = Generator(seed).Make(true);
    for (const Search& search : Searches()) {
      const SearchResult result = Run(program, search);
      INFO("program " << seed << " under " << Format(search) << ": " << broken << "\n"
                      << result.trace.Format());
      if (!result.failure) continue;
      REQUIRE(result.failure->kind == FailureKind::kDataRace);
      ++racy;
    }
  }
  CHECK(racy > kPrograms / 2);
  CHECK(racy < 3 * kPrograms);
}

}  // namespace
}  // namespace nowait::model
