// Litmus tests of load buffering, with their verdicts.
//
// The suite of models/kit/litmus has the shapes that all checkers run. These tests are about
// dependencies, so that their values are carried (carried.h). Names follow that suite.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_ROWS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_ROWS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "models/kit/buffering/carried.h"
#include "models/kit/buffering/explore.h"
#include "models/kit/buffering/preserved.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {

// The data that the threads of a row share, initially zero, and the values that they read.
struct Cells {
  CarryingSync::atomic<int> x{0};
  CarryingSync::atomic<int> y{0};
  CarryingSync::atomic<int> z{0};
  std::array<CarryingSync::atomic<int>, 2> a;
  std::array<int, 3> r{};
};

enum class Seen : std::uint8_t {
  kFound,     // allowed for certain
  kPossible,  // allowed unless a value that became plain was depended on
  kNever,
};
const char* Name(Seen seen);

struct Row {
  const char* name;
  const char* says;
  std::vector<void (*)(Cells& c)> threads;
  bool (*outcome)(const Cells& c);
  Seen expected;
  const char* source;  // of the verdict
};

const std::vector<Row>& Rows();

struct SeenRow {
  Seen seen = Seen::kNever;
  Explored explored;
};
SeenRow Examine(const Row& row, const Rules& rules = {});

// The row as a scenario that fails when its outcome occurs, for other back ends as well. It refers
// to the row that was asked for last.
ScenarioEntry EntryOf(const Row& row);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_ROWS_H_
