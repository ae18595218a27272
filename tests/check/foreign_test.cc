// Code of others, as it is, under a watch on plain memory (this file is compiled with
// -fsanitize=thread and linked without it).
#include <catch2/catch.hpp>

#include "models/foreign/boost_lockfree.h"

// A popper reads the next pointer of the node that it has seen on top, while another thread has
// popped that node, and writes the pointer: the node is in the free list by then, or on top again.
// The exchange that follows fails then, and the value read is dropped. But it was read from a plain
// member, and the standard calls that a data race.
TEST_CASE("Boost.Lockfree's stack reads a node that another thread has taken") {
  const check::Result result = check::explore([] {
    checked::boost::lockfree::stack<int> stack(2);
    const auto push_and_pop = [&] {
      stack.push(1);
      int value = 0;
      stack.pop(value);
    };
    check::thread one(push_and_pop), two(push_and_pop);
  });
  CAPTURE(result);
  CHECK(result.verdict == check::Verdict::failed);
  CHECK(result.failure == "unregistered memory");
  CHECK_THAT(result.words(), Catch::Contains("reads it in bool checked::boost::lockfree::stack"));
}
