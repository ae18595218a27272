#include "src/dynamics/contact_block.h"

#include <algorithm>
#include <cstddef>
#include <vector>

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

void Put(const Row& row, int lane, BlockRow& to) {
  Put(row.axis, lane, to.axis);
  Put(row.turn_a, lane, to.turn_a);
  Put(row.turn_b, lane, to.turn_b);
  Put(row.spin_a, lane, to.spin_a);
  Put(row.spin_b, lane, to.spin_b);
  to.mass[lane] = row.mass;
  to.impulse[lane] = row.impulse;
}

void Put(const PointConstraint& point, int lane, BlockPoint& to) {
  Put(point.normal, lane, to.normal);
  Put(point.tangent1, lane, to.tangent1);
  Put(point.tangent2, lane, to.tangent2);
  to.separation[lane] = point.separation;
  to.friction[lane] = point.friction;
  to.slide1[lane] = point.slide1;
  to.slide2[lane] = point.slide2;
  to.restitution[lane] = point.restitution;
  to.approach[lane] = point.approach;
  to.largest_normal_impulse[lane] = point.largest_normal_impulse;
}

void PutBit(bool value, int lane, std::uint32_t& bits) {
  const std::uint32_t bit = 1u << lane;
  bits = value ? bits | bit : bits & ~bit;
}

Vec3 Of(const BlockVec& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

}  // namespace

void Pack(const ContactConstraint& contact, int lane, ContactBlock& block) {
  NOWAIT_ASSERT(contact.points.size() <= block.points.size(), "a block has room for its points");
  block.a[lane] = contact.a;
  block.b[lane] = contact.b;
  PutBit(contact.a->inverse_mass != 0.0f, lane, block.moves_a);
  PutBit(contact.b->inverse_mass != 0.0f, lane, block.moves_b);
  block.inverse_mass_a[lane] = contact.a->inverse_mass;
  block.inverse_mass_b[lane] = contact.b->inverse_mass;
  block.bias_rate[lane] = contact.softness.bias_rate;
  block.mass_scale[lane] = contact.softness.mass_scale;
  block.impulse_scale[lane] = contact.softness.impulse_scale;
  BlockRolling& rolling = block.rolling;
  PutBit(contact.rolling_length != 0.0f, lane, rolling.rolls);
  rolling.length[lane] = contact.rolling_length;
  Put(contact.rolling_mass, lane, rolling.mass);
  Put(contact.a->inverse_inertia, lane, rolling.inverse_inertia_a);
  Put(contact.b->inverse_inertia, lane, rolling.inverse_inertia_b);
  Put(contact.rolling_impulse, lane, rolling.impulse);
  bool may_bounce = false;
  for (std::size_t i = 0; i < block.points.size(); ++i) {
    const bool has = i < contact.points.size();
    const PointConstraint point = has ? contact.points[i] : PointConstraint();
    Put(point, lane, block.points[i]);
    PutBit(has, lane, block.points[i].has);
    may_bounce = may_bounce || point.restitution != 0.0f;
  }
  PutBit(may_bounce, lane, block.may_bounce);
}

void PackNothing(int lane, ContactBlock& block) {
  static constinit SolverBody nothing;  // never written to: it does not move
  ContactConstraint contact;
  contact.a = &nothing;
  contact.b = &nothing;
  Pack(contact, lane, block);
}

void Store(const ContactBlock& block, int lane, Contact& contact) {
  for (std::uint32_t i = 0; i < contact.manifold.count(); ++i) {
    const BlockPoint& point = block.points[i];
    const BlockRow& first = point.tangent1;
    const BlockRow& second = point.tangent2;
    contact.impulses[i] = {
        point.normal.impulse[lane],
        Of(first.axis, lane) * first.impulse[lane] + Of(second.axis, lane) * second.impulse[lane]};
  }
  contact.rolling_impulse = Of(block.rolling.impulse, lane);
}

bool ShareNoBody(std::span<const ContactBlock> blocks) {
  std::vector<const SolverBody*> moved;
  for (const ContactBlock& block : blocks) {
    for (int lane = 0; lane < kBlockLanes; ++lane) {
      if (block.moves_a >> lane & 1) moved.push_back(block.a[lane]);
      if (block.moves_b >> lane & 1) moved.push_back(block.b[lane]);
    }
  }
  std::ranges::sort(moved);
  return std::ranges::adjacent_find(moved) == moved.end();
}

}  // namespace nowait
