#include "models/kit/counterexample/lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/counterexample/lane_lines.h"
#include "models/kit/counterexample/name_range.h"
#include "models/kit/counterexample/step_words.h"
#include "models/kit/counterexample/wrapped.h"
#include "models/kit/program/failure.h"

namespace nowait::model::counterexample {
namespace {

// In a longer execution, the number of first steps shown, and the number of last steps shown.
constexpr std::size_t kShownFirst = 40;
constexpr std::size_t kShownLast = 200;
// After all threads a scenario reads everything again; at most this many of those steps are
// shown.
constexpr std::size_t kShownAfter = 12;

class Lanes {
 public:
  Lanes(const Counterexample& record, const LanesStyle& style)
      : record_(record),
        execution_(record.execution),
        threads_(record.scenario.threads),
        words_(record.execution, threads_),
        out_(style, threads_) {
    for (const Source& source : record.sources) sources_[source.file] = &source.lines;
    for (const Event& event : execution_.events) {
      if (!event.object) continue;
      if (event.thread >= 0) touched_.insert(*event.object);
      if (event.written) written_.insert(*event.object);
    }
  }

  std::string Format() {
    if (!execution_.events.empty()) {
      Size();
      FirstValues();
      Steps();
    }
    Verdict();
    return out_.Take();
  }

 private:
  // --- the source, and the events to blame ---

  std::string SourceAt(const Place& place) const {
    const auto lines = sources_.find(place.file);
    if (lines == sources_.end() || place.line == 0 || place.line > lines->second->size()) return "";
    return Trim((*lines->second)[place.line - 1]);
  }

  bool IsBlamed(int number) const {
    return execution_.failure && std::ranges::find(execution_.failure->events, number) !=
                                     execution_.failure->events.end();
  }

  // --- the parts ---

  void Size() {
    int switches = 0;
    for (std::size_t i = 1; i < execution_.events.size(); ++i) {
      const int thread = execution_.events[i].thread;
      const int before = execution_.events[i - 1].thread;
      switches += thread >= 0 && before >= 0 && thread != before ? 1 : 0;
    }
    out_.Line(fmt::format("  {} steps of {} threads, {}; time goes down", execution_.events.size(),
                          threads_,
                          switches == 1 ? "1 switch" : fmt::format("{} switches", switches)));
    if (!execution_.left_out.empty()) {
      for (const std::string& line : Wrap(execution_.left_out, out_.width() - 2))
        out_.Line("  " + line);
    }
    if (record_.minimised && record_.minimised->from.scenario != record_.minimised->to.scenario) {
      out_.Line(
          fmt::format("  found in {}; shown is {}, a smaller scenario that fails in the same way",
                      record_.minimised->from.scenario, record_.minimised->to.scenario));
    }
    if (record_.minimised) {
      for (const std::string& line : Wrap(record_.minimised->words, out_.width() - 2))
        out_.Line("  " + line);
    }
  }

  // Of the objects that a thread touches. Elements of an array with equal initial values share an
  // entry.
  void FirstValues() {
    std::vector<std::pair<NameRange, std::string>> entries;
    std::size_t untouched = 0;
    for (const Object& object : execution_.objects) {
      if (object.first.empty()) continue;
      if (!touched_.empty() && !touched_.contains(object.id)) {
        ++untouched;
      } else if (entries.empty() || entries.back().second != object.first ||
                 !entries.back().first.Add(object.name)) {
        entries.emplace_back(NameRange(object.name), object.first);
      }
    }
    std::string words;
    for (const auto& [range, value] : entries) {
      const bool as_range = range.names().size() >= NameRange::kWorthIt;
      for (const std::string& name : as_range ? std::vector{range.Words()} : range.names()) {
        words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", name, value);
      }
    }
    if (words.empty()) return;
    if (untouched > 0) words += fmt::format(", and {} more that no thread touches", untouched);
    for (const std::string& line : Wrap("first values: " + words, out_.width() - 2))
      out_.Line("  " + line);
  }

