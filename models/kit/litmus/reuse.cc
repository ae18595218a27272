// Whether an allocation returns a block that was freed before.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

constexpr char kReuse[] = "[new.delete.dataraces]: a block is freed before it is allocated again";

// The address of a new block, which is freed at once.
const void* NewAndDelete() {
  int* block = ModelSync::New<int>(0);
  const void* address = block;
  ModelSync::Delete(block);
  return address;
}

bool IsSameBlock(const Cells& c) { return c.block[0] != nullptr && c.block[0] == c.block[1]; }

template <Order kStore, Order kLoad>
LitmusTest PassedOn(const char* name, const char* says) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.block[0] = NewAndDelete();
                        c.x.store(1, kStore);
                      },
                      [](Cells& c) {
                        if (c.x.load(kLoad) == 1) c.block[1] = NewAndDelete();
                      }},
          .asked = "the second thread sees that the first has freed its block, and gets that block",
          .outcome = IsSameBlock,
          .cxx20 = Cxx20::kAllowed,
          .source = kReuse};
}

}  // namespace

std::vector<LitmusTest> ReuseTests() {
  return {
      {.name = "Reuse+own",
       .says = "a thread frees a block and allocates one of that size again",
       .threads = {[](Cells& c) {
                     c.block[0] = NewAndDelete();
                     c.block[1] = NewAndDelete();
                   },
                   [](Cells& c) { c.x.store(1, rlx); }},
       .asked = "it gets the same block",
       .outcome = IsSameBlock,
       .cxx20 = Cxx20::kAllowed,
       .source = kReuse},
      PassedOn<rel, acq>("Reuse+rel+acq",
                         "a block goes from thread to thread, and the program "
                         "orders the one after the other"),
      PassedOn<rlx, rlx>("Reuse+rlx",
                         "a block goes from thread to thread, and only the allocator "
                         "orders the one after the other"),
  };
}

}  // namespace nowait::model
