#include "tests/bench/samples.h"

#include <catch2/catch.hpp>

namespace nowait {
namespace {

TEST_CASE("without samples there are no statistics") {
  const Samples none;
  CHECK(none.empty());
  CHECK(none.Mean() == 0.0);
  CHECK(none.Percentile(99) == 0.0);
  CHECK(none.Max() == 0.0);
}

TEST_CASE("percentiles are samples, by nearest rank") {
  Samples samples;
  for (int i = 200; i > 0; --i) samples.Add(i);
  CHECK(samples.Mean() == 100.5);
  CHECK(samples.Median() == 100.0);
  CHECK(samples.Percentile(99) == 198.0);
  CHECK(samples.Percentile(0) == 1.0);
  CHECK(samples.Max() == 200.0);
}

TEST_CASE("samples of several threads are put together") {
  Samples a;
  a.Add(1);
  Samples b;
  b.Add(3);
  b.Add(a);
  CHECK(b.Mean() == 2.0);
  CHECK(b.Max() == 3.0);
}

}  // namespace
}  // namespace nowait
