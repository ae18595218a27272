#include "models/kit/exhaustive/run/omissions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <vector>

#include "models/kit/exhaustive/graph/evaluate.h"

namespace nowait::model {
namespace {

// A thread that reads `read` and then writes `written`.
struct Passage {
  int thread = 0;
  ObjectName read = 0;
  ObjectName written = 0;
  bool acquires = false;  // by the read, or by a fence before the write
  bool releases = false;  // by the write, or by a fence after the read
};

constexpr int kNameBits = 27;  // the maker and its number (graph.h)
constexpr int kThreadBits = 3;
static_assert(kMaxThreads < 1 << kThreadBits,
              "a maker, a thread or the program, is kept in three bits");
static_assert(2 * kNameBits + kThreadBits + 2 < 64);

std::uint64_t Pack(const Passage& passage) {
  std::uint64_t bits = passage.read;
  bits = bits << kNameBits | passage.written;
  bits = bits << kThreadBits | static_cast<std::uint64_t>(passage.thread);
  bits = bits << 1 | (passage.acquires ? 1 : 0);
  bits = bits << 1 | (passage.releases ? 1 : 0);
  return bits << 1 | 1;  // is never 0
}

Passage Unpack(std::uint64_t bits) {
  constexpr std::uint64_t kName = (std::uint64_t{1} << kNameBits) - 1;
  Passage passage;
  passage.releases = (bits >> 1 & 1) != 0;
  passage.acquires = (bits >> 2 & 1) != 0;
  passage.thread = static_cast<int>(bits >> 3 & ((1 << kThreadBits) - 1));
  passage.written = static_cast<ObjectName>(bits >> (3 + kThreadBits) & kName);
  passage.read = static_cast<ObjectName>(bits >> (3 + kThreadBits + kNameBits) & kName);
  return passage;
}

// Whether the access can take part in load buffering. All operations on a condition variable have a
// single order ([thread.condition] 4), and so have the operations on a block of memory.
bool IsAccess(const GraphEvent& event) {
  if (event.location == kNoLocation) return false;
  switch (event.request.effect) {
    case Effect::kSleep:
    case Effect::kWakeUp:
    case Effect::kNotifyOne:
    case Effect::kNotifyAll:
    case Effect::kAllocate:
    case Effect::kFree:
      return false;
    default:
      return true;
  }
}

bool MaySuffer(const Request& request) {
  return request.effect == Effect::kTryLock || request.effect == Effect::kWakeUp ||
         (request.effect == Effect::kExchangeIfEqual && request.weak);
}

// The object of the thread's previous spurious failure of the same kind.
std::optional<LocationIndex> SufferedAt(const Graph& graph, const GraphEvent& event) {
  for (const GraphEvent* before = graph.Before(event); before != nullptr;
       before = graph.Before(*before)) {
    if (before->variant != 0 && before->request.effect == event.request.effect) {
      return before->location;
    }
  }
  return std::nullopt;
}

// Whether the search leaves out a spurious failure of the event, which could have one if it were
// the first event of its thread.
bool LacksVariant(const Graph& graph, const GraphEvent& event) {
  GraphEvent first = event;
  first.index = 0;
  return Variants(graph, first, event.read) > Variants(graph, event, event.read);
}

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A walk from one thread's passage to another thread's, over the object that the former writes and
// the latter reads, and back to the first thread.
class Circles {
 public:
  explicit Circles(const std::unordered_set<std::uint64_t>& passages) {
    for (const std::uint64_t bits : passages) {
      const Passage passage = Unpack(bits);
      from_[passage.read].push_back(passage);
    }
  }

  bool Exist() {
    for (const auto& [read, passages] : from_) {
      for (const Passage& passage : passages) {
        walk_.assign(1, passage);
        if (Continues()) return true;
      }
    }
    return false;
  }

 private:
  // Whether happens-before permits the cycle: at least two of its steps do not synchronise.
  bool IsAllowed() const {
    int relaxed = 0;
    for (std::size_t i = 0; i < walk_.size(); ++i) {
      const Passage& next = walk_[(i + 1) % walk_.size()];
      if (!walk_[i].releases || !next.acquires) ++relaxed;
    }
    return relaxed >= 2;
  }

  bool Continues() {
    const ObjectName written = walk_.back().written;
    if (walk_.size() > 1 && written == walk_.front().read) return IsAllowed();
    const auto next = from_.find(written);
    if (next == from_.end()) return false;
    for (const Passage& passage : next->second) {
      if (std::ranges::find(walk_, passage.thread, &Passage::thread) != walk_.end()) continue;
      walk_.push_back(passage);
      if (Continues()) return true;
      walk_.pop_back();
    }
    return false;
  }

