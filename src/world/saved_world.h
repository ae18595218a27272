// SavedWorld: the layout of the blob that World::Save makes (src/resource/blob.h).
//
//   SavedWorld         at the beginning of the content; names the arrays
//   bodies             by ascending slot
//   contacts, points   by ascending pair; the points of a contact follow those of the one before
//   joints, axes       by ascending slot; the six axes of a joint that has them follow those of the
//                      one before
//   slots              of bodies and of joints: the generation that each has next, and the order in
//                      which the free ones will be given away
//   changes            of the game since the last step, by slot
//
// A shape without shared data is written in. Ground, hulls, meshes and compounds are not: they are
// large, never change, and many worlds may have them. Such a shape is its index in a list of the
// caller's; shape_set.h makes bytes of that. The contact hook is not saved: the restoring world has
// its own.
//
// Ids are slot and generation. The world's number is left out: it is that of the restoring world.
#ifndef NOWAIT_SRC_WORLD_SAVED_WORLD_H_
#define NOWAIT_SRC_WORLD_SAVED_WORLD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body.h"
#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/bodies/shape.h"
#include "src/dynamics/joint.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"
#include "src/world/world_def.h"

namespace nowait {

inline constexpr std::uint32_t kSavedWorldKind = FourCharacters("WRLD");
inline constexpr std::uint32_t kSavedWorldVersion = 5;
inline constexpr float kFarthestSaved = 1e12f;  // metres: where a body may get by its own speed

struct SavedId {
  std::uint32_t slot;
  std::uint32_t generation;

  friend bool operator==(const SavedId&, const SavedId&) = default;
};

// Of a WorldDef, what the steps depend on.
struct SavedDef {
  std::uint32_t max_bodies;
  std::uint32_t max_contacts;
  std::uint32_t max_joints;
  std::uint32_t substeps;
  std::uint32_t layers;
  std::uint32_t layers_touch;  // a hash of the collision matrix
  Vec3 gravity;
  std::array<float, 3> rest;
  std::array<float, 9> solver;
};

struct SavedShape {
  static constexpr std::uint32_t kOwn = ~std::uint32_t{0};

  std::uint32_t shared;  // its index; kOwn: what follows
  std::uint32_t kind;
  float radius;  // of a plane: its distance
  float half_height;
  Vec3 half;  // of a plane: its normal
};

struct SavedBody {
  // Flags.
  static constexpr std::uint32_t kMaySleep = 1;
  static constexpr std::uint32_t kHasTarget = 2;
  static constexpr std::uint32_t kNoTurnX = 4;
  static constexpr std::uint32_t kNoTurnY = 8;
  static constexpr std::uint32_t kNoTurnZ = 16;
  static constexpr std::uint32_t kAllFlags = 31;

  std::uint64_t user;
  SavedId id;
  std::uint32_t type;
  std::uint32_t state;
  std::uint32_t layer;
  std::uint32_t continuous;
  std::uint32_t flags;
  std::uint32_t island;
  SavedShape shape;
  Vec3 position;
  Quat rotation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  float inverse_mass;
  Vec3 inverse_inertia;
  float old_inverse_mass;  // zero without a change of mass since the last step
  Vec3 old_inverse_inertia;
  float density;
  float friction;
  float restitution;
  std::uint32_t friction_rule;
  std::uint32_t restitution_rule;
  Vec3 surface_velocity;
  std::uint32_t sensor;  // 0 or 1
  float rolling_resistance;
  float linear_damping;
  float angular_damping;
  float gravity_scale;
  Bounds<3> tree_box;
  Vec3 rest_position;
  Quat rest_rotation;
  float rest_time;
  Vec3 target_position;
  Quat target_rotation;
  Vec3 force;
  Vec3 torque;
};

struct SavedPlace {
  Vec3 position;
  Quat rotation;
};

struct SavedContact {
  SavedId a;
  SavedId b;
  SavedPlace origin_a;  // where its bodies were when its points were found
  SavedPlace origin_b;
  std::uint32_t points;
  float friction;
  float restitution;
  float rolling_length;
  Vec3 surface_velocity;
  std::uint32_t sensor;  // 0 or 1
  Vec3 rolling_impulse;
};

struct SavedPoint {
  Vec3 position;
  Vec3 normal;
  float separation;
  std::uint32_t feature;
  float friction;
  float restitution;
  std::uint32_t material;
  float impulse;
  Vec3 friction_impulse;
};

struct SavedJoint {
  // Flags: the parts that a joint may have or not.
  static constexpr std::uint32_t kBodiesTouch = 1;
  static constexpr std::uint32_t kLimits = 2;
  static constexpr std::uint32_t kSpring = 4;
  static constexpr std::uint32_t kMotor = 8;
  static constexpr std::uint32_t kDrive = 16;
  static constexpr std::uint32_t kAllFlags = 31;

