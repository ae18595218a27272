#include "tests/whole/world/generate.h"

#include "src/math/random.h"
#include "tests/whole/world/dictionary.h"

namespace nowait::world_programs {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) { program_.seed = seed; }

  WorldProgram Make() {
    const std::uint32_t worlds = OneIn(4) ? 2 : 1;
    for (std::uint32_t i = 0; i < worlds; ++i) program_.worlds.push_back(World());
    is_ordered_ = OneIn(3);
    program_.workers = Below(4);
    const std::uint32_t threads = is_ordered_ ? 1 : 1 + random_.Below(3);
    const std::uint32_t background = is_ordered_ ? 0 : random_.Below(3);
    for (std::uint32_t i = 0; i < background; ++i) {
      program_.background.push_back(AnyTime(10 + random_.Below(30)));
    }
    const std::uint32_t rounds = 2 + random_.Below(is_ordered_ ? 8 : 5);
    for (std::uint32_t i = 0; i < rounds; ++i) program_.rounds.push_back(Frame(threads));
    if (OneIn(10)) Crowd();
    Joints();
    Targets();
    Reforms();
    return std::move(program_);
  }

 private:
  bool OneIn(std::uint32_t count) { return random_.Below(count) == 0; }
  std::uint8_t Below(std::uint32_t count) {
    return static_cast<std::uint8_t>(random_.Below(count));
  }

  // Heaps of bodies in one place each, far from each other: an update in which there are jobs for
  // several threads, and tasks beside it that ask.
  void Crowd() {
    constexpr std::uint32_t kHeaps = 3;
    constexpr std::uint32_t kInAHeap = 6;
    WorldPlan& world = program_.worlds.front();
    world.bodies = static_cast<std::uint8_t>(kHeaps * kInAHeap + random_.Below(6));
    world.contacts = 1024;
    program_.workers = static_cast<std::uint8_t>(1 + random_.Below(3));
    Round& round = program_.rounds.front();
    round.still = false;
    Calls& calls = round.game.front();
    calls.clear();
    for (std::uint32_t i = 0; i < kHeaps * kInAHeap; ++i) {
      calls.push_back({.kind = Kind::kCreate,
                       .cell = static_cast<std::uint8_t>(i % kCells),
                       .place = static_cast<std::uint8_t>(kNearPlaces + i % kHeaps)});
    }
    for (Calls& others : round.game) {
      if (&others != &calls) others.clear();
    }
    while (round.tasks.size() < 3) {
      round.tasks.push_back({Calls(4, Any(Kind::kGet)), false, Below(3)});
    }
  }

  // One program in three has joints. Drawn apart from the rest.
  void Joints() {
    Random random(program_.seed ^ 0x6a6f696e74730000u);
    if (random.Below(3) != 0) return;
    for (Round& round : program_.rounds) {
      if (round.still) continue;
      for (Calls& calls : round.game) {
        for (std::uint32_t i = random.Below(4); i-- > 0;) {
          const auto below = [&](std::uint32_t count) {
            return static_cast<std::uint8_t>(random.Below(count));
          };
          Call call;
          call.kind = random.Below(4) == 0 ? Kind::kUnjoin : Kind::kJoin;
          call.world = below(static_cast<std::uint32_t>(program_.worlds.size()));
          call.cell = below(random.Below(8) == 0 ? kCellNames : kCells);
          call.place = below(4);
          call.shape = below(8);
          call.flags = random.Below(2) == 0 ? 0 : below(256);
          call.slot = below(kJointCells);
          const auto at = random.Below(static_cast<std::uint32_t>(calls.size()) + 1);
          calls.insert(calls.begin() + static_cast<int>(at), call);
        }
      }
    }
  }

  // Likewise targets, of which kinematic bodies alone take notice.
  void Targets() {
    Random random(program_.seed ^ 0x7461726765747300u);
    if (random.Below(3) != 0) return;
    for (Round& round : program_.rounds) {
      if (round.still) continue;
      for (Calls& calls : round.game) {
        for (std::uint32_t i = random.Below(5); i-- > 0;) {
          const auto below = [&](std::uint32_t count) {
            return static_cast<std::uint8_t>(random.Below(count));
          };
          Call call;
          call.kind = Kind::kSetTarget;
          call.world = below(static_cast<std::uint32_t>(program_.worlds.size()));
          call.cell = below(random.Below(8) == 0 ? kCellNames : kCells);
          call.place = below(random.Below(8) == 0 ? kPlaces : kNearPlaces);
          call.flags = random.Below(2) == 0 ? 0 : below(256);
          const auto at = random.Below(static_cast<std::uint32_t>(calls.size()) + 1);
          calls.insert(calls.begin() + static_cast<int>(at), call);
        }
      }
    }
  }

  // Likewise, in half of the programs, other shapes and layers; often again and again of the same
  // bodies.
  void Reforms() {
    Random random(program_.seed ^ 0x7265666f726d0000u);
    if (random.Below(2) != 0) return;
    for (Round& round : program_.rounds) {
      if (round.still) continue;
      for (Calls& calls : round.game) {
        const std::uint32_t cells = random.Below(2) == 0 ? 2 : kCells;
        for (std::uint32_t i = random.Below(6); i-- > 0;) {
          const auto below = [&](std::uint32_t count) {
            return static_cast<std::uint8_t>(random.Below(count));
          };
          Call call;
          call.kind = Kind::kReform;
          call.world = below(static_cast<std::uint32_t>(program_.worlds.size()));
          call.cell = below(random.Below(8) == 0 ? kCellNames : cells);
          call.shape = below(8);
          call.flags = random.Below(2) == 0 ? 0 : below(256);
          call.layer = below(6);
          call.count = below(2);
          const auto at = random.Below(static_cast<std::uint32_t>(calls.size()) + 1);
          calls.insert(calls.begin() + static_cast<int>(at), call);
        }
      }
    }
  }

  // Small enough that slots are reused at once; now and then larger, so that trees have some depth.
  WorldPlan World() {
    WorldPlan world;
    world.bodies =
        static_cast<std::uint8_t>(OneIn(8) ? 20 + random_.Below(40) : 3 + random_.Below(6));
    world.contacts = static_cast<std::uint16_t>(OneIn(3) ? 1 + random_.Below(8) : 1024);
    world.locks = static_cast<std::uint8_t>(1 + random_.Below(4));
    world.user_layers = Below(3);
    world.rebuild = Below(kRebuildPlans);
    world.layer_0_meets_itself = !OneIn(4);
    world.gravity = random_.Below(2) == 0;
    world.sleeps = !OneIn(4);
    return world;
  }

  Round Frame(std::uint32_t threads) {
    Round round;
    round.still = OneIn(12);
    for (std::uint32_t i = 0; i < threads; ++i) {
      Calls calls;
      const std::uint32_t count = random_.Below(12);
      for (std::uint32_t k = 0; k < count; ++k) {
        calls.push_back(round.still ? Any(Query()) : Any(Game()));
      }
      round.game.push_back(std::move(calls));
      round.meanwhile.push_back(i == 0 ? Calls() : AnyTime(random_.Below(6)));
    }
    const std::uint32_t tasks = OneIn(2) ? 1 + random_.Below(4) : 0;
    for (std::uint32_t i = 0; i < tasks; ++i) {
      Calls calls;
      const std::uint32_t count = 1 + random_.Below(6);
      for (std::uint32_t k = 0; k < count; ++k) calls.push_back(Any(Query()));
      const bool is_loop = OneIn(3);
      round.tasks.push_back({std::move(calls), is_loop, Below(3)});
    }
    round.steps = OneIn(5) ? 2 : 1;
    return round;
  }

  Calls AnyTime(std::uint32_t count) {
    Calls calls;
    for (std::uint32_t i = 0; i < count; ++i) calls.push_back(Any(AnyTimeKind()));
    return calls;
  }

  Kind Query() { return Pick(Kind::kGet); }
  Kind AnyTimeKind() { return Pick(kFirstAnyTime); }
  Kind Pick(Kind first) {
    const auto low = static_cast<std::uint32_t>(first);
    return static_cast<Kind>(low + random_.Below(kKinds - low));
  }
  // Creation often, since small worlds fill up and empty quickly; queries about a third.
  Kind Game() {
    switch (random_.Below(16)) {
      case 0:
      case 1:
      case 2:
        return Kind::kCreate;
      case 3:
      case 4:
        return Kind::kDestroy;
      case 5:
      case 6:
        return Kind::kMove;
      case 7:
        return OneIn(2) ? Kind::kSetVelocity : Kind::kWake;
      case 8:
      case 9:
        return Kind::kPrepare;
      case 10:
      case 11:
        return Kind::kFinalise;
      case 12:
        return OneIn(2) ? Kind::kAbort : Kind::kRemove;
      default:
        return Query();
    }
  }

  Call Any(Kind kind) {
    Call call;
    call.kind = kind;
    call.world = Below(static_cast<std::uint32_t>(program_.worlds.size()));
    call.cell = Below(OneIn(8) ? kCellNames : kCells);
    // Mostly near each other, so that bodies touch and queries find something.
    call.place = OneIn(10) ? Below(kPlaces) : Below(kNearPlaces);
    call.shape = Below(256);
    call.flags = OneIn(2) ? 0 : Below(256);
    call.layer = OneIn(3) ? Below(kLayerNames) : 0;
    call.count = static_cast<std::uint8_t>(OneIn(4) ? Below(10) : 1 + random_.Below(3));
    call.slot = Below(4);
    return call;
  }

  Random random_;
  bool is_ordered_ = false;
  WorldProgram program_;
};

}  // namespace

WorldProgram Generate(std::uint64_t seed) { return Generator(seed).Make(); }

}  // namespace nowait::world_programs
