#include "models/kit/exhaustive/parallel/worker_process.h"

#include <limits>
#include <utility>

#include "models/kit/engine/meter.h"

namespace nowait::model {

ProcessReport WorkOn(Exploration& exploration, WorkSharing& sharing, unsigned process,
                     std::vector<Exploration::Part>& list, std::optional<std::uint64_t> most) {
  ProcessReport report;
  SiteTable sites;
  exploration.CountIn(sites);
  exploration.omissions() = Omissions();  // the existing ones belong to the parent process
  const double done_before = exploration.done();
  const auto done = [&] { return exploration.done() - done_before; };

  SearchControl control;
  control.executions = most.value_or(0);
  control.stop = &sharing.stops();
  control.progress = [&](const Progress& progress) {
    sharing.Publish(process, {progress.executions, done()});
  };
  // The parent process watches the clock.
  Meter meter(Graphs().Within(std::numeric_limits<double>::infinity()), 0, control);

  const auto feed_others = [&] {
    if (exploration.CanGive() && sharing.Claims()) {
      const TreePath path = exploration.Give();
      if (!sharing.Give(path)) report.left.push_back(path);
    }
    return false;
  };
  const auto find_work = [&] {
    // A part that is given away may be empty: this process knows that it is not worth a visit
    // (exploration.h).
    while (exploration.IsDone() && !exploration.failure()) {
      if (const auto listed = sharing.TakeListed()) {
        exploration.Add(std::move(list[*listed]));
      } else if (const auto given = sharing.Wait()) {
        exploration.Add({*given});
      } else {
        return false;
      }
    }
    return true;
  };
  while (sharing.stops() == 0 && meter.Allowance() != 0 && find_work()) {
    exploration.Run(meter, feed_others);
    if (exploration.failure()) break;
  }
  const std::vector<TreePath> left = exploration.Left();
  if (exploration.failure()) {
    report.found = {*exploration.failure(), exploration.path()};
  }
  if (report.found || meter.Allowance() == 0) sharing.Stop();
  report.left.insert(report.left.end(), left.begin(), left.end());
  report.executions = meter.executions();
  report.done = done();
  report.sites = sites.Sorted();
  report.omissions = exploration.omissions().Format();
  return report;
}

}  // namespace nowait::model