  std::uint64_t user;
  std::array<std::int64_t, 2> turns;  // and the other numbers of GearTeeth
  double meshed;
  float meshed_ratio;
  std::array<float, 2> wheel_angles;
  SavedId first;  // of a gear
  SavedId second;
  Vec3 ground_a;  // of a pulley
  Vec3 ground_b;
  SavedId id;
  SavedId a;
  SavedId b;
  std::uint32_t kind;  // the alternative of JointKind
  std::uint32_t flags;
  JointFrame frame_a;
  JointFrame frame_b;
  float size;  // the length of a rod, half the angle of a cone, the ratio of a gear or pulley
  JointLimits limits;
  JointSpring spring;
  JointMotor motor;
  JointDrive drive;
  float break_force;
  float break_torque;
  Vec3 linear_impulse;
  Vec3 angular_impulse;
  Vec3 drive_impulse;
  std::array<float, kJointRoles> row_impulses;
  float position;
  float force;
  float torque;
  std::uint32_t zero;  // to a multiple of 8, so that no byte is left to chance
};

// Of a SixDofJoint.
struct SavedAxis {
  static constexpr std::uint32_t kSpring = 1;
  static constexpr std::uint32_t kMotor = 2;
  static constexpr std::uint32_t kMotorTo = 4;
  static constexpr std::uint32_t kAllFlags = 7;

  std::uint32_t motion;
  std::uint32_t flags;
  JointLimits limits;
  LimitSpring spring;
  JointMotor motor;
  JointSpring to;
  std::array<float, kAxisRoles> impulses;
};

struct SavedSlots {
  BlobArray<std::uint32_t> generations;
  BlobArray<std::uint32_t> free;
  std::uint32_t end;
};

struct SavedWorld {
  SavedDef def;
  BlobArray<SavedBody> bodies;
  BlobArray<SavedContact> contacts;
  BlobArray<SavedPoint> points;
  BlobArray<SavedJoint> joints;
  BlobArray<SavedAxis> axes;
  SavedSlots body_slots;
  SavedSlots joint_slots;
  BlobArray<std::uint32_t> changes;
};

static_assert(BlobData<SavedWorld> && BlobData<SavedBody> && BlobData<SavedContact> &&
              BlobData<SavedPoint> && BlobData<SavedJoint> && BlobData<SavedAxis>);
// Another size is another version of the blob.
static_assert(sizeof(SavedDef) == 21 * 4 && sizeof(SavedShape) == 7 * 4);
static_assert(sizeof(SavedBody) == 78 * 4);
static_assert(sizeof(SavedContact) == 29 * 4 && sizeof(SavedPoint) == 15 * 4);
static_assert(sizeof(SavedJoint) == 78 * 4 && sizeof(SavedAxis) == 14 * 4);
static_assert(sizeof(SavedWorld) == (21 + 12 + 10) * 4);

inline SavedId ToSaved(BodyId id) { return {id.slot(), id.generation()}; }
inline SavedId ToSaved(JointId id) { return {id.slot(), id.generation()}; }

SavedDef ToSaved(const WorldDef& def, const CollisionMatrix& collisions, std::size_t layers);

// kNotFound "shape": one with shared data is none of `shared`.
Result<SavedBody> ToSaved(const Body& body, BodyState state, std::span<const Shape> shared);
// world: the number in the id. layers: how many there are. kCorrupt "saved body", and
// kInvalidArgument "shared" when the list has another shape in its place.
Result<std::pair<Body, BodyState>> FromSaved(const SavedBody& saved, std::span<const Shape> shared,
                                             std::uint32_t world, std::size_t layers);

// axes: the joint's are added behind them.
SavedJoint ToSaved(const Joint& joint, std::vector<SavedAxis>& axes);
// world: the number in the ids. Takes the axes of the joint off the front of `axes`. kCorrupt
// "saved joint".
Result<Joint> FromSaved(const SavedJoint& saved, std::span<const SavedAxis>& axes,
                        std::uint32_t world);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_SAVED_WORLD_H_
