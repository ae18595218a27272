#include "models/kit/mutation/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/process/one_line.h"

namespace nowait::model {
namespace {

bool IsWeaker(const std::vector<std::memory_order>& weaker, std::memory_order order) {
  return std::find(weaker.begin(), weaker.end(), order) != weaker.end();
}

// One order of one operation during the search.
struct Slot {
  const NamedSite* site;
  bool is_failure;  // the failure order of a compare-exchange
  std::memory_order order = std::memory_order::seq_cst;
  std::string forbidden_by{};

  std::string Operation() const { return site->name + (is_failure ? ":failure" : ""); }
  std::memory_order InSource() const {
    return is_failure ? site->record.failure : site->record.order;
  }
  std::vector<std::memory_order> Weaker() const {
    return is_failure ? WeakerFailureOrders(order) : WeakerOrders(site->record.kind, order);
  }
};

class Minimiser {
 public:
  Minimiser(const Judge& judge, Depth depth, const Subject& subject,
            const std::function<void(const std::string&)>& progress)
      : judge_(judge), depth_(depth), progress_(progress) {
    for (const NamedSite& site : subject.sites()) {
      if (WeakerOrders(site.record.kind, std::memory_order::seq_cst).empty()) continue;
      slots_.push_back({&site, false});
      if (site.record.kind == OperationKind::kCompareExchange) slots_.push_back({&site, true});
    }
  }

  // Finds the orders, and returns them in source order.
  const std::vector<Slot>& Run() {
    LeaveSequentialConsistency();
    GoDownToSource();
    std::vector<Slot*> by_cost;
    for (Slot& slot : slots_) by_cost.push_back(&slot);
    std::stable_sort(by_cost.begin(), by_cost.end(), [](const Slot* a, const Slot* b) {
      return a->site->record.hits > b->site->record.hits;
    });
    for (Slot* slot : by_cost) {
      progress_(slot->Operation());
      // From the weakest up: most orders in lock-free code are weak, and a refusal is quick.
      const auto weaker = slot->Weaker();
      for (auto order = weaker.rbegin(); order != weaker.rend() && !Accepts(*slot, *order);)
        ++order;
    }
    return slots_;
  }

  // Judges the present orders, all at once.
  Verdict Together() const { return judge_.Try(AllEdits(), Depth::kWhole); }

 private:
  // The strongest order below seq_cst: it releases and acquires as far as the operation can.
  static std::memory_order OneStepDown(const Slot& slot) { return slot.Weaker().front(); }

  // Weakens all seq_cst orders at once if that is accepted. The trials that follow are then about
  // release and acquire, and no trial passes only because of a seq_cst elsewhere. Otherwise it
  // weakens those that are not seq_cst in the source, and then the rest one by one.
  void LeaveSequentialConsistency() {
    progress_("all of them at once");
    if (StepDown([](const Slot&) { return true; })) return;
    progress_("those that are not seq_cst in the source");
    StepDown([](const Slot& slot) { return slot.InSource() != std::memory_order::seq_cst; });
    for (Slot& slot : slots_) {
      if (slot.order != std::memory_order::seq_cst) continue;
      progress_(slot.Operation());
      Accepts(slot, OneStepDown(slot));
    }
  }

  // Weakens all slots for which is_meant holds by one step, if that is accepted.
  template <class IsMeant>
  bool StepDown(const IsMeant& is_meant) {
    std::vector<Slot> before = slots_;
    for (Slot& slot : slots_) {
      if (is_meant(slot)) slot.order = OneStepDown(slot);
    }
    if (!Try().killed) return true;
    slots_ = std::move(before);
    return false;
  }

  // Sets all orders to the source's at once, if that is accepted. That takes one trial instead of
  // one per order, and among several minima it leads to the one closest to the source.
  void GoDownToSource() {
    progress_("the source's orders");
    std::vector<Slot> before = slots_;
    for (Slot& slot : slots_) {
      if (IsWeaker(slot.Weaker(), slot.InSource())) slot.order = slot.InSource();
    }
    if (Try().killed) slots_ = std::move(before);
  }

