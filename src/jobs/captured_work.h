// CapturedWork: a callable as the work of a task, with its captures in the pool: no allocation.
//
//   TaskOutcome loaded;
//   auto load = pool.Add([&world, chunk] { world.Load(chunk); }, {.parent = frame},
//                        {.name = "load", .outcome = &loaded});
//   if (!load) return std::unexpected(load.error());
//   if (auto waited = pool.Wait(*load); !waited) return waited;
//   if (loaded.end() != TaskOutcome::End::kReturned) Complain(loaded.text());
//
// The callable is copied byte by byte, called once and never destroyed. So it captures plain data
// and pointers, at most kMostCaptured bytes of them; a callable that captures more, or a string,
// does not compile, and the message says why. The objects that its pointers lead to live until the
// task is complete. It returns nothing.
//
// A task without a name has the span "task" in the profile; one with a name has a span of that name
// inside it. An outcome says afterwards how the work has ended: it returned, it threw, or it has
// not been run, because the task was cancelled.
//
// Thread safety: as TaskPool::Add. An outcome is one task's at a time, until that is complete; it
// is read after a wait for the task, or by a task that depends on it. Source: small-buffer
// optimisation, as in std::function; trivially relocatable alone, as a slot of a pool wants it.
// Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_CAPTURED_WORK_H_
#define NOWAIT_SRC_JOBS_CAPTURED_WORK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

#include "src/profile/profile.h"

namespace nowait {

// How the work of a task has ended.
class TaskOutcome {
 public:
  enum class End : std::uint8_t { kNotRun, kReturned, kThrew };

  End end() const { return end_; }
  // Of the exception, cut off after some 100 bytes; empty without an exception.
  const char* text() const { return text_.data(); }

  // For the task's creator, before the task is submitted.
  void Reset() {
    end_ = End::kNotRun;
    text_[0] = '\0';
  }

  // Runs the work, and keeps how it ends. An exception goes on to the caller.
  template <class F>
  void Run(F& work) {
    try {
      work();
      end_ = End::kReturned;
    } catch (const std::exception& thrown) {
      KeepText(thrown.what());
      throw;
    } catch (...) {
      KeepText("not a std::exception");
      throw;
    }
  }

 private:
  void KeepText(const char* what) {
    end_ = End::kThrew;
    std::strncpy(text_.data(), what, text_.size() - 1);
  }

  End end_ = End::kNotRun;
  std::array<char, 112> text_{};  // the last byte stays 0
};

// The name of a task, and the place for its outcome.
struct TaskNotes {
  const char* name = nullptr;      // a literal, or storage that outlives the profile
  TaskOutcome* outcome = nullptr;  // outlives the task
};

// The bytes of a callable's captures, at most.
inline constexpr std::size_t kMostCaptured = 48;

template <class F>
concept CapturesLittle = sizeof(F) <= kMostCaptured && alignof(F) <= 16;
template <class F>
concept CapturesPlainData = std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F>;

template <class F>
class CapturedWork {
  static_assert(CapturesLittle<F>,
                "the work of a task captures at most 48 bytes: capture a pointer to the rest");
  static_assert(CapturesPlainData<F>,
                "the work of a task is copied byte by byte and never destroyed: capture plain data "
                "and pointers");
  static_assert(std::is_void_v<std::invoke_result_t<F&>>,
                "the work of a task returns nothing: write an error to what it has captured");

 public:
  CapturedWork(const F& function, const TaskNotes& notes) : notes_(notes), function_(function) {
    if (notes.outcome != nullptr) notes.outcome->Reset();
  }

  std::span<const std::byte> Bytes() const { return std::as_bytes(std::span(this, 1)); }

  // A job's function. data: a copy of the bytes.
  static void Run(void* data) {
    auto& work = *std::launder(static_cast<CapturedWork*>(data));
    std::optional<ProfileScope> span;
    if (work.notes_.name != nullptr) span.emplace(work.notes_.name);
    if (work.notes_.outcome != nullptr) return work.notes_.outcome->Run(work.function_);
    work.function_();
  }

 private:
  TaskNotes notes_;
  F function_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_CAPTURED_WORK_H_
