#include "nowait_check/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "check/body.h"
#include "models/kit/counterexample/from_trace.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/counterexample/page/page.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/process/arena.h"
#include "models/kit/process/files.h"
#include "models/kit/program/machine.h"
#include "nowait_check/machine.h"

namespace nowait::check {
namespace {

using model::FailureKind;
using model::SearchResult;

// Every `new` of the program while it is being examined.
constexpr model::Allocations kWatched = {&machine::Allocate, &machine::Free};

class WatchingAllocations {
 public:
  WatchingAllocations() { model::watched_allocations = &kWatched; }
  ~WatchingAllocations() { model::watched_allocations = nullptr; }
  WatchingAllocations(const WatchingAllocations&) = delete;
  WatchingAllocations& operator=(const WatchingAllocations&) = delete;
};

// The function that makes an execution's program takes no argument, so this is a global. One
// exploration at a time.
constinit BodyStack* stack = nullptr;
constinit std::optional<unsigned> threads_of_body;

// The number of threads of the first run holds for all runs: a further thread would never run.
std::unique_ptr<model::Program> MakeBody() {
  auto body = std::make_unique<Body>(*stack);
  const unsigned threads = body->threads();
  if (threads_of_body.value_or(threads) != threads) {
    model::FailExecution(FailureKind::kNondeterminism,
                         "the body starts another number of threads when it is run again",
                         model::Site());
  }
  threads_of_body = threads;
  return body;
}

SearchResult Run(const model::ScenarioEntry& scenario, const model::Search& search,
                 const model::Start& start, unsigned jobs) {
  model::SiteTable sites;
  model::SearchControl control;
  control.jobs = jobs;
  return model::RunExhaustive(scenario, search, start, sites, control);
}

Verdict VerdictOf(const SearchResult& result, const std::vector<Gap>& accepted) {
  if (result.failure) {
    const FailureKind kind = result.failure->kind;
    const bool is_finding = IsVerdict(kind) || kind == FailureKind::kUnregisteredMemory;
    return is_finding ? Verdict::failed : Verdict::not_checked;
  }
  if (!result.exhausted) return Verdict::not_finished;
  model::Gaps gaps;
  for (const Gap gap : accepted) gaps.Add(static_cast<model::Gap>(gap));
  return result.omitted.gaps.IsPartOf(gaps) ? Verdict::passed : Verdict::gaps;
}

// The checker's words name what a model of this repository would write; these are the library's.
std::string WordsOf(const model::Failure& failure) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kReplaced = {{
      {"a loop that waits and does not yield?",
       "a loop that waits and does not yield? call check::yield() in each round"},
      {"let Choose(2) decide", "let check::choose(2) decide"},
      {": use PerThread (models/kit/scenario/per_thread.h)",
       ": keep it in the structure, one for each thread"},
  }};
  std::string words = failure.words;
  for (const auto& [theirs, ours] : kReplaced) {
    const std::size_t at = words.find(theirs);
    if (at != words.npos) words.replace(at, theirs.size(), ours);
  }
  return words;
}

// The remedy, if the failure's own words do not name it.
const char* Remedy(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNondeterminism:
      return "the program does something else when it is run again with the same choices: look for "
             "statics and thread_local objects that outlive an execution, clocks and randomness "
             "(check::choose instead), and decisions on addresses";
    case FailureKind::kUnregisteredMemory:
      return "a data race on plain memory; or it is ordered by a std::atomic or a lock that is not "
             "the checker's: map it (nowait_check/as_std.h)";
    case FailureKind::kProcessLost:
      return "memory ran out, or the program ended itself: with jobs = 1 it shows where";
    default:
      return "";
  }
}

std::string LineOf(const SearchResult& result, Verdict verdict) {
  std::string line;
  if (result.failure) {
    const model::Failure& failure = *result.failure;
    line = fmt::format("{}: {}", verdict == Verdict::failed ? "FAILED" : "NOT CHECKED",
                       Name(failure.kind));
    if (!failure.words.empty()) line += ": " + WordsOf(failure);
    if (failure.site.line() != 0) line += " at " + model::Format(failure.site);
    if (const std::string remedy = Remedy(failure.kind); !remedy.empty()) line += "\n" + remedy;
    return line + "\n";
  }
  line = result.exhausted
             ? fmt::format("all {} executions examined", result.executions)
             : fmt::format("NOT FINISHED: {} executions examined, about {:.1f}% of all",
                           result.executions, 100 * result.fraction);
  if (!result.omitted.gaps.empty()) line += " but for " + Listed(result.omitted.gaps);
  const std::string reductions = result.omitted.Reductions();
  if (!reductions.empty()) line += "; without " + reductions;
  return line + "\n";
}

std::string DirectoryOf(const Options& options) {
  if (!options.pages.empty()) return options.pages;
  for (const char* name : {"NOWAIT_CHECK_PAGES", "TEST_UNDECLARED_OUTPUTS_DIR"}) {
    if (const char* directory = std::getenv(name)) return directory;
  }
  return ".";
}

