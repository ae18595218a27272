#include "src/apps/player/scenes.h"

#include <algorithm>
#include <utility>

#include "src/bodies/body_def.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kContactsPerBody = 16;
constexpr std::uint32_t kTerrainBodies = 2'000;
constexpr std::uint32_t kPileBodies = 500;
constexpr std::uint32_t kShapesBodies = 500;
constexpr std::uint32_t kChuteBodies = 200;
constexpr std::uint32_t kShaftBodies = 120;
constexpr std::uint32_t kPyramidBodies = 285;  // nine layers
constexpr std::uint32_t kWalkers = 32;
constexpr std::uint32_t kMachinesBodies = 225;
constexpr std::uint32_t kGearsBodies = 20;
constexpr std::uint32_t kWallBricks = 128;

BodyDef Static(Vec3 position, Vec3 half) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box(half);
  def.position = position;
  def.friction = 0.7f;
  return def;
}

BodyDef Floor() {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Plane({0, 1, 0}, 0.0f);
  def.friction = 0.7f;
  return def;
}

Result<std::unique_ptr<World>> CreateWorld(const std::vector<BodyDef>& defs, std::uint32_t more) {
  WorldDef def;
  def.max_bodies = std::max<std::uint32_t>(4096, static_cast<std::uint32_t>(defs.size()) + more);
  def.max_contacts = kContactsPerBody * def.max_bodies;
  auto world = World::Create(def);
  if (!world) return std::unexpected(world.error());
  WaitTime wait;
  for (const BodyDef& body : defs) {
    if (const auto id = (*world)->CreateBody(body, wait); !id) return std::unexpected(id.error());
  }
  return world;
}

// A pit as wide as the bodies need, six layers high, and the bodies above it.
std::vector<BodyDef> Pile(std::uint32_t bodies, std::uint64_t seed) {
  Random random(seed);
  constexpr float kSpacing = 1.3f;
  std::uint32_t side = 3;
  while (6 * side * side < bodies) ++side;
  const float half = 0.5f * kSpacing * static_cast<float>(side) + 0.5f;
  std::vector<BodyDef> defs = {Static({0, -1, 0}, {60, 1, 60})};
  for (const float sign : {-1.0f, 1.0f}) {
    defs.push_back(Static({sign * (half + 0.5f), 1.5f, 0}, {0.5f, 1.5f, half + 1}));
    defs.push_back(Static({0, 1.5f, sign * (half + 0.5f)}, {half, 1.5f, 0.5f}));
  }
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const std::uint32_t layer = i / (side * side), place = i % (side * side);
    BodyDef def;
    if (random.Below(2) == 0) {
      def.shape = Shape::Sphere(random.Between(0.25f, 0.5f));
      def.rolling_resistance = 0.1f;
    } else {
      def.shape = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.45f, 0.45f, 0.45f}));
    }
    const float corner = -0.5f * kSpacing * static_cast<float>(side - 1);
    def.position = {corner + kSpacing * static_cast<float>(place % side),
                    3.0f + 1.4f * static_cast<float>(layer),
                    corner + kSpacing * static_cast<float>(place / side)};
    def.position = def.position + random.InBox({-0.1f, 0, -0.1f}, {0.1f, 0.2f, 0.1f});
    def.rotation = random.Rotation();
    def.friction = 0.6f;
    defs.push_back(def);
  }
  return defs;
}

std::vector<BodyDef> Pyramid(std::uint32_t bodies) {
  std::uint32_t layers = 1, boxes = 1;
  while (boxes < bodies) {
    ++layers;
    boxes += layers * layers;
  }
  std::vector<BodyDef> defs = {Floor()};
  for (std::uint32_t side = layers; side > 0; --side) {
    const float corner = -0.5f * static_cast<float>(side - 1);
    const float height = static_cast<float>(layers - side) + 0.5f;
    for (std::uint32_t place = 0; place < side * side; ++place) {
      BodyDef def;
      def.shape = Shape::Box({0.48f, 0.5f, 0.48f});
      def.position = {corner + static_cast<float>(place % side), height,
                      corner + static_cast<float>(place / side)};
      def.friction = 0.6f;
      def.asleep = true;
      defs.push_back(def);
    }
  }
  return defs;
}

std::uint32_t BricksOf(std::optional<std::uint32_t> bodies) {
  return std::clamp(bodies.value_or(kWallBricks), 1u, Wall::kMostBricks);
}

}  // namespace

std::vector<std::string> SceneNames() {
  std::vector<std::string> names = {"chute",   "course", "gears",  "machines", "pile",
                                    "pyramid", "shaft",  "shapes", "terrain",  "wall"};
  for (std::string& name : PeerSceneNames()) names.push_back(std::move(name));
  return names;
}

