// Places: where each body of the open world may be, and since when: the oracle's knowledge.
//
// The world is a cube of cells, and each cell is one body's place: whatever happens to that body,
// it stays inside, so that no bodies touch and the physics update moves only those that drift.
// The owner of a place (one thread at a time, which alone may change its body) writes down what it
// is about to do before it does it, and that it is done afterwards. A query that reads a place's
// version before and after itself knows in which states the body was meanwhile: often in one only,
// and then there is one right answer.
//
// The versions. `version` is even while state version/2 stands, odd while the owner goes from there
// to the next one. A query's first look is an acquire load: the changes up to there happen before
// the query. Its second look is a read-modify-write that changes nothing: it reads the latest
// version, and the owner's next one reads from it, so that the query happens before the change that
// follows. That is just what the promise in src/broadphase/query.h asks for.
//
// Thread safety: as above; the fixed parts of a place are for everybody.
#ifndef NOWAIT_TESTS_STRESS_OPEN_WORLD_PLACES_H_
#define NOWAIT_TESTS_STRESS_OPEN_WORLD_PLACES_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait::open_world {

inline constexpr int kSide = 8;  // cells along each axis
inline constexpr std::uint32_t kPlaces = kSide * kSide * kSide;
inline constexpr float kCell = 8.0f;   // metres
inline constexpr float kReach = 2.5f;  // how far from its cell's centre a body is put, on each axis
inline constexpr float kDrift = 2.5f;  // how far one that drifts gets from there, along x
inline constexpr float kDriftAFrame = 0.1f;  // at most
inline constexpr float kMargin = 0.1f;       // of boxes in the tree (src/world/world_state.h)
inline constexpr float kSlack = 0.01f;       // what rounding may decide

enum class Role : std::uint8_t {
  kWitness,  // nobody touches it
  kDrifter,  // moved by the physics update, and owned by the thread that runs it
  kSingle,   // added, moved and removed by one game thread
  kScene,    // one of a batch: first its loading thread's, then of the thread that claims the scene
};
inline constexpr std::uint32_t kGames = 4;
inline constexpr std::uint32_t kLoaders = 2;

// All of one body at one time.
struct State {
  // It is just being added. No body's bits: the slot in it is that of no body.
  static constexpr std::uint64_t kNotYetKnown = BodyId().bits() >> 1;

  std::uint64_t id_bits = BodyId().bits();
  Vec3 position;

  bool present() const { return id_bits != BodyId().bits(); }
};

class Place {
 public:
  static constexpr std::uint64_t kHistory = 16;

  // --- Fixed.
  Role role = Role::kWitness;
  std::uint32_t owner = 0;  // a game thread, or the loading thread whose scenes it belongs to
  bool dynamic = false;
  float radius = 1.0f;
  Vec3 centre;

  BodyDef DefAt(Vec3 position, std::uint32_t place) const {
    BodyDef def;
    def.type = dynamic ? BodyType::kDynamic : BodyType::kStatic;
    def.shape = Shape::Sphere(radius);
    def.position = position;
    def.angular_damping = 0.0f;
    def.gravity_scale = 0.0f;
    def.may_sleep = role != Role::kDrifter;
    def.user = place;
    return def;
  }
  Vec3 Somewhere(Random& random) const {
    const Vec3 reach{kReach, kReach, kReach};
    return random.InBox(centre - reach, centre + reach);
  }
  // Inside the body's box. Of one that drifts, wherever it is before the next state.
  Bounds<3> Sure(const State& state) const {
    const Bounds<3> box = Around(state.position, radius - kSlack);
    if (role != Role::kDrifter) return box;
    return ToBounds(MinOf(box) + Vec3{kDriftAFrame, 0, 0}, MaxOf(box) - Vec3{kDriftAFrame, 0, 0});
  }
  // Around the body's box in the tree. Of one that drifts the same, with twice the margin, since it
  // leaves its box in the tree only now and then.
  Bounds<3> Possible(const State& state) const {
    if (role != Role::kDrifter) return Around(state.position, radius + kMargin + kSlack);
    const Bounds<3> box = Around(state.position, radius + 2 * kMargin + kSlack);
    return ToBounds(MinOf(box) - Vec3{kDriftAFrame, 0, 0}, MaxOf(box) + Vec3{kDriftAFrame, 0, 0});
  }
  bool MayBeAt(const State& state, Vec3 position) const {
    if (role != Role::kDrifter) return position == state.position;
    return std::abs(position.x - state.position.x) <= kDriftAFrame &&
           position.y == state.position.y && position.z == state.position.z;
  }

  // --- The owner's.
  const State& now() const { return mine_; }
  void Begin(const State& next) {
    Write(next);
    version_.fetch_add(1, std::memory_order::acq_rel);
    mine_ = next;
  }
  // The result of a change: the id of a new body, or where one has drifted.
  void Correct(const State& state) {
    mine_ = state;
    Write(state, 0);
  }
  void End() { version_.fetch_add(1, std::memory_order::acq_rel); }
  // It came to nothing, and `before` stands.
  void Undo(const State& before) {
    Correct(before);
    End();
  }