  std::map<ObjectName, std::vector<Passage>> from_;
  std::vector<Passage> walk_;
};

}  // namespace

Omissions::Lengths Omissions::LengthsOf(const Graph& graph) {
  Lengths lengths{};
  for (int t = 0; t < kMaxThreads; ++t) lengths[static_cast<std::size_t>(t)] = graph.Length(t);
  return lengths;
}

void Omissions::Look(const Graph& graph, const Lengths& begun) {
  for (int t = 0; t < kMaxThreads; ++t) {
    const unsigned known = begun[static_cast<std::size_t>(t)];
    for (unsigned i = known == 0 ? 0 : known - 1; i < graph.Length(t); ++i) {
      LookAt(graph, graph[graph.At(t, i)]);
    }
  }
}

void Omissions::LookAt(const Graph& graph, const GraphEvent& event) {
  const Request& request = event.request;
  if (request.order == std::memory_order::consume ||
      request.failure == std::memory_order::consume) {
    gaps_.Add(Gap::kWeakConsume);
  }
  if (MaySuffer(request) && LacksVariant(graph, event)) {
    gaps_.Add(SufferedAt(graph, event) == event.location ? Gap::kSecondSpuriousFailure
                                                         : Gap::kSpuriousFailureElsewhere);
  }
  if (!event.writes || gaps_.Has(Gap::kLoadBuffering) || !IsAccess(event)) return;
  bool acquires = false;
  bool releases = Releases(event.order);
  for (unsigned i = event.index; i-- > 0;) {
    const GraphEvent& before = graph[graph.At(event.thread, i)];
    if (before.request.effect == Effect::kFence) {
      acquires = acquires || Acquires(before.order);
      releases = releases || Releases(before.order);
    }
    if (!before.reads || !IsAccess(before) || before.location == event.location) continue;
    AddPassage(
        Pack({event.thread, graph.location(before.location).name,
              graph.location(event.location).name, acquires || Acquires(before.order), releases}));
  }
}

void Omissions::AddPassage(std::uint64_t passage) {
  std::uint64_t& recent = recent_[(passage * 0x9e3779b97f4a7c15u) >> 54];
  if (recent == passage) return;
  recent = passage;
  // Only now and then: once there is a cycle, the search need not look any more.
  if (passages_.insert(passage).second && std::has_single_bit(passages_.size())) LookForCircle();
}

void Omissions::LookForCircle() {
  if (!Circles(passages_).Exist()) return;
  gaps_.Add(Gap::kLoadBuffering);
  passages_.clear();
}

void Omissions::CountBlocked(const Graph& graph, const Execution& execution) {
  ++blocked_;
  for (int t = 0; t < execution.threads(); ++t) {
    const Execution::State state = execution.state(t);
    if (state == Execution::State::kSpinning) ++rounds_;
    if (state == Execution::State::kBlocked &&
        graph[execution.BlockedAt(t)].request.effect == Effect::kExchangeAgain) {
      ++tries_;
    }
  }
}

void Omissions::Add(const Omissions& other) {
  blocked_ += other.blocked_;
  rounds_ += other.rounds_;
  tries_ += other.tries_;
  gaps_.Add(other.gaps_);
  passages_.insert(other.passages_.begin(), other.passages_.end());
}

Omitted Omissions::Total() const {
  Omitted omitted{.blocked = blocked_, .rounds = rounds_, .tries = tries_, .gaps = gaps_};
  if (Circles(passages_).Exist()) omitted.gaps.Add(Gap::kLoadBuffering);
  return omitted;
}

std::string Omissions::Format() const {
  std::uint64_t gaps = 0;
  for (const Gap gap : kGaps) {
    if (gaps_.Has(gap)) gaps |= std::uint64_t{1} << static_cast<unsigned>(gap);
  }
  std::vector<std::uint64_t> numbers(passages_.begin(), passages_.end());
  std::ranges::sort(numbers);
  numbers.insert(numbers.begin(), {blocked_, rounds_, tries_, gaps});
  return fmt::format("{}", fmt::join(numbers, "."));
}

std::optional<Omissions> Omissions::Parse(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const auto number = Number(text.substr(begin, end - begin));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    begin = end + 1;
  }
  constexpr std::size_t kCounts = 4;
  if (numbers.size() < kCounts || numbers[3] >> kGaps.size() != 0) return std::nullopt;
  Omissions omissions;
  omissions.blocked_ = numbers[0];
  omissions.rounds_ = numbers[1];
  omissions.tries_ = numbers[2];
  for (const Gap gap : kGaps) {
    if ((numbers[3] >> static_cast<unsigned>(gap) & 1) != 0) omissions.gaps_.Add(gap);
  }
  omissions.passages_.insert(numbers.begin() + kCounts, numbers.end());
  return omissions;
}

}  // namespace nowait::model
