// The operations of a scenario's threads on the tree, and their meaning for one body.
//
// Insert, Move and Remove are linearizable per body, and so are the answers of queries about it:
// the object of the specification below is one body. A query as a whole is not an operation on it,
// because it looks at one body after another (models/broadphase/query_promise.h).
#ifndef NOWAIT_MODELS_BROADPHASE_TREE_HISTORY_H_
#define NOWAIT_MODELS_BROADPHASE_TREE_HISTORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "src/math/bounds.h"

namespace nowait {

using Box = Bounds<1>;

// The bodies are the slots 0 .. kTreeBodies-1.
inline constexpr std::uint32_t kTreeBodies = 5;

struct TreeOp {
  enum class Kind : std::uint8_t { kInsert, kMove, kRemove, kHas, kSwap, kRefit, kQuery };
  Kind kind;
  std::uint8_t body = 0;                          // not for kSwap, kRefit and kQuery
  bool has = false;                               // the answer of kHas
  Box box = Box::Empty();                         // not for kRemove, kHas, kSwap and kRefit
  std::array<std::uint8_t, kTreeBodies> found{};  // kQuery: how many times each body was reported

  bool Concerns(std::uint32_t which) const {
    return kind == Kind::kSwap || kind == Kind::kRefit || kind == Kind::kQuery || body == which;
  }
  std::string Words() const;
};

using TreeHistory = model::History<TreeOp>;

// 2 as "C".
std::string BodyName(std::uint32_t body);
std::string BoxText(const Box& box);

// One body. Its operations are those that concern it.
struct BodySpec {
  using Op = TreeOp;
  struct State {
    std::uint32_t body = 0;
    bool is_there = false;
    Box box = Box::Empty();      // where the body is
    Box widened = Box::Empty();  // around its boxes since the last swap or refit
    bool operator==(const State&) const = default;
    bool Overlaps(const Box& other) const { return is_there && nowait::Overlaps(widened, other); }
  };
  static bool Apply(State& state, const Op& op, const model::Context<Op>& context);
};

}  // namespace nowait

#endif  // NOWAIT_MODELS_BROADPHASE_TREE_HISTORY_H_
