#include "models/kit/counterexample/step_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace nowait::model::counterexample {

StepWords::StepWords(const Execution& execution, int threads)
    : execution_(execution), threads_(threads) {
  for (const Edge& edge : execution.synchronises_with) synchronised_[edge.to].push_back(edge.from);
}

const std::string& StepWords::NameOf(int object) const {
  return execution_.objects[static_cast<std::size_t>(object)].name;
}
const Object* StepWords::ObjectOf(const Event& event) const {
  return event.object ? &execution_.objects[static_cast<std::size_t>(*event.object)] : nullptr;
}

std::string StepWords::DescribeOperation(const Event& event) const {
  std::string words = event.kind;
  if (const Object* object = ObjectOf(event)) words = fmt::format("{} {}", object->name, words);
  if (!event.failure_order.empty()) {
    words += fmt::format(" ({}, {})", event.order, event.failure_order);
  } else if (!event.order.empty()) {
    words += fmt::format(" ({})", event.order);
  }
  return words;
}

std::string StepWords::DescribeOutcome(const Event& event) const {
  std::string words;
  if (event.outcome == "blocks") {
    words += " waits for ever";
  } else if (!event.outcome.empty()) {
    words += " " + event.outcome;
  }
  // The record has no values larger than a word.
  if (event.read && event.read->value != "...") {
    words += fmt::format(": reads {}", event.read->value);
    words += event.read->from != 0 ? fmt::format(" from [{}]", event.read->from)
             : ObjectOf(event) != nullptr && ObjectOf(event)->kind == "atomic" ? ", the first value"
                                                                               : "";
  }
  if (event.written && *event.written != "...") {
    words += fmt::format("{} writes {}", event.read ? "," : ":", *event.written);
  }
  return words;
}

int StepWords::NewestFor(const Event& event) const {
  for (const ModificationOrder& order : execution_.modification_orders) {
    if (order.object != event.object) continue;
    for (std::size_t i = order.stores.size(); i > 0; --i) {
      if (order.stores[i - 1] < event.number) return order.stores[i - 1];
    }
  }
  return 0;
}

int StepWords::OvertakenBy(const Event& event) const {
  for (const ModificationOrder& order : execution_.modification_orders) {
    const auto own = std::ranges::find(order.stores, event.number);
    if (own == order.stores.end()) continue;
    const auto overtaking =
        std::find_if(own, order.stores.end(), [&](int store) { return store < event.number; });
    return overtaking == order.stores.end() ? 0 : *overtaking;
  }
  return 0;
}

int StepWords::LastKnown(int thread, int number) const {
  std::vector<std::vector<int>> known(execution_.events.size() + 1);
  std::map<int, std::vector<int>> at;  // by thread
  for (const Event& event : execution_.events) {
    std::vector<int>& own = at[event.thread];
    own.resize(static_cast<std::size_t>(threads_));
    if (const auto from = synchronised_.find(event.number); from != synchronised_.end()) {
      for (const int release : from->second) {
        const std::vector<int>& theirs = known[static_cast<std::size_t>(release)];
        for (std::size_t t = 0; t < theirs.size(); ++t) own[t] = std::max(own[t], theirs[t]);
      }
    }
    if (event.number == number) return own[static_cast<std::size_t>(thread)];
    if (event.thread >= 0) own[static_cast<std::size_t>(event.thread)] = event.number;
    known[static_cast<std::size_t>(event.number)] = own;
  }
  return 0;
}

const std::vector<int>& StepWords::SynchronisedWith(const Event& event) const {
  static const std::vector<int> kNone;
  const auto known = synchronised_.find(event.number);
  return known == synchronised_.end() ? kNone : known->second;
}

}  // namespace nowait::model::counterexample
