#include "src/character/character.h"

#include <algorithm>
#include <cmath>

#include "src/math/float_mode.h"

namespace nowait {
namespace {

constexpr float kFarthest = 1e6f;
constexpr float kFastest = 1'000.0f;
// Two axes of a drift and a jump from what rises: gravity and walls make them no longer.
constexpr float kFastestInAir = 2'500.0f;
constexpr float kFarthestBody = 1e12f;  // where a body may get by its own speed

// A step that brings it forward by less is no step.
constexpr float kLeastProgress = 1e-3f;

Result<void> Check(float value, float least, float most, const char* name, const char* range) {
  if (value >= least && value <= most) return {};  // false for NaN
  return Fail(ErrorCode::kInvalidArgument, name, 0, range);
}

bool IsWithin(Vec3 v, float most) {
  const Vec3 size = Abs(v);
  return size.x <= most && size.y <= most && size.z <= most;
}

Result<void> CheckPosition(Vec3 position) {
  if (IsWithin(position, kFarthest)) return {};
  return Fail(ErrorCode::kInvalidArgument, "position", 0, "not within 1e6 metres");
}

Result<void> Validate(const CharacterDef& def) {
  for (const Result<void>& valid :
       {CheckPosition(def.position), Check(def.radius, 0.05f, 10.0f, "radius", "0.05 .. 10"),
        Check(def.half_height, 0.001f, 10.0f, "half_height", "0.001 .. 10"),
        Check(def.step_height, 0.0f, 10.0f, "step_height", "0 .. 10"),
        Check(def.steepest_cosine, 1e-3f, 1.0f, "steepest_cosine", "0.001 .. 1"),
        Check(def.gravity, 0.0f, 1e3f, "gravity", "0 .. 1000"),
        Check(def.fastest_fall, 0.1f, 1e3f, "fastest_fall", "0.1 .. 1000"),
        Check(def.mass, 0.01f, 1e6f, "mass", "0.01 .. 1e6"),
        Check(def.most_force, 0.0f, 1e9f, "most_force", "0 .. 1e9")}) {
    if (!valid) return valid;
  }
  return {};
}

// The way over ground of this normal whose shadow on the level is as long as the wish.
Vec3 AlongGround(Vec3 level, Vec3 normal) {
  return {level.x, -(normal.x * level.x + normal.z * level.z) / normal.y, level.z};
}

}  // namespace

Result<Character> Character::Create(const CharacterDef& def) {
  if (const Result<void> valid = Validate(def); !valid) return std::unexpected(valid.error());
  return Character(def);
}

Result<void> Character::Place(Vec3 position) {
  if (Result<void> valid = CheckPosition(position); !valid) return valid;
  state_.position = position;
  state_.velocity = state_.drift = {};
  state_.rise = 0.0f;
  state_.ground.reset();
  return {};
}

Result<void> Character::Restore(const CharacterState& state) {
  if (Result<void> valid = CheckPosition(state.position); !valid) return valid;
  if (!IsFinite(state.velocity)) {
    return Fail(ErrorCode::kInvalidArgument, "velocity", 0, "not a number, or infinite");
  }
  if (!IsWithin(state.drift, kFastestInAir)) {
    return Fail(ErrorCode::kInvalidArgument, "drift", 0, "not within 2500 metres a second");
  }
  if (auto valid = Check(state.rise, -kFastestInAir, kFastestInAir, "rise", "within 2500");
      !valid) {
    return valid;
  }
  if (state.ground) {
    const CharacterGround& ground = *state.ground;
    const bool is_normal = std::abs(LengthSquared(ground.normal) - 1.0f) <= 0.01f &&
                           ground.normal.y >= def_.steepest_cosine;
    const bool is_place = IsWithin(ground.position, kFarthestBody) &&
                          std::abs(LengthSquared(ground.rotation) - 1.0f) <= 0.002f;
    if (!is_normal || !is_place) {
      return Fail(ErrorCode::kInvalidArgument, "ground", ground.body.slot(),
                  "no ground lies so, or is so steep");
    }
  }
  state_ = state;
  return {};
}

Result<void> Character::Move(const CharacterSurroundings& around, const CharacterWish& wish,
                             float dt, std::vector<CharacterPush>& pushes) {
  if (!IsWithin(wish.velocity, kFastest)) {
    return Fail(ErrorCode::kInvalidArgument, "velocity", 0, "not within 1000 metres a second");
  }
  if (Result<void> valid = Check(wish.jump, 0.0f, kFastest, "jump", "0 .. 1000"); !valid) {
    return valid;
  }
  if (Result<void> valid = Check(dt, 1e-6f, 1.0f, "dt", "1e-6 .. 1 seconds"); !valid) return valid;
  const FloatModeScope float_mode;
  const Vec3 start = state_.position;
  CapsuleMover mover(def_, around, state_.position, pushes);
  mover.Recover(dt);  // first: what carries it upwards is in it by now
  if (state_.ground) Carry(mover, dt);
  const Vec3 level = Vec3{wish.velocity.x, 0.0f, wish.velocity.z} * dt;
  const bool jumps = state_.ground && wish.jump > 0.0f;
  if (state_.ground && !jumps) {
    Walk(mover, AlongGround(level, state_.ground->normal), dt);
    FindGround(mover, def_.step_height + CapsuleMover::kSkin, dt, pushes);
  } else {
    if (jumps) {
      state_.rise += wish.jump;
      state_.ground.reset();
    }
    state_.rise = std::max(state_.rise - def_.gravity * dt, -def_.fastest_fall);
    Fly(mover, level + (state_.drift + Vec3{0.0f, state_.rise, 0.0f}) * dt, dt);
    if (state_.rise <= 0.0f) FindGround(mover, 2.0f * CapsuleMover::kSkin, dt, pushes);
  }
  queries_ = mover.queries();
  state_.position = mover.position();
  state_.velocity = (state_.position - start) * (1.0f / dt);
  return {};
}

// With the ground, as far as that has moved since: 1 query, and a slide.
void Character::Carry(CapsuleMover& mover, float dt) {
  state_.drift = {};
  state_.rise = 0.0f;
  const auto body = mover.Look(state_.ground->body);
  if (!body) {  // it is gone, and the character falls
    state_.ground.reset();
    return;
  }
  const Quat turn = Normalise(body->rotation * Conjugate(state_.ground->rotation));
  const Vec3 foot = mover.position() - Vec3{0.0f, def_.half_height + def_.radius, 0.0f};
  const Vec3 carried = body->position + Rotate(turn, foot - state_.ground->position) - foot;
  state_.ground->position = body->position;
  state_.ground->rotation = body->rotation;
  if (LengthSquared(carried) == 0.0f) return;
  mover.Slide(carried, false, dt);
  // A jump keeps it. Ground that was put elsewhere at once had no speed to give.
  constexpr Vec3 kMost{kFastest, kFastest, kFastest};
  const Vec3 velocity = Max(Min(carried * (1.0f / dt), kMost), -kMost);
  state_.drift = {velocity.x, 0.0f, velocity.z};
  state_.rise = velocity.y;
}

// A slide; and where a wall turned it aside, a step up instead, if there is one.
void Character::Walk(CapsuleMover& mover, Vec3 way, float dt) {
  const CapsuleMover::SlideResult slid = mover.Slide(way, true, dt);
  if (!slid.wall || def_.step_height == 0.0f) return;
  const Vec3 beside = mover.position();
  mover.set_position(slid.wall->position);
  const Vec3 left{slid.wall->left.x, 0.0f, slid.wall->left.z};
  if (!StepUp(mover, left)) mover.set_position(beside);
}

// Up, on, and down again: 3 queries, and 1 for the ground. False when it has no better place then.
bool Character::StepUp(CapsuleMover& mover, Vec3 way) {
  const Vec3 from = mover.position();
  mover.Advance({0.0f, def_.step_height, 0.0f});
  const float raised = mover.position().y - from.y;
  const Vec3 above = mover.position();
  mover.Advance(way);
  const Vec3 gone = mover.position() - above;
  if (Length(gone) < kLeastProgress) return false;
  const auto hit = mover.Advance({0.0f, -raised, 0.0f});
  if (!hit || !(mover.position().y > from.y) || !mover.IsGround(*hit)) return false;
  const float feet = from.y - def_.half_height - def_.radius;
  return hit->point.y <= feet + def_.step_height;
}

// In the air it keeps the part of its fall that goes along what it meets.
void Character::Fly(CapsuleMover& mover, Vec3 way, float dt) {
  const CapsuleMover::SlideResult slid = mover.Slide(way, false, dt);
  if (slid.ceiling) state_.rise = std::min(state_.rise, 0.0f);
  if (!slid.wall) return;
  const Vec3 normal = slid.wall->normal;
  Vec3 fall = state_.drift + Vec3{0.0f, state_.rise, 0.0f};
  fall -= normal * std::min(Dot(fall, normal), 0.0f);
  state_.drift = {fall.x, 0.0f, fall.z};
  state_.rise = fall.y;
}

// Down by `reach` at most; it stands, if there is ground. 3 queries.
void Character::FindGround(CapsuleMover& mover, float reach, float dt,
                           std::vector<CharacterPush>& pushes) {
  const Vec3 from = mover.position();
  const auto hit = mover.Advance({0.0f, -reach, 0.0f});
  // A body that is gone by the time of the look is no ground.
  const auto body = hit && mover.IsGround(*hit) ? mover.Look(hit->body) : std::nullopt;
  if (!body) {
    mover.set_position(from);
    state_.ground.reset();
    return;
  }
  const bool is_gentle = hit->normal.y >= def_.steepest_cosine;
  const bool stood = state_.ground.has_value();
  state_.ground = CharacterGround{hit->body, is_gentle ? hit->normal : Vec3{0.0f, 1.0f, 0.0f},
                                  body->position, body->rotation};
  if (!stood) {
    state_.drift = {};
    state_.rise = 0.0f;
  }
  if (body->type == BodyType::kDynamic && !body->asleep) {
    pushes.push_back({hit->body, {0.0f, -def_.mass * def_.gravity * dt, 0.0f}, hit->point});
  }
}

void ApplyPushes(World& world, std::span<const CharacterPush> pushes, WaitTime& wait) {
  for (const CharacterPush& push : pushes) {
    // A body that is gone, or would be too fast, is left as it is: the character has moved already.
    static_cast<void>(world.ApplyImpulse(push.body, push.impulse, push.point, {}, wait));
  }
}

}  // namespace nowait
