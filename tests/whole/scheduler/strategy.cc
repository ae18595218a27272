#include "tests/whole/scheduler/strategy.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

#include "src/math/random.h"

namespace nowait::whole {
namespace {

bool Has(std::span<const std::uint32_t> candidates, std::uint32_t thread) {
  return std::find(candidates.begin(), candidates.end(), thread) != candidates.end();
}

class RandomWalk final : public Strategy {
 public:
  // stay: of 8 times, how often the running thread goes on without a draw.
  RandomWalk(std::uint64_t seed, std::uint32_t stay) : random_(seed), stay_(stay) {}

  std::uint32_t Choose(std::span<const std::uint32_t> candidates, std::uint32_t current) override {
    if (stay_ != 0 && random_.Below(8) < stay_ && Has(candidates, current)) return current;
    return candidates[random_.Below(static_cast<std::uint32_t>(candidates.size()))];
  }

 private:
  Random random_;
  const std::uint32_t stay_;
};

// Shared by PCT and POS: of the candidates the one with the highest priority.
std::uint32_t Highest(std::span<const std::uint32_t> candidates,
                      const std::vector<std::uint64_t>& priorities) {
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](auto a, auto b) { return priorities[a] < priorities[b]; });
}

class Pct final : public Strategy {
 public:
  explicit Pct(const StrategyDef& def) : random_(def.seed) {
    const auto length = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::max<std::uint64_t>(def.length, 1), ~std::uint32_t{0}));
    for (std::uint32_t i = 1; i < def.depth; ++i) changes_.push_back(1 + random_.Below(length));
    std::sort(changes_.begin(), changes_.end(), std::greater<>());
    low_ = changes_.size();
  }

  std::uint32_t Choose(std::span<const std::uint32_t> candidates, std::uint32_t) override {
    return Highest(candidates, priorities_);
  }

  void Announce(std::uint32_t thread, const Step&) override {
    // Above all that a change gives.
    while (priorities_.size() <= thread) {
      priorities_.push_back((1u << 20) + random_.Below(1u << 30));
    }
    ++steps_;
    if (!changes_.empty() && steps_ >= changes_.back()) {
      changes_.pop_back();
      priorities_[thread] = low_--;
    }
  }

 private:
  Random random_;
  std::vector<std::uint64_t> changes_;  // at which steps, the next one last
  std::uint64_t low_;                   // what the next change gives
  std::uint64_t steps_ = 0;
  std::vector<std::uint64_t> priorities_;
};

class Pos final : public Strategy {
 public:
  explicit Pos(std::uint64_t seed) : random_(seed) {}

  std::uint32_t Choose(std::span<const std::uint32_t> candidates, std::uint32_t) override {
    return Highest(candidates, priorities_);
  }

  void Announce(std::uint32_t thread, const Step& step) override {
    if (pending_.size() <= thread) {
      pending_.resize(thread + 1);
      priorities_.resize(thread + 1);
    }
    pending_[thread] = step;
    priorities_[thread] = random_.Below(~std::uint32_t{0});
  }

  void Done(std::uint32_t thread, const Step& step) override {
    if (step.object == nullptr) return;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const Step& other = pending_[i];
      if (i == thread || other.object != step.object) continue;
      if (Writes(step.kind) || Writes(other.kind)) {
        priorities_[i] = random_.Below(~std::uint32_t{0});
      }
    }
  }

 private:
  Random random_;
  std::vector<Step> pending_;
  std::vector<std::uint64_t> priorities_;
};

bool Read(std::string_view& text, std::string_view before, std::uint64_t& number) {
  if (!text.starts_with(before)) return false;
  text.remove_prefix(before.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::unique_ptr<Strategy> MakeStrategy(const StrategyDef& def) {
  switch (def.kind) {
    case StrategyKind::kRandomWalk:
      return std::make_unique<RandomWalk>(def.seed, 0);
    case StrategyKind::kStickyWalk:
      return std::make_unique<RandomWalk>(def.seed, 7);
    case StrategyKind::kPct:
      return std::make_unique<Pct>(def);
    case StrategyKind::kPos:
      return std::make_unique<Pos>(def.seed);
  }
  return nullptr;
}

std::string ToString(const StrategyDef& def) {
  const std::string seed = std::to_string(def.seed);
  switch (def.kind) {
    case StrategyKind::kRandomWalk:
      return "walk-" + seed;
    case StrategyKind::kStickyWalk:
      return "sticky-" + seed;
    case StrategyKind::kPos:
      return "pos-" + seed;
    case StrategyKind::kPct:
      return "pct" + std::to_string(def.depth) + "-" + std::to_string(def.length) + "-" + seed;
  }
  return {};
}

std::optional<StrategyDef> ParseStrategy(std::string_view text) {
  StrategyDef def;
  std::uint64_t depth = 0;
  bool good = true;
  if (text.starts_with("pct")) {
    def.kind = StrategyKind::kPct;
    good = Read(text, "pct", depth) && depth > 0 && depth < 100 && Read(text, "-", def.length);
    def.depth = static_cast<std::uint32_t>(depth);
  } else {
    const auto dash = text.find('-');
    const std::string_view name = text.substr(0, dash);
    if (name == "walk") {
      def.kind = StrategyKind::kRandomWalk;
    } else if (name == "sticky") {
      def.kind = StrategyKind::kStickyWalk;
    } else if (name == "pos") {
      def.kind = StrategyKind::kPos;
    } else {
      return std::nullopt;
    }
    text.remove_prefix(name.size());
  }
  if (!good || !Read(text, "-", def.seed) || !text.empty()) return std::nullopt;
  return def;
}

}  // namespace nowait::whole
