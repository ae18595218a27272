// The operations that the programs of these exercises consist of.
#ifndef NOWAIT_LECTURES_16_INSIDE_THE_EXHAUSTIVE_CHECKER_EXERCISES_PROGRAM_H_
#define NOWAIT_LECTURES_16_INSIDE_THE_EXHAUSTIVE_CHECKER_EXERCISES_PROGRAM_H_

#include <atomic>
#include <cstddef>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

inline constexpr std::size_t x = 0;
inline constexpr std::size_t y = 1;
inline constexpr std::size_t z = 2;

using Order = std::memory_order;

inline Statement Load(std::size_t at, Order order = Order::relaxed) {
  return {.kind = Statement::Kind::kLoad, .location = at, .order = order};
}
inline Statement Store(std::size_t at, int value, Order order = Order::relaxed) {
  return {.kind = Statement::Kind::kStore, .location = at, .value = value, .order = order};
}
// fetch_add
inline Statement Add(std::size_t at, int value, Order order = Order::relaxed) {
  return {.kind = Statement::Kind::kAdd, .location = at, .value = value, .order = order};
}

// The student writes this.
StraightLine TheProgram();

// Prints the executions of the program that brute force and the broken checker find. Passes if the
// program has at most `size` operations and the two differ in `what`. Returns the exit code.
enum class Fault { kRepeated, kNotAllowed };
int Judge(Fault what, std::size_t size);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_LECTURES_16_INSIDE_THE_EXHAUSTIVE_CHECKER_EXERCISES_PROGRAM_H_
