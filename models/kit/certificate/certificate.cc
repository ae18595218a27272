#include "models/kit/certificate/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/exhaustive/run/loop_probe.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {
namespace {

// The maker of the objects that set-up makes (exhaustive_machine.h).
constexpr ObjectName kSetUp = NameOf(kMaxThreads, 0);

std::string Place(const Site& site) { return fmt::format("{}:{}", FileOf(site), site.line()); }

// The reason why a certificate cannot have such an event; null if it can.
const char* WhyNot(Effect effect) {
  switch (effect) {
    case Effect::kSleep:
    case Effect::kWakeUp:
    case Effect::kNotifyOne:
    case Effect::kNotifyAll:
      return "sleeps in a condition variable, or notifies one";
    case Effect::kAllocate:
    case Effect::kFree:
      return "allocates or frees memory";
    default:
      return nullptr;
  }
}

// Numbers for the places where threads yield, in the order in which they are met.
class Places {
 public:
  std::size_t NumberOf(const Site& site) {
    const auto is_here = [&](const Site& known) { return IsSamePlace(known, site); };
    const auto found = std::ranges::find_if(known_, is_here);
    const auto number = static_cast<std::size_t>(found - known_.begin());
    if (found == known_.end()) known_.push_back(site);
    return number;
  }

 private:
  std::vector<Site> known_;
};

class Writer {
 public:
  Writer(const Graph& graph, const Execution& execution, Places& places, std::string& text)
      : graph_(graph), execution_(execution), places_(places), out_(text) {}

  void Write() {
    out_ += "graph\n";
    for (int l = 0; l < graph_.locations(); ++l) {
      const Location& location = graph_.location(static_cast<LocationIndex>(l));
      Add("at {} {}\n", NumberOf(location.name), location.initial);
    }
    for (int thread = 0; thread < execution_.threads(); ++thread) WriteThread(thread);
    for (int l = 0; l < graph_.locations(); ++l) WriteOrder(static_cast<LocationIndex>(l));
  }

 private:
  template <class... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  // The thread, and the number among its steps, which yields are as well.
  std::string NameOfEvent(Slot slot) const {
    const GraphEvent& event = graph_[slot];
    const auto yields = std::ranges::count_if(
        execution_.YieldsOf(event.thread),
        [&](const Execution::Yielded& yielded) { return yielded.after <= event.index; });
    return fmt::format("{}.{}", event.thread, event.index + static_cast<unsigned>(yields));
  }

  void WriteThread(int thread) {
    auto yield = execution_.YieldsOf(thread).begin();
    const auto end = execution_.YieldsOf(thread).end();
    for (unsigned i = 0; i <= graph_.Length(thread); ++i) {
      for (; yield != end && yield->after == i; ++yield) {
        Add("{} yield {} =\n", thread, places_.NumberOf(yield->at));
      }
      if (i < graph_.Length(thread)) WriteEvent(graph_[graph_.At(thread, i)]);
    }
  }

  // "0 load 3 acquire = 1.2 5": thread, request, and what came of it.
  void WriteEvent(const GraphEvent& event) {
    const Request& request = event.request;
    Add("{} ", event.thread);
    const auto on = [&](const char* verb) {
      Add("{} {} {}", verb, NumberOf(graph_.location(event.location).name), Name(request.order));
    };
    switch (request.effect) {
      case Effect::kRead:
        on("load");
        break;
      case Effect::kReadUnlessEqual:
        on("wait");
        Add(" {}", request.operand);
        break;
      case Effect::kWrite:
        on("store");
        Add(" {}", request.operand);
        break;
      case Effect::kUpdate:
        on("update");
        break;
      case Effect::kExchangeIfEqual:
        on(request.weak ? "weak" : "strong");
        Add(" {} {} {}", Name(request.failure), request.expected, request.operand);
        break;
      case Effect::kExchangeAgain:
        on("retry");
        Add(" {} {} {}", Name(request.failure), request.expected, request.operand);
        break;
      case Effect::kAcquireLock:
        on("lock");
        Add(" {}", request.operand);
        break;
      case Effect::kTryLock:
        on("try_lock");
        Add(" {}", request.operand);
        break;
      case Effect::kFence:
        Add("fence {}", Name(request.order));
        break;
      case Effect::kChoose:
        Add("choose {}", request.operand);
        break;
      default:
        break;  // WhyNot has refused them
    }
    out_ += " =";
    if (event.reads) {
      Add(" {} {}", event.source == kInitial ? "initial" : NameOfEvent(event.source), event.read);
    }
    if (event.writes) Add(" writes {}", event.written);
    if (event.variant != 0) Add(" variant {}", event.variant);
    out_ += '\n';
  }

  void WriteOrder(LocationIndex index) {
    const Location& location = graph_.location(index);
    std::vector<Slot> writes;
    for (Slot slot = location.newest; slot != kNoSlot; slot = graph_[slot].older) {
      writes.push_back(slot);
    }
    Add("order {}", NumberOf(location.name));
    for (auto slot = writes.rbegin(); slot != writes.rend(); ++slot) {
      Add(" {}", NameOfEvent(*slot));
    }
    out_ += '\n';
  }

  const Graph& graph_;
  const Execution& execution_;
  Places& places_;
  std::string& out_;
};

// Why the execution cannot be written; nothing if it can.
std::optional<std::string> Refuse(const Graph& graph) {
  for (int slot = 0; slot < graph.size(); ++slot) {
    const GraphEvent& event = graph[static_cast<Slot>(slot)];
    if (const char* why = WhyNot(event.request.effect)) {
      return fmt::format("thread {} {} at {}", event.thread, why, Place(event.site));
    }
    if (event.location != kNoLocation && graph.location(event.location).name < kSetUp) {
      return fmt::format("the object that is used at {} was not made by set-up", Place(event.site));
    }
  }
  return std::nullopt;
}

}  // namespace

std::expected<Certificate, std::string> WriteCertificate(const std::string& structure,
                                                         const ScenarioEntry& scenario,
                                                         std::size_t most) {
  ScenarioEntry each = scenario;
  each.symmetric = false;
  Certificate certificate;
  certificate.text = fmt::format("nowait certificate 1\nscenario {} {}\nthreads {}\n", structure,
                                 scenario.text.name, scenario.threads);
  std::optional<std::string> refused;
  Places places;
  SiteTable uncounted;
  const auto exploration = std::make_unique<Exploration>(each, uncounted);
  const bool whole = exploration->Survey([&](ExhaustiveMachine::Outcome outcome) {
    const Graph& graph = exploration->graph();
    if (outcome == ExhaustiveMachine::Outcome::kFailed) {
      refused = fmt::format("the scenario fails: {}", exploration->machine().failure()->Label());
    } else {
      refused = Refuse(graph);
    }
    if (refused) return false;
    if (outcome == ExhaustiveMachine::Outcome::kBlocked) return true;
    Writer(graph, exploration->machine().execution(), places, certificate.text).Write();
    ++certificate.executions;
    if (certificate.text.size() <= most) return true;
    refused = fmt::format("the text would have more than {} MiB after {} executions", most >> 20,
                          certificate.executions);
    return false;
  });
  SetCurrentMachine(nullptr);
  if (refused) return std::unexpected(*refused);
  if (!whole) return std::unexpected("the search has not come to its end");
  certificate.text += fmt::format("end {}\n", certificate.executions);
  return certificate;
}

}  // namespace nowait::model
