#include "src/game/isolation.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "src/game/object_table.h"
#include "src/game/transaction.h"
#include "tests/game/serialization_graph.h"

namespace nowait {
namespace {

struct Gate {
  std::uint64_t version = 0;
  int open = 1;
};
using Table = ObjectTable<Gate>;

// Two gates. A transaction is recorded with the versions that it has read and made.
template <class Policy>
class Gates {
 public:
  explicit Gates(Isolation isolation) : isolation_(isolation) {
    for (ObjectHandle& gate : gates_) gate = *table_.Create({});
  }

  // The calls of an update, which keep the record of its last attempt.
  class Attempt {
   public:
    Attempt(Gates& gates, Transaction<Table, Policy>& tx) : gates_(gates), tx_(tx) {}
    Result<int> Read(std::uint32_t which) {
      const auto gate = tx_.Read(gates_.gates_[which]);
      if (!gate) return std::unexpected(gate.error());
      record.read.push_back({which, (*gate)->version});
      return (*gate)->open;
    }
    Result<void> Shut(std::uint32_t which) {
      const auto gate = tx_.Write(gates_.gates_[which]);
      if (!gate) return std::unexpected(gate.error());
      record.read.push_back({which, (*gate)->version});
      record.made.push_back({which, ++(*gate)->version});
      (*gate)->open = 0;
      return {};
    }
    TransactionRecord record;

   private:
    Gates& gates_;
    Transaction<Table, Policy>& tx_;
  };

  // Returns how often the update was run.
  template <class Update>
  int Run(const Update& update) {
    Transaction<Table, Policy> transaction(table_, {.isolation = isolation_});
    TransactionRecord record;
    int runs = 0;
    const auto done = transaction.Run([&](auto& tx) -> Result<void> {
      Attempt attempt(*this, tx);
      const Result<void> updated = update(attempt, ++runs);
      record = attempt.record;
      return updated;
    });
    if (done) records_.push_back(record);
    return runs;
  }
  // On another thread, from begin to end.
  template <class Update>
  void RunElsewhere(const Update& update) {
    std::jthread([&] { Run(update); }).join();
  }

  int Open() { return (*table_.Read(gates_[0]))->open + (*table_.Read(gates_[1]))->open; }
  SerializationGraph graph() const { return SerializationGraph(records_); }

 private:
  const Isolation isolation_;
  Table table_{2, 16};
  std::array<ObjectHandle, 2> gates_;
  std::vector<TransactionRecord> records_;
};

// Shuts a gate if both are open: one stays open, if one transaction comes after the other.
template <class Attempt>
Result<void> ShutOneOfTwo(Attempt& attempt, std::uint32_t which) {
  for (const std::uint32_t gate : {1 - which, which}) {
    const auto open = attempt.Read(gate);
    if (!open) return std::unexpected(open.error());
    if (*open == 0) return {};
  }
  return attempt.Shut(which);
}

template <class Policy>
void WriteSkew(Isolation isolation, bool allowed) {
  Gates<Policy> gates(isolation);
  const int runs = gates.Run([&](auto& attempt, int run) -> Result<void> {
    if (auto shut = ShutOneOfTwo(attempt, 0); !shut) return shut;
    if (run == 1) {
      gates.RunElsewhere([](auto& other, int) { return ShutOneOfTwo(other, 1); });
    }
    return {};
  });
  CHECK(runs == (allowed ? 1 : 2));
  CHECK(gates.Open() == (allowed ? 0 : 1));
  CHECK(gates.graph().HasCycle() == allowed);
  CHECK(!gates.graph().HasLostUpdate());
}

TEMPLATE_TEST_CASE("write skew happens below kSerializable, and not at it", "", Exclusive,
                   Revisions) {
  WriteSkew<TestType>(Isolation::kReadCommitted, true);
  WriteSkew<TestType>(Isolation::kSnapshot, true);
  WriteSkew<TestType>(Isolation::kSerializable, false);
}

// Reads a gate before, and the other one after a transaction that shuts both.
template <class Policy>
void ReadSkew(Isolation isolation, bool allowed) {
  Gates<Policy> gates(isolation);
  int sum = 0;
  gates.Run([&](auto& attempt, int run) -> Result<void> {
    const auto first = attempt.Read(0);
    if (!first) return std::unexpected(first.error());
    if (run == 1) {
      gates.RunElsewhere([](auto& other, int) -> Result<void> {
        if (auto shut = other.Shut(0); !shut) return shut;
        return other.Shut(1);
      });
    }
    const auto second = attempt.Read(1);
    if (!second) return std::unexpected(second.error());
    sum = *first + *second;
    return {};
  });
  CHECK(sum == (allowed ? 1 : 0));
  CHECK(gates.graph().HasCycle() == allowed);
}

TEMPLATE_TEST_CASE("read skew happens at kReadCommitted, and not above it", "", Exclusive,
                   Revisions) {
  ReadSkew<TestType>(Isolation::kReadCommitted, true);
  ReadSkew<TestType>(Isolation::kSnapshot, false);
  ReadSkew<TestType>(Isolation::kSerializable, false);
}

TEST_CASE("an object that must be fresh is taken for writing, at each level") {
  for (const Isolation isolation :
       {Isolation::kReadCommitted, Isolation::kSnapshot, Isolation::kSerializable}) {
    Gates<Revisions> gates(isolation);
    const int runs = gates.Run([&](auto& attempt, int run) -> Result<void> {
      if (auto shut = attempt.Shut(0); !shut) return shut;
      if (run == 1) gates.RunElsewhere([](auto& other, int) { return other.Shut(0); });
      return {};
    });
    CHECK(runs == 2);
    CHECK(!gates.graph().HasLostUpdate());
  }
}

TEST_CASE("the serialization graph finds a lost update and a cycle") {
  const auto graph = [](std::vector<TransactionRecord> records) {
    return SerializationGraph(records);
  };
  CHECK(graph({{{{0, 0}}, {{0, 1}}}, {{{0, 0}}, {{0, 1}}}}).HasLostUpdate());
  CHECK(!graph({{{{0, 0}}, {{0, 1}}}, {{{0, 1}}, {{0, 2}}}}).HasLostUpdate());
  CHECK(!graph({{{{0, 0}}, {{0, 1}}}, {{{0, 1}}, {{0, 2}}}}).HasCycle());
  CHECK(graph({{{{0, 0}, {1, 0}}, {{1, 1}}}, {{{0, 0}, {1, 0}}, {{0, 1}}}}).HasCycle());
  CHECK(!graph({{{{0, 0}, {1, 0}}, {{1, 1}}}, {{{0, 0}, {1, 1}}, {{0, 1}}}}).HasCycle());
}

}  // namespace
}  // namespace nowait
