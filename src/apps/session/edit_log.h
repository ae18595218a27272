// EditLog: records in a file, each on the disk before Append returns.
//
//   record   4 bytes  length of the text
//            4 bytes  CRC-32 (that of zlib) of the text
//            text
//
// A process that is killed, or a machine that loses its power, leaves at most one record that is
// not whole: the last one, for which no Append had returned. Open cuts it off. Damage
// before the end is the disk's, and refused. A lock of the system's keeps a second log from
// the same file.
//
// Thread safety: one thread. Blocking: the disk.
// Errors: kNotFound, kIo "log" with errno; kCorrupt "log", `amount` is the place of the record;
// kCapacity "log bytes". After a failed Append the file is as before; where the system does not
// even let it be cut, every later Append fails.
// Test: tests/apps/session/session_test.cc.
#ifndef NOWAIT_SRC_APPS_SESSION_EDIT_LOG_H_
#define NOWAIT_SRC_APPS_SESSION_EDIT_LOG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"

namespace nowait {

class EditLog {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  struct Opened;

  // The file, which is made if it is not there, and its records.
  static Result<Opened> Open(const std::string& path);

  EditLog(EditLog&& other) noexcept;
  EditLog& operator=(EditLog&&) = delete;
  ~EditLog();

  // text: not empty.
  Result<void> Append(std::string_view text);

  std::uint64_t bytes() const { return bytes_; }

 private:
  explicit EditLog(int file) : file_(file) {}
  Result<std::vector<std::string>> Read();

  int file_;
  std::uint64_t bytes_ = 0;
  bool broken_ = false;
};

struct EditLog::Opened {
  EditLog log;
  std::vector<std::string> texts;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SESSION_EDIT_LOG_H_
