// CellRecord beside a world that counts its changes, and a build that reads it at any moment.
#include <cstdint>

#include "lectures/judge.h"
#include "src/math/random.h"

namespace nowait {
namespace {

// The world is a number that grows with each change. A build ends with the number that it has read.
class Site {
 public:
  void Change() {
    ++world_;
    record_.Change();
  }
  void BeginIfNeeded() {
    if (!record_.NeedsBuild()) return;
    record_.Begin();
    building_ = true;
    read_ = kNothing;
    ++builds_;
  }
  void Read() {
    if (building_ && read_ == kNothing) read_ = world_;
  }
  void End(Outcome outcome) {
    if (!building_) return;
    Read();
    if (outcome == Outcome::kBuilt) mesh_ = read_;
    building_ = false;
    record_.End(outcome);
  }

  bool IsBuilding() const { return building_; }
  bool IsCurrent() const { return record_.IsCurrent(); }
  bool NeedsBuild() const { return record_.NeedsBuild(); }
  // Whether the mesh has the world of now.
  bool IsTrue() const { return mesh_ == world_; }
  int builds() const { return builds_; }

 private:
  static constexpr std::uint64_t kNothing = 0;

  CellRecord record_;
  std::uint64_t world_ = 1;
  std::uint64_t mesh_ = kNothing;  // the world that it was built from
  bool building_ = false;
  std::uint64_t read_ = kNothing;  // by the build in progress
  int builds_ = 0;
};

struct Findings {
  bool honest = true;   // a cell that is called current shows the present world
  bool settles = true;  // when nothing changes any more, the present world is in the mesh
  bool single = true;   // no second build begins during one
  bool frugal = true;   // of a cell that rested since before the last build none begins
};

void Wander(std::uint64_t seed, Findings& found) {
  Random random(seed);
  Site site;
  for (int step = 0; step < 200; ++step) {
    switch (random.Below(5)) {
      case 0:
        site.Change();
        break;
      case 1:
        site.BeginIfNeeded();
        break;
      case 2:
        site.Read();
        break;
      case 3:
        site.End(Outcome::kBuilt);
        break;
      default:
        if (random.Below(3) == 0) site.End(Outcome::kCancelled);
    }
    found.honest = found.honest && (!site.IsCurrent() || site.IsTrue());
    found.single = found.single && !(site.IsBuilding() && site.NeedsBuild());
  }
  // Nothing changes any more: the build in progress and one more have to do.
  site.End(Outcome::kBuilt);
  site.BeginIfNeeded();
  site.End(Outcome::kBuilt);
  found.settles = found.settles && site.IsTrue() && site.IsCurrent();
  const int builds = site.builds();
  site.BeginIfNeeded();
  found.frugal = found.frugal && site.builds() == builds;
}

// A gate moves in each frame, and a build lasts for three: does a mesh ever come out of it?
bool IsBuiltBesideAGate() {
  Site site;
  int built = 0;
  for (int frame = 0; frame < 30; ++frame) {
    site.Change();
    site.BeginIfNeeded();
    if (frame % 3 == 1) site.Read();
    if (frame % 3 == 2 && site.IsBuilding()) {
      site.End(Outcome::kBuilt);
      ++built;
    }
  }
  return built == 10;
}

bool IsBuiltAfterACancel() {
  Site site;
  site.BeginIfNeeded();
  site.End(Outcome::kCancelled);
  const bool waits = !site.IsCurrent() && site.NeedsBuild();
  site.BeginIfNeeded();
  site.End(Outcome::kBuilt);
  return waits && site.IsCurrent();
}

// A flag that each change turns over would stand as it did before.
bool IsSeenWhenChangedTwice() {
  Site site;
  site.BeginIfNeeded();
  site.Read();
  site.Change();
  site.Change();
  site.End(Outcome::kBuilt);
  return !site.IsCurrent() && site.NeedsBuild();
}

int Main() {
  Findings found;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) Wander(seed, found);
  Judge judge;
  judge.Ask(found.honest, "a cell that is called current has the world of now");
  judge.Ask(found.settles, "when the world rests, it is in the mesh after one more build");
  judge.Ask(found.single, "a cell has one build at a time");
  judge.Ask(found.frugal, "a current cell is not built again");
  judge.Ask(IsSeenWhenChangedTwice(), "two changes during a build are not taken for none");
  judge.Ask(IsBuiltAfterACancel(), "a cancelled build leaves the cell as it was");
  judge.Ask(IsBuiltBesideAGate(), "beside a gate that never rests, each build ends in the mesh");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
