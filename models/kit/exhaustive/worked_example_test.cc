// The worked examples of README.md: their graphs, the order of the graphs in the search, and the
// names of the graphs.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// The values that the loads read, one execution after another. Not a vector, because the
// allocations of a scenario's functions disappear with the execution.
struct Seen {
  std::array<std::string_view, 16> outcomes{};
  std::size_t count = 0;

  void Add(int first, int second) {
    static constexpr std::string_view kNames[2][2] = {{"00", "01"}, {"10", "11"}};
    outcomes[count++] = kNames[first][second];
  }
};
Seen seen;

struct TwoCells {
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
  std::array<int, 2> r{};
};

template <void (*kFirst)(TwoCells& c), void (*kSecond)(TwoCells& c)>
class TwoThreads final : public Program {
 public:
  void Thread(int t) override { (t == 0 ? kFirst : kSecond)(cells_); }
  void After() override { seen.Add(cells_.r[0], cells_.r[1]); }

 private:
  TwoCells cells_;
};

template <Order kLoad>
void Read(TwoCells& c) {
  c.r[0] = c.y.load(kLoad);
  c.r[1] = c.x.load(Order::relaxed);
}
template <Order kStore>
void Write(TwoCells& c) {
  c.x.store(1, Order::relaxed);
  c.y.store(1, kStore);
}
void Left(TwoCells& c) {
  c.x.store(1, Order::relaxed);
  c.r[0] = c.y.load(Order::relaxed);
}
void Right(TwoCells& c) {
  c.y.store(1, Order::relaxed);
  c.r[1] = c.x.load(Order::relaxed);
}

template <void (*kFirst)(TwoCells& c), void (*kSecond)(TwoCells& c)>
SearchResult Run(const std::string& state = {}) {
  const ScenarioEntry scenario{{.name = "example", .promise = "", .searches = {}}, 2, [] {
                                 return std::unique_ptr<Program>(new TwoThreads<kFirst, kSecond>);
                               }};
  seen.count = 0;
  SiteTable sites;
  return RunExhaustive(scenario, Graphs(), {.state = state}, sites, {});
}

std::vector<std::string> Outcomes() {
  return {seen.outcomes.begin(), seen.outcomes.begin() + static_cast<std::ptrdiff_t>(seen.count)};
}

template <Order kStore, Order kLoad>
SearchResult MessagePassing(const std::string& state = {}) {
  return Run<Read<kLoad>, Write<kStore>>(state);
}

TEST_CASE("message passing, relaxed: four graphs") {
  const SearchResult result = MessagePassing<Order::relaxed, Order::relaxed>();
  CHECK(result.exhausted);
  CHECK(result.executions == 4);
  CHECK(Outcomes() == std::vector<std::string>{"00", "01", "11", "10"});
}

TEST_CASE("message passing, released and acquired: three") {
  const SearchResult result = MessagePassing<Order::release, Order::acquire>();
  CHECK(result.exhausted);
  CHECK(result.executions == 3);
  CHECK(Outcomes() == std::vector<std::string>{"00", "01", "11"});
}

TEST_CASE("each graph has its name, and there are no others") {
  const std::vector<std::string> names = {".", ".0", ".0.0", ".0.0.0"};
  const std::vector<std::string> outcomes = {"00", "01", "11", "10"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(names[i]);
    CHECK_FALSE((MessagePassing<Order::relaxed, Order::relaxed>(names[i]).failure.has_value()));
    CHECK(Outcomes().back() == outcomes[i]);
  }
  // The refused revisit would have been ".1"; the choice that acquire removes is
  // ".0.0.0".
  for (const char* name : {".1", ".0.1", ".0.0.1", ".0.0.0.0"}) {
    INFO(name);
    CHECK((MessagePassing<Order::relaxed, Order::relaxed>(name).failure.has_value()));
  }
  CHECK((MessagePassing<Order::release, Order::acquire>(".0.0.0").failure.has_value()));
}

TEST_CASE("store buffering, relaxed: four graphs") {
  const SearchResult result = Run<Left, Right>();
  CHECK(result.exhausted);
  CHECK(Outcomes() == std::vector<std::string>{"01", "00", "11", "10"});
}

}  // namespace
}  // namespace nowait::model
