// Message passing, and the shapes in which the message reaches a third or a fourth thread.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

bool MessageWithoutContent(const Cells& c) { return c.r[0] == 1 && c.r[1] == 0; }

template <Order kStore, Order kLoad>
LitmusTest MessagePassing(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(kLoad);
                        c.r[1] = c.x.load(rlx);
                      }},
          .asked = "the flag is seen, its content is not",
          .outcome = MessageWithoutContent,
          .cxx20 = cxx20,
          .source = source};
}

// A fence has the order wherever the access itself does not.
template <Order kStoreFence, Order kStore, Order kLoad, Order kLoadFence>
LitmusTest MessageWithFences(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        Fence(kStoreFence);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(kLoad);
                        Fence(kLoadFence);
                        c.r[1] = c.x.load(rlx);
                      }},
          .asked = "the flag is seen, its content is not",
          .outcome = MessageWithoutContent,
          .cxx20 = cxx20,
          .source = source};
}

template <Order kStore, Order kLoad>
LitmusTest PlainMessage(const char* name, const char* says, Cxx20 cxx20) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.data.set(1);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        if (c.y.load(kLoad) == 1) c.data.get();
                      }},
          .asked = "a data race",
          .failure = FailureKind::kDataRace,
          .cxx20 = cxx20,
          .source = kDataRace};
}

// Whether the checker notices a program that declares too little of its data to it.
LitmusTest UndeclaredMessage(const char* name, const char* says) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.undeclared = 1;
                        c.y.store(1, rlx);
                      },
                      [](Cells& c) {
                        if (c.y.load(rlx) == 1) c.r[0] = c.undeclared;
                      }},
          .asked = "the data race is reported",
          .failure = FailureKind::kUnregisteredMemory,
          .cxx20 = Cxx20::kAllowed,
          .source = kDataRace};
}

template <Order kStore, Order kLoad>
LitmusTest WriteToReadCausality(const char* name, const char* says, Cxx20 cxx20,
                                const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) { c.x.store(1, rlx); },
                      [](Cells& c) {
                        c.r[0] = c.x.load(kLoad);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[1] = c.y.load(kLoad);
                        c.r[2] = c.x.load(rlx);
                      }},
          .asked = "thread 2 sees thread 1's store after its read of x = 1, and x = 0",
          .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.r[2] == 0; },
          .cxx20 = cxx20,
          .source = source};
}

// kLink: the order of the load in the middle.
template <Order kStore, Order kLink, Order kLoad>
LitmusTest TwoHops(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(kLink);
                        c.z.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[1] = c.z.load(kLoad);
                        c.r[2] = c.x.load(rlx);
                      }},
          .asked = "both flags are seen, the content is not",
          .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.r[2] == 0; },
          .cxx20 = cxx20,
          .source = source};
}

template <Order kStore, Order kLoad>
LitmusTest IndependentReads(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {
      .name = name,
      .says = says,
      .threads = {[](Cells& c) { c.x.store(1, kStore); }, [](Cells& c) { c.y.store(1, kStore); },
                  [](Cells& c) {
                    c.r[0] = c.x.load(kLoad);
                    c.r[1] = c.y.load(kLoad);
                  },
                  [](Cells& c) {
                    c.r[2] = c.y.load(kLoad);
                    c.r[3] = c.x.load(kLoad);
                  }},
      .asked = "two readers disagree about which of two stores came first",
      .outcome =
          [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 1 && c.r[3] == 0; },
      .cxx20 = cxx20,
      .source = source};
}

}  // namespace

