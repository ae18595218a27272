// The adapter for GoogleTest, as its users write it. The second test has to fail, with the words.
#include <gtest/gtest.h>
#include <nowait_check/gtest.h>

static void Store(std::memory_order order) {
  check::atomic<bool> ready{false};
  check::var<int> data{0};
  check::thread writer([&] {
    data = 1;
    ready.store(true, order);
  });
  check::thread reader([&] {
    if (ready.load(std::memory_order_acquire)) check::require(data == 1, "it is there");
  });
}

TEST(Adapter, PassesWhereEveryExecutionDoes) {
  EXPECT_EXPLORES([] { Store(std::memory_order_release); });
}

TEST(Adapter, FailsWhereOneDoesNot) {
  ASSERT_EXPLORES([] { Store(std::memory_order_relaxed); }, {.name = "store"});
}
