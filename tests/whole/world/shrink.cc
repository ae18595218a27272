#include "tests/whole/world/shrink.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace nowait::world_programs {
namespace {

// Every list of calls in the program.
std::vector<Calls*> ListsOf(WorldProgram& program) {
  std::vector<Calls*> lists;
  for (Calls& calls : program.background) lists.push_back(&calls);
  for (Round& round : program.rounds) {
    for (Calls& calls : round.game) lists.push_back(&calls);
    for (TaskPlan& task : round.tasks) lists.push_back(&task.calls);
    for (Calls& calls : round.meanwhile) lists.push_back(&calls);
  }
  return lists;
}

class Shrinker {
 public:
  Shrinker(const WorldProgram& program, const std::function<bool(const WorldProgram&)>& fails,
           const std::function<bool()>& is_over)
      : best_(program), fails_(fails), is_over_(is_over) {}

  WorldProgram Do() {
    for (bool again = true; again && !is_over_();) {
      const WorldProgram before = best_;
      Parts();
      for (std::size_t list = 0; list < ListsOf(best_).size(); ++list) ShortenList(list);
      again = !(before == best_);
    }
    Numbers();
    return best_;
  }

 private:
  // Keeps the change if the program fails with it.
  template <class Change>
  bool Try(const Change& change) {
    if (is_over_()) return false;
    WorldProgram candidate = best_;
    change(candidate);
    if (candidate == best_ || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  void Parts() {
    for (std::size_t i = best_.rounds.size(); i-- > 0;) {
      if (best_.rounds.size() == 1) break;
      Try([&](WorldProgram& p) { p.rounds.erase(p.rounds.begin() + static_cast<int>(i)); });
    }
    for (std::size_t i = best_.background.size(); i-- > 0;) {
      Try([&](WorldProgram& p) { p.background.erase(p.background.begin() + static_cast<int>(i)); });
    }
    for (std::size_t thread = best_.game_threads(); thread-- > 1;) {
      Try([&](WorldProgram& p) {
        for (Round& round : p.rounds) {
          round.game.erase(round.game.begin() + static_cast<int>(thread));
          round.meanwhile.erase(round.meanwhile.begin() + static_cast<int>(thread));
        }
      });
    }
    for (std::size_t r = 0; r < best_.rounds.size(); ++r) {
      for (std::size_t i = best_.rounds[r].tasks.size(); i-- > 0;) {
        Try([&](WorldProgram& p) {
          p.rounds[r].tasks.erase(p.rounds[r].tasks.begin() + static_cast<int>(i));
        });
      }
      Try([&](WorldProgram& p) { p.rounds[r].steps = 1; });
    }
    if (best_.worlds.size() == 2) Try([](WorldProgram& p) { p.worlds.pop_back(); });
    while (best_.workers > 0 && Try([](WorldProgram& p) { --p.workers; })) {
    }
  }

  void ShortenList(std::size_t list) {
    for (std::size_t length = std::max<std::size_t>(ListsOf(best_)[list]->size(), 1);;
         length /= 2) {
      for (std::size_t from = 0; from < ListsOf(best_)[list]->size();) {
        const bool gone = Try([&](WorldProgram& p) {
          Calls& calls = *ListsOf(p)[list];
          const auto first = calls.begin() + static_cast<int>(from);
          calls.erase(first, first + static_cast<int>(std::min(length, calls.size() - from)));
        });
        if (!gone) from += length;
      }
      if (length <= 1) return;
    }
  }

  void Numbers() {
    static constexpr std::array<std::uint8_t Call::*, 6> kFields = {
        &Call::place, &Call::shape, &Call::flags, &Call::layer, &Call::cell, &Call::slot};
    for (std::size_t list = 0; list < ListsOf(best_).size(); ++list) {
      for (std::size_t i = 0; i < ListsOf(best_)[list]->size(); ++i) {
        for (const auto field : kFields) {
          Try([&](WorldProgram& p) { (*ListsOf(p)[list])[i].*field = 0; });
        }
        Try([&](WorldProgram& p) { (*ListsOf(p)[list])[i].count = 1; });
      }
    }
    const WorldPlan plain;
    for (std::size_t i = 0; i < best_.worlds.size(); ++i) {
      Try([&](WorldProgram& p) { p.worlds[i].gravity = false; });
      Try([&](WorldProgram& p) { p.worlds[i].user_layers = 0; });
      Try([&](WorldProgram& p) { p.worlds[i].rebuild = 0; });
      Try([&](WorldProgram& p) { p.worlds[i].contacts = plain.contacts; });
      Try([&](WorldProgram& p) { p.worlds[i].bodies = 3; });
    }
  }

  WorldProgram best_;
  const std::function<bool(const WorldProgram&)>& fails_;
  const std::function<bool()>& is_over_;
};

}  // namespace

WorldProgram Shrink(const WorldProgram& program,
                    const std::function<bool(const WorldProgram&)>& fails,
                    const std::function<bool()>& is_over) {
  return Shrinker(program, fails, is_over).Do();
}

}  // namespace nowait::world_programs
