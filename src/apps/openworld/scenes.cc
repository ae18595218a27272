#include "src/apps/openworld/scenes.h"

#include <algorithm>
#include <span>

namespace nowait {

Result<std::unique_ptr<Scenes>> Scenes::Create(World& world, TaskPool& pool, Machines& machines,
                                               const SceneScriptsDef& def) {
  auto scripts = SceneScripts::Create(pool, def);
  if (!scripts) return std::unexpected(scripts.error());
  return std::unique_ptr<Scenes>(new Scenes(world, pool, machines, std::move(*scripts)));
}

Result<void> Scenes::Activate(SceneNumber scene, const Parcel& parcel) {
  gates_.Add(scene, parcel.gates(), parcel.gate_bodies());
  const auto points = parcel.spawn_points();
  if (parcel.script().exists() && scripts_->Activate(scene, parcel.script(), parcel.triggers())) {
    scripted_.push_back({scene, {points.begin(), points.end()}});
    return {};
  }
  return machines_.Appear(scene, points);
}

void Scenes::Deactivate(SceneNumber scene, WaitTime& wait) {
  scripts_->Deactivate(scene);
  gates_.Remove(scene, wait);
  machines_.Vanish(scene);
  std::erase_if(scripted_, [&](const Scripted& scripted) { return scripted.scene == scene; });
}

Result<void> Scenes::Advance(std::uint64_t frame, float dt, Vec3 player, Paths& paths,
                             WaitTime& wait) {
  if (auto advanced = scripts_->Advance(pool_, frame, dt, player); !advanced) return advanced;
  for (Scripted& scene : scripted_) {
    const auto wishes = scripts_->wishes();
    const auto wish = std::ranges::find(wishes, scene.scene, &SceneWish::scene);
    // A script that has stopped wishes for nothing more.
    const SceneWish none{scene.scene, scene.called, false};
    if (auto obeyed = Obey(scene, wish == wishes.end() ? none : *wish); !obeyed) return obeyed;
  }
  gates_.Advance(dt, wait);
  for (const Bounds<3>& box : gates_.TakeChanged()) paths.Changed(box);
  return {};
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
