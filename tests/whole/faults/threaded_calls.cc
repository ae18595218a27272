#include "tests/whole/faults/threaded_calls.h"

#include <cstdint>

#include "src/apps/demo/run.h"
#include "src/apps/frame/run.h"
#include "src/apps/sovereign/run.h"
#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"

namespace nowait::whole {
namespace {

template <class T>
std::string WordsOf(const Result<T>& result) {
  return result ? "" : ToString(result.error());
}

// Its threads have something to do, and the caller has, too.
template <class Pool>
std::string UsePool() {
  auto made = Pool::Create({.devices = {"disk", "network"}, .workers = 3});
  if (!made) return ToString(made.error());
  Pool& pool = **made;
  const auto here = pool.Register("main");
  if (!here) return ToString(here.error());
  const auto task = pool.Add({.work = {[](void*) {}, nullptr}});
  if (!task) return ToString(task.error());
  return WordsOf(pool.Wait(*task));
}

std::string UseFrames(const std::string& music, bool serial, bool parked) {
  Profile profile({.lanes = 4, .spans_per_lane = 1u << 10});
  return RunFrames({.frames = 2,
                    .nodes = 20,
                    .workers = 1,
                    .park_worker = parked,
                    .serial = serial,
                    .music = music},
                   profile)
      .error;
}

std::string UseDemo(const Ground& ground) {
  Profile profile({.lanes = 8, .spans_per_lane = 1u << 10});
  DemoOptions options;
  options.frames = 1;
  options.threads = 2;
  options.game_threads = 2;
  options.bodies = 3;
  return WordsOf(
      Run(options, ground, profile, true, [](std::uint32_t, const FrameRecord&) { return true; }));
}

}  // namespace

std::vector<ThreadedCall> ThreadedCalls(const Ground& ground, const std::string& music) {
  const SovereignDef sovereign{.frames = 2, .objects = 20, .workers = 1, .seed = 1};
  SovereignDef lockstep = sovereign;
  lockstep.lockstep = true;
  return {{"TaskPool", &UsePool<TaskPool>},
          {"OneQueueTaskPool", &UsePool<OneQueueTaskPool>},
          {"RunSovereign", [sovereign] { return WordsOf(RunSovereign(sovereign)); }},
          {"RunSovereign in lockstep", [lockstep] { return WordsOf(RunSovereign(lockstep)); }},
          {"RunFrames", [music] { return UseFrames(music, false, false); }},
          {"RunFrames, serial", [music] { return UseFrames(music, true, false); }},
          {"RunFrames, a worker parked", [music] { return UseFrames(music, false, true); }},
          {"the demo's Run", [&ground] { return UseDemo(ground); }}};
}

}  // namespace nowait::whole