bool IsScene(const std::string& name) {
  const auto names = SceneNames();
  return std::ranges::find(names, name) != names.end();
}

Result<PlayerScene> PlayerScene::Load(const std::string& name, const std::string& terrain) {
  PlayerScene scene;
  scene.name_ = name;
  if (name == "terrain" || name == "shapes") {
    auto ground = LoadGround(terrain);
    if (!ground) return std::unexpected(ground.error());
    scene.ground_ = std::move(*ground);
  }
  if (name == "chute") {
    auto chute = MakeChute();
    if (!chute) return std::unexpected(chute.error());
    scene.chute_ = std::move(*chute);
  }
  if (name == "shaft") {
    auto funnel = MakeFunnel();
    if (!funnel) return std::unexpected(funnel.error());
    scene.funnel_ = std::move(*funnel);
  }
  if (name == "shapes" || name == "chute") {
    auto hulls = MakeHulls();
    if (!hulls) return std::unexpected(hulls.error());
    scene.hulls_ = std::move(*hulls);
  }
  if (name == "shapes") {
    auto compounds = MakeCompounds();
    if (!compounds) return std::unexpected(compounds.error());
    scene.compounds_ = std::move(*compounds);
    auto deck = MakeDeck(*scene.ground_);
    if (!deck) return std::unexpected(deck.error());
    scene.deck_ = std::move(*deck);
  }
  if (IsPeerScene(name)) {
    auto shapes = MakePeerShapes();
    if (!shapes) return std::unexpected(shapes.error());
    scene.peer_shapes_ = std::move(*shapes);
  }
  return scene;
}

Result<std::unique_ptr<World>> PlayerScene::Create(std::optional<std::uint32_t> bodies,
                                                   std::uint32_t more, std::uint64_t seed) const {
  if (name_ == "shapes") {
    const std::uint32_t falling = bodies.value_or(kShapesBodies);
    return CreateWorld(ShapesOn(*ground_, *deck_, hulls_, compounds_, falling, seed), more);
  }
  if (chute_) {
    return CreateWorld(BodiesInChutes(*chute_, hulls_, bodies.value_or(kChuteBodies), seed), more);
  }
  if (funnel_) {
    return CreateWorld(BodiesOverShaft(*funnel_, bodies.value_or(kShaftBodies), seed), more);
  }
  if (ground_) {
    return CreateScene(*ground_,
                       {.bodies = bodies.value_or(kTerrainBodies), .more = more, .seed = seed});
  }
  if (IsPeerScene(name_)) {
    std::optional<std::uint32_t> size;
    if (bodies) size = *SizeFor(name_, *bodies);
    const auto scene = MakePeerScene(name_, peer_shapes_, size);
    if (!scene) return std::unexpected(scene.error());
    return CreateWorld(*scene, more);
  }
  if (name_ == "course") return Walkers::CreateCourse(bodies.value_or(kWalkers), more);
  if (name_ == "gears") {
    const std::uint32_t of_cars = bodies.value_or(kGearsBodies) / kBodiesOfACar;
    const std::uint32_t cars = std::clamp(of_cars, 1u, kMostCars);
    auto world = CreateWorld(GroundForGears(cars), more + kBodiesOfACar * cars + kBodiesOfGears);
    if (!world) return world;
    if (const auto added = AddGears(**world, cars); !added) return std::unexpected(added.error());
    return world;
  }
  if (name_ == "machines") {
    return CreateWorld(BodiesForMachines(bodies.value_or(kMachinesBodies), seed),
                       more + Machines::kBodies);
  }
  if (name_ == "wall") return Wall::CreateWorld(BricksOf(bodies), more);
  if (name_ == "pyramid") return CreateWorld(Pyramid(bodies.value_or(kPyramidBodies)), more);
  return CreateWorld(Pile(bodies.value_or(kPileBodies), seed), more);
}

Result<std::unique_ptr<Walkers>> PlayerScene::CreateWalkers(World& world,
                                                            std::optional<std::uint32_t> bodies,
                                                            std::uint64_t seed) const {
  if (name_ != "course") return nullptr;
  return Walkers::Create(world, bodies.value_or(kWalkers), seed);
}

Result<std::unique_ptr<Machines>> PlayerScene::CreateMachines(World& world) const {
  if (name_ != "machines") return nullptr;
  return Machines::Create(world);
}

Result<std::unique_ptr<Wall>> PlayerScene::CreateWall(World& world,
                                                      std::optional<std::uint32_t> bodies,
                                                      std::uint64_t seed) const {
  if (name_ != "wall") return nullptr;
  return Wall::Create(world, BricksOf(bodies), seed);
}

}  // namespace nowait
