// World: bodies, the broad phase over them, and the physics update that moves them.
//
// A world is a value: it has no global state, and two may live side by side. The results of an
// update are read afterwards (stats, events); it calls back into the game only through
// WorldDef::contact_hook.
//
// Thread safety. The frame alternates between two parts; src/sync/phase.h is the whole table.
//   game update:     any number of threads call Create/Destroy/Move/Set/Apply/Wake/Change,
//                    GetBody, GetJoint, CastRay, TraceRay, Read and the batch functions at once.
//   physics update:  one thread calls Update. Meanwhile other threads may call PrepareBatch,
//                    AbortBatch, GetBody, CastRay, TraceRay and Read, and nothing else; debug
//                    builds assert it.
// Within an update of game objects (src/game/transaction.h) a thread changes nothing, and may call
// GetBody, GetJoint, CastRay, TraceRay, Read and ReadNoLock; debug builds assert it.
// Threads that run across both (a long background query) keep to the second list. Functions that
// take a body lock count the wait in the caller's WaitTime.
//
// Ids. A function that is given the id of another world's body changes nothing and returns
// kInvalidArgument "body id"; for a body that is gone, or for no body, kStaleId "body id". The same
// holds for joints, with "joint id".
//
// Promise of queries: as src/broadphase has it. A body that is there throughout the query is found,
// and one that is never there is not; a body that moves meanwhile is seen in one of its places. One
// that changes its layer meanwhile is seen once by a query of both layers, and by a query of one of
// them as if it had come or gone (layer_changes.h). Worst case: two walks and a look at each slot.
//
// Locks, determinism, places and worst cases: behind the class.
// Source: [rouwe2022], "Frame" and "Quad tree - collision query".
// Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_WORLD_WORLD_H_
#define NOWAIT_SRC_WORLD_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_change.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/bodies/layers.h"
#include "src/broadphase/tree_snapshot.h"
#include "src/collision/ray_cast.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/contact_hit.h"
#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_event.h"
#include "src/dynamics/joint_snapshot.h"
#include "src/jobs/task_pool.h"
#include "src/math/bounds.h"
#include "src/sync/rw_lock.h"
#include "src/world/contact_snapshot.h"
#include "src/world/link_snapshot.h"
#include "src/world/ray_trace.h"
#include "src/world/update_stats.h"
#include "src/world/world_batch.h"
#include "src/world/world_def.h"
#include "src/world/world_view.h"

namespace nowait {

class World {
 public:
  // kInvalidArgument names the field that is out of range; kCapacity names the resource: "worlds"
  // when BodyId::kMaxWorlds are alive, "memory" when the system has too little of it for the
  // definition.
  static Result<std::unique_ptr<World>> Create(const WorldDef& def);
  ~World();

  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // --- Bodies. Game update, any thread. Blocking: a body lock, and the storage's mutex.

  // A body that collides and is found from now on. In the next update a static one wakes the bodies
  // that it touches and those that slept there in an update before; sleepers that are new as well
  // sleep on, so a stack may be loaded at rest, with its floor. kInvalidArgument names the wrong
  // field of `def`; kCapacity: "bodies", "tree nodes" or "memory". After an error nothing has
  // happened.
  Result<BodyId> CreateBody(const BodyDef& def, WaitTime& wait);

  // The body is gone when this returns; bodies that rested on it in the last update, asleep or not,
  // are awake in the next one. kStaleId when it was already gone.
  Result<void> DestroyBody(BodyId id, WaitTime& wait);

  // Puts the body elsewhere and wakes it, and in the next update the bodies that rested on it and
  // those that it touches in its new place. kStaleId; kInvalidArgument "position" or "rotation"
  // when it cannot be there; then nothing has happened. A static body may be moved; a height field
  // may not be turned.
  Result<void> MoveBody(BodyId id, Vec3 position, Quat rotation, WaitTime& wait);

  // Sets the velocities of a dynamic body and wakes it, and in the next update the bodies that it
  // touched. A kinematic one keeps the velocities, and has no target any longer; it wakes others
  // unless it stood and shall stand. kStaleId; kInvalidArgument "velocity", or "body" for a static
  // one.
  Result<void> SetVelocity(BodyId id, Vec3 linear, Vec3 angular, WaitTime& wait);

  // Sends a kinematic body to this place: it is there at the end of the next update, or as near as
  // max_linear_speed and max_angular_speed allow, and then goes on in the updates after it. There
  // it stands. It turns by the shorter way. Bodies feel its velocity; if there is a way
  // to go, the bodies that touched it wake in the next update, and those that it meets when it
  // meets them. Nothing stops it. kStaleId; kInvalidArgument "position", "rotation", or "body" for
  // one that is not kinematic.
  Result<void> SetTarget(BodyId id, Vec3 position, Quat rotation, WaitTime& wait);

