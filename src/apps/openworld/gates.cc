#include "src/apps/openworld/gates.h"

#include <algorithm>

#include "src/base/or_no_memory.h"

namespace nowait {

Result<void> Gates::Add(SceneNumber scene, std::span<const SceneBox> boxes,
                        std::span<const BodyId> bodies) {
  return OrNoMemory([&]() -> Result<void> {
    const std::size_t gates = gates_.size() + boxes.size();
    ReserveFor(gates);
    gates_.reserve(gates);
    for (std::size_t i = 0; i < boxes.size(); ++i) gates_.push_back({scene, bodies[i], boxes[i]});
    return {};
  });
}

void Gates::Remove(SceneNumber scene, WaitTime& wait) {
  std::erase_if(gates_, [&](Gate& gate) {
    if (gate.scene != scene) return false;
    if (gate.sunk > 0.0f) {
      gate.sunk = 0.0f;
      Put(gate, wait);
      Arrive(gate);
    }
    return true;
  });
}

void Gates::Open(SceneNumber scene, bool open) {
  for (Gate& gate : gates_) {
    if (gate.scene == scene) gate.opens = open;
  }
}

Result<void> Gates::Advance(float dt, WaitTime& wait) {
  auto room = OrNoMemory([this]() -> Result<void> {
    ReserveFor(gates_.size());
    return {};
  });
  if (!room) return room;
  for (Gate& gate : gates_) {
    const float goal = gate.opens ? 1.0f : 0.0f;
    if (gate.sunk == goal) continue;
    const float step = dt / kSeconds;
    gate.sunk = gate.opens ? std::min(gate.sunk + step, 1.0f) : std::max(gate.sunk - step, 0.0f);
    Put(gate, wait);
    if (gate.sunk == goal) Arrive(gate);
  }
  return {};
}

// Its scene may have been let go: then there is no body to put anywhere.
void Gates::Put(const Gate& gate, WaitTime& wait) {
  const float way = gate.sunk * (2.0f * gate.box.half.y + kMargin);
  static_cast<void>(world_.MoveBody(gate.body, gate.box.centre - Vec3{0, way, 0}, {}, wait));
}

void Gates::Arrive(const Gate& gate) {
  ++(gate.sunk == 1.0f ? counts_.opened : counts_.closed);
  const Vec3 least = gate.box.centre - gate.box.half;
  const Vec3 most = gate.box.centre + gate.box.half;
  changed_.push_back({{least.x, least.y, least.z}, {most.x, most.y, most.z}});
}

}  // namespace nowait
