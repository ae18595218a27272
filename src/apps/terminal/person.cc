#include "src/apps/terminal/person.h"

#include <vector>

#include "src/base/or_end.h"

namespace nowait {
void Person::Listen() {
  request_.emplace("read keys", &ReadKeys, this);
  const TaskId keys = OrEnd(pool_.AddRequest(kKeyboard, *request_));
  const TaskId answered = pool_.AddOrEnd([this] { Answered(); }, {.dependency = keys});
  OrEnd(pool_.Submit(keys));
  OrEnd(pool_.Submit(answered));
}

Result<void> Person::ReadKeys(void* data) {
  auto& person = *static_cast<Person*>(data);
  person.is_there_ = person.screen_.ReadKeys(person.bytes_);
  return {};
}

void Person::Answered() {
  if (!request_->answer()) return;  // the device has been stopped
  std::vector<Key> keys = reader_.Read(bytes_);
  if (!is_there_) keys.push_back(Key::kQuit);
  if (obey_(keys)) Listen();
}

}  // namespace nowait
