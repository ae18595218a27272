#include "models/broadphase/query_promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using Kind = TreeOp::Kind;

constexpr const char* kLinearizable = "insert, move and remove are linearizable per body";
constexpr const char* kThroughout = "a body whose box overlaps throughout is found, and once";
constexpr const char* kAtNoTime = "a body whose box does not overlap at any time is not found";
constexpr const char* kOnceALife = "a body is found at most once for each of its lives";

// The successive states of one body.
class Timeline {
 public:
  Timeline(const TreeHistory& history, std::uint32_t body)
      : body_(body), changes_(history.Select([body](const TreeOp& op) {
          return op.kind != Kind::kQuery && op.kind != Kind::kHas && op.Concerns(body);
        })) {
    const BodySpec::State absent{body};
    model::Linearization<BodySpec> order(changes_);
    if (!order.Exists(absent)) {
      model::CheckLinearizable<BodySpec>(changes_, kLinearizable, absent);
    }
    order_.assign(order.order().begin(), order.order().end());
    states_.push_back(absent);
    for (const std::size_t i : order_) {
      BodySpec::State next = states_.back();
      BodySpec::Apply(next, changes_[i].op, model::Context<TreeOp>(changes_, i));
      states_.push_back(next);
    }
  }

  // Fails the execution if the query broke its promise for this body.
  void Check(const TreeHistory& history, const TreeHistory::Entry& query) const {
    std::size_t first = 0;
    std::size_t last = order_.size();
    for (std::size_t n = 0; n < order_.size(); ++n) {
      if (changes_[order_[n]].Precedes(query)) first = n + 1;
    }
    for (std::size_t n = order_.size(); n > first; --n) {
      if (query.Precedes(changes_[order_[n - 1]])) last = n - 1;
    }
    bool throughout = true;
    int lives = 0;
    Box anywhere = Box::Empty();
    for (std::size_t n = first; n <= last; ++n) {
      throughout &= states_[n].Overlaps(query.op.box);
      if (states_[n].is_there) anywhere.Include(states_[n].widened);
      const bool begins = n == first || changes_[order_[n - 1]].op.kind == Kind::kInsert;
      if (begins && states_[n].is_there) ++lives;
    }
    const int found = query.op.found[body_];
    const char* broken = nullptr;
    if (throughout && found != 1) broken = kThroughout;
    if (found > lives && lives > 0) broken = throughout ? kThroughout : kOnceALife;
    if (found != 0 && !Overlaps(anywhere, query.op.box)) broken = kAtNoTime;
    if (broken == nullptr) return;
    std::string boxes;
    for (std::size_t n = first; n <= last; ++n) {
      boxes += states_[n].is_there ? " " + BoxText(states_[n].widened) : " none";
    }
    model::FailExecution(model::FailureKind::kInvariant,
                         fmt::format("{}\n  {}, by thread {}; meanwhile the box of {} was{}\n{}",
                                     broken, query.op.Words(), query.thread, BodyName(body_), boxes,
                                     model::FormatHistory(model::LinesOf(history))),
                         model::Site::current());
  }

  // A query that overlaps a removal and an insert may find either life, or both.
  bool HasOneLife() const {
    int lives = 0;
    for (const std::size_t i : order_) lives += changes_[i].op.kind == Kind::kInsert ? 1 : 0;
    return lives <= 1;
  }

 private:
  std::uint32_t body_;
  TreeHistory changes_;
  std::vector<std::size_t> order_;       // the order of the changes
  std::vector<BodySpec::State> states_;  // before the first change, and after each
};

}  // namespace

void CheckTreeHistory(const TreeHistory& history) {
  for (std::uint32_t body = 0; body < kTreeBodies; ++body) {
    const Timeline timeline(history, body);
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (history[i].op.kind == Kind::kQuery) timeline.Check(history, history[i]);
    }
    if (!timeline.HasOneLife()) continue;
    model::CheckLinearizable<BodySpec>(
        history.Select([body](const TreeOp& op) { return op.Concerns(body); }), kLinearizable,
        {body});
  }
}

}  // namespace nowait
