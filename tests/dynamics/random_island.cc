#include "tests/dynamics/random_island.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/block_plan.h"
#include "src/dynamics/wide_contacts.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;
constexpr Vec3 kGravity{0, -10, 0};

Body MovingBody(const Shape& shape, Vec3 position, float density) {
  Body body;
  body.type = BodyType::kDynamic;
  body.shape = shape;
  body.position = position;
  const MassProperties mass = MassOf(shape, density);
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  return body;
}

RandomBody MakeBody(Random& random) {
  RandomBody made;
  const Vec3 position = random.InBox({-3, -3, -3}, {3, 3, 3});
  const std::uint32_t kind = random.Below(8);
  if (kind > 1) {
    const Shape shape = kind < 5 ? Shape::Sphere(random.Between(0.2f, 1.0f))
                                 : Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1}));
    made.body = MovingBody(shape, position, random.Between(10.0f, 2000.0f));
    made.body.no_turn.x = kind == 7;
  } else {
    made.body.position = position;
    made.driven = kind == 1;
  }
  made.body.rotation = random.Rotation();
  if (made.driven || made.body.inverse_mass != 0.0f) {
    made.body.linear_velocity = random.InBox({-3, -3, -3}, {3, 3, 3});
    made.body.angular_velocity = random.InBox({-3, -3, -3}, {3, 3, 3});
  }
  return made;
}