  // Changes the velocities of a dynamic body at once, as a blow at `point` of the world with
  // `impulse` newton seconds does, and `turn` newton metre seconds besides. Wakes like SetVelocity.
  // kStaleId; kInvalidArgument "impulse" when the body would be faster than 10,000 a second, or
  // "body" for a static one; then nothing has happened.
  Result<void> ApplyImpulse(BodyId id, Vec3 impulse, Vec3 point, Vec3 turn, WaitTime& wait);

  // Lets `force` newton act on a dynamic body at `point` of the world, and `torque` newton metres
  // besides, throughout the next update, all its steps; forces of several calls add up. Wakes like
  // SetVelocity. kStaleId; kInvalidArgument "force" or "torque" when their sum would accelerate the
  // body by more than 1e8 a second squared, or "body" for one that is not dynamic; then nothing has
  // happened.
  Result<void> ApplyForce(BodyId id, Vec3 force, Vec3 point, Vec3 torque, WaitTime& wait);

  // Gives a body other properties, and wakes it and in the next update the bodies that it touched;
  // with another shape or layer also those that it touches then. Its contacts have the new ones
  // from then on; one whose mass or inertia falls below half in a call loses the impulses of its
  // contacts and joints. kStaleId; kInvalidArgument names the wrong field, "type" for a change that
  // is none of those of BodyChange, "mass", "no_turn" or "shape" when the forces on the body would
  // be too strong afterwards (ApplyForce), "shape" for one that only static bodies have, "velocity"
  // or "position" (also of the target) when a frame leads beyond what SetVelocity and MoveBody
  // take, likewise "surface_velocity", or "body" for a mass of one that is not dynamic; kCapacity
  // "tree nodes" or "memory" for a layer. After an error nothing has happened.
  Result<void> SetProperties(BodyId id, const BodyChange& change, WaitTime& wait);

  // Wakes a dynamic body; its island follows in the next update. An awake one, too, has all its
  // time of rest again.
  Result<void> WakeBody(BodyId id, WaitTime& wait);

  // --- Batches: many bodies at once, with one insertion into the tree.

  // Builds bodies and their subtree where no other thread sees them. Any thread, any time; blocks
  // on the storage's mutex and on the lock of each body in turn. Errors as for CreateBody; then
  // nothing is left behind.
  Result<WorldBatch> PrepareBatch(std::span<const BodyDef> defs);

  // Makes the batch's bodies part of the world and returns their ids, in the order of the defs.
  // From one moment on any thread may find, move and remove a body; the moment is the same for all
  // bodies of a layer (world_bodies.h). Game update, any thread. Takes no body lock. O(layers) for
  // any number of bodies: the next update settles them, one lock each. In that update they are new,
  // like bodies of CreateBody. `batch` is empty afterwards. kInvalidArgument "batch" when it was
  // empty before, or when another world prepared it; then it stays as it is.
  Result<std::vector<BodyId>> FinaliseBatch(WorldBatch& batch, WaitTime& wait);

  // Gives a prepared batch back; an empty one is left as it is. Any thread, any time.
  // kInvalidArgument "batch" when another world prepared it; then it stays as it is.
  Result<void> AbortBatch(WorldBatch& batch);

  // Destroys the bodies. Skips those that are already gone, and other worlds'. Returns the number
  // destroyed. Game update, any thread.
  std::uint32_t RemoveBodies(std::span<const BodyId> ids, WaitTime& wait);

  // --- Joints. Game update, any thread. Blocking: body locks, one at a time, and a mutex. O(1).

  // Connects two bodies, and wakes both. From the next update on they are in one island: they wake
  // and fall asleep together. Unless the definition says that they touch, their contacts end.
  // kInvalidArgument names the wrong field of `def`; "bodies" when it names one body twice, or two
  // static ones. A gear's joints are named "first" and "second": kStaleId when one is gone,
  // kInvalidArgument when it is no hinge or slider; "a" or "b" for a body that is not one of its.
  // kCapacity "joints". After an error nothing has happened.
  //
  // A joint ends with either of its bodies: the next update wakes the other one and removes the
  // joint, with an event. Until then it has its id and its place in the capacity. Likewise a gear
  // ends with either of its joints, whatever ended that one; both its bodies wake.
  Result<JointId> CreateJoint(const JointDef& def, WaitTime& wait);

  // The joint is gone when this returns; its bodies are awake.
  Result<void> DestroyJoint(JointId id, WaitTime& wait);