  void Steps() {
    const std::vector<Event>& events = execution_.events;
    const auto in_threads = [](const Event& event) { return event.thread >= 0; };
    const std::size_t begin =
        static_cast<std::size_t>(std::ranges::find_if(events, in_threads) - events.begin());
    std::size_t end = begin;
    while (end < events.size() && events[end].thread >= 0) ++end;
    Outside("before the threads", 0, begin, kShownLast);
    if (begin < end) out_.Headings();
    int last = -1;
    for (std::size_t i = begin; i < end; ++i) {
      if (end - begin > kShownFirst + kShownLast && i == begin + kShownFirst) {
        const std::size_t left_out = end - begin - kShownFirst - kShownLast;
        out_.Line(
            fmt::format("  ... {} steps are left out here; the record has them ...", left_out));
        i += left_out;
      }
      const Event& event = events[i];
      if (last != event.thread) out_.Bars();
      last = event.thread;
      Calls(event, true);
      if (const auto idle = IdleFrom(i, end); idle.names().size() >= NameRange::kWorthIt) {
        i += idle.names().size() - 1;
        LooksAtIdle(event, events[i], idle);
      } else {
        Step(event);
      }
      Calls(events[i], false);
    }
    if (begin < end) FailsHere();
    Outside("after all threads", end, events.size(), kShownAfter);
    out_.Line("");
  }

  // The elements of an array that the steps from index i on read one by one, if none of the
  // elements is ever written, as when a thread visits all stripes of a counter. Their names are
  // those of the steps that one line can show.
  NameRange IdleFrom(std::size_t i, std::size_t end) const {
    const Event& first = execution_.events[i];
    NameRange names(first.object ? words_.NameOf(*first.object) : "");
    if (!IsIdleLook(first)) return names;
    for (++i; i < end; ++i) {
      const Event& next = execution_.events[i];
      const bool is_like_first = IsIdleLook(next) && next.thread == first.thread &&
                                 next.call == first.call && next.site == first.site &&
                                 next.order == first.order && next.read == first.read;
      if (!is_like_first || BeginsOrEndsCall(execution_.events[i - 1], false) ||
          BeginsOrEndsCall(next, true) || !names.Add(words_.NameOf(*next.object))) {
        break;
      }
    }
    return names;
  }
  bool IsIdleLook(const Event& event) const {
    const bool is_named = record_.repair && record_.repair->diverges &&
                          record_.repair->diverges->event == event.number;
    return event.kind == "load" && event.object && !written_.contains(*event.object) &&
           event.read && event.read->from == 0 && !is_named && !IsBlamed(event.number);
  }
  bool BeginsOrEndsCall(const Event& event, bool begins) const {
    return std::ranges::any_of(execution_.calls, [&](const Call& call) {
      return (begins ? call.first : call.last) == event.number;
    });
  }

  // Writes the calls that begin or end with the event: outermost first, or outermost last.
  void Calls(const Event& event, bool begin) {
    std::vector<const Call*> calls;
    for (std::optional<int> id = event.call; id;) {
      const Call& call = execution_.calls[static_cast<std::size_t>(*id)];
      if ((begin ? call.first : call.last) == event.number) calls.push_back(&call);
      id = call.outer;
    }
    if (begin) std::ranges::reverse(calls);
    for (const Call* call : calls) {
      if (begin) {
        out_.InLane(event.thread, Ink::kCall, fmt::format("┌ {}", call->name));
      } else if (!call->returned) {
        out_.InLane(event.thread, Ink::kCall, fmt::format("╎ {} has not returned", call->name));
      } else {
        const std::string notes = fmt::format("{}", fmt::join(call->notes, "; "));
        out_.WrappedInLane(event.thread, Ink::kCall,
                           notes.empty() ? fmt::format("└ {} returns", call->name)
                                         : fmt::format("└ {} returns: {}", call->name, notes),
                           "");
      }
    }
  }

