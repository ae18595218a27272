// Tasks in one of some shapes, so many times over: the program whose instructions
// instructions_test.py counts. It has one thread, so that each run is like every other.
//
//   task_shapes SHAPE ROUNDS     prints the number of tasks that have run
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "src/base/result.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

class Shapes {
 public:
  // False: there is no such shape.
  bool Make(std::string_view shape) {
    if (shape == "fan_of_16") return Fan(16);
    if (shape == "fan_of_4096") return Fan(4096);
    if (shape == "chain") return Chain(1024);
    return shape == "fib" && Fib(12);
  }
  std::uint64_t ran() const { return ran_; }

 private:
  bool Fan(std::uint32_t children) {
    const TaskId all = Add({});
    for (std::uint32_t i = 0; i < children; ++i) Add({.work = {&Count, this}, .parent = all});
    return Done(all);
  }
  bool Chain(std::uint32_t length) {
    TaskId last;
    for (std::uint32_t i = 0; i < length; ++i) {
      last = Add({.work = {&Count, this}, .dependency = last});
    }
    return Done(last);
  }
  // As the benchmark nested_18: each call but the smallest makes a task and waits for it.
  bool Fib(std::uint32_t n) {
    if (n < 2) return true;
    struct Call {
      Shapes* shapes;
      std::uint32_t n;
      static void Run(void* data) {
        const Call& call = *static_cast<Call*>(data);
        ++call.shapes->ran_;
        call.shapes->Fib(call.n);
      }
    } other{this, n - 1};
    const TaskId task = Add({.work = {&Call::Run, &other}});
    if (!pool_->Submit(task)) std::abort();
    return Fib(n - 2) && Done(task);
  }
  static void Count(void* data) { ++static_cast<Shapes*>(data)->ran_; }

  TaskId Add(const TaskDef& def) {
    const auto task = pool_->Add(def);
    if (!task) std::abort();
    return *task;
  }
  bool Done(TaskId task) {
    if (!pool_->Wait(task)) std::abort();
    return true;
  }

  const std::unique_ptr<TaskPool> pool_ = MakePool({.workers = 0, .capacity = 8192});
  const Result<TaskPool::Registration> here_ = pool_->Register("main");
  std::uint64_t ran_ = 0;
};

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
#ifndef NDEBUG
  // Assertions are instructions, too.
  return 3;
#endif
  if (argc != 3) return 2;
  nowait::Shapes shapes;
  for (int rounds = std::atoi(argv[2]); rounds > 0; --rounds) {
    if (!shapes.Make(argv[1])) return 2;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(shapes.ran()));
}
