// Errors are values: every function that can fail because of input or a capacity returns a Result.
//
// No error is dropped silently, and release builds never abort. The only C++ exception that crosses
// the public API is std::bad_alloc: a function without a Result that fills a container of the
// caller's, keeps a job or returns a view may throw it; then nothing has changed. Errors are of two
// kinds:
//   - an error from outside (a bad file, a full pool, a stale id) is an Error in a Result;
//   - a programmer's error (a call in a phase that forbids it) is NOWAIT_ASSERT, src/base/assert.h.
//
// An Error is small, copyable and never allocates, so that it can be made on any thread in any
// phase. `subject` and `detail` point to string literals or to storage that outlives the error.
#ifndef NOWAIT_SRC_BASE_RESULT_H_
#define NOWAIT_SRC_BASE_RESULT_H_

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace nowait {

enum class ErrorCode : std::uint8_t {
  kCapacity,         // a size given at creation is reached; `subject` names it, `amount` is it
  kInvalidArgument,  // a value outside the documented range; `subject` names it
  kStaleId,          // the id's body or object is gone; `amount` is the id
  kNotFound,         // no such file, entry or name
  kCorrupt,          // data that is truncated, damaged or of another version
  kIo,               // the operating system refused; `amount` is errno
  kWrongPhase,       // not allowed now, see src/sync/phase.h
  kCycle,            // would make something wait for itself; `subject` names the edge
  kNotOwner,         // only another thread or task may change it; `subject` names it
  kTimeout,          // the time that was given for it is over; `subject` names it
};

struct Error {
  ErrorCode code;
  const char* subject = "";  // the resource, argument or option: "bodies", "--threads"
  std::int64_t amount = 0;   // the capacity, the value or the errno, see ErrorCode
  const char* detail = "";   // one more clause for the reader; may be empty

  // The texts are compared, not their addresses: equal literals of two files may lie apart.
  friend bool operator==(const Error& a, const Error& b) {
    return a.code == b.code && a.amount == b.amount && std::string_view(a.subject) == b.subject &&
           std::string_view(a.detail) == b.detail;
  }
};

// A class, not an alias, so that a Result which a caller drops does not compile (-Werror). A caller
// that may ignore one writes static_cast<void>(...) and gives the reason.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

// std::expected's own comparisons take a derived type for a value. These compare Results, and a
// Result with a value or an std::unexpected, as std::expected does.
template <class T, class U>
bool operator==(const Result<T>& result, const Result<U>& other) {
  return result == static_cast<const std::expected<U, Error>&>(other);
}
template <class T, class Other>
bool operator==(const Result<T>& result, const Other& other) {
  return static_cast<const std::expected<T, Error>&>(result) == other;
}

inline std::unexpected<Error> Fail(ErrorCode code, const char* subject, std::int64_t amount = 0,
                                   const char* detail = "") {
  return std::unexpected(Error{code, subject, amount, detail});
}

// One line for the reader: "capacity of tree nodes reached (4096): a reader pins old nodes".
inline std::string ToString(const Error& error) {
  const std::string subject = error.subject;
  const std::string amount = std::to_string(error.amount);
  std::string line;
  switch (error.code) {
    case ErrorCode::kCapacity:
      line = "capacity of " + subject + " reached (" + amount + ")";
      break;
    case ErrorCode::kInvalidArgument:
      line = "invalid " + subject;
      break;
    case ErrorCode::kStaleId:
      line = "stale " + subject + " (" + amount + ")";
      break;
    case ErrorCode::kNotFound:
      line = subject + " not found";
      break;
    case ErrorCode::kCorrupt:
      line = subject + " is damaged";
      break;
    case ErrorCode::kIo:
      line = subject + ": input or output failed (errno " + amount + ")";
      break;
    case ErrorCode::kWrongPhase:
      line = subject + " is not allowed in this phase";
      break;
    case ErrorCode::kCycle:
      line = subject + " would close a cycle";
      break;
    case ErrorCode::kNotOwner:
      line = subject + " belongs to another";
      break;
    case ErrorCode::kTimeout:
      line = "the time for " + subject + " is over";
      break;
  }
  if (error.detail[0] != '\0') line += std::string(": ") + error.detail;
  return line;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_RESULT_H_
