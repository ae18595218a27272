// EditLog: records in a file, each on the disk before Append returns.
//
//   file     8 bytes  kMark
//   record   4 bytes  length of the text
//            4 bytes  CRC-32 (that of zlib) of the text
//            4 bytes  CRC-32 of these 8 bytes
//            text
//
// A process that is killed, or a machine that loses its power, leaves at most one record that is
// not whole: the last one, for which no Append had returned. Open cuts it off. Damage before the
// end is the disk's, and refused: nothing is cut off that has a whole record behind it. Damage of
// the last record looks like a record that is not whole. A file that does not begin with
// the mark is no log, and is left as it is. A lock of the system's keeps a second log from the same
// file.
//
// Thread safety: one thread. Blocking: the disk.
// Errors: kNotFound, kIo "log" with errno; kCorrupt "log", `amount` is the place of the record;
// kCapacity "log bytes". After a failed Append the file is as before; where the system does not
// even let it be cut, every later Append fails.
// Test: tests/apps/session/session_test.cc, tests/fuzz/session_programs.cc.
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

  static constexpr std::string_view kMark = "nwlog 1\n";

  struct Opened;

  // The file, which is made if it is not there, and its records.
  static Result<Opened> Open(const std::string& path);

  // The records of a file, which is not changed and may have an EditLog.
  static Result<std::vector<std::string>> Look(const std::string& path);

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

// The records among the bytes of a log, and how many of the bytes are whole: 0 if the mark is not.
struct LogContent {
  std::vector<std::string> texts;
  std::uint64_t whole = 0;
};
Result<LogContent> ReadLog(std::string_view bytes);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SESSION_EDIT_LOG_H_
