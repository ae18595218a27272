#include <nowait_check/check.h>

int main() {
  const auto body = [] {
    check::atomic<bool> ready{false};
    check::var<int> data{0};
    check::thread writer([&] {
      data = 42;
      ready.store(true, std::memory_order_release);
    });
    check::thread reader([&] {
      if (ready.load(std::memory_order_acquire)) check::require(data == 42, "it is there");
    });
  };
  return check::explore(body).report();
}
