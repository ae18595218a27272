#include "models/kit/mutation/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nowait::model {
namespace {

bool IsWeaker(const std::vector<std::memory_order>& weaker, std::memory_order order) {
  return std::find(weaker.begin(), weaker.end(), order) != weaker.end();
}

// Notes are paragraphs; a table's cell is a line.
std::string OneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Minimiser {
 public:
  Minimiser(const Judge& judge, const Subject& subject, const Notes& notes,
            const std::function<void(const std::string&)>& progress)
      : judge_(judge), subject_(subject), notes_(notes), progress_(progress) {}

  std::vector<MinimalOrder> Run() {
    using enum std::memory_order;
    for (const NamedSite& site : subject_.sites()) {
      if (WeakerOrders(site.record.kind, seq_cst).empty()) continue;  // has no order
      Set(site, {.order = seq_cst, .failure = FailureAtMost(site, seq_cst)});
    }
    for (const NamedSite& site : subject_.sites()) {
      const OperationKind kind = site.record.kind;
      if (WeakerOrders(kind, seq_cst).empty()) continue;
      Edit edit{.order = seq_cst, .failure = FailureAtMost(site, seq_cst)};
      Weaken(site, site.name, site.record.order, "to-", edit, edit.order,
             WeakerOrders(kind, seq_cst));
      if (kind == OperationKind::kCompareExchange) {
        Weaken(site, site.name + ":failure", site.record.failure, "failure-to-", edit, edit.failure,
               WeakerFailureOrders(seq_cst));
      }
    }
    return std::move(orders_);
  }

 private:
  static std::optional<std::memory_order> FailureAtMost(const NamedSite& site,
                                                        std::memory_order order) {
    if (site.record.kind != OperationKind::kCompareExchange) return std::nullopt;
    return order;
  }

  void Set(const NamedSite& site, const Edit& edit) {
    edits_.Set(site.record.site, site.record.kind, site.record.order, edit);
  }

  // Finds the weakest value for `slot`, one of the orders in `edit`.
  void Weaken(const NamedSite& site, const std::string& operation, std::memory_order in_source,
              const char* step, Edit& edit, std::optional<std::memory_order>& slot,
              const std::vector<std::memory_order>& weaker) {
    progress_(operation);
    const std::memory_order strongest = *slot;
    MinimalOrder result{operation, in_source, strongest, "", ""};
    // From the weakest up: most orders of lock-free code are weak, and a refusal comes quickly.
    for (auto order = weaker.rbegin(); order != weaker.rend(); ++order) {
      slot = *order;
      Set(site, edit);
      const Verdict verdict = judge_.Try(edits_);
      if (!verdict.killed) {
        result.weakest = *order;
        break;
      }
      result.forbidden_by =
          fmt::format("{}: {}, {}", Name(*order), verdict.scenario, verdict.failure.Label());
      slot = strongest;
    }
    Set(site, edit);
    if (result.SourceIsStronger()) {
      if (const StrongerNote* note = notes_.FindStronger(operation)) {
        result.because = OneLine(note->because);
      } else if (const SurvivorNote* survivor =
                     notes_.FindSurvivor(site.name + ":" + step + Name(result.weakest))) {
        result.because = OneLine(survivor->because);
      }
    }
    orders_.push_back(std::move(result));
  }

  const Judge& judge_;
  const Subject& subject_;
  const Notes& notes_;
  const std::function<void(const std::string&)>& progress_;
  Edits edits_;
  std::vector<MinimalOrder> orders_;
};

}  // namespace

bool MinimalOrder::SourceIsStronger() const {
  // Any kind's list will do: the read-modify-writes' has all orders.
  return IsWeaker(WeakerOrders(OperationKind::kExchange, in_source), weakest);
}

std::vector<MinimalOrder> Minimise(const Judge& judge, const Subject& subject, const Notes& notes,
                                   const std::function<void(const std::string&)>& progress) {
  return Minimiser(judge, subject, notes, progress).Run();
}

std::string FormatOrders(const std::string& structure, const std::vector<MinimalOrder>& orders) {
  std::string text = fmt::format(
      "# Memory orders of {0}\n\n"
      "Printed by `./nowait check {0} --minimise`: the weakest orders that all scenarios accept at "
      "once, found from seq_cst everywhere (models/kit/mutation/minimise.h). An upper bound on what "
      "the scenarios can see, not a proof.\n\n"
      "| operation | in the source | weakest | what forbids weaker | why the source has more |\n"
      "|---|---|---|---|---|\n",
      structure);
  for (const MinimalOrder& order : orders) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", order.operation, Name(order.in_source),
                        Name(order.weakest), order.forbidden_by, order.because);
  }
  return text;
}

}  // namespace nowait::model