std::vector<LitmusTest> MessagePassingTests() {
  return {
      MessagePassing<rlx, rlx>("MP+rlx", "content, then flag, relaxed", Cxx20::kAllowed, kVisible),
      MessagePassing<rel, rlx>("MP+rel+rlx", "a release that no thread acquires", Cxx20::kAllowed,
                               kNotReleased),
      MessagePassing<rlx, acq>("MP+rlx+acq", "an acquire of a store that is not released",
                               Cxx20::kAllowed, kNotReleased),
      MessagePassing<rel, acq>("MP+rel+acq", "release and acquire", Cxx20::kForbidden, kReleased),
      MessagePassing<rel, Order::consume>("MP+rel+consume",
                                          "consume, and no dependency on the flag", Cxx20::kAllowed,
                                          "[intro.races] 7 and 8: the load carries no dependency"),
      MessageWithFences<rel, rlx, rlx, acq>("MP+fences", "a release and an acquire fence",
                                            Cxx20::kForbidden,
                                            "[atomics.fences] 2; [intro.races] 18"),
      MessageWithFences<rel, rlx, acq, rlx>("MP+fence+acq", "a release fence and an acquire load",
                                            Cxx20::kForbidden,
                                            "[atomics.fences] 3; [intro.races] 18"),
      MessageWithFences<rlx, rel, rlx, acq>("MP+rel+fence", "a release store and an acquire fence",
                                            Cxx20::kForbidden,
                                            "[atomics.fences] 4; [intro.races] 18"),
      MessageWithFences<acq, rlx, rlx, rel>(
          "MP+fences+swapped", "an acquire and a release fence, on the wrong sides",
          Cxx20::kAllowed, "[atomics.fences] 2: the store follows a release fence"),
      PlainMessage<rlx, rlx>("MP+plain+rlx", "plain content, relaxed flag", Cxx20::kAllowed),
      UndeclaredMessage("MP+undeclared", "plain content that is no Sync::plain, relaxed flag"),
      PlainMessage<rel, acq>("MP+plain+rel+acq", "plain content, released and acquired",
                             Cxx20::kForbidden),
      WriteToReadCausality<rlx, rlx>("WRC+rlx", "write-to-read causality, relaxed", Cxx20::kAllowed,
                                     kVisible),
      WriteToReadCausality<rel, acq>("WRC+rel+acq", "write-to-read causality, release and acquire",
                                     Cxx20::kForbidden, "[atomics.order] 2; [intro.races] 16"),
      {.name = "WRC+fences",
       .says = "write-to-read causality, acq_rel fences",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     Fence(Order::acq_rel);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[1] = c.y.load(rlx);
                     Fence(Order::acq_rel);
                     c.r[2] = c.x.load(rlx);
                   }},
       .asked = "thread 2 sees thread 1's store after its read of x = 1, and x = 0",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.r[2] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.fences] 2; [intro.races] 16"},
      TwoHops<rlx, rlx, rlx>("ISA2+rlx", "a message passed on, relaxed", Cxx20::kAllowed, kVisible),
      TwoHops<rel, acq, acq>("ISA2+rel+acq", "a message passed on, release and acquire",
                             Cxx20::kForbidden, kReleased),
      TwoHops<rel, rlx, acq>("ISA2+rel+rlx+acq",
                             "the thread in the middle releases a message that it has not acquired",
                             Cxx20::kAllowed, kNotReleased),
      IndependentReads<rel, acq>("IRIW+rel+acq", "independent reads of independent writes",
                                 Cxx20::kAllowed, kOwnOrders),
      IndependentReads<sc, sc>("IRIW+sc", "the same, seq_cst", Cxx20::kForbidden, kTotalOrder),
      IndependentReads<rlx, sc>("IRIW+rlx+sc", "relaxed stores, seq_cst loads", Cxx20::kOpen,
                                kOpenIssue),
      {.name = "IRIW+fences",
       .says = "relaxed loads, seq_cst fences between them",
       .threads = {[](Cells& c) { c.x.store(1, rel); }, [](Cells& c) { c.y.store(1, rel); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     Fence(sc);
                     c.r[1] = c.y.load(rlx);
                   },
                   [](Cells& c) {
                     c.r[2] = c.y.load(rlx);
                     Fence(sc);
                     c.r[3] = c.x.load(rlx);
                   }},
       .asked = "two readers disagree about which of two stores came first",
       .outcome =
           [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 1 && c.r[3] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = kTotalOrderOfFences},
  };
}

}  // namespace nowait::model
