#include "models/kit/mutation/mutation.h"

#include <string>
#include <vector>

namespace nowait::model {
namespace {

bool HasOrder(OperationKind kind) { return kind != OperationKind::kNotify; }

bool IsReadModifyWrite(OperationKind kind) {
  switch (kind) {
    case OperationKind::kCompareExchange:
    case OperationKind::kExchange:
    case OperationKind::kFetchAdd:
    case OperationKind::kFetchSub:
    case OperationKind::kFetchAnd:
    case OperationKind::kFetchOr:
    case OperationKind::kFetchXor:
      return true;
    default:
      return false;
  }
}

std::vector<std::memory_order> OrdersOf(OperationKind kind) {
  using enum std::memory_order;
  if (IsReadModifyWrite(kind)) return {seq_cst, acq_rel, acquire, release, relaxed};
  if (kind == OperationKind::kFence) return {seq_cst, acq_rel, acquire, release};
  if (kind == OperationKind::kStore) return {seq_cst, release, relaxed};
  return {seq_cst, acquire, relaxed};
}

// Whether `a` demands everything that `b` does, and more.
bool Stronger(std::memory_order a, std::memory_order b) {
  if (a == b) return false;
  if (a == std::memory_order::seq_cst) return true;
  if (b == std::memory_order::seq_cst) return false;
  return Acquires(a) >= Acquires(b) && Releases(a) >= Releases(b);
}

std::vector<std::memory_order> Below(std::vector<std::memory_order> orders,
                                     std::memory_order order) {
  std::erase_if(orders, [&](std::memory_order other) { return !Stronger(order, other); });
  return orders;
}

std::vector<std::memory_order> Above(std::vector<std::memory_order> orders,
                                     std::memory_order order) {
  std::erase_if(orders, [&](std::memory_order other) { return !Stronger(other, order); });
  return {orders.rbegin(), orders.rend()};
}

}  // namespace

std::vector<std::memory_order> WeakerOrders(OperationKind kind, std::memory_order order) {
  if (!HasOrder(kind)) return {};
  return Below(OrdersOf(kind), order);
}

std::vector<std::memory_order> WeakerFailureOrders(std::memory_order order) {
  return Below(OrdersOf(OperationKind::kLoad), order);
}

std::vector<std::memory_order> StrongerOrders(OperationKind kind, std::memory_order order) {
  if (!HasOrder(kind)) return {};
  return Above(OrdersOf(kind), order);
}

std::vector<std::memory_order> StrongerFailureOrders(std::memory_order order) {
  return Above(OrdersOf(OperationKind::kLoad), order);
}

std::vector<Mutation> MutationsOf(const NamedSite& site) {
  std::vector<Mutation> mutations;
  const OperationKind kind = site.record.kind;
  for (const std::memory_order order : WeakerOrders(kind, site.record.order)) {
    mutations.push_back({site.name + ":to-" + Name(order), {.order = order}});
  }
  const auto tamper = [&](const char* how, Tampering tampering) {
    mutations.push_back({site.name + ":" + how, {.tampering = tampering}});
  };
  if (kind == OperationKind::kCompareExchange) {
    for (const std::memory_order order : WeakerFailureOrders(site.record.failure)) {
      mutations.push_back({site.name + ":failure-to-" + Name(order), {.failure = order}});
    }
    tamper("failure-ignored", Tampering::kFailureIgnored);
  }
  if (IsReadModifyWrite(kind)) tamper("torn", Tampering::kTorn);
  if (IsReadModifyWrite(kind) || kind == OperationKind::kStore || kind == OperationKind::kFence) {
    tamper("dropped", Tampering::kDropped);
  }
  if (kind == OperationKind::kStore) tamper("delayed", Tampering::kDelayed);
  if (kind == OperationKind::kNotify) {
    tamper("not-notified", Tampering::kNotNotified);
    tamper("one-notified", Tampering::kOneNotified);
  }
  return mutations;
}

}  // namespace nowait::model