Contact MakeContact(Random& random, Vec3 middle) {
  Contact contact;
  const Vec3 normal = random.Direction();
  const std::uint32_t points = 1 + random.Below(random.Below(8) == 0 ? 8 : 4);
  const bool of_a_mesh = random.Below(4) == 0;  // each point has a normal and a material
  for (std::uint32_t i = 0; i < points; ++i) {
    ContactPoint point;
    point.position = middle + random.InBox({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    point.normal = of_a_mesh ? random.Direction() : normal;
    point.separation = random.Between(-0.05f, 0.02f);
    if (of_a_mesh) {
      point.friction = random.Unit();
      point.restitution = random.Unit();
    }
    contact.manifold.Add(point);
  }
  contact.friction = random.Below(4) == 0 ? 0.0f : random.Unit();
  contact.restitution = random.Below(2) == 0 ? 0.0f : random.Unit();
  contact.rolling_length = random.Below(3) == 0 ? random.Between(0.01f, 0.3f) : 0.0f;
  if (random.Below(4) == 0) contact.surface_velocity = random.InBox({-2, -2, -2}, {2, 2, 2});
  if (random.Below(2) == 0) return contact;
  for (std::uint32_t i = 0; i < points; ++i) {
    contact.impulses[i] = {random.Between(0, 50), random.InBox({-5, -5, -5}, {5, 5, 5})};
  }
  if (contact.rolling_length > 0.0f)
    contact.rolling_impulse = random.InBox({-1, -1, -1}, {1, 1, 1});
  return contact;
}

BlockPlan PlanOf(const RandomIsland& island) {
  std::vector<ContactEnds> ends;
  std::vector<std::uint8_t> points;
  const auto end_of = [&](std::uint32_t body) {
    return island.bodies[body].body.inverse_mass != 0.0f ? body : ContactEnds::kFixed;
  };
  for (const RandomContact& contact : island.contacts) {
    ends.push_back({end_of(contact.a), end_of(contact.b)});
    points.push_back(static_cast<std::uint8_t>(contact.contact.manifold.count()));
  }
  ContactColours colours;
  colours.Assign(ends, static_cast<std::uint32_t>(island.bodies.size()));
  BlockPlan plan;
  plan.Make(colours, points);
  return plan;
}

}  // namespace

std::uint32_t RandomIsland::Add(Vec3 position) {
  RandomBody body;
  body.body = MovingBody(Shape::Box({0.5f, 0.5f, 0.5f}), position, 1000.0f);
  body.body.linear_velocity = {0, -1, 0};
  bodies.push_back(body);
  return static_cast<std::uint32_t>(bodies.size()) - 1;
}

void RandomIsland::TouchGround(std::uint32_t body) {
  bodies.emplace_back();
  Contact contact;
  contact.manifold.Add({bodies[body].body.position - Vec3{0, 0.5f, 0}, {0, -1, 0}, 0.0f, 0});
  contacts.push_back({body, static_cast<std::uint32_t>(bodies.size()) - 1, contact});
}

RandomIsland MakeRandomIsland(std::uint64_t seed) {
  Random random(seed);
  RandomIsland island;
  const std::uint32_t bodies = 20 + random.Below(130);
  for (std::uint32_t i = 0; i < bodies; ++i) island.bodies.push_back(MakeBody(random));
  const auto pair = [&](auto use) {
    const std::uint32_t a = random.Below(bodies), b = random.Below(bodies);
    const Body& body_a = island.bodies[a].body;
    const Body& body_b = island.bodies[b].body;
    if (a == b || (body_a.inverse_mass == 0.0f && body_b.inverse_mass == 0.0f)) return;
    use(a, b, body_a, body_b);
  };
  for (std::uint32_t i = 0; i < 3 * bodies; ++i) {
    pair([&](std::uint32_t a, std::uint32_t b, const Body& body_a, const Body& body_b) {
      const Vec3 middle = (body_a.position + body_b.position) * 0.5f;
      island.contacts.push_back({a, b, MakeContact(random, middle)});
    });
  }
  for (std::uint32_t i = 0; i < bodies / 10; ++i) {
    pair([&](std::uint32_t a, std::uint32_t b, const Body& body_a, const Body& body_b) {
      RandomJoint joint{a, b, {}};
      const Vec3 anchor = (body_a.position + body_b.position) * 0.5f;
      joint.joint.def.frame_a = FrameAt(body_a.position, body_a.rotation, anchor);
      joint.joint.def.frame_b = FrameAt(body_b.position, body_b.rotation, anchor);
      joint.joint.def.kind = PointJoint{};
      island.joints.push_back(joint);
    });
  }
  return island;
}

std::vector<std::uint32_t> BitsOf(const RandomIsland& island) {
  std::vector<std::uint32_t> bits;
  const auto add = [&](float number) { bits.push_back(std::bit_cast<std::uint32_t>(number)); };
  const auto add_vec = [&](Vec3 v) {
    for (const float number : {v.x, v.y, v.z}) add(number);
  };
  for (const RandomBody& of : island.bodies) {
    add_vec(of.body.position);
    add_vec(of.body.linear_velocity);
    add_vec(of.body.angular_velocity);
    for (const float number :
         {of.body.rotation.x, of.body.rotation.y, of.body.rotation.z, of.body.rotation.w}) {
      add(number);
    }
  }
  for (const RandomContact& of : island.contacts) {
    add_vec(of.contact.rolling_impulse);
    for (const PointImpulse& impulse : of.contact.impulses) {
      add(impulse.normal);
      add_vec(impulse.friction);
    }
  }
  for (const RandomJoint& of : island.joints) add_vec(of.joint.impulses.linear);
  return bits;
}

bool IsFinite(const RandomIsland& island) {
  return std::ranges::all_of(BitsOf(island), [](std::uint32_t bits) {
    return IsFinite(Vec3{std::bit_cast<float>(bits), 0, 0});
  });
}

PreparedIsland::PreparedIsland(const RandomIsland& island, bool in_blocks)
    : def(SolverDef(), kStep) {
  for (const RandomBody& of : island.bodies) bodies.push_back(Gather(of.body, kGravity));
  driven.reserve(2 * (island.contacts.size() + island.joints.size()));
  joint_rows_.resize(kJointRoles * island.joints.size());
  for (const RandomJoint& of : island.joints) {
    const EndBody a{&island.bodies[of.a].body, &BodyOf(island, of.a)};
    const EndBody b{&island.bodies[of.b].body, &BodyOf(island, of.b)};
    const auto rows = std::span(joint_rows_).subspan(kJointRoles * joints.size(), kJointRoles);
    joints.push_back(Prepare(of.joint, {a, b}, rows, def));
  }
  const BlockPlan plan = PlanOf(island);
  order_.assign(plan.order().begin(), plan.order().end());
  points_.reserve(Manifold::kMaxPoints * island.contacts.size());
  block_points_.reserve(Manifold::kMaxPoints * plan.blocks().size());
  if (in_blocks) {
    for (const PlannedBlock& planned : plan.blocks()) {
      first_of_block_.push_back(planned.first);
      const std::size_t first_point = block_points_.size();
      block_points_.resize(first_point + planned.points);
      ContactBlock& block = blocks.emplace_back();
      block.colour = planned.colour;
      block.points = std::span(block_points_).subspan(first_point);
      for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        if (lane < planned.contacts) {
          const RandomContact& contact = island.contacts[order_[planned.first + lane]];
          Pack(contact.contact, contact.contact.manifold.points(),
               island.bodies[contact.a].body.position, island.bodies[contact.b].body.position,
               BodyOf(island, contact.a), BodyOf(island, contact.b), def, static_cast<int>(lane),
               block);
        } else {
          PackNothing(static_cast<int>(lane), block);
        }
      }
      Prepare(block);
    }
  }
  for (std::size_t i = in_blocks ? plan.in_blocks() : 0; i < order_.size(); ++i) {
    contacts.push_back(ConstraintOf(island, island.contacts[order_[i]]));
  }
}

