#include "models/broadphase/tree_history.h"

#include <fmt/format.h>

#include <string>

namespace nowait {

std::string BodyName(std::uint32_t body) { return std::string(1, static_cast<char>('A' + body)); }

std::string BoxText(const Box& box) { return fmt::format("[{}, {}]", box.min[0], box.max[0]); }

std::string TreeOp::Words() const {
  const std::string name = BodyName(body);
  switch (kind) {
    case Kind::kInsert:
      return fmt::format("Insert({}, {})", name, BoxText(box));
    case Kind::kMove:
      return fmt::format("Move({}, {})", name, BoxText(box));
    case Kind::kRemove:
      return fmt::format("Remove({})", name);
    case Kind::kHas:
      return fmt::format("Has({}) = {}", name, has);
    case Kind::kSwap:
      return "Swap()";
    case Kind::kRefit:
      return "Refit()";
    case Kind::kQuery:
      break;
  }
  std::string bodies;
  for (std::uint32_t b = 0; b < kTreeBodies; ++b) {
    for (int i = 0; i < found[b]; ++i) bodies += (bodies.empty() ? "" : " ") + BodyName(b);
  }
  return fmt::format("Query({}) = {}", BoxText(box), bodies.empty() ? "nothing" : bodies);
}

bool BodySpec::Apply(State& state, const Op& op, const model::Context<Op>& context) {
  const bool was_there = state.is_there;
  switch (op.kind) {
    case Op::Kind::kInsert:
      state = {state.body, true, op.box, op.box};
      return !was_there;
    case Op::Kind::kMove:
      state.box = op.box;
      state.widened.Include(op.box);
      return was_there;
    case Op::Kind::kRemove:
      state = {state.body};
      return was_there;
    case Op::Kind::kHas:
      // "No" is returned until the insert has nothing left to do, "yes" only for a body that is
      // there.
      if (op.has) return was_there;
      return !was_there || context.Overlapped([&](const Op& other) {
        return other.kind == Op::Kind::kInsert && other.body == state.body;
      });
    case Op::Kind::kSwap:
    case Op::Kind::kRefit:
      // A body that only moved within its box keeps the wider one, if nothing beside it changes
      // either. The moves of these scenarios leave the box.
      state.widened = state.box;
      return true;
    case Op::Kind::kQuery:
      return (op.found[state.body] != 0) == state.Overlaps(op.box);
  }
  return false;
}

}  // namespace nowait
