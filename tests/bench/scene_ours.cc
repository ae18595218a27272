#include <utility>

#include "src/jobs/task_pool.h"
#include "src/world/world.h"
#include "tests/bench/scene_engine.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

class Ours : public SceneEngine {
 public:
  Ours(std::unique_ptr<World> world, std::uint32_t threads)
      : pool_(MakePool({.workers = threads - 1})),
        here_(*pool_->Register("main")),
        world_(std::move(world)) {}

  Result<void> Step() override { return world_->Update(PeerScene::kStep, *pool_); }

  void Read(std::vector<BodyMotion>& out) const override {
    std::vector<BodySnapshot> bodies;
    world_->Snapshot(bodies);
    out.clear();
    for (const BodySnapshot& body : bodies) {
      out.push_back({body.position, body.rotation, body.linear_velocity, body.angular_velocity});
    }
  }

  const UpdateStats* stats() const override { return &world_->stats(); }
  std::uint64_t Hash() const override { return world_->StateHash(); }

 private:
  const std::unique_ptr<TaskPool> pool_;
  const TaskPool::Registration here_;
  const std::unique_ptr<World> world_;
};

}  // namespace

Result<std::unique_ptr<SceneEngine>> MakeOurs(const PeerScene& scene, std::uint32_t threads) {
  auto world = CreateWorld(scene);
  if (!world) return std::unexpected(world.error());
  return std::make_unique<Ours>(std::move(*world), threads);
}

}  // namespace nowait