  // Gives the joint other limits, motors and springs, and wakes its bodies. kInvalidArgument names
  // the wrong field; "kind" when `kind` is of another alternative than the joint's, "first" or
  // "second" when it gives a gear another joint.
  Result<void> ChangeJoint(JointId id, const JointKind& kind, WaitTime& wait);

  Result<JointSnapshot> GetJoint(JointId id) const;

  // --- Queries. Any thread, any time. Blocking: body locks, one at a time, only to copy a body.

  Result<BodySnapshot> GetBody(BodyId id, WaitTime& wait) const;

  // The first body that the ray hits, or nothing. A ray that is not finite hits nothing; a
  // finite one may begin anywhere and be of any length. Of two bodies whose hits are closer to each
  // other than the rounding of their places, either may be returned.
  std::optional<RayHit> CastRay(const RayCast& ray, const QueryFilter& filter,
                                WaitTime& wait) const;
  // The same, with the nodes of the trees that it visits, which replace those in `out`; for a
  // viewer. Linear in them, in time and in memory.
  void TraceRay(const RayCast& ray, const QueryFilter& filter, WaitTime& wait, RayTrace& out) const;

  // For queries that belong together or take long. Each query sees the bodies as they are when it
  // runs; the view saves entering and leaving the tree. Keep it as long as you like, over any
  // number of updates: tree nodes that go out of use are not reused while it lives.
  WorldView Read() const;

  // The same for a part of the game update in which no thread changes anything: many threads read.
  // Its queries take no body locks, a large part of the cost of a short query. While the view
  // lives, no thread may create, destroy, move, set, wake, change or finalise, nor look at joints,
  // and Update may not run; debug builds assert it.
  WorldView ReadNoLock() const;

  // --- The physics update. One thread; no other function but those named above may overlap.
  // Blocking: runs on `pool`, whose threads are the caller's and the workers, and helps; waits for
  // readers that hold a body lock, to copy one body.

  // Advances the world by `dt` in `steps` equal steps: two 60 Hz steps in a 30 Hz frame are
  // Update(1.0f / 30, pool, 2). kInvalidArgument: "dt" (above zero, at most 10 seconds), "steps" (1
  // .. 64). kNotOwner, kWrongPhase: the caller is not a thread of the pool, or may not wait
  // (TaskPool::MayWait). kCapacity "contacts": a step found more pairs than there is room for. That
  // step did not happen: the world is as it was after the step before, stats().steps says how many
  // were done, and the same call fails again until bodies have been removed or moved apart.
  // kCapacity "memory": the system had too little for the step's lists. The step was cut short: a
  // body is where the step before left it, or where this one would have put it, and never between;
  // the contacts that had begun or ended and the bodies that had woken by then are among the
  // events. The next Update goes on from there.
  //
  // After each step all places and velocities are numbers, and no speed is above SolverDef's
  // max_linear_speed and max_angular_speed (but for the rounding of the product), whatever bodies
  // of accepted definitions lie in each other.
  //
  // Contacts are found once a step, at the bodies' places at that time. A body whose way in a step
  // is longer than half of its inner radius is stopped in front of what it would pass through, as
  // BodyDef::continuous says: no centre of such a body passes a static body, however thin, at any
  // speed (continuous_stage.h). It keeps its velocity, and loses the rest of its way in that step;
  // one that is wedged loses speed as well. The rotation in a step counts as the shortest one: a
  // body that makes more than half a turn in it needs more steps. Places farther out than 10 km are
  // as accurate as their digits.
  Result<void> Update(float dt, TaskPool& pool, std::uint32_t steps = 1);

  // The counts and times of the last Update. Valid until the next; same thread as Update, or
  // ordered after it.
  const UpdateStats& stats() const;
  std::span<const ContactEvent> contact_events() const;
  // One for each contact that began, in the order of contact_events.
  std::span<const ContactHit> contact_hits() const;
  std::span<const SleepEvent> sleep_events() const;
  std::span<const JointEvent> joint_events() const;

  // --- The whole state. Game update, while no thread changes bodies.

  // FNV-1a over slot, generation, position, rotation, velocities and sleep of every body, in the
  // order of their ids, and over slot, generation and impulses of every joint.
  std::uint64_t StateHash() const;

  // The whole state as a blob of kind "WRLD" (src/resource/blob.h): bodies, contacts, joints, the
  // game's changes since the last step, and which ids come next. shared: the shapes with shared
  // data (ground, hulls, meshes, compounds) that bodies have, in an order of the caller's; a blob
  // has their indices. kNotFound "shape" when one is missing; kInvalidArgument "batch" while
  // prepared bodies wait; kCapacity "memory" or "blob bytes". O(capacities).
  Result<std::vector<std::byte>> Save(std::span<const Shape> shared = {}) const;

