// RunRelacy: one context per search, one test suite per number of threads.
#include "models/kit/relacy/run_relacy.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

#include "models/kit/relacy/memory_model.h"
#include "models/kit/relacy/relacy.h"
#include "models/kit/relacy/relacy_machine.h"
#include "models/kit/relacy/schedulers.h"

namespace nowait::model {
namespace {

// The data for the suite below, passed this way because Relacy creates the suite.
struct Running {
  const ScenarioEntry* scenario = nullptr;
  RelacyMachine* machine = nullptr;
};
Running running;

// A scenario as a test suite of Relacy.
template <rl::thread_id_t kThreads>
class Suite : public rl::test_suite<Suite<kThreads>, kThreads> {
 public:
  void before() {
    running.machine->BeginSetUp();
    program_ = running.scenario->create();
    running.machine->BeginThreads();
  }
  void thread(unsigned t) {
    program_->Thread(static_cast<int>(t));
    CurrentMachine()->EndThread();
  }
  void after() {
    running.machine->BeginAfter();
    program_->After();
    program_.reset();
    running.machine->EndExecution();
  }

 private:
  std::unique_ptr<Program> program_;
};

// Relacy's operator new watches every allocation. Here Memory watches the scenario's, and the kit
// and the library must be able to allocate freely: this member switches Relacy's watch off.
struct AllocationHook : rl::context {
  static void SwitchOff(rl::context& context) { context.*(&AllocationHook::disable_alloc_) += 1; }
};

class NullBuffer final : public std::streambuf {
  int overflow(int c) override { return c; }
};

std::optional<FailureKind> KindOf(rl::test_result_e result) {
  switch (result) {
    case rl::test_result_deadlock:
      return FailureKind::kDeadlock;
    case rl::test_result_livelock:
      return FailureKind::kLivelock;
    case rl::test_result_recursion_on_nonrecursive_mutex:
    case rl::test_result_unlocking_mutex_wo_ownership:
    case rl::test_result_destroying_owned_mutex:
      return FailureKind::kMutexMisuse;
    default:
      return std::nullopt;
  }
}

template <template <rl::thread_id_t> class Scheduler, rl::thread_id_t kThreads>
SearchResult Run(const ScenarioEntry& scenario, const Search& search, const Start& start,
                 SiteTable& sites, const SearchControl& control, Calls calls) {
  static NullBuffer null_buffer;
  static std::ostream null_stream(&null_buffer);
  rl::test_params params;
  params.output_stream = &null_stream;
  params.progress_stream = &null_stream;
  params.execution_depth_limit = 2000;
  params.search_type = rl::sched_full;

  RelacyMemoryModel<kThreads> model;
  RelacyMachine machine(scenario, search, sites, model, calls);
  Session session(search, start, control);
  rl::test_result_e result = rl::test_result_success;
  if (!session.meter.IsDone()) {
    running = {&scenario, &machine};
    // The scheduler finds its start in the session; Relacy's own state string stays empty.
    rl::istringstream first;
    rl::ostringstream last;
    typename Scheduler<kThreads>::shared_context_t shared;
    rl::context_impl<Suite<kThreads>, Scheduler<kThreads>> context(params, shared);
    AllocationHook::SwitchOff(rl::ctx());
    result = context.simulate(last, first, false);
    SetCurrentMachine(nullptr);
  }

  SearchResult out;
  out.executions = session.meter.executions();
  out.seconds = session.meter.Seconds();
  if (result != rl::test_result_success) {
    ++out.executions;
    if (const auto kind = KindOf(result)) {
      out.failure = Failure{*kind, Name(*kind), Site()};
      machine.RecordBlocked();
    } else {
      out.failure = machine.failure();
    }
    out.replay = session.failed;
    out.trace = machine.trace();
    return out;
  }
  out.exhausted = session.meter.exhausted() && start.state.empty();
  out.fraction = session.meter.fraction();
  if (!session.meter.finished()) out.stopped = {out.executions, out.seconds, session.stopped_at};
  return out;
}

template <rl::thread_id_t kThreads>
SearchResult RunWith(const ScenarioEntry& scenario, const Search& search, const Start& start,
                     SiteTable& sites, const SearchControl& control) {
  const auto run =
      search.kind == Search::Kind::kRandom ? Run<RandomWalk, kThreads> : Run<TreeSearch, kThreads>;
  SearchResult result = run(scenario, search, start, sites, control, Calls::kForgotten);
  if (!result.failure) return result;
  // Runs the execution again to record its calls, which cost too much to keep in every execution.
  SiteTable counted_before;
  SearchResult again =
      run(scenario, search.AtMost(1), result.replay, counted_before, {}, Calls::kKept);
  if (again.failure && again.failure->kind == result.failure->kind) {
    result.trace = std::move(again.trace);
  }
  return result;
}

}  // namespace

SearchResult RunRelacy(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control) {
  constexpr std::array kByThreads = {RunWith<2>, RunWith<3>, RunWith<4>};
  static_assert(kByThreads.size() == kMaxThreads - kMinThreads + 1);
  return kByThreads[static_cast<std::size_t>(scenario.threads - kMinThreads)](
      scenario, search, start, sites, control);
}

}  // namespace nowait::model
