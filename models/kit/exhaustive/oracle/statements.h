// Statements in the notation of litmus tests, for tests.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STATEMENTS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STATEMENTS_H_

#include <atomic>
#include <cstddef>
#include <vector>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

using Order = std::memory_order;

inline constexpr Order rlx = Order::relaxed;
inline constexpr Order acq = Order::acquire;
inline constexpr Order rel = Order::release;
inline constexpr Order sc = Order::seq_cst;

inline constexpr std::size_t x = 0;
inline constexpr std::size_t y = 1;
inline constexpr std::size_t z = 2;

using Threads = std::vector<std::vector<Statement>>;

inline Statement Load(std::size_t location, Order order) {
  return {.kind = Statement::Kind::kLoad, .location = location, .order = order};
}
inline Statement Store(std::size_t location, int value, Order order) {
  return {.kind = Statement::Kind::kStore, .location = location, .value = value, .order = order};
}
inline Statement Add(std::size_t location, int value, Order order) {
  return {.kind = Statement::Kind::kAdd, .location = location, .value = value, .order = order};
}
inline Statement Exchange(std::size_t location, int expected, int value, Order order) {
  return {.kind = Statement::Kind::kStrong,
          .location = location,
          .value = value,
          .expected = expected,
          .order = order};
}
inline Statement Weak(std::size_t location, int expected, int value, Order order) {
  Statement statement = Exchange(location, expected, value, order);
  statement.kind = Statement::Kind::kWeak;
  return statement;
}
inline Statement Fence(Order order) { return {.kind = Statement::Kind::kFence, .order = order}; }
inline Statement Write() { return {.kind = Statement::Kind::kWrite}; }
inline Statement ReadIf(int found) { return {.kind = Statement::Kind::kRead, .only_if = found}; }

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_STATEMENTS_H_
