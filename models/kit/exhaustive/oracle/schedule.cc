#include "models/kit/exhaustive/oracle/schedule.h"

#include <vector>

#include "models/kit/program/operation.h"

namespace nowait::model::oracle {
namespace {

class Schedule {
 public:
  Schedule(const axioms::Execution& execution, std::size_t first)
      : events_(execution), read_(execution.size()), written_(execution.size()) {
    for (std::size_t e = 0; e < events_.size(); ++e) {
      read_[e] = e < first || !events_[e].reads;
      written_[e] = e < first || (!events_[e].writes && !events_[e].Fence());
    }
  }

  bool Run() {
    std::size_t left = 0;
    for (std::size_t e = 0; e < events_.size(); ++e) {
      left += (read_[e] ? 0 : 1) + (written_[e] ? 0 : 1);
    }
    for (bool goes_on = true; goes_on && left > 0;) {
      goes_on = false;
      for (std::size_t e = 0; e < events_.size(); ++e) {
        if (!read_[e] && MayRead(e)) {
          read_[e] = true;
          --left;
          goes_on = true;
        }
        if (!written_[e] && MayWrite(e)) {
          written_[e] = true;
          --left;
          goes_on = true;
        }
      }
    }
    return left == 0;
  }

 private:
  bool Passed(std::size_t e) const { return read_[e] && written_[e]; }
  bool IsEarlier(std::size_t a, std::size_t b) const {
    return a < b && events_[a].thread == events_[b].thread;
  }
  // A fence passes as a write does.
  bool IsFence(std::size_t e) const {
    return events_[e].Fence() && events_[e].order != std::memory_order::relaxed;
  }

  // Whether neither an acquire without its value nor a fence holds back both steps of an event.
  bool IsFree(std::size_t e) const {
    for (std::size_t a = 0; a < e; ++a) {
      if (!IsEarlier(a, e)) continue;
      if (IsFence(a) && !written_[a]) return false;
      if (events_[a].Atomic() && events_[a].reads && Acquires(events_[a].order) && !read_[a]) {
        return false;
      }
    }
    return true;
  }

  bool MayRead(std::size_t r) const {
    const std::size_t from = events_[r].from;
    if (from != axioms::kNothing && events_[from].thread != events_[r].thread && !written_[from]) {
      return false;
    }
    // Another thread's write of the location came in between: it read that one behind its own.
    for (std::size_t w = 0; w < r; ++w) {
      const bool detour = from != axioms::kNothing && events_[from].thread != events_[r].thread &&
                          IsEarlier(w, r) && events_[w].Atomic() && events_[w].writes &&
                          events_[w].object == events_[r].object;
      if (detour && !written_[w]) return false;
    }
    return IsFree(r);
  }

  bool MayWrite(std::size_t w) const {
    if (!read_[w] || !IsFree(w)) return false;
    for (std::size_t a = 0; a < w; ++a) {
      if (!IsEarlier(a, w)) continue;
      if (IsFence(w)) {
        const bool waits = Releases(events_[w].order) ? !Passed(a) : !read_[a];
        if (waits) return false;
      } else if (events_[w].Atomic() && Releases(events_[w].order)) {
        if (!Passed(a)) return false;
      }
      const bool behind_release = events_[w].Atomic() && events_[a].Atomic() && events_[a].writes &&
                                  Releases(events_[a].order) &&
                                  events_[a].object == events_[w].object;
      if (behind_release && !written_[a]) return false;
    }
    return true;
  }

  const axioms::Execution& events_;
  std::vector<bool> read_, written_;  // the steps that are done or that an event does not have
};

}  // namespace

bool HasSchedule(const axioms::Execution& execution, std::size_t first) {
  return Schedule(execution, first).Run();
}

}  // namespace nowait::model::oracle
