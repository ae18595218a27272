// Reports: the exceptions of a program's jobs, against the pool's reports of them
// (TaskPoolDef::on_throw).
//
// Each is counted where it throws, and where it is reported. Both counts are atomic and relaxed, so
// that the oracle adds no order to the program's; they are compared when all threads have been
// joined.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_REPORTS_H_
#define NOWAIT_TESTS_WHOLE_JOBS_REPORTS_H_

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

namespace nowait::job_programs {

// Of one task of the program, or of all that is not a task of it.
struct Reports {
  std::atomic<std::uint32_t> thrown{0};
  std::atomic<std::uint32_t> reported{0};
};

// The text of an exception says which task it was; less than zero for what is no task of the
// program.
class Thrown : public std::runtime_error {
 public:
  explicit Thrown(int task) : std::runtime_error(fmt::format("{}{}", kText, task)) {}

  // Which task the text names; nothing if it is not such a text.
  static std::optional<int> TaskIn(const char* text) {
    const std::size_t length = std::strlen(kText);
    if (std::strncmp(text, kText, length) != 0) return std::nullopt;
    const char* const end = text + std::strlen(text);
    int task = 0;
    const auto read = std::from_chars(text + length, end, task);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return task;
  }

 private:
  static constexpr const char* kText = "thrown by ";
};

[[noreturn]] inline void Throw(Reports& reports, int task) {
  reports.thrown.fetch_add(1, std::memory_order::relaxed);
  throw Thrown(task);
}

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_REPORTS_H_
