// Random straight-line programs. Each style is made for one corner of the memory model.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GENERATOR_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GENERATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

inline constexpr std::uint32_t kMaxOperations = 9;

// How the programs of one style are drawn.
struct Style {
  enum class Shape : std::uint8_t {
    kFree,      // statements in any order
    kFenced,    // an access, a fence, an access in each thread
    kCycle,     // each thread goes from the preceding thread's location to the next one's
    kMessages,  // a thread writes the datum and announces it; another reads it if it sees that
    kWritten,   // those of written.h, or with one order changed
  };

  std::string_view name;
  std::array<std::uint32_t, kStatementKinds> weights;  // by Statement::Kind
  std::uint32_t min_locations = 1;
  std::uint32_t max_locations = kMaxLocations;
  std::uint32_t seq_cst_percent = 0;  // of the statements, in addition to those that draw it anyway
  Shape shape = Shape::kFree;
  std::uint32_t max_operations = kMaxOperations;
};

std::span<const Style> Styles();

// Whether its programs may have plain accesses.
bool HasData(const Style& style);

// Returns the same program for the same numbers, on every machine.
StraightLine Generate(const Style& style, std::uint64_t seed, std::uint64_t number);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GENERATOR_H_
