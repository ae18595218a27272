#include "src/dynamics/contact_block.h"

#include <algorithm>
#include <cstddef>

#include "src/base/assert.h"

namespace nowait {
namespace {

void Put(Vec3 v, int lane, BlockVec& to) {
  to.x[lane] = v.x;
  to.y[lane] = v.y;
  to.z[lane] = v.z;
}

void Put(const Mat3& m, int lane, BlockMat& to) {
  Put(m.x, lane, to.x);
  Put(m.y, lane, to.y);
  Put(m.z, lane, to.z);
}

void PutBit(bool value, int lane, std::uint32_t& bits) {
  const std::uint32_t bit = 1u << lane;
  bits = value ? bits | bit : bits & ~bit;
}

Vec3 Of(const BlockVec& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

void PackBodies(SolverBody& a, SolverBody& b, int lane, ContactBlock& block) {
  block.a[lane] = &a;
  block.b[lane] = &b;
  PutBit(a.inverse_mass != 0.0f, lane, block.moves_a);
  PutBit(b.inverse_mass != 0.0f, lane, block.moves_b);
  block.inverse_mass_a[lane] = a.inverse_mass;
  block.inverse_mass_b[lane] = b.inverse_mass;
  Put(a.inverse_inertia, lane, block.inverse_inertia_a);
  Put(b.inverse_inertia, lane, block.inverse_inertia_b);
}

void PackRolling(const Contact& contact, const SolverBody& a, const SolverBody& b, int lane,
                 ContactBlock& block) {
  const bool rolls = contact.rolling_length > 0.0f;
  PutBit(rolls, lane, block.rolls);
  BlockRolling& rolling = block.rolling;
  rolling.length[lane] = contact.rolling_length;
  Put(rolls ? Inverse(a.inverse_inertia + b.inverse_inertia) : Mat3{{}, {}, {}}, lane,
      rolling.mass);
  Put(rolls ? contact.rolling_impulse : Vec3{}, lane, rolling.impulse);
}

// Of a lane without the point: default-constructed arguments.
void PackPoint(const ContactPoint& found, const PointImpulse& impulse, Vec3 arm_a, Vec3 arm_b,
               int lane, BlockPoint& point) {
  Put(found.normal, lane, point.normal);
  Put(arm_a, lane, point.arm_a);
  Put(arm_b, lane, point.arm_b);
  point.separation[lane] = found.separation;
  point.normal_impulse[lane] = impulse.normal;
  Put(impulse.friction, lane, point.kept_friction);
}

}  // namespace

void Pack(const Contact& contact, std::span<const ContactPoint> now, Vec3 centre_a, Vec3 centre_b,
          SolverBody& a, SolverBody& b, const SubstepDef& def, int lane, ContactBlock& block) {
  NOWAIT_ASSERT(now.size() <= block.points.size(), "a block has room for its points");
  PackBodies(a, b, lane, block);
  const bool fixed = a.inverse_mass == 0.0f || b.inverse_mass == 0.0f;
  const Softness softness = fixed ? def.against_fixed : def.between;
  block.bias_rate[lane] = softness.bias_rate;
  block.mass_scale[lane] = softness.mass_scale;
  block.impulse_scale[lane] = softness.impulse_scale;
  PackRolling(contact, a, b, lane, block);
  Put(contact.surface_velocity, lane, block.surface_velocity);
  PutBit(contact.surface_velocity != Vec3{}, lane, block.slides);
  bool may_bounce = false;
  for (std::size_t i = 0; i < block.points.size(); ++i) {
    BlockPoint& point = block.points[i];
    const bool has = i < now.size();
    PutBit(has, lane, point.has);
    if (has) {
      PackPoint(now[i], contact.impulses[i], now[i].position - centre_a, now[i].position - centre_b,
                lane, point);
    } else {
      PackPoint({}, {}, {}, {}, lane, point);
    }
    point.friction[lane] = has ? contact.friction * now[i].friction : 0.0f;
    point.restitution[lane] = has ? std::max(contact.restitution, now[i].restitution) : 0.0f;
    may_bounce = may_bounce || point.restitution[lane] != 0.0f;
  }
  PutBit(may_bounce, lane, block.may_bounce);
}

void PackNothing(int lane, ContactBlock& block) {
  static constinit SolverBody nothing;  // never written to: it does not move
  PackBodies(nothing, nothing, lane, block);
  block.bias_rate[lane] = block.mass_scale[lane] = block.impulse_scale[lane] = 0.0f;
  PackRolling({}, nothing, nothing, lane, block);
  Put(Vec3{}, lane, block.surface_velocity);
  PutBit(false, lane, block.slides);
  PutBit(false, lane, block.may_bounce);
  for (BlockPoint& point : block.points) {
    PutBit(false, lane, point.has);
    PackPoint({}, {}, {}, {}, lane, point);
    point.friction[lane] = point.restitution[lane] = 0.0f;
  }
}

void Store(const ContactBlock& block, int lane, Contact& contact) {
  for (std::uint32_t i = 0; i < contact.manifold.count(); ++i) {
    const BlockPoint& point = block.points[i];
    const Vec3 first = Of(point.tangent, lane);
    const Vec3 second = Cross(Of(point.normal, lane), first);
    contact.impulses[i] = {point.normal_impulse[lane], first * point.tangent1_impulse[lane] +
                                                           second * point.tangent2_impulse[lane]};
  }
  contact.rolling_impulse = Of(block.rolling.impulse, lane);
}

}  // namespace nowait