  // Tries a weaker order, and keeps it if it is accepted together with the present orders of the
  // others. An order that is refused now is refused later too: the others only get weaker.
  bool Accepts(Slot& slot, std::memory_order order) {
    const std::memory_order before = std::exchange(slot.order, order);
    const Verdict verdict = Try();
    if (!verdict.killed) return true;
    slot.order = before;
    slot.forbidden_by =
        fmt::format("{}: {}, {}", Name(order), verdict.scenario, verdict.failure.Label());
    return false;
  }

  Verdict Try() const { return judge_.Try(AllEdits(), depth_); }

  Edits AllEdits() const {
    Edits edits;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].is_failure) continue;
      Edit edit{.order = slots_[i].order};
      if (i + 1 < slots_.size() && slots_[i + 1].is_failure) edit.failure = slots_[i + 1].order;
      const SiteRecord& record = slots_[i].site->record;
      edits.Set(record.site, record.kind, record.order, edit);
    }
    return edits;
  }

  const Judge& judge_;
  const Depth depth_;
  const std::function<void(const std::string&)>& progress_;
  std::vector<Slot> slots_;
};

// The reason why the source has more than `slot` needs, if the notes give it.
std::string Reason(const Slot& slot, const Notes& notes) {
  if (const StrongerNote* note = notes.FindStronger(slot.Operation()))
    return OneLine(note->because);
  const std::string mutation = slot.site->name + (slot.is_failure ? ":failure-to-" : ":to-");
  const SurvivorNote* survivor = notes.FindSurvivor(mutation + Name(slot.order));
  return survivor == nullptr ? "" : OneLine(survivor->because);
}

}  // namespace

bool MinimalOrder::SourceIsStronger() const {
  // The list of a read-modify-write contains all orders, so it serves for any kind.
  return IsWeaker(WeakerOrders(OperationKind::kExchange, in_source), weakest);
}

MinimalOrders Minimise(const Judge& judge, const Subject& subject, const Notes& notes,
                       const std::function<void(const std::string&)>& progress) {
  // Orders that quick trials accepted step by step are judged completely at the end. If that fails,
  // each step has to be judged completely.
  MinimalOrders minimal;
  std::vector<Slot> slots;
  for (const Depth depth : {Depth::kQuick, Depth::kWhole}) {
    Minimiser minimiser(judge, depth, subject, progress);
    slots = minimiser.Run();
    minimal.together = minimiser.Together();
    if (!minimal.together.killed) break;
  }
  for (const Slot& slot : slots) {
    MinimalOrder& order = minimal.orders.emplace_back(
        MinimalOrder{slot.Operation(), slot.InSource(), slot.order, slot.forbidden_by, ""});
    if (order.SourceIsStronger()) order.because = Reason(slot, notes);
  }
  return minimal;
}

std::string FormatOrders(const std::string& structure, const MinimalOrders& minimal) {
  const Verdict& together = minimal.together;
  const std::string examined =
      together.exact()
          ? "every scenario was examined, and none fails"
          : fmt::format(
                "{} of {} scenarios was examined and of the others some were, and none fails",
                together.examined, together.scenarios);
  std::string text = fmt::format(
      "# Memory orders of {0}\n\n"
      "Printed by `./nowait check {0} --minimise`: the weakest orders that all scenarios accept at "
      "once, found from seq_cst everywhere (models/kit/mutation/minimise.h). With them every "
      "execution of "
      "{1}. About the structure that is an upper bound on what the scenarios can see, not a "
      "proof.\n\n"
      "| operation | in the source | weakest | what forbids weaker | why the source has more |\n"
      "|---|---|---|---|---|\n",
      structure, examined);
  for (const MinimalOrder& order : minimal.orders) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", order.operation, Name(order.in_source),
                        Name(order.weakest), order.forbidden_by, order.because);
  }
  return text;
}

}  // namespace nowait::model
