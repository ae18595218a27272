#include "models/kit/exhaustive/graph/evaluate.h"

#include <algorithm>

#include "models/kit/exhaustive/graph/waiters.h"

namespace nowait::model {
namespace {

// Whether the thread has already failed spuriously in the same way.
bool HasSuffered(const Graph& graph, const GraphEvent& event) {
  for (const GraphEvent* before = graph.Before(event); before != nullptr;
       before = graph.Before(*before)) {
    if (before->variant != 0 && before->request.effect == event.request.effect) return true;
  }
  return false;
}

}  // namespace

unsigned Variants(const Graph& graph, const GraphEvent& event, Word value) {
  const Request& request = event.request;
  bool may_suffer = false;
  switch (request.effect) {
    case Effect::kChoose:
      return static_cast<unsigned>(request.operand);
    case Effect::kNotifyOne:
      return static_cast<unsigned>(std::max(Waiters(value).sleepers(), 1));
    case Effect::kExchangeIfEqual:
      may_suffer = request.weak && value == request.expected;
      break;
    case Effect::kTryLock:
      may_suffer = value == 0;
      break;
    case Effect::kWakeUp:
      may_suffer = !Waiters(value).IsNotified(event.thread);
      break;
    default:
      break;
  }
  return may_suffer && !HasSuffered(graph, event) ? 2 : 1;
}

void Evaluate(GraphEvent& event) {
  const Request& request = event.request;
  event.reads = Reads(request.effect);
  event.writes = true;
  event.blocks = false;
  event.order = request.order;
  event.written = request.operand;
  Waiters waiters(event.read);
  switch (request.effect) {
    case Effect::kWrite:
    case Effect::kFree:
      break;
    case Effect::kRead:
    case Effect::kAllocate:
    case Effect::kFence:
    case Effect::kChoose:
      event.writes = false;
      break;
    case Effect::kReadUnlessEqual:
      event.writes = false;
      event.blocks = event.read == request.operand;
      break;
    case Effect::kUpdate:
      event.written = request.combine(event.read, request.operand);
      break;
    case Effect::kExchangeIfEqual:
      event.writes = event.read == request.expected && event.variant == 0;
      if (!event.writes) event.order = request.failure;
      break;
    case Effect::kExchangeAgain:
      event.writes = event.read == request.expected;
      event.blocks = !event.writes;
      if (event.blocks) event.order = request.failure;
      break;
    case Effect::kAcquireLock:
      event.writes = event.read == 0;
      event.blocks = !event.writes;
      break;
    case Effect::kTryLock:
      event.writes = event.read == 0 && event.variant == 0;
      if (!event.writes) event.order = std::memory_order::relaxed;
      break;
    case Effect::kSleep:
      waiters.Sleep(event.thread);
      event.written = waiters.value();
      break;
    case Effect::kWakeUp:
      event.writes = event.variant != 0 || waiters.IsNotified(event.thread);
      event.blocks = !event.writes;
      waiters.Leave(event.thread);
      event.written = waiters.value();
      break;
    case Effect::kNotifyOne:
      waiters.NotifyOne(event.variant);
      event.written = waiters.value();
      break;
    case Effect::kNotifyAll:
      waiters.NotifyAll();
      event.written = waiters.value();
      break;
  }
  if (!event.writes) event.written = 0;
}

bool MustWait(const Graph& graph, int thread, const Request& request, LocationIndex location) {
  if (request.effect != Effect::kReadUnlessEqual && request.effect != Effect::kAcquireLock &&
      request.effect != Effect::kExchangeAgain && request.effect != Effect::kWakeUp) {
    return false;
  }
  GraphEvent event;
  event.request = request;
  event.thread = static_cast<std::uint8_t>(thread);
  event.read = graph.ValueOf(location, graph.location(location).newest);
  Evaluate(event);
  return event.blocks;
}

}  // namespace nowait::model
