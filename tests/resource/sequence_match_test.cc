#include "src/resource/sequence_match.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

auto Match(const std::string& a, const std::string& b) {
  return MatchSequences(a.size(), b.size(),
                        [&](std::size_t i, std::size_t j) { return a[i] == b[j]; });
}

// The textbook's table, as the oracle.
std::size_t LongestCommon(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> longest(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      longest[i][j] = a[i - 1] == b[j - 1] ? longest[i - 1][j - 1] + 1
                                           : std::max(longest[i - 1][j], longest[i][j - 1]);
    }
  }
  return longest[a.size()][b.size()];
}

TEST_CASE("As many items as possible are matched, in order") {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    INFO("round " << round);
    std::string a, b;
    const std::uint32_t letters = 1 + random.Below(5);
    for (std::uint32_t i = random.Below(12); i > 0; --i) a += "abcde"[random.Below(letters)];
    for (std::uint32_t i = random.Below(12); i > 0; --i) b += "abcde"[random.Below(letters)];
    const auto pairs = Match(a, b);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      REQUIRE(pairs[k].first < a.size());
      REQUIRE(pairs[k].second < b.size());
      REQUIRE(a[pairs[k].first] == b[pairs[k].second]);
      if (k == 0) continue;
      REQUIRE(pairs[k - 1].first < pairs[k].first);
      REQUIRE(pairs[k - 1].second < pairs[k].second);
    }
    REQUIRE(pairs.size() == LongestCommon(a, b));
  }
}

TEST_CASE("Sequences that differ too much match in their ends alone") {
  const auto around = [](std::size_t count, char letter, const std::string& inner) {
    std::string text(count, letter);
    text += inner;
    return text.append(count, letter);
  };
  const std::size_t far = kMostDifferences;
  CHECK(Match("first" + around(far, 'a', "m") + "last", "first" + around(far, 'b', "m") + "last")
            .size() == 9);
  // As many as the bound allows.
  CHECK(Match(around(far / 4, 'c', "m"), around(far / 4, 'd', "m")).size() == 1);
}

TEST_CASE("As many differences as the bound are matched across, and not one more") {
  const auto around = [](char letter) {
    std::string text(kMostDifferences / 4, letter);
    text += 'm';
    return text.append(kMostDifferences / 4, letter);
  };
  std::string a = around('a'), b = around('b');
  CHECK(Match(a, b).size() == 1);
  a += 'a';
  CHECK(Match(a, b).empty());
  a.pop_back();
  b += 'b';
  CHECK(Match(a, b).empty());
}

}  // namespace
}  // namespace nowait
