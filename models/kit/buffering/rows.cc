#include "models/kit/buffering/rows.h"

#include <atomic>
#include <memory>

namespace nowait::model::buffering {
namespace {

using Order = std::memory_order;
constexpr Order rlx = Order::relaxed;
constexpr Order acq = Order::acquire;
constexpr Order rel = Order::release;

constexpr char kImm[] = "[podkopaev2019] section 3, acyclicity of ar";
constexpr char kAllowed[] = "[podkopaev2019] section 3: ar has no cycle";

using Number = Carried<int>;

bool BothOne(const Cells& c) { return c.r[0] == 1 && c.r[1] == 1; }

// 1, computed from a value: a dependency that an optimiser could remove, and a processor keeps.
Number OneFrom(const Number& value) { return value * 0 + 1; }

// Loads x (or y), notes what was found, and returns it.
Number Load(CarryingSync::atomic<int>& from, int& into, Order order = rlx) {
  const Number found = from.load(order);
  into = found.bare();
  return found;
}

std::vector<Row> WithoutDependency() {
  return {
      {"LB+rlx",
       "load, then store a constant to the other thread's variable",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kFound,
       kAllowed},
      {"LB+data+rlx",
       "a data dependency on one side",
       {[](Cells& c) { c.y.store(Load(c.x, c.r[0]), rlx); },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kFound,
       kAllowed},
      {"LB+rel+rlx",
       "a release on one side",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          c.y.store(1, rel);
        },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kFound,
       kAllowed},
      {"LB+rmws",
       "the loads are read-modify-writes; the stores may still come first",
       {[](Cells& c) {
          c.r[0] = c.x.fetch_add(2, rlx).bare();
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          c.r[1] = c.y.fetch_add(2, rlx).bare();
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kFound,
       "[pulte2018]: an atomic instruction orders its own write alone"},
      {"LB+plains",
       "each side stores a constant computed from a plain copy of what it read",
       {[](Cells& c) {
          const int plain = Load(c.x, c.r[0]);
          c.y.store(plain * 0 + 1, rlx);
        },
        [](Cells& c) {
          const int plain = Load(c.y, c.r[1]);
          c.x.store(plain * 0 + 1, rlx);
        }},
       BothOne,
       Seen::kPossible,
       "the program keeps the dependencies or does not: LB+rlx, LB+datas"},
      {"LB+data+plain",
       "one side keeps the dependency, the other loses it",
       {[](Cells& c) { c.y.store(OneFrom(Load(c.x, c.r[0])), rlx); },
        [](Cells& c) {
          const int plain = Load(c.y, c.r[1]);
          c.x.store(plain * 0 + 1, rlx);
        }},
       BothOne,
       Seen::kPossible,
       "as for LB+plains"},
      {"LB+cell",
       "a cell is freed by a relaxed store; its next value is read before",
       {[](Cells& c) {  // the reader: takes the value, then frees the cell
          Load(c.x, c.r[0]);
          c.y.store(1, rlx);
        },
        [](Cells& c) {  // the writer: a freed cell gets its next value
          if (Load(c.y, c.r[1]) == 1) c.x.store(2, rlx);
        }},
       [](const Cells& c) { return c.r[0] == 2; },
       Seen::kFound,
       kAllowed},
  };
}

std::vector<Row> WithDependencies() {
  return {
      {"LB+datas",
       "data dependencies on both sides",
       {[](Cells& c) { c.y.store(OneFrom(Load(c.x, c.r[0])), rlx); },
        [](Cells& c) { c.x.store(OneFrom(Load(c.y, c.r[1])), rlx); }},
       BothOne,
       Seen::kNever,
       kImm},
      {"LB+thin-air",
       "each side stores what it has read",
       {[](Cells& c) { c.y.store(Load(c.x, c.r[0]), rlx); },
        [](Cells& c) { c.x.store(Load(c.y, c.r[1]), rlx); }},
       BothOne,
       Seen::kNever,
       kImm},
      {"LB+thin-air+plain",
       "the same with plain copies: the value has no ground",
       {[](Cells& c) {
          const int plain = Load(c.x, c.r[0]);
          c.y.store(plain, rlx);
        },
        [](Cells& c) {
          const int plain = Load(c.y, c.r[1]);
          c.x.store(plain, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[atomics.order] 8, a recommendation: no value out of thin air"},
      {"LB+ctrls",
       "control dependencies on both sides",
       {[](Cells& c) {
          if (Load(c.x, c.r[0]) < 2) c.y.store(1, rlx);
        },
        [](Cells& c) {
          if (Load(c.y, c.r[1]) < 2) c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       kImm},
      {"LB+ctrls+behind",
       "the stores stand behind the end of the branches",
       {[](Cells& c) {
          if (Load(c.x, c.r[0]) == 2) c.r[2] = 1;
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          if (Load(c.y, c.r[1]) == 2) c.r[2] = 1;
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: ctrl;po is part of ctrl"},
      {"LB+addrs",
       "address dependencies on both sides",
       {[](Cells& c) {
          c.a[static_cast<std::size_t>(Index(Load(c.a[0], c.r[0]) * 0 + 1))].store(1, rlx);
        },
        [](Cells& c) {
          c.a[static_cast<std::size_t>(Index(Load(c.a[1], c.r[1]) * 0))].store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       kImm},
      {"LB+addrs+po",
       "the address of another access, before the store",
       {[](Cells& c) {
          c.a[static_cast<std::size_t>(Index(Load(c.x, c.r[0]) * 0))].load(rlx);
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          c.a[static_cast<std::size_t>(Index(Load(c.y, c.r[1]) * 0))].load(rlx);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: addr;po is part of ppo"},
      {"LB+datas+rmw",
       "the stores are read-modify-writes of dependent values",
       {[](Cells& c) { c.y.fetch_add(OneFrom(Load(c.x, c.r[0])), rlx); },
        [](Cells& c) { c.x.fetch_add(OneFrom(Load(c.y, c.r[1])), rlx); }},
       BothOne,
       Seen::kNever,
       kImm},
      {"LB+datas+own",
       "a dependency through the thread's own store",
       {[](Cells& c) {
          c.z.store(OneFrom(Load(c.x, c.r[0])), rlx);
          c.y.store(OneFrom(c.z.load(rlx)), rlx);
        },
        [](Cells& c) { c.x.store(OneFrom(Load(c.y, c.r[1])), rlx); }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: rfi is part of ppo"},
      {"LB+detour",
       "another thread overwrites the thread's own store before it is read",
       {[](Cells& c) {
          c.z.store(OneFrom(Load(c.x, c.r[0])), rlx);
          c.y.store(OneFrom(Load(c.z, c.r[2])), rlx);
        },
        [](Cells& c) { c.x.store(OneFrom(Load(c.y, c.r[1])), rlx); },
        [](Cells& c) { c.z.store(2, rlx); }},
       [](const Cells& c) { return BothOne(c) && c.r[2] == 2; },
       Seen::kNever,
       "[podkopaev2019] section 3: detour is part of ar"},
      {"LB+update",
       "a read-modify-write between the load and the store of the cycle",
       {[](Cells& c) { c.x.fetch_add(1, rlx); },
        [](Cells& c) { c.y.store(OneFrom(Load(c.x, c.r[0])), rlx); },
        [](Cells& c) { c.x.store(OneFrom(Load(c.y, c.r[1])), rlx); }},
       [](const Cells& c) { return c.r[0] == 2 && c.r[1] == 1; },
       Seen::kNever,
       "[podkopaev2019] section 3: rmw is part of ppo"},
  };
}

std::vector<Row> WithOrders() {
  return {
      {"LB+acqs",
       "acquires on both sides",
       {[](Cells& c) {
          Load(c.x, c.r[0], acq);
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          Load(c.y, c.r[1], acq);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: [R acq];po is part of bob"},
      {"LB+rels",
       "releases on both sides",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          c.y.store(1, rel);
        },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          c.x.store(1, rel);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: po;[W rel] is part of bob"},
      {"LB+rel+again",
       "a release, and a relaxed store to the same variable behind it",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          c.y.store(2, rel);
          c.y.store(1, rlx);
        },
        [](Cells& c) { c.x.store(OneFrom(Load(c.y, c.r[1])), rlx); }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: [W rel];po-loc;[W] is part of bob"},
      {"LB+fences",
       "release fences on both sides",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          Fence(rel);
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          Fence(rel);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: fences are part of bob"},
      {"LB+fences+acq",
       "acquire fences on both sides",
       {[](Cells& c) {
          Load(c.x, c.r[0]);
          Fence(acq);
          c.y.store(1, rlx);
        },
        [](Cells& c) {
          Load(c.y, c.r[1]);
          Fence(acq);
          c.x.store(1, rlx);
        }},
       BothOne,
       Seen::kNever,
       "[podkopaev2019] section 3: fences are part of bob"},
  };
}

const Row* running = nullptr;

class RowProgram final : public Program {
 public:
  void Thread(int t) override { running->threads[static_cast<std::size_t>(t)](cells_); }
  void After() override { Check(!running->outcome(cells_), "the outcome does not occur"); }

 private:
  Cells cells_;
};

}  // namespace

const char* Name(Seen seen) {
  switch (seen) {
    case Seen::kFound:
      return "seen";
    case Seen::kPossible:
      return "possible";
    case Seen::kNever:
      return "-";
  }
  return "";
}

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (const auto& some : {WithoutDependency(), WithDependencies(), WithOrders()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return rows;
}

ScenarioEntry EntryOf(const Row& row) {
  running = &row;
  return {{.name = row.name, .promise = row.says}, static_cast<int>(row.threads.size()), [] {
            return std::unique_ptr<Program>(new RowProgram);
          }};
}

SeenRow Examine(const Row& row, const Rules& rules) {
  SeenRow seen;
  seen.explored = ExploreBuffering(EntryOf(row), {}, rules);
  if (seen.explored.found) {
    seen.seen = Seen::kFound;
  } else if (seen.explored.doubtful) {
    seen.seen = Seen::kPossible;
  }
  return seen;
}

}  // namespace nowait::model::buffering
