#include "src/resource/sequence_match.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace nowait {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using Equal = std::function<bool(std::size_t, std::size_t)>;

constexpr std::int64_t kNowhere = -1;

// Where d differences lead: for each diagonal -d, -d + 2, .. d, the farthest index x in the first
// sequence, which is x - diagonal in the second one; or kNowhere.
class Farthest {
 public:
  explicit Farthest(std::int64_t d) : d_(d), x_(static_cast<std::size_t>(d + 1), kNowhere) {}
  std::int64_t at(std::int64_t diagonal) const {
    return diagonal < -d_ || diagonal > d_ ? kNowhere : x_[Index(diagonal)];
  }
  void set(std::int64_t diagonal, std::int64_t x) { x_[Index(diagonal)] = x; }

 private:
  std::size_t Index(std::int64_t diagonal) const {
    return static_cast<std::size_t>((diagonal + d_) / 2);
  }

  std::int64_t d_;
  std::vector<std::int64_t> x_;
};

// One more difference: an item of the second sequence (the index in the first one stays), or an
// item of the first one.
struct Step {
  std::int64_t x = kNowhere;
  bool of_second = false;
};

class Matcher {
 public:
  Matcher(std::int64_t n, std::int64_t m, const Equal& same) : n_(n), m_(m), same_(same) {}

  Pairs Match() {
    if (n_ == 0 || m_ == 0) return {};
    for (std::int64_t d = 0; d <= std::int64_t{kMostDifferences}; ++d) {
      Farthest now(d);
      for (std::int64_t diagonal = -d; diagonal <= d; diagonal += 2) {
        now.set(diagonal, Go(d == 0 ? 0 : StepTo(steps_.back(), diagonal).x, diagonal));
      }
      steps_.push_back(std::move(now));
      if (steps_.back().at(n_ - m_) == n_) return Back();
    }
    return {};
  }

 private:
  Step StepTo(const Farthest& before, std::int64_t diagonal) const {
    std::int64_t first = before.at(diagonal - 1);
    if (first != kNowhere && ++first > n_) first = kNowhere;
    std::int64_t second = before.at(diagonal + 1);
    if (second != kNowhere && second - diagonal > m_) second = kNowhere;
    return {std::max(first, second), second >= first};
  }

  // Advances from x over all equal items.
  std::int64_t Go(std::int64_t x, std::int64_t diagonal) const {
    if (x == kNowhere) return x;
    while (x < n_ && x - diagonal < m_ &&
           same_(static_cast<std::size_t>(x), static_cast<std::size_t>(x - diagonal))) {
      ++x;
    }
    return x;
  }

  // From the ends back to the beginnings, along the steps.
  Pairs Back() const {
    Pairs pairs;
    std::int64_t x = n_, y = m_;
    const auto collect = [&](std::int64_t begin) {
      while (x > begin) {
        --x, --y;
        pairs.emplace_back(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
      }
    };
    for (std::size_t d = steps_.size() - 1; d > 0; --d) {
      const Step step = StepTo(steps_[d - 1], x - y);
      collect(step.x);
      (step.of_second ? y : x) -= 1;
    }
    collect(0);
    std::ranges::reverse(pairs);
    return pairs;
  }

  const std::int64_t n_;
  const std::int64_t m_;
  const Equal& same_;
  std::vector<Farthest> steps_;
};

}  // namespace

Pairs MatchSequences(std::size_t n, std::size_t m, const Equal& same) {
  Pairs pairs;
  std::size_t first = 0;
  for (; first < n && first < m && same(first, first); ++first) pairs.emplace_back(first, first);
  std::size_t last = 0;
  while (last < n - first && last < m - first && same(n - 1 - last, m - 1 - last)) ++last;
  const Pairs middle =
      Matcher(static_cast<std::int64_t>(n - first - last),
              static_cast<std::int64_t>(m - first - last),
              [&](std::size_t i, std::size_t j) { return same(first + i, first + j); })
          .Match();
  for (const auto& [i, j] : middle) pairs.emplace_back(first + i, first + j);
  for (; last > 0; --last) pairs.emplace_back(n - last, m - last);
  return pairs;
}

}  // namespace nowait