  // --- Anybody's.
  std::uint64_t LookBefore() const { return version_.load(std::memory_order::acquire); }
  std::uint64_t LookAfter() { return version_.fetch_add(0, std::memory_order::acq_rel); }
  // The states between two looks, oldest first; nothing when there were too many to remember.
  std::vector<State> Between(std::uint64_t before, std::uint64_t after) const {
    std::vector<State> states;
    for (std::uint64_t i = before / 2; i <= (after + 1) / 2; ++i) {
      const Kept& kept = history_[i % kHistory];
      states.push_back({kept.id_bits.load(), {kept.x.load(), kept.y.load(), kept.z.load()}});
    }
    // A change that began since may have written over the oldest of them.
    if (version_.load() / 2 + 2 >= before / 2 + kHistory) states.clear();
    return states;
  }

 private:
  struct Kept {
    std::atomic<std::uint64_t> id_bits{BodyId().bits()};
    std::atomic<float> x{0}, y{0}, z{0};
  };

  static Bounds<3> Around(Vec3 position, float by) {
    const Vec3 half{by, by, by};
    return ToBounds(position - half, position + half);
  }
  // ahead: 1 for the state after this one, 0 for the one that a change is under way to.
  void Write(const State& state, std::uint64_t ahead = 1) {
    const std::uint64_t at = (version_.load(std::memory_order::relaxed) + 1) / 2 + ahead;
    Kept& kept = history_[at % kHistory];
    kept.x = state.position.x;
    kept.y = state.position.y;
    kept.z = state.position.z;
    kept.id_bits = state.id_bits;
  }

  State mine_;
  alignas(64) std::atomic<std::uint64_t> version_{0};
  std::array<Kept, kHistory> history_;
};

class Places {
 public:
  Places() : places_(kPlaces) {
    for (std::uint32_t i = 0; i < kPlaces; ++i) {
      const std::uint32_t x = i % kSide, y = i / kSide % kSide, z = i / kSide / kSide;
      Place& place = places_[i];
      place.centre =
          Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * kCell +
          Vec3{0.5f, 0.5f, 0.5f} * kCell;
      // Each role an eighth, in every row.
      const std::uint32_t kind = (x + 3 * y + 5 * z) % 8;
      place.dynamic = (y + z) % 2 == 0;
      place.radius = 0.3f + 0.1f * static_cast<float>((3 * x + y + z) % 8);
      if (kind == 0) place.role = Role::kWitness;
      if (kind == 1) {
        place.role = Role::kDrifter;
        place.dynamic = true;
      }
      if (kind >= 2) {
        place.role = kind < 2 + kGames ? Role::kSingle : Role::kScene;
        place.owner = kind < 2 + kGames ? kind - 2 : kind - 2 - kGames;
      }
    }
  }

  Place& operator[](std::uint32_t i) { return places_[i]; }
  const Place& operator[](std::uint32_t i) const { return places_[i]; }

  std::vector<std::uint32_t> Of(Role role, std::uint32_t owner = 0) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < kPlaces; ++i) {
      if (places_[i].role == role && places_[i].owner == owner) found.push_back(i);
    }
    return found;
  }

  // Where somebody has just changed something: a good place to look. A hint, and so relaxed.
  void Heat(std::uint32_t i) { hot_.store(i, std::memory_order::relaxed); }
  std::uint32_t hot() const { return hot_.load(std::memory_order::relaxed); }

  // The places whose cells overlap the box: those where somebody may be found in it.
  std::vector<std::uint32_t> In(const Bounds<3>& box) const {
    std::array<int, 3> low, high;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::clamp(static_cast<int>(std::floor(box.min[axis] / kCell)), 0, kSide);
      high[axis] = std::clamp(static_cast<int>(std::floor(box.max[axis] / kCell)), -1, kSide - 1);
    }
    std::vector<std::uint32_t> found;
    for (int z = low[2]; z <= high[2]; ++z) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int x = low[0]; x <= high[0]; ++x) {
          found.push_back(static_cast<std::uint32_t>(x + kSide * (y + kSide * z)));
        }
      }
    }
    return found;
  }

  static std::string Words(Vec3 v) {
    return "(" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) +
           ")";
  }
  std::string Words(std::uint32_t i) const {
    static constexpr const char* kRoles[] = {"witness", "drifter", "single", "scene"};
    const Place& place = places_[i];
    return "place " + std::to_string(i) + " (" + kRoles[static_cast<int>(place.role)] + ", " +
           (place.dynamic ? "dynamic" : "static") + ", owner " + std::to_string(place.owner) +
           ", centre " + Words(place.centre) + ", radius " + std::to_string(place.radius) + ")";
  }

 private:
  std::vector<Place> places_;
  alignas(64) std::atomic<std::uint32_t> hot_{0};
};

}  // namespace nowait::open_world

#endif  // NOWAIT_TESTS_STRESS_OPEN_WORLD_PLACES_H_