  void LooksAtIdle(const Event& first, const Event& last, const NameRange& names) {
    Operation(first, fmt::format("[{}]-[{}] ", first.number, last.number),
              fmt::format("{} {}{}: each reads {}, the first value", names.Words(), first.kind,
                          first.order.empty() ? "" : fmt::format(" ({})", first.order),
                          first.read->value));
  }

  // Writes the operation of a step, and its source line.
  void Operation(const Event& event, const std::string& number, const std::string& words) {
    const std::string indent(number.size(), ' ');
    const Ink ink = IsBlamed(event.number) ? Ink::kBroken : Ink::kPlain;
    const int room = out_.RoomIn(event.thread);
    bool first = true;
    for (const std::string& line : Wrap(number + words, room - static_cast<int>(indent.size()))) {
      out_.InLane(event.thread, ink, (first ? "" : indent) + line);
      first = false;
    }
    if (const std::string source = SourceAt(event.site); !source.empty()) {
      out_.InLane(
          event.thread, Ink::kFaint,
          fmt::format("{}{}:{}  {}", indent, ShortName(event.site.file), event.site.line, source));
    }
  }

  void Step(const Event& event) {
    const std::string number = fmt::format("[{}] ", event.number);
    const std::string indent(number.size(), ' ');
    Operation(event, number, words_.DescribeOperation(event) + words_.DescribeOutcome(event));
    if (event.read && event.read->stale) {
      out_.WrappedInLane(event.thread, Ink::kStale,
                         fmt::format("STALE: [{}] is newer, and nothing makes this thread see it",
                                     words_.NewestFor(event)),
                         indent);
    }
    if (const int newer = words_.OvertakenBy(event); newer != 0) {
      out_.WrappedInLane(event.thread, Ink::kStale,
                         fmt::format("LATE: in the modification order of {} it stands before [{}]",
                                     words_.NameOf(*event.object), newer),
                         indent);
    }
    for (const int release : words_.SynchronisedWith(event)) {
      out_.WrappedInLane(
          event.thread, Ink::kSync,
          fmt::format("<= synchronises with [{}]: what came before that is seen from here on",
                      release),
          indent);
    }
    if (IsBlamed(event.number)) out_.InLane(event.thread, Ink::kBroken, indent + Blame());
  }

  // Whether it is a verdict on the structure. Otherwise it concerns the scenario, which cannot be
  // checked in this form.
  static bool IsVerdict(const Failure& failure) {
    for (int kind = 0; kind <= static_cast<int>(FailureKind::kProcessLost); ++kind) {
      const auto known = static_cast<FailureKind>(kind);
      if (failure.kind == Name(known)) return model::IsVerdict(known);
    }
    return true;
  }

  static std::string ShortName(const std::string& file) { return file.substr(file.rfind('/') + 1); }

  std::string Blame() const {
    const Failure& failure = *execution_.failure;
    if (failure.kind == "data race" && failure.events.size() == 2) {
      return fmt::format("RACE: nothing orders [{}] and [{}]", failure.events[0],
                         failure.events[1]);
    }
    if (failure.kind == "use after free" && failure.events.size() == 2) {
      return fmt::format("FAILS: [{}] uses what [{}] has freed", failure.events[1],
                         failure.events[0]);
    }
    return fmt::format("^ {}", failure.kind);
  }

  // Marks where a check or an assertion of a thread fails; it is not a step.
  void FailsHere() {
    if (!execution_.failure || !execution_.failure->thread || *execution_.failure->thread < 0)
      return;
    if (!execution_.failure->events.empty()) return;
    const Failure& failure = *execution_.failure;
    out_.WrappedInLane(*failure.thread, Ink::kBroken, fmt::format("FAILS HERE: {}", failure.words),
                       "");
    if (const std::string source = SourceAt(failure.site); !source.empty()) {
      out_.InLane(
          *failure.thread, Ink::kFaint,
          fmt::format("{}:{}  {}", ShortName(failure.site.file), failure.site.line, source));
    }
  }

