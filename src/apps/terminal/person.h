// Person: the keyboard as a device of a pool. A person may press no key for hours, and no thread
// that computes waits for that.
//
// Each request waits for a short while. A task obeys the keys that came, and makes the next one. It
// comes without any key as well, since a key is not all that ends the program.
//
// Thread safety: Listen by a thread of the pool, once; obey is called by one task at a time.
// Source: [cbloom2011]: a thread for each device that can stall.
#ifndef NOWAIT_SRC_APPS_TERMINAL_PERSON_H_
#define NOWAIT_SRC_APPS_TERMINAL_PERSON_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "src/apps/terminal/keys.h"
#include "src/apps/terminal/screen.h"
#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class Person {
 public:
  static constexpr const char* kKeyboard = "keyboard";

  // The keys of a short while, in their order. False: no further ones are wanted.
  using Obey = std::function<bool(std::span<const Key>)>;

  // pool: with a device "keyboard". All outlive the last task. A keyboard that has gone sends a
  // last kQuit.
  Person(TaskPool& pool, Screen& screen, Obey obey)
      : pool_(pool), screen_(screen), obey_(std::move(obey)) {}
  Person(const Person&) = delete;
  Person& operator=(const Person&) = delete;

  // From now on, until the device is stopped or obey returns false.
  void Listen();

 private:
  static Result<void> ReadKeys(void* data);
  void Answered();

  TaskPool& pool_;
  Screen& screen_;
  const Obey obey_;
  KeyReader reader_;
  // Of the request in progress.
  std::optional<DeviceRequest> request_;
  std::string bytes_;
  bool is_there_ = true;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_PERSON_H_
