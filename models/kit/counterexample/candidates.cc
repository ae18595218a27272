#include "models/kit/counterexample/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "models/kit/counterexample/kinds.h"
#include "models/kit/counterexample/seq_cst.h"

namespace nowait::model::counterexample {
namespace {

std::string NameOf(int store) {
  return store == 0 ? "the first value" : fmt::format("the store [{}]", store);
}

// The path in words: "[7] synchronises with [12], program order to [14]".
std::string Words(const std::vector<Step>& path) {
  std::string words;
  for (const Step& step : path) {
    if (words.empty()) words = fmt::format("[{}]", step.from);
    if (step.why == "program order") {
      words += fmt::format(" comes before [{}] in its thread", step.to);
    } else if (step.why == "synchronises with") {
      words += fmt::format(" synchronises with [{}]", step.to);
    } else {
      words += fmt::format(" comes before [{}]: {}", step.to, step.why);
    }
    if (&step != &path.back()) words += ", which";
  }
  return words;
}

class Candidates {
 public:
  Candidates(const Trace& trace, const Orders& orders)
      : trace_(trace), orders_(orders), before_(trace.last() + 1u, kNoEvent) {
    std::map<int, EventNumber> last;  // by thread
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      before_[number] = std::exchange(last[trace[number].thread], number);
    }
  }

  std::vector<Choice> Find() {
    std::vector<Choice> choices;
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      const model::Event& event = trace_[number];
      if (!IsAtomicAccess(event.kind)) continue;
      if (event.reads && event.thread != kSetUp) {
        Choice choice{static_cast<int>(number), {}};
        for (const EventNumber store : Newest(StoresOf(event.object), event.from)) {
          if (auto candidate = Judge(store, number)) choice.stores.push_back(*std::move(candidate));
        }
        if (choice.stores.size() > 1) choices.push_back(std::move(choice));
      }
      if (event.writes) stores_[event.object].push_back(number);
      if (event.reads) reads_[event.object].push_back(number);
    }
    return choices;
  }

 private:
  // The stores so far, oldest first. The list begins with the object's initial value if no event of
  // the trace constructs the object.
  std::vector<EventNumber> StoresOf(std::uint32_t object) {
    std::vector<EventNumber> stores = stores_[object];
    std::ranges::sort(stores, {}, [this](EventNumber store) { return PlaceOf(store); });
    if (stores.empty() || !IsConstruction(stores.front())) stores.insert(stores.begin(), kNoEvent);
    return stores;
  }
  // If there are very many: the newest ones, and the one that is read.
  static std::vector<EventNumber> Newest(std::vector<EventNumber> stores, EventNumber read) {
    constexpr std::ptrdiff_t kMost = 16;
    if (std::ssize(stores) <= kMost) return stores;
    const auto first_kept = stores.end() - kMost;
    const bool is_kept = std::find(first_kept, stores.end(), read) != stores.end();
    stores.erase(stores.begin(), first_kept);
    if (!is_kept) stores.front() = read;
    return stores;
  }
  bool IsConstruction(EventNumber store) const { return trace_[store].place == 0; }

  // A position in modification order; the initial value precedes all stores.
  std::int64_t PlaceOf(EventNumber store) const {
    return store == kNoEvent ? -1 : std::int64_t{trace_[store].place};
  }

  std::optional<Candidate> Judge(EventNumber store, EventNumber reader) {
    const model::Event& read = trace_[reader];
    if (store == read.from) return Candidate{static_cast<int>(store), true, "", Chosen(store), {}};
    if (auto forbidden = ByCoherence(store, reader)) return forbidden;
    if (read.writes) {
      if (auto forbidden = ByAtomicity(store, reader)) return forbidden;
    }
    if (MayMatter(trace_, reader)) {
      const std::optional<bool> has_order = HasOrderS(trace_, orders_, reader, store);
      if (!has_order) return std::nullopt;
      if (!*has_order) {
        return Candidate{
            static_cast<int>(store),
            false,
            "sequential consistency",
            fmt::format("If this read {}, there would be no single order of the seq_cst "
                        "operations that every thread agrees on.",
                        NameOf(static_cast<int>(store))),
            {}};
      }
    }
    return Candidate{
        static_cast<int>(store),
        true,
        "",
        fmt::format("It may read {}: no newer store happens before this read, and no read of one.",
                    NameOf(static_cast<int>(store))),
        {}};
  }

  static std::string Chosen(EventNumber store) {
    return fmt::format("This is what it reads here: {}.", NameOf(static_cast<int>(store)));
  }

