// Sights: the bodies that viewers' cameras see, and the lights that shine on them, found by jobs.
//
//   Sights sights;
//   sights.Look({.viewer = 1, .camera = frustum});
//   if (auto found = sights.Find(world, bodies, lights, pool, out); !found) return found;
//
// A job for each kPiece of bodies keeps those whose box may touch a view, which it asks the planes
// of each view (src/broadphase/frustum_probe.h); a job for each light collects the bodies that it
// reaches from the broad phase. Behind a sync point a job for each camera puts its pieces together,
// and keeps the lights whose reach touches the view and a body in it. All of them are one job list.
//
// The views are not asked of the broad phase: with the way of the sun's rays most of a scene
// counts, and the copies of its bodies are there. A view costs the same wherever it leads.
//
// Thread safety: one thread, registered with the pool. Find is called in a game update, while no
// thread changes bodies.
// Blocking: Find helps the pool until its jobs have returned.
// Complexity: linear in bodies times cameras, and in what the lights reach. No allocation once the
// lists have had their length.
// Source: [sanglard2013]: the renderer's front end of the review, with a job for each light that
// finds what it touches in the view. Test: tests/live/sights_test.cc.
#ifndef NOWAIT_SRC_LIVE_SIGHTS_H_
#define NOWAIT_SRC_LIVE_SIGHTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/live/light.h"
#include "src/live/sight.h"
#include "src/world/world.h"

namespace nowait {

class Sights {
 public:
  static constexpr std::uint32_t kMostCameras = 8;
  static constexpr std::uint32_t kPiece = 256;  // bodies of a job

  // From now on the viewer has this camera. Beyond kMostCameras nothing happens: that viewer gets
  // every body.
  void Look(const LiveCamera& camera);
  // From now on it has no camera.
  void LookAway(std::uint64_t viewer);

  // Replaces what is in `out`: a sight for each camera. bodies: those of the world as they are now,
  // by ascending slot (World::Snapshot). lights: at most kMostLights. Errors of JobBatch::Run;
  // `out` is then without a sight.
  Result<void> Find(const World& world, std::span<const BodySnapshot> bodies,
                    std::span<const LiveLight> lights, TaskPool& pool, std::vector<LiveSight>& out);

 private:
  void CollectPiece(std::span<const BodySnapshot> piece, std::vector<std::uint32_t>* seen) const;
  void CollectLit(const World& world, const LiveLight& light, std::uint32_t number);
  void Merge(std::uint32_t camera, std::span<const LiveLight> lights, LiveSight& sight) const;

  std::vector<LiveCamera> cameras_;
  std::vector<std::vector<std::uint32_t>> seen_;  // slots: of each piece, of each camera
  std::vector<std::vector<BodySnapshot>> lit_;    // by the lights
  JobBatch batch_{JobBatch::kMostHands + kMostLights + kMostCameras, 1};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SIGHTS_H_
