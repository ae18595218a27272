#include "models/kit/arm/executions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/kit/arm/local_order.h"
#include "models/kit/arm/order.h"

namespace nowait::arm {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;  // earlier, later: numbers of events

struct Access {
  std::size_t thread = 0;
  std::size_t place = 0;
  std::size_t number = 0;  // in the execution
  const Event* event = nullptr;
};

// One location's reads-from and coherence order: what they order between events.
struct Choice {
  std::vector<Pair> ordered;
  std::uint64_t last = 0;
};

// All choices of one location that are coherent and atomic.
class Location {
 public:
  Location(const std::vector<const Path*>& paths, std::vector<Access> accesses,
           std::uint64_t initial)
      : paths_(paths), initial_(initial) {
    for (const Access& access : accesses) {
      (access.event->Reads() ? reads_ : writes_).push_back(access);
    }
  }

  std::vector<Choice> Choices() {
    Arrange();
    return std::move(choices_);
  }

 private:
  static constexpr int kInitial = -1;  // the place in coherence order of the initial value

  // Every order of the writes that follows each thread's program order.
  void Arrange() {
    if (order_.size() == writes_.size()) {
      sources_.clear();
      ReadFrom();
      return;
    }
    for (const Access& write : writes_) {
      const bool next = std::none_of(writes_.begin(), writes_.end(), [&](const Access& other) {
        return other.thread == write.thread && other.place < write.place && !Placed(other);
      });
      if (Placed(write) || !next) continue;
      order_.push_back(write);
      Arrange();
      order_.pop_back();
    }
  }
  bool Placed(const Access& write) const {
    return std::any_of(order_.begin(), order_.end(),
                       [&](const Access& other) { return other.number == write.number; });
  }

  // Every source of every read that is coherent with the order.
  void ReadFrom() {
    if (sources_.size() == reads_.size()) {
      if (IsAtomic()) choices_.push_back(Chosen());
      return;
    }
    const Access& read = reads_[sources_.size()];
    for (int source = kInitial; source < static_cast<int>(order_.size()); ++source) {
      if (ValueAt(source) != read.event->value || !IsCoherent(read, source)) continue;
      sources_.push_back(source);
      ReadFrom();
      sources_.pop_back();
    }
  }
  std::uint64_t ValueAt(int source) const {
    return source == kInitial ? initial_ : order_[static_cast<std::size_t>(source)].event->value;
  }

  // CoWR, CoRW and CoRR for the read, against its thread's writes and its earlier reads.
  bool IsCoherent(const Access& read, int source) const {
    for (int at = 0; at < static_cast<int>(order_.size()); ++at) {
      const Access& write = order_[static_cast<std::size_t>(at)];
      if (write.thread != read.thread) continue;
      if (write.place < read.place ? at > source : at <= source) return false;
    }
    for (std::size_t other = 0; other < sources_.size(); ++other) {
      if (reads_[other].thread != read.thread) continue;
      const bool earlier = reads_[other].place < read.place;
      if (earlier ? sources_[other] > source : sources_[other] < source) return false;
    }
    return true;
  }

  bool IsAtomic() const {
    for (int at = 0; at < static_cast<int>(order_.size()); ++at) {
      const Access& write = order_[static_cast<std::size_t>(at)];
      if (write.event->rmw < 0) continue;
      for (std::size_t read = 0; read < reads_.size(); ++read) {
        if (reads_[read].thread != write.thread ||
            reads_[read].place != static_cast<std::size_t>(write.event->rmw)) {
          continue;
        }
        for (int between = sources_[read] + 1; between < at; ++between) {
          if (order_[static_cast<std::size_t>(between)].thread != write.thread) return false;
        }
      }
    }
    return true;
  }

  Choice Chosen() const {
    Choice choice;
    choice.last = order_.empty() ? initial_ : order_.back().event->value;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        if (order_[i].thread != order_[j].thread) {
          choice.ordered.emplace_back(order_[i].number, order_[j].number);  // coe
        }
      }
    }
    for (std::size_t i = 0; i < reads_.size(); ++i) AddRead(reads_[i], sources_[i], choice);
    return choice;
  }

  void AddRead(const Access& read, int source, Choice& choice) const {
    for (std::size_t later = static_cast<std::size_t>(source + 1); later < order_.size(); ++later) {
      if (order_[later].thread != read.thread) {
        choice.ordered.emplace_back(read.number, order_[later].number);  // fre
      }
    }
    if (source == kInitial) return;
    const Access& write = order_[static_cast<std::size_t>(source)];
    if (write.thread != read.thread) {
      choice.ordered.emplace_back(write.number, read.number);  // rfe
      return;
    }
    const std::vector<Event>& events = paths_[read.thread]->events;
    const Places before = OrderedByForwarding(events, write.place, read.place);
    const std::size_t first = read.number - read.place;
    for (std::size_t place = 0; place < events.size(); ++place) {
      if (Has(before, place)) choice.ordered.emplace_back(first + place, read.number);
    }
  }

  const std::vector<const Path*>& paths_;
  std::uint64_t initial_;
  std::vector<Access> reads_, writes_;
  std::vector<Access> order_;  // of the writes that are placed
  std::vector<int> sources_;   // of the reads that have one
  std::vector<Choice> choices_;
};

struct Search {
  std::vector<std::pair<std::uint64_t, std::vector<Choice>>> locations;
  const std::function<void(const Contents&)>& visit;
  Contents last;
  std::uint64_t executions = 0;

  void From(std::size_t location, const Order& order) {
    if (location == locations.size()) {
      ++executions;
      visit(last);
      return;
    }
    const auto& [address, choices] = locations[location];
    for (const Choice& choice : choices) {
      Order longer = order;
      if (!std::all_of(choice.ordered.begin(), choice.ordered.end(),
                       [&](const Pair& pair) { return longer.Add(pair.first, pair.second); })) {
        continue;
      }
      last[address] = choice.last;
      From(location + 1, longer);
    }
  }
};

}  // namespace

std::uint64_t ForEachExecution(const std::vector<const Path*>& paths, const Contents& initial,
                               const std::function<void(const Contents& last)>& visit) {
  Order order;
  std::map<std::uint64_t, std::vector<Access>> accesses;
  std::size_t first = 0;
  for (std::size_t thread = 0; thread < paths.size(); ++thread) {
    const std::vector<Event>& events = paths[thread]->events;
    const std::vector<Places> before = LocalOrder(events);
    for (std::size_t place = 0; place < events.size(); ++place) {
      if (events[place].Accesses()) {
        accesses[events[place].address].push_back({thread, place, first + place, &events[place]});
      }
      // Local order follows program order: it has no cycle.
      for (std::size_t earlier = 0; earlier < place; ++earlier) {
        if (Has(before[place], earlier)) order.Add(first + earlier, first + place);
      }
    }
    first += events.size();
  }
  Search search{{}, visit, initial};
  for (const auto& [address, of_location] : accesses) {
    search.locations.emplace_back(address,
                                  Location(paths, of_location, initial.at(address)).Choices());
  }
  std::stable_sort(search.locations.begin(), search.locations.end(),
                   [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  search.From(0, order);
  return search.executions;
}

}  // namespace nowait::arm
