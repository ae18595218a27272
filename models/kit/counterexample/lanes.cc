#include "models/kit/counterexample/lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/failure.h"

namespace nowait::model::counterexample {
namespace {

constexpr int kNarrowest = 60;

// Of a longer execution, so many of the first steps and so many of the last.
constexpr std::size_t kShownFirst = 40;
constexpr std::size_t kShownLast = 200;
// After all threads a scenario reads everything once more; so many of these steps are shown.
constexpr std::size_t kShownAfter = 12;

enum class Ink { kPlain, kFaint, kCall, kStale, kSync, kBroken };

const char* CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kFaint:
      return "\x1b[2m";
    case Ink::kCall:
      return "\x1b[1m";
    case Ink::kStale:
    case Ink::kBroken:
      return "\x1b[1;31m";
    case Ink::kSync:
      return "\x1b[36m";
  }
  return "";
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

int WidthOf(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

// The text, cut to `width` characters.
std::string Cut(std::string_view text, int width) {
  if (WidthOf(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (int taken = 0; end < text.size(); ++end) {
    if (!IsContinuation(text[end]) && ++taken == width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

// Broken between words into lines of at most `width` characters.
std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (WidthOf(text) > width) {
    std::size_t end = 0;
    std::size_t space = text.npos;
    for (int taken = 0; end < text.size() && taken <= width; ++end) {
      if (text[end] == ' ' && end > 0) space = end;
      if (!IsContinuation(text[end])) ++taken;
    }
    if (space == text.npos) break;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  lines.push_back(Cut(text, width));
  return lines;
}

std::string Trim(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return "";
  const std::size_t end = line.find_last_not_of(" \t\r");
  return std::string(line.substr(begin, end - begin + 1));
}

class Lanes {
 public:
  Lanes(const Counterexample& record, const LanesStyle& style)
      : record_(record),
        execution_(record.execution),
        style_(style),
        width_(std::max(style.width, kNarrowest)),
        threads_(record.scenario.threads) {
    // The last lane needs the room of a step; the others go on into what is right of them.
    constexpr int kRoomOfStep = 50;
    constexpr int kWidest = 44;
    const int between = threads_ > 1 ? (width_ - kRoomOfStep) / (threads_ - 1) : 0;
    offset_ = std::clamp(between, 8, kWidest);
    for (const Source& source : record.sources) sources_[source.file] = &source.lines;
    for (const Edge& edge : execution_.synchronises_with)
      synchronised_[edge.to].push_back(edge.from);
  }

  std::string Format() {
    if (!execution_.events.empty()) {
      Size();
      FirstValues();
      Steps();
    }
    Verdict();
    return std::move(text_);
  }

 private:
  // --- lines ---

  std::string Inked(Ink ink, const std::string& text) const {
    const std::string code = style_.colors ? CodeOf(ink) : "";
    return code.empty() ? text : code + text + "\x1b[0m";
  }

  void Line(const std::string& text) { text_ += text + "\n"; }

  // In the lane of a thread, with the other threads' lanes beside it where nothing is in their place.
  void InLane(int thread, Ink ink, const std::string& text) {
    std::string line = "  ";
    for (int lane = 0; lane < thread; ++lane) line += Bar() + std::string(offset_ - 1, ' ');
    const int begin = 2 + thread * offset_ + 2;
    const std::string shown = Cut(text, width_ - begin);
    line += Bar() + " " + Inked(ink, shown);
    int column = begin + WidthOf(shown);
    for (int lane = thread + 1; lane < threads_; ++lane) {
      const int at = 2 + lane * offset_;
      if (at <= column) continue;
      line += std::string(static_cast<std::size_t>(at - column), ' ') + Bar();
      column = at + 1;
    }
    Line(line);
  }
  void WrappedInLane(int thread, Ink ink, const std::string& text, const std::string& indent) {
    const int room = width_ - (2 + thread * offset_ + 2) - WidthOf(indent);
    for (const std::string& line : Wrap(text, room)) InLane(thread, ink, indent + line);
  }
  std::string Bar() const { return Inked(Ink::kFaint, "│"); }

  // --- what is said of a step ---

  const std::string& NameOf(int object) const {
    return execution_.objects[static_cast<std::size_t>(object)].name;
  }
  const Object* ObjectOf(const Event& event) const {
    return event.object ? &execution_.objects[static_cast<std::size_t>(*event.object)] : nullptr;
  }

  // "links_[2] compare-exchange (acq_rel, relaxed)"
  std::string WhatIsDone(const Event& event) const {
    std::string words = event.kind;
    if (const Object* object = ObjectOf(event)) words = fmt::format("{} {}", object->name, words);
    if (!event.failure_order.empty()) {
      words += fmt::format(" ({}, {})", event.order, event.failure_order);
    } else if (!event.order.empty()) {
      words += fmt::format(" ({})", event.order);
    }
    return words;
  }

  // " fails: reads 3 from [7]", ", writes 4"
  std::string WhatComesOfIt(const Event& event) const {
    std::string words;
    if (event.outcome == "blocks") {
      words += " waits for ever";
    } else if (!event.outcome.empty()) {
      words += " " + event.outcome;
    }
    // What is larger than a word is not in the record.
    if (event.read && event.read->value != "...") {
      words += fmt::format(": reads {}", event.read->value);
      words += event.read->from != 0 ? fmt::format(" from [{}]", event.read->from)
               : ObjectOf(event) != nullptr && ObjectOf(event)->kind == "atomic"
                   ? ", the first value"
                   : "";
    }
    if (event.written && *event.written != "...") {
      words += fmt::format("{} writes {}", event.read ? "," : ":", *event.written);
    }
    return words;
  }

  // The newest store to the object of a read before it.
  int NewestFor(const Event& event) const {
    for (const ModificationOrder& order : execution_.modification_orders) {
      if (order.object != event.object) continue;
      for (std::size_t i = order.stores.size(); i > 0; --i) {
        if (order.stores[i - 1] < event.number) return order.stores[i - 1];
      }
    }
    return 0;
  }

  // Of a store: one that comes behind it in modification order and before it here.
  int OvertakenBy(const Event& event) const {
    for (const ModificationOrder& order : execution_.modification_orders) {
      const auto own = std::ranges::find(order.stores, event.number);
      if (own == order.stores.end()) continue;
      const auto overtaking =
          std::find_if(own, order.stores.end(), [&](int store) { return store < event.number; });
      return overtaking == order.stores.end() ? 0 : *overtaking;
    }
    return 0;
  }

  // The last event of the thread that happens before `number`; 0: none.
  int LastKnown(int thread, int number) const {
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
    Line(fmt::format("  {} steps of {} threads, {}; time goes down", execution_.events.size(),
                     threads_, switches == 1 ? "1 switch" : fmt::format("{} switches", switches)));
    if (record_.minimised && record_.minimised->from.scenario != record_.minimised->to.scenario) {
      Line(fmt::format("  found in {}; shown is {}, a smaller scenario that fails in the same way",
                       record_.minimised->from.scenario, record_.minimised->to.scenario));
    }
    if (record_.minimised) {
      for (const std::string& line : Wrap(record_.minimised->words, width_ - 2)) Line("  " + line);
    }
  }

  void FirstValues() {
    std::string words;
    for (const Object& object : execution_.objects) {
      if (object.first.empty()) continue;
      words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", object.name, object.first);
    }
    if (words.empty()) return;
    for (const std::string& line : Wrap("first values: " + words, width_ - 2)) Line("  " + line);
  }

  void Headings() {
    std::string line = "  ";
    for (int thread = 0; thread < threads_; ++thread) {
      std::string name = fmt::format("thread {}", thread);
      if (thread + 1 < threads_) name.resize(static_cast<std::size_t>(offset_), ' ');
      line += Inked(Ink::kCall, name);
    }
    Line("");
    Line(line);
  }

  void Steps() {
    const std::vector<Event>& events = execution_.events;
    const auto in_threads = [](const Event& event) { return event.thread >= 0; };
    const std::size_t begin =
        static_cast<std::size_t>(std::ranges::find_if(events, in_threads) - events.begin());
    std::size_t end = begin;
    while (end < events.size() && events[end].thread >= 0) ++end;
    Outside("before the threads", 0, begin, kShownLast);
    if (begin < end) Headings();
    int last = -1;
    for (std::size_t i = begin; i < end; ++i) {
      if (end - begin > kShownFirst + kShownLast && i == begin + kShownFirst) {
        const std::size_t left_out = end - begin - kShownFirst - kShownLast;
        Line(fmt::format("  ... {} steps are left out here; the record has them ...", left_out));
        i += left_out;
      }
      const Event& event = events[i];
      if (last != event.thread) Bars();
      last = event.thread;
      Calls(event, true);
      Step(event);
      Calls(event, false);
    }
    if (begin < end) FailsHere();
    Outside("after all threads", end, events.size(), kShownAfter);
    Line("");
  }

  void Bars() {
    std::string line = "  ";
    for (int lane = 0; lane < threads_; ++lane) {
      line += Bar();
      if (lane + 1 < threads_) line += std::string(static_cast<std::size_t>(offset_) - 1, ' ');
    }
    Line(line);
  }

  // The calls that begin, or end, with the event: outermost first, or last.
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
        InLane(event.thread, Ink::kCall, fmt::format("┌ {}", call->name));
      } else if (!call->returned) {
        InLane(event.thread, Ink::kCall, fmt::format("╎ {} has not returned", call->name));
      } else {
        const std::string notes = fmt::format("{}", fmt::join(call->notes, "; "));
        WrappedInLane(event.thread, Ink::kCall,
                      notes.empty() ? fmt::format("└ {} returns", call->name)
                                    : fmt::format("└ {} returns: {}", call->name, notes),
                      "");
      }
    }
  }

  void Step(const Event& event) {
    const std::string number = fmt::format("[{}] ", event.number);
    const std::string indent(number.size(), ' ');
    const std::string words = number + WhatIsDone(event) + WhatComesOfIt(event);
    const Ink ink = IsBlamed(event.number) ? Ink::kBroken : Ink::kPlain;
    const int room = width_ - (2 + event.thread * offset_ + 2);
    bool first = true;
    for (const std::string& line : Wrap(words, room - static_cast<int>(indent.size()))) {
      InLane(event.thread, ink, (first ? "" : indent) + line);
      first = false;
    }
    if (const std::string source = SourceAt(event.site); !source.empty()) {
      InLane(
          event.thread, Ink::kFaint,
          fmt::format("{}{}:{}  {}", indent, ShortName(event.site.file), event.site.line, source));
    }
    if (event.read && event.read->stale) {
      WrappedInLane(event.thread, Ink::kStale,
                    fmt::format("STALE: [{}] is newer, and nothing makes this thread see it",
                                NewestFor(event)),
                    indent);
    }
    if (const int newer = OvertakenBy(event); newer != 0) {
      WrappedInLane(event.thread, Ink::kStale,
                    fmt::format("LATE: in the modification order of {} it stands before [{}]",
                                NameOf(*event.object), newer),
                    indent);
    }
    if (const auto from = synchronised_.find(event.number); from != synchronised_.end()) {
      for (const int release : from->second) {
        WrappedInLane(
            event.thread, Ink::kSync,
            fmt::format("<= synchronises with [{}]: what came before that is seen from here on",
                        release),
            indent);
      }
    }
    if (IsBlamed(event.number)) InLane(event.thread, Ink::kBroken, indent + Blame());
  }

  // Whether it speaks of the structure; otherwise of the scenario, which cannot be checked as it is.
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
    return fmt::format("^ {}", failure.kind);
  }

  // Where a check or an assertion of a thread fails, which is no step.
  void FailsHere() {
    if (!execution_.failure || !execution_.failure->thread || *execution_.failure->thread < 0)
      return;
    if (!execution_.failure->events.empty()) return;
    const Failure& failure = *execution_.failure;
    WrappedInLane(*failure.thread, Ink::kBroken, fmt::format("FAILS HERE: {}", failure.words), "");
    if (const std::string source = SourceAt(failure.site); !source.empty()) {
      InLane(*failure.thread, Ink::kFaint,
             fmt::format("{}:{}  {}", ShortName(failure.site.file), failure.site.line, source));
    }
  }

  // What set-up or After did, where threads are no matter: a line each.
  void Outside(const char* when, std::size_t begin, std::size_t end, std::size_t most) {
    if (begin == end) return;
    Line(fmt::format("\n  {}", when));
    for (std::size_t i = begin; i < end && i < begin + most; ++i) {
      const Event& event = execution_.events[i];
      Line(Cut(fmt::format("    [{}] {}{}", event.number, WhatIsDone(event), WhatComesOfIt(event)),
               width_));
    }
    if (end - begin > most) Line(fmt::format("    ... and {} more steps", end - begin - most));
  }

  void Verdict() {
    if (const auto& failure = execution_.failure) {
      std::string what = IsVerdict(*failure) ? "broken " : "cannot be checked: ";
      what += failure->kind;
      if (failure->words != failure->kind) what += ": " + failure->words;
      Line("  " + Inked(Ink::kBroken, what));
      ExplainRace(*failure);
      for (const std::string& line : failure->details) Line("  " + line);
      if (failure->site.line != 0) {
        Line(fmt::format("  at {}:{}  {}", failure->site.file, failure->site.line,
                         Inked(Ink::kFaint, SourceAt(failure->site))));
      }
    }
    if (record_.repair) {
      for (const std::string& line : Wrap("repair: " + record_.repair->words, width_ - 2)) {
        Line("  " + line);
      }
    }
    if (!record_.again.empty()) Line(fmt::format("  again: {}", record_.again));
  }

  // How far the later of the two threads knows what the earlier one has done.
  void ExplainRace(const Failure& failure) {
    if (failure.kind != "data race" || failure.events.size() != 2) return;
    const Event& one = execution_.events[static_cast<std::size_t>(failure.events[0]) - 1];
    const Event& other = execution_.events[static_cast<std::size_t>(failure.events[1]) - 1];
    if (one.thread < 0 || other.thread < 0 || one.thread == other.thread) return;
    const int known = LastKnown(one.thread, other.number);
    const std::string why =
        known == 0
            ? fmt::format(
                  "Nothing that thread {} does happens before [{}], so [{}] does not either",
                  one.thread, other.number, one.number)
            : fmt::format(
                  "Of thread {} only what comes up to [{}] happens before [{}]; [{}] comes later",
                  one.thread, known, other.number, one.number);
    for (const std::string& line : Wrap(why + ".", width_ - 4)) Line("    " + line);
  }

  const Counterexample& record_;
  const Execution& execution_;
  const LanesStyle style_;
  const int width_;
  const int threads_;
  int offset_ = 0;
  std::map<std::string, const std::vector<std::string>*> sources_;
  std::map<int, std::vector<int>> synchronised_;
  std::string text_;
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
