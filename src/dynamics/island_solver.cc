#include "src/dynamics/island_solver.h"

namespace nowait {

void SolveIsland(std::span<SolverBody> bodies, std::span<ContactConstraint> contacts,
                 const SubstepDef& def) {
  for (std::uint32_t substep = 0; substep < def.solver.substeps; ++substep) {
    for (SolverBody& body : bodies) IntegrateVelocity(body, def.h, def.solver);
    for (ContactConstraint& contact : contacts) WarmStart(contact);
    for (ContactConstraint& contact : contacts) Solve(contact, Pass::kPushOut, def);
    for (SolverBody& body : bodies) IntegratePosition(body, def.h);
    for (ContactConstraint& contact : contacts) Solve(contact, Pass::kRelax, def);
  }
  for (ContactConstraint& contact : contacts) ApplyRestitution(contact, def);
}

}  // namespace nowait
