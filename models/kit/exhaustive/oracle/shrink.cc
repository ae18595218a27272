#include "models/kit/exhaustive/oracle/shrink.h"

#include <cstddef>
#include <iterator>
#include <utility>

namespace nowait::model::oracle {
namespace {

using Order = std::memory_order;

// Below seq_cst: acq_rel for an operation that can be both, then each half, then relaxed.
std::vector<Order> WeakerThan(Order order, Statement::Kind kind) {
  using enum Statement::Kind;
  if (kind == kRead || kind == kWrite || order == Order::relaxed) return {};
  const bool loads = kind != kStore;
  const bool stores = kind != kLoad;
  std::vector<Order> weaker;
  if (kind != kFence) weaker.push_back(Order::relaxed);  // a relaxed fence has no effect
  const bool both = order == Order::seq_cst || order == Order::acq_rel;
  if (both && loads) weaker.push_back(Order::acquire);
  if (both && stores) weaker.push_back(Order::release);
  if (order == Order::seq_cst && loads && stores) weaker.push_back(Order::acq_rel);
  return weaker;
}

StraightLine Without(const StraightLine& program, std::size_t thread, std::size_t statement) {
  StraightLine less = program;
  auto& statements = less.threads[thread];
  statements.erase(std::next(statements.begin(), static_cast<std::ptrdiff_t>(statement)));
  if (statements.empty() && less.threads.size() > 2) {
    less.threads.erase(std::next(less.threads.begin(), static_cast<std::ptrdiff_t>(thread)));
  }
  return less;
}

// Every program that is one step smaller, shorter programs first.
std::vector<StraightLine> Smaller(const StraightLine& program) {
  std::vector<StraightLine> all;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t s = 0; s < program.threads[t].size(); ++s) {
      all.push_back(Without(program, t, s));
    }
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t s = 0; s < program.threads[t].size(); ++s) {
      const Statement& statement = program.threads[t][s];
      for (const Order order : WeakerThan(statement.order, statement.kind)) {
        all.push_back(program);
        all.back().threads[t][s].order = order;
      }
      if (!statement.IsCompareExchange()) continue;
      for (const Order order : WeakerThan(statement.failure, Statement::Kind::kLoad)) {
        all.push_back(program);
        all.back().threads[t][s].failure = order;
      }
    }
  }
  return all;
}

}  // namespace

StraightLine Shrink(StraightLine program, const std::function<bool(const StraightLine&)>& differs) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (StraightLine& candidate : Smaller(program)) {
      if (!differs(candidate)) continue;
      program = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return program;
}

}  // namespace nowait::model::oracle
