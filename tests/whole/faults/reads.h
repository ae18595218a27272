// Reads: the system's answers to open, fstat, read and pread, made worse.
//
// A program that links this has these calls as its own. A test sweeps over an operation: the first
// call fails, then the second, ... until the operation makes fewer; or all reads are short, or
// interrupted; or the file is changed between two of them.
//
// Thread safety: the calls are for any thread; a fault is set by one thread at a time.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_READS_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_READS_H_

#include <cstdint>
#include <functional>

namespace nowait::whole {

struct ReadFaultDef {
  std::uint64_t failing_call = 0;     // this call, of any of the four, fails; from 1; 0: none
  int error = 0;                      // with this errno
  bool a_byte_each = false;           // a read gives one byte
  bool interrupted = false;           // each read is interrupted once before it gives anything
  std::uint64_t before_read = 0;      // before this read, from 1 ...
  std::function<void()> change = {};  // ... this is called
};

// While it lives, calls are as the definition says.
class ReadFault {
 public:
  explicit ReadFault(ReadFaultDef def);
  ~ReadFault();
  ReadFault(const ReadFault&) = delete;
  ReadFault& operator=(const ReadFault&) = delete;

  // Whether failing_call or before_read has come.
  bool has_struck() const;

 private:
  const ReadFaultDef def_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_READS_H_
