// Contacts that go on, point by point, and a tower whose weight is passed on from step to step.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "lectures/judge.h"
#include "src/dynamics/contact_store.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {
namespace {

// Two bodies, and the contact that the narrow phase has found between them in each step.
class Pair {
 public:
  Pair() {
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
      awake_.Add(slot);
      Body body;
      body.id = *bodies_.Reserve();
      bodies_.Install(body, BodyState::kAwake);
    }
  }
  // One step with the points of these features.
  bool Step(std::initializer_list<std::uint32_t> features) {
    FoundContact found;
    found.a = bodies_[0].id;
    found.b = bodies_[1].id;
    found.material = MaterialOf(bodies_[0], bodies_[1]);
    for (const std::uint32_t feature : features) found.manifold.Add({{}, {0, 1, 0}, 0, feature});
    const FoundContact* const all[] = {&found};
    std::vector<ContactEvent> events;
    return store_.Merge(all, bodies_, awake_, changes_, events).has_value();
  }
  // The solver's results: each point's normal impulse is ten times its feature.
  void Solve() {
    Contact& contact = Now();
    for (std::size_t i = 0; i < contact.manifold.count(); ++i) {
      contact.impulses[i].normal = 10.0f * static_cast<float>(contact.manifold.points()[i].feature);
    }
  }
  bool Has(std::initializer_list<float> normals) {
    const auto impulses = Now().impulses;
    return std::ranges::equal(normals, std::span(impulses).first(normals.size()), {}, {},
                              &PointImpulse::normal);
  }

 private:
  Contact& Now() { return store_[store_.entries()[0].index]; }

  BodyStorage bodies_{2};
  AwakeSet<> awake_{2};
  std::vector<Changes> changes_{2};
  ContactStore store_{1, 2};
};

// Ten boxes of a metre, one on another. Returns how deep the top has sunk after five seconds,
// metres, and whether all sleep.
struct Tower {
  float sunk;
  bool sleeps;
};
Tower Stand() {
  const auto pool = *TaskPool::Create({.main_threads = {"main"}, .workers = 0});
  const TaskPool::Registration here = *pool->Register("main");
  WorldDef small;
  small.max_bodies = 32;
  small.max_contacts = 64;
  const auto world = *World::Create(small);
  WaitTime wait;
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box({5, 1, 5});
  def.position = {0, -1, 0};
  static_cast<void>(*world->CreateBody(def, wait));
  def.type = BodyType::kDynamic;
  def.shape = Shape::Box({0.5f, 0.5f, 0.5f});
  BodyId top;
  for (int i = 0; i < 10; ++i) {
    def.position = {0, 0.5f + static_cast<float>(i), 0};
    top = *world->CreateBody(def, wait);
  }
  for (int i = 0; i < 300; ++i) static_cast<void>(world->Update(1.0f / 60.0f, *pool));
  const BodySnapshot at = *world->GetBody(top, wait);
  return {9.5f - at.position.y, at.asleep};
}

int Main() {
  Judge judge;
  Pair pair;
  bool stepped = pair.Step({7, 8, 9});
  pair.Solve();
  stepped = stepped && pair.Step({7, 8, 9});
  judge.Ask(stepped && pair.Has({70, 80, 90}), "a point that stays begins with its impulse");
  pair.Solve();
  stepped = pair.Step({9, 5, 7});
  judge.Ask(stepped && pair.Has({90, 0, 70}), "an impulse follows its feature, not its place");
  pair.Solve();
  stepped = pair.Step({1, 2, 3, 4});
  judge.Ask(stepped && pair.Has({0, 0, 0, 0}), "points that are new begin with nothing");

  const Tower tower = Stand();
  fmt::print("a tower of ten boxes: {:.1f} mm sunk after 5 s, {}\n", 1000.0f * tower.sunk,
             tower.sleeps ? "asleep" : "awake");
  judge.Ask(tower.sunk < 0.05f && tower.sleeps, "a tower stands, and sleeps");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