// A name that stays in the folder and that every file system accepts.
std::string FileNameOf(const std::string& name) {
  constexpr std::size_t kMost = 200;
  std::string file = name.substr(0, kMost);
  for (char& c : file) {
    if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  if (file.empty() || file.front() == '.') return std::string("_").append(file);
  return file;
}

model::counterexample::Counterexample RecordOf(const Options& options, const SearchResult& result,
                                               const model::Search& search, unsigned threads) {
  using model::counterexample::SourceText;
  SourceText text(options.sources, SourceText::Rooted::kRead);
  model::counterexample::Counterexample record;
  record.structure = options.name;
  record.scenario = {options.name, options.promise, static_cast<int>(threads)};
  record.search = {Format(search), result.executions};
  record.again = fmt::format("check::explore(body, {{.replay = \"{}\"}})", result.replay.state);
  record.execution = ExecutionOf(result.trace, result.failure, text);
  record.sources = SourcesOf({&record.execution}, text);
  return record;
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::gaps:
      return "gaps";
    case Verdict::not_finished:
      return "not finished";
    case Verdict::not_checked:
      return "not checked";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const Result& result) { return out << result.words(); }

int Result::report() const {
  fmt::print("{}: {}", name_, words_);
  if (!page_.empty()) {
    const std::filesystem::path folder = pages_;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string file = FileNameOf(name_);
    const std::string page = (folder / (file + ".html")).string();
    const std::string record = (folder / (file + ".json")).string();
    if (model::WriteWhole(page, page_) && model::WriteWhole(record, record_)) {
      fmt::print("page: {}\n", page);
    } else {
      fmt::print("{} cannot be written\n", page);
    }
  }
  std::fflush(stdout);
  return passed() ? 0 : 1;
}

Result explore(std::function<void()> body, Options options) {
  if (model::current_machine != nullptr || stack != nullptr) {
    std::fputs("nowait_check: check::explore inside check::explore\n", stderr);
    model::LeaveArena();  // the library's own end, not a crash of the code under test
    std::abort();
  }
  BodyStack body_stack(body);
  stack = &body_stack;
  const WatchingAllocations watching;

  // The number of threads is known once the body has run up to its first join.
  model::ScenarioEntry scenario{
      {.name = options.name, .promise = options.promise}, model::kMaxThreads, &MakeBody};
  threads_of_body.reset();
  model::Search search = model::Graphs().Within(options.seconds).AtMost(options.executions);
  SearchResult first = Run(scenario, model::Graphs().AtMost(1), {}, 1);
  const unsigned threads = threads_of_body.value_or(0);
  scenario.threads = std::max(static_cast<int>(threads), model::kMinThreads);
  const unsigned jobs = std::clamp(options.jobs, 1u, model::kMaxJobs);
  SearchResult found = Run(scenario, search, {1, options.replay}, jobs);
  if (first.failure && !found.failure && options.replay.empty()) {  // a static may carry over
    found.failure = std::move(first.failure);
    if (found.failure->kind != FailureKind::kNondeterminism) {
      found.failure->words = "run again, it does not fail as before: " + found.failure->Label();
      found.failure->kind = FailureKind::kNondeterminism;
    }
    found.trace = std::move(first.trace);
  }
  if (const auto& refusal = body_stack.refusal()) {  // possibly of the last execution
    found.failure = {FailureKind::kNotFinished, refusal->words, refusal->site};
  }
  stack = nullptr;

  Result result;
  result.verdict = VerdictOf(found, options.accepted);
  result.executions = found.executions;
  result.complete = found.exhausted;
  result.threads = threads;
  result.gaps = found.omitted.gaps.Names();
  result.name_ = options.name;
  result.pages_ = DirectoryOf(options);
  result.words_ = LineOf(found, result.verdict);
  nlohmann::ordered_json json = {{"format", "nowait check result"},
                                 {"version", 1},
                                 {"name", options.name},
                                 {"promise", options.promise},
                                 {"verdict", name(result.verdict)},
                                 {"executions", found.executions},
                                 {"complete", found.exhausted},
                                 {"threads", threads},
                                 {"gaps", result.gaps},
                                 {"seconds", found.seconds},
                                 {"failure", nullptr},
                                 {"counterexample", nullptr}};
  if (found.failure) {
    result.failure = found.failure->Label();
    if (found.failure->site.line() != 0) result.place = model::Format(found.failure->site);
    result.replay = found.replay.state;
    json["failure"] = {{"kind", Name(found.failure->kind)},
                       {"words", WordsOf(*found.failure)},
                       {"place", result.place},
                       {"replay", result.replay}};
  }
  if (found.failure && found.failure->kind != FailureKind::kProcessLost) {
    const auto record = RecordOf(options, found, search, threads);
    result.record_ = ToJson(record);
    const std::string lanes = FormatLanes(record, {});
    result.page_ = model::counterexample::PageOf({result.record_, lanes, ""});
    result.words_ += lanes;
    json["counterexample"] = nlohmann::ordered_json::parse(result.record_);
  }
  // Names and words are the user's bytes, which need not be UTF-8.
  result.json_ = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return result;
}

}  // namespace nowait::check
