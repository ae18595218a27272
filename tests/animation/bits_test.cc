#include "src/animation/bits.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

TEST_CASE("low bits, up to all of a word") {
  CHECK(LowBits(0) == 0);
  CHECK(LowBits(1) == 1);
  CHECK(LowBits(63) == ~std::uint64_t{0} >> 1);
  CHECK(LowBits(64) == ~std::uint64_t{0});
}

TEST_CASE("values of any number of bits come back, and a row is as long as they are") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Random random(seed);
  std::vector<std::uint64_t> values;
  std::vector<int> counts;
  std::vector<bool> row;  // the oracle: bit by bit
  BitWriter writer;
  for (int i = 0; i < 2'000; ++i) {
    const int count = static_cast<int>(random.Below(65));
    const std::uint64_t any = std::uint64_t{random.Next()} << 32 | random.Next();
    values.push_back(any & LowBits(count));
    counts.push_back(count);
    writer.Put(values.back(), count);
    for (int bit = 0; bit < count; ++bit) row.push_back((values.back() >> bit & 1) != 0);
    REQUIRE(writer.size() == row.size());
    REQUIRE(writer.words().size() == BitWriter::WordsOf(row.size()));
  }
  const auto& words = writer.words();
  std::size_t place = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(BitsAt(words, place, counts[i]) == values[i]);
    place += static_cast<std::size_t>(counts[i]);
  }
  for (std::size_t bit = 0; bit < row.size(); ++bit) {
    REQUIRE((words[bit / 64] >> bit % 64 & 1) == row[bit]);
  }
}

}  // namespace
}  // namespace nowait
