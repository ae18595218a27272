// The requests that TakeInTime returns and refuses, by a clock that the test moves.
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "lectures/judge.h"
#include "src/jobs/device_queue.h"

namespace nowait {
namespace {

struct Timed {
  char name;
  int until;
  int deadline() const { return until; }
};

using Queue = DeviceQueue<Timed>;

// The work of a device's thread with such a queue, written down: a served request by its name, a
// refused one with a minus in front of it, and a point for the end.
class Device {
 public:
  explicit Device(std::vector<Timed> requests) : requests_(std::move(requests)) {}

  void Push(std::size_t i) { queue_.Push(requests_[i]); }
  void PushAll() {
    for (Timed& request : requests_) queue_.Push(request);
  }
  void End() { queue_.End(); }

  void Serve() {
    while (Timed* request = queue_.TakeInTime(
               [this] {
                 ++readings;
                 return time.load();
               },
               [this](Timed& late) {
                 story += {'-', late.name};
                 time += to_refuse;
               })) {
      story += request->name;
      time += to_serve;
    }
    story += '.';
  }

  std::atomic<int> time = 0;
  int to_serve = 0;
  int to_refuse = 0;
  int readings = 0;
  std::string story;

 private:
  std::vector<Timed> requests_;
  Queue queue_{16};
};

std::string ServeAll(int time, int to_serve, int to_refuse, std::vector<Timed> requests) {
  Device device(std::move(requests));
  device.time = time;
  device.to_serve = to_serve;
  device.to_refuse = to_refuse;
  device.PushAll();
  device.End();
  device.Serve();
  return device.story;
}

// The device sleeps, or is about to, when a request comes that is late already.
std::string ServeAsleep() {
  Device device({{'a', 10}, {'b', 20}, {'c', 90}});
  std::thread thread([&] { device.Serve(); });
  device.Push(0);
  device.time = 50;
  device.Push(1);
  device.Push(2);
  device.End();
  thread.join();
  return device.story;
}

int Main() {
  Judge judge;
  judge.Ask(ServeAll(10, 0, 0, {{'a', 10}, {'b', 99}, {'c', 11}}) == "abc.",
            "in time, and at the last moment: all are served, in their order");
  judge.Ask(ServeAll(10, 10, 0, {{'a', 10}, {'b', 19}, {'c', 20}}) == "a-bc.",
            "serving one makes the next one late");
  judge.Ask(ServeAll(10, 0, 20, {{'a', 5}, {'b', 20}, {'c', 50}, {'d', 40}}) == "-a-bc-d.",
            "the time is asked for when a request has come");
  judge.Ask(ServeAll(10, 0, 0, {{'a', 1}, {'b', 2}}) == "-a-b.", "all are late: then the end");
  judge.Ask(ServeAll(10, 0, 0, {}) == ".", "the end of nothing");
  bool asleep = true;
  for (int i = 0; i < 200; ++i) {
    const std::string story = ServeAsleep();
    asleep = asleep && (story == "-a-bc." || story == "a-bc.");
  }
  judge.Ask(asleep, "what comes late to a sleeping device is refused, and the rest is not");

  Device device({{'a', 1}, {'b', 9}, {'c', 2}, {'d', 9}});
  device.time = 5;
  device.PushAll();
  device.End();
  device.Serve();
  judge.Ask(device.readings == 4, "one reading of the clock for each request");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
