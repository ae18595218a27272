#include "src/apps/openworld/scenes.h"

#include <algorithm>
#include <span>

#include "src/base/or_no_memory.h"
#include "src/script/queries.h"
#include "src/world/world_view.h"

namespace nowait {

Result<std::unique_ptr<Scenes>> Scenes::Create(World& world, TaskPool& pool, Machines& machines,
                                               BodyId player, const SceneScriptsDef& def) {
  auto scripts = SceneScripts::Create(pool, def);
  if (!scripts) return std::unexpected(scripts.error());
  return std::unique_ptr<Scenes>(new Scenes(world, pool, machines, player, std::move(*scripts)));
}

Result<void> Scenes::Activate(SceneNumber scene, const Parcel& parcel, WaitTime& wait) {
  if (auto gates = gates_.Add(scene, parcel.gates(), parcel.gate_bodies()); !gates) return gates;
  const auto points = parcel.spawn_points();
  if (!parcel.script().exists()) return machines_.Appear(scene, points);
  const auto loaded =
      scripts_->Activate(scene, parcel.script(), parcel.triggers(), GroundAt(parcel.site(), wait));
  if (!loaded) return std::unexpected(loaded.error());
  if (!*loaded) return machines_.Appear(scene, points);
  return OrNoMemory([&]() -> Result<void> {
    scripted_.push_back({scene, {points.begin(), points.end()}});
    return {};
  });
}

// The ground below a scene is there before the scene is.
Vec3 Scenes::GroundAt(const SceneSite& site, WaitTime& wait) const {
  constexpr float kHighest = 4000.0f, kLowest = -200.0f;  // metres
  const auto ground = world_.CastRay({{site.x, kHighest, site.z}, {0, kLowest - kHighest, 0}},
                                     {.dynamics = false, .ignore = player_}, wait);
  return ground ? ground->point : Vec3{site.x, 0, site.z};
}

void Scenes::Deactivate(SceneNumber scene, WaitTime& wait) {
  scripts_->Deactivate(scene);
  gates_.Remove(scene, wait);
  machines_.Vanish(scene);
  std::erase_if(scripted_, [&](const Scripted& scripted) { return scripted.scene == scene; });
}

Result<void> Scenes::Advance(std::uint64_t frame, float dt, Vec3 player, Paths& paths,
                             WaitTime& wait) {
  if (auto advanced = Ask(frame, dt, player); !advanced) return advanced;
  for (Scripted& scene : scripted_) {
    const auto wishes = scripts_->wishes();
    const auto wish = std::ranges::find(wishes, scene.scene, &SceneWish::scene);
    // A script that has stopped wishes for nothing more.
    const SceneWish none{scene.scene, scene.called, false};
    if (auto obeyed = Obey(scene, wish == wishes.end() ? none : *wish); !obeyed) return obeyed;
  }
  if (auto moved = gates_.Advance(dt, wait); !moved) return moved;
  for (const Bounds<3>& box : gates_.changed()) paths.Changed(box);
  gates_.ForgetChanged();
  return {};
}

// While the scripts look, nothing changes the world. The visitor hides nothing, and is no body that
// moves.
Result<void> Scenes::Ask(std::uint64_t frame, float dt, Vec3 player) {
  if (scripts_->active() == 0) return scripts_->Advance(pool_, frame, dt, player);
  return OrNoMemory([&]() -> Result<void> {
    WorldQueries queries(world_, scripts_->workers(), {.ignore = player_}, {.statics = false});
    return scripts_->Advance(pool_, frame, dt, player, &queries);
  });
}

Result<void> Scenes::Obey(Scripted& scene, const SceneWish& wish) {
  gates_.Open(scene.scene, wish.open);
  const std::span<const Vec3> points = scene.spawn_points;
  if (points.empty()) return {};
  for (; scene.called < wish.machines; ++scene.called, ++called_) {
    const auto appeared =
        machines_.Appear(scene.scene, points.subspan(scene.called % points.size(), 1));
    if (!appeared) return appeared;
  }
  return {};
}

}  // namespace nowait