  // Makes the world what the saved one was. All later calls and updates give the same results as
  // there, for the same calls; ids of then name their bodies again, ids that were given since do
  // not, and the last update has no events. saved: aligned to 16 bytes, of this world or of another
  // with the same definition. shared: as for Save; shapes of the same order and form.
  // While it runs, no other function of the world runs on any thread, and no view or batch is
  // there. kInvalidArgument: the field of the definition that is another one, "shared", or "batch";
  // kCorrupt: the part of the blob and its field; kCapacity. After an error nothing has changed.
  Result<void> Restore(std::span<const std::byte> saved, std::span<const Shape> shared = {});

  // Every body of the world by ascending slot, replacing what is in `out`.
  void Snapshot(std::vector<BodySnapshot>& out) const;

  // The boxes of the broad phase, at most `limit` of each layer's tree. Upper levels come first,
  // and the boxes left out are counted. Takes no lock. Linear in the boxes.
  void SnapshotTree(std::size_t limit, TreeSnapshot& out) const;

  // The contacts of the last step, by ascending (a, b), replacing what is in `out`: those that
  // began in it, and those that go on; and those of bodies that sleep. A body that was removed
  // since is named in them, too. Linear in the contacts.
  void SnapshotContacts(std::vector<ContactSnapshot>& out) const;

  // The links of islands: contacts of two dynamic bodies in the last step of an Update, and joints.
  // Bodies that sleep keep theirs. At most `limit`, those of the lowest slots. Takes no lock.
  // O(n log n) in the contacts and joints.
  void SnapshotLinks(std::size_t limit, LinkSnapshot& out) const;

  // The layer of that name: "static", "dynamic", or one of the definition's. kNotFound "layer". Any
  // thread, any time.
  Result<Layer> FindLayer(std::string_view name) const;

  std::uint32_t body_count() const;
  std::uint32_t joint_count() const;
  const WorldDef& def() const;

 private:
  struct Parts;
  explicit World(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// Locks. Bodies share `WorldDef::body_locks` reader-writer locks, chosen by slot. Every function,
// Update as well, takes one at a time, for a copy or a change of one body, and holds no lock while
// it waits or helps. So queries may be tasks of the pool that Update runs on, and a reader waits at
// most for the change of one other body. Meanwhile some bodies are seen before the step and others
// after it.
//
// Determinism: the same calls in the same order give the same StateHash for any number of workers,
// in every run, with every compiler, and the same slots and generations; an id also has the number
// of its world, which the process gives out. Where game threads race each other, their order is the
// input.
//
// Places. A body is put within 1e6 metres of the origin on each axis; beyond that, the functions
// that take a place return kInvalidArgument "position". A place is three floats, and a step moves a
// body to within one of their digits: 1 mm at 10 km, 8 mm at 100 km, 6 cm at 1,000 km. A body that
// is slower than half a digit a step stands still (1.8 m/s at 1,000 km and 60 Hz). Contacts are as
// accurate as the digits: a scene that has to look right stays within 10 km. A body that leaves 1e6
// metres by its own speed moves on, in the digits that there are (1 m at 1e7 metres), and queries
// find it; only the game can put it back.
//
// Worst cases, and the tests that hold them:
//   - FinaliseBatch does as much for 10,000 bodies as for 10 (tests/world/batch_test.cc). It grows
//     with the number of batches since the last update: the roots that they add stand in a list
//     until a rebuild makes one tree of them, and each further batch and each query walks that
//     list. Bodies that come together should come in one batch.
//   - Where Update waits for a body's lock, each reading thread overtakes it at most once, even
//     threads that read without a pause (src/sync/phase_fair_lock.h,
//     tests/sync/phase_fair_lock_test.cc; in an update: tests/whole/scheduler/world_test.cc).
//   - A pair is tested in a bounded time, even a body of kilometres on ground with a sample a metre
//     (src/collision/field_blocks.h, tests/collision/large_body_test.cc). A mesh is the exception:
//     one thread tests each triangle that the box of the other body touches, in microseconds each.
//   - A link of an island follows O(log bodies) links on average in any order of contacts
//     (src/islands/union_find.h, tests/islands/union_find_test.cc).
//   - An insertion climbs no list: a game update that adds many single bodies fills staging trees
//     (src/broadphase/staging_tree.h, tests/broadphase/staging_tree_test.cc).
//   - A query of several layers that meets a change of layer walks a second time, and at most a
//     second time; where that walk meets one, too, it looks at every slot once, one lock each
//     (query_bodies.h, tests/world/layer_query_test.cc). Any change between layers counts. A query
//     of one layer's tree walks once.
// Without a bound: a body whose box overlaps n others is tested against each of them, by one
// thread, and a query looks at each body whose box it meets.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_H_
