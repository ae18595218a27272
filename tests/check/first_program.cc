#include <nowait_check/check.h>

int main() {
  return check::explore([] {
           check::atomic<bool> ready{false};
           check::var<int> data{0};
           check::thread writer([&] {
             data = 42;
             ready.store(true, std::memory_order_release);
           });
           check::thread reader([&] {
             if (ready.load(std::memory_order_acquire)) check::require(data == 42, "it is there");
           });
         })
      .report();
}
