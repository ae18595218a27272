// Random straight-line programs, each made for one corner of the memory model.
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

// How programs of one kind are drawn.
struct Style {
  enum class Shape : std::uint8_t {
    kFree,      // statements as they come
    kFenced,    // an access, a fence, an access in each thread
    kCycle,     // each thread goes from the location of the one before it to that of the one after
    kMessages,  // a thread writes the datum and says so, another one reads it if it sees that
    kWritten,   // those of written.h, or one order away
  };

  std::string_view name;
  std::array<std::uint32_t, kStatementKinds> weights;  // by Statement::Kind
  std::uint32_t min_locations = 1;
  std::uint32_t max_locations = kMaxLocations;
  std::uint32_t seq_cst_percent = 0;  // of the statements, beside those that draw it anyway
  Shape shape = Shape::kFree;
  std::uint32_t max_operations = kMaxOperations;
};

std::span<const Style> Styles();

// Whether its programs may have plain accesses.
bool HasData(const Style& style);

// The same program for the same numbers, on every machine.
StraightLine Generate(const Style& style, std::uint64_t seed, std::uint64_t number);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GENERATOR_H_
