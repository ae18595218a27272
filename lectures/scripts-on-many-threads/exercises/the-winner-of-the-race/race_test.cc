// Runs the race of race.h, with the objects made in several orders and on several threads.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lectures/judge.h"
#include "src/base/assert.h"
#include "src/jobs/task_pool.h"
#include "src/script/lua_language.h"
#include "src/script/system.h"

namespace nowait {
namespace {

constexpr std::uint32_t kHorses = 200;
constexpr std::uint32_t kPhases = 3;
constexpr std::uint64_t kTicks = 12;
// Horses with a stride of 4 arrive first, in tick 5. The one with the lowest number is the winner.
constexpr double kWinner = 4;
constexpr double kTime = 5;
double StrideOf(std::uint32_t number) { return number % 3 == 1 && number > 1 ? 4 : 2; }

struct Outcome {
  std::string fault;  // the first one
  double winner = 0;
  double time = 0;
  bool together = true;  // after each tick: each rider with its horse
  bool arrived = true;   // all horses, at the end
};

template <class T>
T Checked(Result<T> result) {
  NOWAIT_ASSERT(result.has_value(), "the test's own call is right");
  return *std::move(result);
}
void Require(const Result<void>& done) {
  NOWAIT_ASSERT(done.has_value(), "the test's own call is right");
}

class Race {
 public:
  Race(std::uint32_t threads, bool twice)
      : pool_(Checked(TaskPool::Create({.workers = threads - 1}))) {
    std::vector<std::unique_ptr<ScriptLanguage>> languages;
    languages.push_back(std::make_unique<LuaLanguage>());
    system_ = Checked(ScriptSystem::Create(
        {.objects = 2 * kHorses + 1, .threads = threads, .twice = twice}, std::move(languages)));
  }

  // order: the horses' numbers.
  Outcome Run(const std::vector<std::uint32_t>& order, bool riders_first) {
    const auto here = Checked(pool_->Register("main"));
    if (!Load(kHorse, horse_) || !Load(kRider, rider_) || !Load(kBoard, board_)) return outcome_;
    const ObjectHandle board = Spawn(board_, kBoard);
    std::vector<std::pair<ObjectHandle, ObjectHandle>> pairs;
    for (const std::uint32_t number : order) {
      ObjectHandle rider;
      if (riders_first) rider = Spawn(rider_, kRider);
      const ObjectHandle horse = Spawn(horse_, kHorse);
      if (!riders_first) rider = Spawn(rider_, kRider);
      Set(horse, "number", number);
      Set(horse, "stride", StrideOf(number));
      Link(horse, "board", board);
      Link(rider, "horse", horse);
      pairs.push_back({horse, rider});
    }
    for (std::uint64_t tick = 0; tick < kTicks && outcome_.fault.empty(); ++tick) {
      Require(system_->BeginTick(*pool_, tick, 0.1));
      for (std::uint32_t phase = 0; phase < kPhases; ++phase) {
        Require(system_->RunPhase(*pool_, phase));
      }
      Require(system_->EndTick());
      if (!system_->faults().empty()) outcome_.fault = system_->faults()[0].text;
      for (const auto& [horse, rider] : pairs) {
        outcome_.together &= Get(horse, "place") == Get(rider, "place");
      }
    }
    for (const auto& [horse, rider] : pairs) outcome_.arrived &= Get(horse, "place") >= 20;
    outcome_.winner = Get(board, "winner");
    outcome_.time = Get(board, "time");
    return outcome_;
  }

 private:
  bool Load(const RaceScript& script, std::uint32_t& number) {
    const std::string source = script.source;
    const auto loaded = system_->Load(script.name, std::as_bytes(std::span(source)));
    if (loaded) number = *loaded;
    if (!loaded) outcome_.fault = loaded.error().text;
    return loaded.has_value();
  }
  ObjectHandle Spawn(std::uint32_t number, const RaceScript& script) {
    return Checked(system_->Spawn(number, std::min(script.phase, kPhases - 1)));
  }
  // A field that the student has taken away is like one that nobody sets.
  void Set(ObjectHandle object, const char* field, double number) {
    ScriptValue value{};
    value.number = number;
    static_cast<void>(system_->Set(object, field, FieldKind::kNumber, value));
  }
  void Link(ObjectHandle object, const char* field, ObjectHandle to) {
    ScriptValue value{};
    value.handle = BitsOf(to);
    static_cast<void>(system_->Set(object, field, FieldKind::kHandle, value));
  }
  double Get(ObjectHandle object, const char* field) {
    const auto value = system_->Get(object, field, FieldKind::kNumber);
    return value ? value->number : -1;
  }

  std::unique_ptr<TaskPool> pool_;
  std::unique_ptr<ScriptSystem> system_;
  std::uint32_t horse_ = 0;
  std::uint32_t rider_ = 0;
  std::uint32_t board_ = 0;
  Outcome outcome_;
};

// Upwards, downwards, and from the middle: an order that any schedule of threads may bring about.
std::vector<std::uint32_t> OrderOf(int which) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t number = 1; number <= kHorses; ++number) order.push_back(number);
  if (which == 1) std::ranges::reverse(order);
  if (which == 2) std::ranges::rotate(order, order.begin() + kHorses / 2);
  return order;
}

int Main() {
  std::vector<Outcome> outcomes;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    for (int order = 0; order < 3; ++order) {
      Race race(threads, threads == 2);
      outcomes.push_back(race.Run(OrderOf(order), order != 0));
    }
  }
  const auto all = [&](auto holds) { return std::ranges::all_of(outcomes, holds); };
  for (const Outcome& outcome : outcomes) {
    if (outcome.fault.empty()) continue;
    fmt::print("{}\n", outcome.fault);
    break;
  }
  Judge judge;
  judge.Ask(all([](const Outcome& one) { return one.fault.empty(); }), "no script has a fault");
  judge.Ask(all([](const Outcome& one) { return one.together; }),
            "after each tick each rider is where its horse is");
  judge.Ask(all([](const Outcome& one) { return one.arrived; }), "all horses arrive");
  judge.Ask(all([](const Outcome& one) { return one.winner == kWinner && one.time == kTime; }),
            "the winner is the same for any order of the updates, and any number of threads");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
