// Alarm: calls a function when a time has come. One thread, which sleeps until the next such time.
//
//   Alarm alarm;
//   if (auto ready = alarm.Start(); !ready) return ready;
//   const Alarm::Setting setting(alarm, until, {&Wake, &pool});   // until it is destroyed
//
// Thread safety: any thread, any time, but for the destructor: it comes after all settings.
// Blocking: a mutex for a look at each setting. A call is made without it.
//
// Promise: the function of a setting is called once, on the alarm's thread, when its time has come,
// unless the setting is destroyed before. A call may be under way when the destructor of a setting
// returns, and reads nothing of the setting.
// Errors: kCapacity "threads": the system refuses the thread.
// Complexity: in proportion to the settings that there are; allocates the thread alone.
//
// Source: devised here: an event count sleeps without a limit (src/sync/event_count.h), so that a
// sleeper which is to look at the clock has to be woken for it.
#ifndef NOWAIT_SRC_JOBS_ALARM_H_
#define NOWAIT_SRC_JOBS_ALARM_H_

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/sync/policy.h"

namespace nowait {

class Alarm {
 public:
  using Time = EngineSync::clock::time_point;

  class [[nodiscard]] Setting {
   public:
    // After Start. call: its data live as long as the alarm.
    Setting(Alarm& alarm, Time time, const Job& call);
    ~Setting();
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

   private:
    friend class Alarm;
    Alarm& alarm_;
    const Time time_;
    const Job call_;
    Setting* previous_ = nullptr;  // among the settings whose time has not come
    Setting* next_ = nullptr;
    bool linked_ = true;
  };

  Alarm() = default;
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Makes the thread, unless it has been made. A program that sets no alarm has no such thread.
  Result<void> Start();

 private:
  void Run();
  Setting* Earliest() const;
  void Unlink(Setting& setting);

  EngineSync::mutex mutex_;  // guards all below
  EngineSync::condition_variable changed_;
  Setting* settings_ = nullptr;
  bool ending_ = false;
  EngineSync::thread thread_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_ALARM_H_
