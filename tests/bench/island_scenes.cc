#include "tests/bench/island_scenes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "src/apps/demo/scene.h"
#include "src/bodies/body_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::uint64_t kSeed = 9;
constexpr int kSteps = 600;

// The scene that a step's bodies and contacts make; body slots become numbers without gaps.
IslandScene SceneOf(const World& world, const std::set<Pair>& touching) {
  // The bodies that took part: they are awake after the step, or fell asleep at its end.
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  std::map<std::uint32_t, bool> awake_at_start;  // by slot
  for (const BodySnapshot& body : bodies) {
    if (body.type == BodyType::kDynamic && !body.asleep) awake_at_start[body.id.slot()] = true;
  }
  for (const SleepEvent& event : world.sleep_events()) {
    awake_at_start[event.body.slot()] = event.kind == SleepEvent::Kind::kFellAsleep;
  }
  IslandScene scene;
  std::map<std::uint32_t, std::uint32_t> number_of;  // by slot
  for (const auto& [slot, awake] : awake_at_start) {
    number_of[slot] = scene.bodies();
    scene.awake_at_start.push_back(awake ? 1 : 0);
  }
  for (const auto& [a, b] : touching) {
    const auto of_a = number_of.find(a);
    const auto of_b = number_of.find(b);
    if (of_a == number_of.end() || of_b == number_of.end()) continue;
    scene.contacts.emplace_back(of_a->second, of_b->second);
  }
  return scene;
}

}  // namespace

IslandScene MakeHeaps(std::uint32_t bodies) {
  Random random(kSeed);
  IslandScene scene;
  scene.awake_at_start.assign(bodies, 1);
  for (std::uint32_t begin = 0; begin < bodies;) {
    const std::uint32_t end = std::min(bodies, begin + 1 + random.Below(300));
    for (std::uint32_t body = begin; body < end; ++body) {
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t other = body + 1 + random.Below(8);
        if (other < end) scene.contacts.emplace_back(body, other);
      }
    }
    begin = end;
  }
  for (const auto& [a, b] : scene.contacts) {
    for (const std::uint32_t body : {a, b}) scene.awake_at_start[body] = body % 2 == 0 ? 1 : 0;
  }
  return scene;
}

Result<IslandScene> RecordDemo(const std::string& terrain, std::uint32_t bodies) {
  const auto ground = LoadGround(terrain);
  if (!ground) return std::unexpected(ground.error());
  const auto world = CreateScene(*ground, {.bodies = bodies, .seed = 1});
  if (!world) return std::unexpected(world.error());
  const auto owned = MakePool({.workers = 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  if (!here) return std::unexpected(here.error());
  std::set<Pair> touching;  // by slots: nobody is removed
  IslandScene busiest;
  for (int step = 0; step < kSteps; ++step) {
    if (auto updated = (*world)->Update(1.0f / 60.0f, pool); !updated) {
      return std::unexpected(updated.error());
    }
    for (const ContactEvent& event : (*world)->contact_events()) {
      const Pair pair(event.a.slot(), event.b.slot());
      if (event.kind == ContactEvent::Kind::kBegan) {
        touching.insert(pair);
      } else {
        touching.erase(pair);
      }
    }
    IslandScene scene = SceneOf(**world, touching);
    if (scene.contacts.size() > busiest.contacts.size()) busiest = std::move(scene);
  }
  return busiest;
}

}  // namespace nowait
