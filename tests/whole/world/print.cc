#include <array>
#include <string>

#include "tests/whole/world/program.h"

namespace nowait::world_programs {
namespace {

constexpr std::array<const char*, kKinds> kNames = {
    "Create", "Destroy", "Move",    "SetVelocity", "SetTarget",      "Wake", "Reform", "Finalise",
    "Join",   "Unjoin",  "Remove",  "Prepare",     "Abort",          "Get",  "Read",   "Drop",
    "Ray",    "Find",    "Collect", "Nearest",     "CollectNearest", "Rays"};

std::string Line(const char* who, std::size_t number, const Calls& calls) {
  std::string line = std::string("  ") + who + ' ' + std::to_string(number) + ':';
  for (const Call& call : calls) line += ' ' + ToString(call);
  return line + '\n';
}

}  // namespace

const char* NameOf(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string ToString(const Call& call) {
  std::string text = NameOf(call.kind);
  text += "(world " + std::to_string(call.world) + ", cell " + std::to_string(call.cell);
  const auto field = [&](const char* name, unsigned value, unsigned usual) {
    if (value != usual) text += std::string(", ") + name + ' ' + std::to_string(value);
  };
  field("place", call.place, 0);
  field("shape", call.shape, 0);
  field("flags", call.flags, 0);
  field("layer", call.layer, 0);
  field("count", call.count, 1);
  field("slot", call.slot, 0);
  return text + ')';
}

std::string ToString(const WorldProgram& program) {
  std::string text = "program of seed " + std::to_string(program.seed) + ", " +
                     std::to_string(program.workers) + " workers\n";
  for (const WorldPlan& world : program.worlds) {
    text += "  world: bodies " + std::to_string(world.bodies) + ", contacts " +
            std::to_string(world.contacts) + ", locks " + std::to_string(world.locks) +
            ", user layers " + std::to_string(world.user_layers) + ", rebuild " +
            std::to_string(world.rebuild) +
            (world.layer_0_meets_itself ? "" : ", layer 0 does not meet itself") +
            (world.gravity ? "" : ", no gravity") + (world.sleeps ? "" : ", never sleeps") + '\n';
  }
  for (std::size_t i = 0; i < program.background.size(); ++i) {
    text += Line("background", i, program.background[i]);
  }
  for (const Round& round : program.rounds) {
    text += round.still ? " round, still\n" : " round\n";
    for (std::size_t i = 0; i < round.game.size(); ++i) text += Line("game", i, round.game[i]);
    for (std::size_t i = 0; i < round.tasks.size(); ++i) {
      const TaskPlan& task = round.tasks[i];
      const std::string kind = std::string(task.is_loop ? "loop" : "task") + " of priority " +
                               std::to_string(task.priority);
      text += Line(kind.c_str(), i, task.calls);
    }
    for (std::size_t i = 0; i < round.meanwhile.size(); ++i) {
      if (!round.meanwhile[i].empty()) text += Line("meanwhile", i, round.meanwhile[i]);
    }
    text += "  update: " + std::to_string(round.steps) + " steps\n";
  }
  return text;
}

}  // namespace nowait::world_programs
