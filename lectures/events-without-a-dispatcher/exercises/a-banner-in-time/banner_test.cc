// Runs frames of frame.h, with the objects made in several orders and on several threads.
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

constexpr std::uint32_t kRiders = 100;
constexpr std::uint64_t kTicks = 8;

struct Outcome {
  bool ran = true;       // without a fault or an error
  bool ridden = true;    // each rider with its horse
  bool together = true;  // each banner with its rider
  bool in_time = true;   // each banner shows the contacts of the frame
  bool placed = true;    // each horse is where these contacts put it
};

template <class T>
T Checked(Result<T> result) {
  NOWAIT_ASSERT(result.has_value(), "the test's own call is right");
  return *std::move(result);
}

struct Team {
  ObjectHandle horse;
  ObjectHandle rider;
  ObjectHandle banner;
};

class Ride {
 public:
  explicit Ride(std::uint32_t threads)
      : pool_(Checked(TaskPool::Create({.workers = threads - 1}))) {
    std::vector<std::unique_ptr<ScriptLanguage>> languages;
    languages.push_back(std::make_unique<LuaLanguage>());
    system_ = Checked(ScriptSystem::Create(
        {.objects = 3 * kRiders, .threads = threads, .twice = threads == 2}, std::move(languages)));
  }

  Outcome Run(bool banners_first) {
    const auto here = Checked(pool_->Register("main"));
    std::uint32_t numbers[3];
    const FrameScript scripts[3] = {kHorse, kRider, kBanner};
    for (int i = 0; i < 3; ++i) {
      const std::string source = scripts[i].source;
      const auto loaded = system_->Load(scripts[i].name, std::as_bytes(std::span(source)));
      if (!loaded) {
        fmt::print("{}\n", loaded.error().text);
        return {false, false, false, false, false};
      }
      numbers[i] = *loaded;
    }
    std::vector<Team> teams(kRiders);
    for (Team& team : teams) {
      ObjectHandle* const made[] = {&team.horse, &team.rider, &team.banner};
      for (int i = 0; i < 3; ++i) {
        const int which = banners_first ? 2 - i : i;
        *made[which] = Checked(system_->Spawn(numbers[which], scripts[which].phase));
      }
      Link(team.rider, "horse", team.horse);
      Link(team.banner, "rider", team.rider);
    }
    Outcome outcome;
    std::vector<double> places(kRiders), strides(kRiders, 4);
    for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
      std::vector<PhysicsEvent> contacts;
      for (std::uint32_t i = 0; i < kRiders; ++i) {
        places[i] += strides[i];
        if ((i + tick) % 5 != 0) continue;
        strides[i] /= 2;
        contacts.push_back({.kind = PhysicsEvent::Kind::kContactBegan, .to = teams[i].horse});
      }
      std::ranges::sort(contacts, {}, [](const PhysicsEvent& one) { return one.to.slot; });
      if (!RunFrame(*system_, *pool_, tick, contacts)) outcome.ran = false;
      if (!system_->faults().empty()) outcome.ran = false;
      for (std::uint32_t i = 0; i < kRiders; ++i) {
        const Team& team = teams[i];
        outcome.ridden &= Get(team.rider, "place") == Get(team.horse, "place");
        outcome.together &= Get(team.banner, "place") == Get(team.rider, "place");
        outcome.in_time &= Get(team.banner, "shown") == strides[i];
        outcome.placed &= Get(team.horse, "place") == places[i];
      }
    }
    return outcome;
  }

 private:
  void Link(ObjectHandle object, const char* field, ObjectHandle to) {
    ScriptValue value{};
    value.handle = BitsOf(to);
    // A field that the student has taken away is like one that nobody sets.
    static_cast<void>(system_->Set(object, field, FieldKind::kHandle, value));
  }
  double Get(ObjectHandle object, const char* field) {
    const auto value = system_->Get(object, field, FieldKind::kNumber);
    return value ? value->number : -1;
  }

  std::unique_ptr<TaskPool> pool_;
  std::unique_ptr<ScriptSystem> system_;
};

int Main() {
  std::vector<Outcome> outcomes;
  for (const std::uint32_t threads : {1u, 2u, 4u}) {
    for (const bool banners_first : {false, true}) {
      Ride ride(threads);
      outcomes.push_back(ride.Run(banners_first));
    }
  }
  const auto all = [&](bool Outcome::*holds) {
    return std::ranges::all_of(outcomes, [&](const Outcome& one) { return one.*holds; });
  };
  Judge judge;
  judge.Ask(all(&Outcome::ran), "each frame runs, and no script has a fault");
  judge.Ask(all(&Outcome::placed), "a horse that was hit runs at its old stride in that frame");
  judge.Ask(all(&Outcome::ridden), "after each frame each rider is where its horse is");
  judge.Ask(all(&Outcome::together), "after each frame each banner is where its rider is");
  judge.Ask(all(&Outcome::in_time), "each banner shows the contacts of the frame");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