  // A newer store, or a read of one, happens before the read: write-read and read-read coherence.
  std::optional<Candidate> ByCoherence(EventNumber store, EventNumber reader) {
    const std::uint32_t object = trace_[reader].object;
    const auto place = PlaceOf(store);
    for (const EventNumber newer : stores_[object]) {
      if (PlaceOf(newer) <= place || !HappensBefore(newer, reader)) continue;
      return Forbidden(store, newer, kNoEvent, reader);
    }
    for (const EventNumber seen : reads_[object]) {
      const EventNumber newer = trace_[seen].from;
      if (PlaceOf(newer) <= place || !HappensBefore(seen, reader)) continue;
      return Forbidden(store, newer, seen, reader);
    }
    return std::nullopt;
  }

  // Whether the event happens before the read whatever it reads, without synchronisation by the
  // read.
  bool HappensBefore(EventNumber event, EventNumber reader) const {
    const EventNumber before = before_[reader];
    if (before == kNoEvent || trace_[reader].thread == kAfter) {
      return trace_[event].thread == kSetUp || trace_[reader].thread == kAfter;
    }
    return event == before || orders_.HappensBefore(event, before);
  }
  std::vector<Step> PathTo(EventNumber event, EventNumber reader) const {
    const EventNumber before = before_[reader];
    if (before == kNoEvent || trace_[reader].thread == kAfter) return orders_.Path(event, reader);
    std::vector<Step> path = orders_.Path(event, before);
    const bool ends_in_thread = !path.empty() && path.back().why == "program order";
    if (ends_in_thread) {
      path.back().to = static_cast<int>(reader);
    } else {
      path.push_back({static_cast<int>(before), static_cast<int>(reader), "program order"});
    }
    return path;
  }

  Candidate Forbidden(EventNumber store, EventNumber newer, EventNumber seen, EventNumber reader) {
    Candidate candidate;
    candidate.store = static_cast<int>(store);
    candidate.rule = seen == kNoEvent ? "write-read coherence" : "read-read coherence";
    candidate.path.push_back(
        {static_cast<int>(store), static_cast<int>(newer), "is overwritten by"});
    const EventNumber last = seen == kNoEvent ? newer : seen;
    if (seen != kNoEvent) {
      candidate.path.push_back({static_cast<int>(newer), static_cast<int>(seen), "is read by"});
    }
    const std::vector<Step> path = PathTo(last, reader);
    const std::string because =
        seen == kNoEvent
            ? fmt::format("[{}] overwrote it, and [{}] happens before this read", newer, newer)
            : fmt::format(
                  "[{}] overwrote it, [{}] has read that, and [{}] happens before this read", newer,
                  seen, seen);
    candidate.words =
        trace_[reader].thread == kAfter
            ? fmt::format(
                  "It can no longer read {}: [{}] overwrote it, and every thread has ended.",
                  NameOf(static_cast<int>(store)), newer)
            : fmt::format("It can no longer read {}: {}: {}.", NameOf(static_cast<int>(store)),
                          because, Words(path));
    candidate.path.insert(candidate.path.end(), path.begin(), path.end());
    return candidate;
  }

  // The store has already been replaced by another read-modify-write, or this one cannot follow it
  // directly.
  std::optional<Candidate> ByAtomicity(EventNumber store, EventNumber reader) {
    for (const EventNumber other : stores_[trace_[reader].object]) {
      if (!trace_[other].reads || trace_[other].from != store) continue;
      Candidate candidate;
      candidate.store = static_cast<int>(store);
      candidate.rule = "atomicity of read-modify-writes";
      candidate.words = fmt::format(
          "It cannot replace {}: the read-modify-write [{}] has, and only one can come right "
          "behind "
          "it in modification order.",
          NameOf(static_cast<int>(store)), other);
      candidate.path.push_back(
          {static_cast<int>(store), static_cast<int>(other), "is replaced by"});
      return candidate;
    }
    return std::nullopt;
  }

  const Trace& trace_;
  const Orders& orders_;
  std::vector<EventNumber> before_;                           // by event: the preceding event of
                                                              // its thread
  std::map<std::uint32_t, std::vector<EventNumber>> stores_;  // the stores so far, by object
  std::map<std::uint32_t, std::vector<EventNumber>> reads_;
};

}  // namespace

std::vector<Choice> CandidatesOf(const Trace& trace, const Orders& orders) {
  return Candidates(trace, orders).Find();
}

}  // namespace nowait::model::counterexample
