#include "tests/whole/jobs/record.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "tests/whole/scheduler/api_call.h"

namespace nowait::job_programs {

void Fail(std::string_view promise, int task, std::string_view detail, whole::Site site) {
  const std::string about = task == kNoTask ? "" : fmt::format("t{}: ", task);
  whole::Require(false, fmt::format("{}{}{}{}", about, promise, detail.empty() ? "" : ": ", detail),
                 site);
  std::abort();
}

bool Record::HasRun() const {
  switch (spec->work) {
    case Work::kBody:
    case Work::kRequest:
      return runs != 0;
    case Work::kList: {
      for (const Cell& cell : cells) {
        if (cell.runs != 0) return true;
      }
      return false;
    }
    case Work::kIdempotent:
      return commits != 0;
    case Work::kExternal:
      return completed.load(std::memory_order::relaxed) != 0 ||
             handed_over.load(std::memory_order::relaxed) != 0;
    case Work::kEmpty:
      return false;
  }
  return false;
}

bool Record::HasBegun() const {
  switch (spec->work) {
    case Work::kEmpty:
      return true;  // without work
    case Work::kList:
      return cells.empty() || cells[0].runs != 0;
    case Work::kIdempotent:
      return computed[0] != 0;
    case Work::kBody:
    case Work::kRequest:
    case Work::kExternal:
      break;
  }
  return HasRun();
}

void Record::CheckExternal() const {
  Expect(handed_over.load(std::memory_order::relaxed) == 1, "an external task is handed over",
         number);
  Expect(completed.load(std::memory_order::relaxed) == 1 || spec->throws,
         "an external task is completed by an answer, or by a hand-over that throws", number);
}

void Record::CheckWork() const {
  switch (spec->work) {
    case Work::kEmpty:
      break;
    case Work::kBody:
      Expect(runs == 1, "each task is run once", number);
      Expect(done, "a complete task's work has returned", number);
      break;
    case Work::kRequest:
      Expect(runs == 1 && done, "a request that was served is served once", number);
      Expect(request->answer().has_value() != spec->throws, "the answer is what serve returned",
             number);
      break;
    case Work::kList:
      for (const Cell& cell : cells) {
        Expect(cell.runs == 1, "each job of a list is run once", number,
               fmt::format("job {}, {} times", cell.number, cell.runs));
      }
      break;
    case Work::kIdempotent:
      Expect(commits == 1, "idempotent work is committed once", number);
      break;
    case Work::kExternal:
      break;
  }
}

void Record::CheckDone(bool may_be_cancelled) const {
  if (may_be_cancelled && !HasRun()) return;
  // The computation that comes first may end by its exception, without a commit.
  if (spec->work == Work::kIdempotent && spec->throws) return;
  CheckWork();
}

void Record::CheckEnd(bool may_be_cancelled) const {
  const std::uint32_t thrown = reports.thrown.load(std::memory_order::relaxed);
  const std::uint32_t reported = reports.reported.load(std::memory_order::relaxed);
  Expect(thrown == reported, "what throws is reported once", number,
         fmt::format("thrown {} times, reported {} times", thrown, reported));
  if (!Id().IsTask()) {
    Expect(!HasRun() && runs == 0, "a task that was refused is not run", number);
    return;
  }
  const std::uint32_t cancels = cancelled.load(std::memory_order::relaxed);
  Expect(cancels <= 1, "a task is cancelled once", number);
  Expect(cancels == 0 || spec->work == Work::kEmpty || !HasRun(), "a cancelled task is not run",
         number);
  Expect(completed.load(std::memory_order::relaxed) <= 1, "an external task is completed once",
         number);
  const std::uint32_t released = releases.load(std::memory_order::relaxed);
  if (spec->work == Work::kIdempotent) {
    const bool began = computed[0] + computed[1] != 0;
    Expect(computed[0] <= 1 && computed[1] <= 1, "each run of an idempotent task is one", number);
    Expect(released == (began ? 1 : 0) || (may_be_cancelled && released <= 1),
           "idempotent work is released once", number, fmt::format("{} times", released));
  }
  const bool may_be_undone = may_be_cancelled || cancels != 0;
  if (spec->work == Work::kExternal && !may_be_undone) CheckExternal();
  CheckDone(may_be_undone);
}

}  // namespace nowait::job_programs
