#include "src/jobs/alarm.h"

#include <utility>

#include "src/sync/scoped_lock.h"

namespace nowait {

Alarm::Setting::Setting(Alarm& alarm, Time time, const Job& call)
    : alarm_(alarm), time_(time), call_(call) {
  const ScopedLock lock(alarm_.mutex_);
  next_ = std::exchange(alarm_.settings_, this);
  if (next_ != nullptr) next_->previous_ = this;
  alarm_.changed_.notify_one();
}

Alarm::Setting::~Setting() {
  const ScopedLock lock(alarm_.mutex_);
  if (linked_) alarm_.Unlink(*this);
}

Alarm::~Alarm() {
  {
    const ScopedLock lock(mutex_);
    ending_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

Result<void> Alarm::Start() {
  const ScopedLock lock(mutex_);
  if (thread_.joinable()) return {};
  auto thread = EngineSync::thread::Start("alarm", [this] { Run(); });
  if (!thread) return std::unexpected(thread.error());
  thread_ = std::move(*thread);
  return {};
}

void Alarm::Run() {
  mutex_.lock();
  while (!ending_) {
    Setting* const first = Earliest();
    if (first == nullptr) {
      changed_.wait(mutex_);
    } else if (EngineSync::clock::now() < first->time_) {
      changed_.wait_until(mutex_, first->time_);
    } else {
      Unlink(*first);
      const Job call = first->call_;
      mutex_.unlock();
      call.function(call.data);
      mutex_.lock();
    }
  }
  mutex_.unlock();
}

Alarm::Setting* Alarm::Earliest() const {
  Setting* first = settings_;
  for (Setting* each = settings_; each != nullptr; each = each->next_) {
    if (each->time_ < first->time_) first = each;
  }
  return first;
}

void Alarm::Unlink(Setting& setting) {
  (setting.previous_ != nullptr ? setting.previous_->next_ : settings_) = setting.next_;
  if (setting.next_ != nullptr) setting.next_->previous_ = setting.previous_;
  setting.linked_ = false;
}

}  // namespace nowait