  // Writes the steps of set-up or After, where threads do not matter, one line per step.
  void Outside(const char* when, std::size_t begin, std::size_t end, std::size_t most) {
    if (begin == end) return;
    out_.Line(fmt::format("\n  {}", when));
    for (std::size_t i = begin; i < end && i < begin + most; ++i) {
      const Event& event = execution_.events[i];
      out_.Line(Cut(fmt::format("    [{}] {}{}", event.number, words_.DescribeOperation(event),
                                words_.DescribeOutcome(event)),
                    out_.width()));
    }
    if (end - begin > most) out_.Line(fmt::format("    ... and {} more steps", end - begin - most));
  }

  void Verdict() {
    if (const auto& failure = execution_.failure) {
      std::string what = IsVerdict(*failure) ? "broken " : "cannot be checked: ";
      what += failure->kind;
      if (failure->words != failure->kind) what += ": " + failure->words;
      out_.Line("  " + out_.In(Ink::kBroken, what));
      ExplainRace(*failure);
      for (const std::string& line : failure->details) out_.Line("  " + line);
      if (failure->site.line != 0) {
        out_.Line(fmt::format("  at {}:{}  {}", failure->site.file, failure->site.line,
                              out_.In(Ink::kFaint, SourceAt(failure->site))));
      }
    }
    if (record_.repair) {
      for (const std::string& line : Wrap("repair: " + record_.repair->words, out_.width() - 2)) {
        out_.Line("  " + line);
      }
    }
    if (record_.repair && record_.repair->diverges) {
      const auto& parting = *record_.repair->diverges;
      const std::string words = fmt::format("then, at [{}]: {}", parting.event, parting.words);
      for (const std::string& line : Wrap(words, out_.width() - 4)) out_.Line("    " + line);
    }
    if (!record_.again.empty()) out_.Line(fmt::format("  again: {}", record_.again));
  }

  // Explains how far the later of the two threads knows the earlier one's steps.
  void ExplainRace(const Failure& failure) {
    if (failure.kind != "data race" || failure.events.size() != 2) return;
    const Event& one = execution_.events[static_cast<std::size_t>(failure.events[0]) - 1];
    const Event& other = execution_.events[static_cast<std::size_t>(failure.events[1]) - 1];
    if (one.thread < 0 || other.thread < 0 || one.thread == other.thread) return;
    const int known = words_.LastKnown(one.thread, other.number);
    const std::string why =
        known == 0
            ? fmt::format(
                  "Nothing that thread {} does happens before [{}], so [{}] does not either",
                  one.thread, other.number, one.number)
            : fmt::format(
                  "Of thread {} only what comes up to [{}] happens before [{}]; [{}] comes later",
                  one.thread, known, other.number, one.number);
    for (const std::string& line : Wrap(why + ".", out_.width() - 4)) out_.Line("    " + line);
  }

  const Counterexample& record_;
  const Execution& execution_;
  const int threads_;
  const StepWords words_;
  LaneLines out_;
  std::set<int> touched_;  // the objects that threads touch
  std::set<int> written_;  // the objects that are written, even by set-up or After
  std::map<std::string, const std::vector<std::string>*> sources_;
};

}  // namespace

Colors ColorsFrom(std::string_view word) {
  return word == "always" ? Colors::kAlways : word == "never" ? Colors::kNever : Colors::kAuto;
}

LanesStyle StyleFor(std::FILE* file, Colors colors) {
  LanesStyle style;
  const bool is_terminal = isatty(fileno(file)) != 0;
  winsize size{};
  if (is_terminal && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool wanted = (refused == nullptr || *refused == '\0') && terminal != nullptr &&
                      std::string_view(terminal) != "dumb";
  style.colors = colors == Colors::kAlways || (colors == Colors::kAuto && is_terminal && wanted);
  return style;
}

std::string FormatLanes(const Counterexample& record, const LanesStyle& style) {
  return Lanes(record, style).Format();
}

}  // namespace nowait::model::counterexample
