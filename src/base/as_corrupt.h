// AsCorrupt: the error of data from outside that a definition would not have either.
//
//   auto field = HeightField::Create(def_from_file);
//   if (!field) return AsCorrupt(field.error());
//
// kInvalidArgument, which blames the caller, becomes kCorrupt; another code stays.
//
// Thread safety: a pure function.
#ifndef NOWAIT_SRC_BASE_AS_CORRUPT_H_
#define NOWAIT_SRC_BASE_AS_CORRUPT_H_

#include <expected>

#include "src/base/result.h"

namespace nowait {

inline std::unexpected<Error> AsCorrupt(Error error) {
  if (error.code == ErrorCode::kInvalidArgument) error.code = ErrorCode::kCorrupt;
  return std::unexpected(error);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_AS_CORRUPT_H_