SolverBody& PreparedIsland::BodyOf(const RandomIsland& island, std::uint32_t body) {
  if (!island.bodies[body].driven) return bodies[body];
  SolverBody& copy = driven.emplace_back();
  copy.linear_velocity = island.bodies[body].body.linear_velocity;
  copy.angular_velocity = island.bodies[body].body.angular_velocity;
  return copy;
}

ContactConstraint PreparedIsland::ConstraintOf(const RandomIsland& island,
                                               const RandomContact& of) {
  const std::size_t first = points_.size();
  points_.resize(first + of.contact.manifold.count());
  return Prepare(of.contact, of.contact.manifold.points(), island.bodies[of.a].body.position,
                 island.bodies[of.b].body.position, BodyOf(island, of.a), BodyOf(island, of.b),
                 std::span(points_).subspan(first), def);
}

void PreparedIsland::Keep(RandomIsland& island) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& body = island.bodies[i].body;
    if (body.inverse_mass != 0.0f) Scatter(bodies[i], def.solver, body);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) Store(joints[i], island.joints[i].joint);
  const std::size_t in_blocks = order_.size() - contacts.size();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t end = i + 1 < blocks.size() ? first_of_block_[i + 1] : in_blocks;
    for (std::size_t k = first_of_block_[i]; k < end; ++k) {
      Store(blocks[i], static_cast<int>(k - first_of_block_[i]),
            island.contacts[order_[k]].contact);
    }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Store(contacts[i], island.contacts[order_[in_blocks + i]].contact);
  }
}

IslandCounts& IslandCounts::operator+=(const IslandCounts& other) {
  for (int IslandCounts::*count :
       {&IslandCounts::blocks, &IslandCounts::padded, &IslandCounts::mixed, &IslandCounts::pairs,
        &IslandCounts::plain, &IslandCounts::rolling, &IslandCounts::bouncing,
        &IslandCounts::sliding, &IslandCounts::fixed, &IslandCounts::driven, &IslandCounts::joints,
        &IslandCounts::kept}) {
    this->*count += other.*count;
  }
  return *this;
}

IslandCounts CountsOf(const RandomIsland& island) {
  IslandCounts counts;
  const BlockPlan plan = PlanOf(island);
  const auto blocks = plan.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ++counts.blocks;
    counts.padded += blocks[i].contacts < kBlockLanes ? 1 : 0;
    const RandomContact& last =
        island.contacts[plan.order()[blocks[i].first + blocks[i].contacts - 1]];
    counts.mixed += last.contact.manifold.count() != blocks[i].points ? 1 : 0;
    const bool is_pair = i + 1 < blocks.size() && blocks[i].colour == blocks[i + 1].colour &&
                         blocks[i].points == blocks[i + 1].points;
    counts.pairs += is_pair ? 1 : 0;
  }
  counts.plain = static_cast<int>(island.contacts.size() - plan.in_blocks());
  for (const RandomContact& of : island.contacts) {
    counts.rolling += of.contact.rolling_length > 0.0f ? 1 : 0;
    counts.bouncing += of.contact.restitution > 0.0f ? 1 : 0;
    counts.sliding += of.contact.surface_velocity != Vec3{} ? 1 : 0;
    counts.kept += of.contact.impulses[0].normal > 0.0f ? 1 : 0;
    for (const std::uint32_t body : {of.a, of.b}) {
      counts.driven += island.bodies[body].driven ? 1 : 0;
      const bool is_fixed = island.bodies[body].body.inverse_mass == 0.0f;
      counts.fixed += is_fixed && !island.bodies[body].driven ? 1 : 0;
    }
  }
  counts.joints = static_cast<int>(island.joints.size());
  return counts;
}

}  // namespace nowait
