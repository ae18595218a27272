#include "tests/whole/numbers/shorten.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace nowait::number_programs {
namespace {

class Shortener {
 public:
  Shortener(NumberProgram program, const std::function<bool(const NumberProgram&)>& fails,
            std::size_t tries)
      : program_(std::move(program)), fails_(fails), left_(tries) {}

  NumberProgram Run() {
    for (bool shorter = true; shorter && left_ > 0;) {
      shorter = TakeAway([](NumberProgram & p) -> auto& { return p.frames; });
      shorter |= TakeBodies();
      shorter |= Try([](NumberProgram& p) { return std::exchange(p.ground, {}).has_value(); });
      shorter |= Try(
          [](NumberProgram& p) { return p.ground && std::exchange(p.ground->has_holes, false); });
      for (std::size_t i = 0; i < program_.frames.size(); ++i) {
        shorter |= TakeAway([&](NumberProgram & p) -> auto& { return p.frames[i].changes; });
        shorter |= TakeAway([&](NumberProgram & p) -> auto& { return p.frames[i].rays; });
        shorter |= TakeAway([&](NumberProgram & p) -> auto& { return p.frames[i].boxes; });
      }
      shorter |= PutFieldsBack();
    }
    return std::move(program_);
  }

 private:
  // edit: returns false when it has nothing to do. Keeps the edit if the program still fails.
  template <class Edit>
  bool Try(Edit edit) {
    if (left_ == 0) return false;
    NumberProgram candidate = program_;
    if (!edit(candidate)) return false;
    --left_;
    if (!fails_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  // Parts of a list: the half, the quarter, ..., one.
  template <class ListOf>
  bool TakeAway(ListOf list_of) {
    bool shorter = false;
    for (std::size_t part = std::max<std::size_t>(list_of(program_).size() / 2, 1); part > 0;
         part /= 2) {
      for (std::size_t first = 0; first < list_of(program_).size();) {
        const bool taken = Try([&](NumberProgram& p) {
          auto& list = list_of(p);
          const std::size_t last = std::min(first + part, list.size());
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(first),
                     list.begin() + static_cast<std::ptrdiff_t>(last));
          return true;
        });
        shorter |= taken;
        if (!taken) first += part;
      }
    }
    return shorter;
  }

  // Changes name bodies by their place in the list: those of the body go with it.
  bool TakeBodies() {
    bool shorter = false;
    for (std::size_t body = program_.bodies.size(); body-- > 0;) {
      shorter |= Try([&](NumberProgram& p) {
        p.bodies.erase(p.bodies.begin() + static_cast<std::ptrdiff_t>(body));
        for (Frame& frame : p.frames) {
          std::erase_if(frame.changes, [&](const Change& change) { return change.body == body; });
          for (Change& change : frame.changes) change.body -= change.body > body ? 1 : 0;
        }
        return true;
      });
    }
    return shorter;
  }

  template <class T>
  static bool Set(T& field, const T& value) {
    if (field == value) return false;
    field = value;
    return true;
  }

  bool PutFieldsBack() {
    const WorldDef world;
    bool shorter = Try([&](NumberProgram& p) {
      bool changed = Set(p.world.gravity, {});
      changed = Set(p.world.rest.time, world.rest.time) || changed;
      changed = Set(p.world.rest.linear_speed, world.rest.linear_speed) || changed;
      changed = Set(p.world.rest.angular_speed, world.rest.angular_speed) || changed;
      return changed;
    });
    static constexpr float SolverDef::*kSolver[] = {
        &SolverDef::contact_hertz,         &SolverDef::contact_damping_ratio,
        &SolverDef::max_push_speed,        &SolverDef::slop,
        &SolverDef::restitution_threshold, &SolverDef::max_linear_speed,
        &SolverDef::max_angular_speed};
    for (const auto field : kSolver) {
      shorter |=
          Try([&](NumberProgram& p) { return Set(p.world.solver.*field, world.solver.*field); });
    }
    shorter |= Try([](NumberProgram& p) { return Set(p.world.solver.substeps, 1u); });
    static constexpr float BodyDef::*kBody[] = {
        &BodyDef::density,        &BodyDef::friction,        &BodyDef::restitution,
        &BodyDef::linear_damping, &BodyDef::angular_damping, &BodyDef::rolling_resistance,
        &BodyDef::gravity_scale};
    static constexpr Vec3 BodyDef::*kVectors[] = {&BodyDef::linear_velocity,
                                                  &BodyDef::angular_velocity};
    const BodyDef body;
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) {
      for (const auto field : kBody) {
        shorter |= Try([&](NumberProgram& p) { return Set(p.bodies[i].*field, body.*field); });
      }
      for (const auto rule : {&BodyDef::friction_rule, &BodyDef::restitution_rule}) {
        shorter |= Try([&](NumberProgram& p) { return Set(p.bodies[i].*rule, body.*rule); });
      }
      for (const auto field : kVectors) {
        shorter |= Try([&](NumberProgram& p) { return Set(p.bodies[i].*field, Vec3{}); });
      }
      shorter |= Try([&](NumberProgram& p) { return Set(p.bodies[i].rotation, Quat{}); });
      shorter |=
          Try([&](NumberProgram& p) { return Set(p.bodies[i].continuous, body.continuous); });
    }
    return shorter;
  }

  NumberProgram program_;
  const std::function<bool(const NumberProgram&)>& fails_;
  std::size_t left_;
};

}  // namespace

NumberProgram Shorten(NumberProgram program, const std::function<bool(const NumberProgram&)>& fails,
                      std::size_t tries) {
  return Shortener(std::move(program), fails, tries).Run();
}

}  // namespace nowait::number_programs
