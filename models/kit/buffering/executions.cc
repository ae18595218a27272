#include "models/kit/buffering/executions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/kit/buffering/imm.h"
#include "models/kit/buffering/location_choices.h"

namespace nowait::model::buffering {
namespace {

using axioms::Execution;
using axioms::Orders;
using axioms::Relation;

std::size_t LocationsOf(const std::vector<const Events*>& threads) {
  std::map<Location, bool> seen;
  for (const Events* events : threads) {
    for (const Event& event : *events) {
      if (!event.IsFence()) seen[event.At()] = true;
    }
  }
  return seen.size();
}

class Search {
 public:
  Search(const std::vector<const Events*>& threads, const std::map<Location, Word>& initial,
         const Rules& rules, const std::function<void(const Judged&)>& visit)
      : threads_(threads),
        initial_(initial),
        thin_air_(threads, rules),
        visit_(visit),
        last_(initial) {
    AddInitialValues();
    AddEvents();
  }

  void Run() {
    std::map<Location, std::vector<Access>> accesses;
    for (std::size_t number = initials_; number < execution_.size(); ++number) {
      const Access& access = accesses_[number - initials_];
      if (!access.event->IsFence()) accesses[access.event->At()].push_back(access);
    }
    for (auto& [location, of_location] : accesses) {
      if (location.plain) continue;
      atomics_.emplace_back(location, ChoicesOf(of_location, initial_.at(location)));
    }
    std::ranges::sort(atomics_, {}, [](const auto& atomic) {
      return std::pair(atomic.second.size(), atomic.first);
    });
    Choose(0, thin_air_.Static());
  }

 private:
  void AddInitialValues() {
    for (const auto& [location, value] : initial_) {
      if (location.plain) continue;
      numbers_[location] = execution_.size();
      execution_.push_back({.thread = axioms::kBeforeThreads,
                            .kind = axioms::Event::Kind::kAtomic,
                            .object = location.object,
                            .writes = true});
    }
    initials_ = execution_.size();
  }
  void AddEvents() {
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      for (std::size_t place = 0; place < threads_[thread]->size(); ++place) {
        const Event& event = (*threads_[thread])[place];
        accesses_.push_back({thread, place, execution_.size(), &event});
        using Kind = axioms::Event::Kind;
        execution_.push_back({.thread = static_cast<int>(thread),
                              .kind = event.IsFence()   ? Kind::kFence
                                      : event.IsPlain() ? Kind::kPlain
                                                        : Kind::kAtomic,
                              .object = event.object,
                              .order = event.order,
                              .reads = event.Reads(),
                              .writes = event.Writes()});
      }
    }
  }

  // order: of the events' nodes, by the choices made for earlier atomics; transitively closed.
  void Choose(std::size_t atomic, const Relation& order) {
    if (atomic == atomics_.size()) return Judge();
    const auto& [location, choices] = atomics_[atomic];
    const std::size_t initial = numbers_.at(location);
    for (const LocationChoice& choice : choices) {
      Relation longer = order;
      bool has_cycle = false;
      for (const auto& [read, write] : choice.sources) {
        execution_[read].from = write == LocationChoice::kInitial ? initial : write;
        if (write == LocationChoice::kInitial ||
            execution_[write].thread == execution_[read].thread) {
          continue;
        }
        const std::size_t from = thin_air_.At(write - initials_).write;
        const std::size_t to = thin_air_.At(read - initials_).read;
        has_cycle = has_cycle || from == to || longer.Has(to, from);
        longer.AddClosed(from, to);
      }
      if (has_cycle) continue;
      std::size_t place = 0;
      for (const std::size_t write : choice.writes) execution_[write].place = ++place;
      last_[location] = choice.writes.empty()
                            ? initial_.at(location)
                            : accesses_[choice.writes.back() - initials_].event->written;
      Choose(atomic + 1, longer);
    }
  }

  void Judge() {
    if (!axioms::BrokenAxiom(execution_).empty()) return;
    const Orders orders = axioms::OrdersOf(execution_);
    if (!PlainDataFit(orders)) return;
    if (!thin_air_.IsAbsent(execution_, Lost::kNoDependency)) return;
    visit_({.execution = execution_,
            .orders = orders,
            .initials = initials_,
            .first = initial_,
            .last = last_,
            .buffers = axioms::HasLoadBuffering(execution_),
            .certain = thin_air_.IsAbsent(execution_, Lost::kDependency),
            .races = axioms::HasDataRace(execution_, orders)});
  }

  // Whether each plain read finds a write that happens before it and that no other one hides.
  bool PlainDataFit(const Orders& orders) {
    for (const Access& access : accesses_) {
      if (access.event->kind == Event::Kind::kPlainRead &&
          !Finds(orders, access.number, access.event->At(), access.event->read)) {
        return false;
      }
    }
    for (auto& [location, value] : last_) {
      if (!location.plain) continue;
      value = initial_.at(location);
      for (const Access& write : accesses_) {
        if (WritesTo(write, location) && !IsHidden(orders, write.number, location, {})) {
          value = write.event->written;
        }
      }
    }
    return true;
  }
  static bool WritesTo(const Access& access, const Location& location) {
    return access.event->kind == Event::Kind::kPlainWrite && access.event->At() == location;
  }
  // Whether another write comes behind this one, and before the reader if there is one.
  bool IsHidden(const Orders& orders, std::size_t write, const Location& location,
                std::optional<std::size_t> reader) const {
    return std::ranges::any_of(accesses_, [&](const Access& other) {
      return WritesTo(other, location) && orders.happens_before.Has(write, other.number) &&
             (!reader || orders.happens_before.Has(other.number, *reader));
    });
  }
  bool Finds(const Orders& orders, std::size_t reader, const Location& location, Word value) const {
    bool any = false;
    for (const Access& write : accesses_) {
      if (!WritesTo(write, location) || !orders.happens_before.Has(write.number, reader)) continue;
      any = true;
      if (write.event->written == value && !IsHidden(orders, write.number, location, reader)) {
        return true;
      }
    }
    return !any && initial_.at(location) == value;
  }

  const std::vector<const Events*>& threads_;
  const std::map<Location, Word>& initial_;
  const ThinAir thin_air_;
  const std::function<void(const Judged&)>& visit_;
  Execution execution_;
  std::size_t initials_ = 0;
  std::map<Location, std::size_t> numbers_;  // of the atomics' initial values
  std::vector<Access> accesses_;             // of the threads, fences included
  std::vector<std::pair<Location, std::vector<LocationChoice>>> atomics_;
  std::map<Location, Word> last_;
};

}  // namespace

bool FitsExecution(const std::vector<const Events*>& threads) {
  return LocationsOf(threads) + ThinAir::NodesOf(threads) <= axioms::kMaxEvents;
}

void ForEachExecution(const std::vector<const Events*>& threads,
                      const std::map<Location, Word>& initial, const Rules& rules,
                      const std::function<void(const Judged&)>& visit) {
  Search(threads, initial, rules, visit).Run();
}

}  // namespace nowait::model::buffering
