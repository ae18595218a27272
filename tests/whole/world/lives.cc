#include "tests/whole/world/lives.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/dictionary.h"

namespace nowait::world_programs {
namespace {

class Builder {
 public:
  Builder(const WorldProgram& program, const History& history) : history_(history) {
    made_.worlds.resize(program.worlds.size());
  }

  LivesOfWorlds Build() {
    // A call may begin before the one that prepares its batch, and nevertheless find the batch. So
    // first come all calls that make bodies.
    for (const Record& record : history_.records) Make(record);
    for (const Record& record : history_.records) Come(record);
    for (const Record& record : history_.records) Change(record);
    Frames();
    for (auto& lives : made_.worlds) {
      for (auto& [id, life] : lives) {
        std::ranges::sort(life.puts, {}, &Put::begin);
      }
    }
    for (const Record& record : history_.records) Answer(record);
    return std::move(made_);
  }

 private:
  void Make(const Record& record) {
    const bool creates = record.call.kind == Kind::kCreate;
    if (record.error || (!creates && record.call.kind != Kind::kPrepare)) return;
    Lives& lives = made_.worlds[record.call.world];
    for (std::size_t i = 0; i < record.ids.size(); ++i) {
      Life life;
      life.id = record.ids[i];
      life.def = record.defs[i];
      life.reserved = record.begin;
      const bool is_new = lives.emplace(life.id, life).second;
      if (!is_new) {
        made_.failure = Broken("an id was given twice: " + ToString(record), record.end);
      }
      if (creates) Begin(lives[life.id], record);
    }
  }

  void Come(const Record& record) {
    if (record.error) return;
    Lives& lives = made_.worlds[record.call.world];
    switch (record.call.kind) {
      case Kind::kFinalise:
        for (const BodyId id : record.ids) {
          if (lives.contains(id)) Begin(lives[id], record);
        }
        return;
      case Kind::kAbort:
        for (const BodyId id : record.ids) {
          if (lives.contains(id)) lives[id].freed = record.end;
        }
        return;
      default:
        return;
    }
  }

  static void Begin(Life& life, const Record& by) {
    life.come_begin = by.begin;
    life.come_end = life.here_by = by.end;
    life.puts.push_back({by.begin, by.end, life.def.position, life.def.rotation, false});
    life.shapes.push_back({by.begin, by.end, life.def.shape});
    life.layers.push_back({by.begin, by.end, LayerOf(life.def)});
  }

  Life* Find(const Record& record, BodyId id) {
    Lives& lives = made_.worlds[record.call.world];
    const auto at = lives.find(id);
    return at == lives.end() ? nullptr : &at->second;
  }

  void Change(const Record& record) {
    if (record.error) return;
    if (record.call.kind == Kind::kMove) {
      if (Life* const life = Find(record, record.id)) {
        life->puts.push_back({record.begin, record.end, PlaceOf(record.call.place),
                              Normalise(RotationOf(record.call)), false});
      }
    }
    if (record.call.kind == Kind::kReform) {
      if (Life* const life = Find(record, record.id)) {
        const BodyChange change = ChangeOf(record.call);
        if (change.shape) life->shapes.push_back({record.begin, record.end, *change.shape});
        if (change.layer) life->layers.push_back({record.begin, record.end, *change.layer});
      }
    }
    if (record.call.kind == Kind::kDestroy) Go(record, record.id);
    if (record.call.kind == Kind::kRemove && record.removed > 0) {
      for (const BodyId id : record.ids) Go(record, id);
    }
  }

  // The call may have been the one that removed it. Whether it is gone, the next frame says.
  void Go(const Record& record, BodyId id) {
    Life* const life = Find(record, id);
    if (life == nullptr) return;
    candidates_[{record.call.world, id}].push_back(&record);
  }

  void Frames() {
    for (const Frame& frame : history_.frames) {
      std::set<BodyId> there;
      for (const BodySnapshot& body : frame.before) there.insert(body.id);
      for (auto& [id, life] : made_.worlds[frame.world]) {
        if (!life.ever_was() || life.go_end != kNever || life.come_end > frame.begin) continue;
        if (there.contains(id)) {
          life.here_by = std::min(life.here_by, frame.begin);
          seen_[&life] = frame.begin;
          // An update that fails in its second step has done the first; one that is cut short, a
          // part.
          const bool moves =
              frame.stats.steps != 0 || (frame.error && whole::IsOfFault(*frame.error));
          if (!moves || life.def.type == BodyType::kStatic) continue;
          AfterUpdate(life, frame);
        } else {
          Removed(life, frame);
        }
      }
    }
  }

  static void AfterUpdate(Life& life, const Frame& frame) {
    const auto at = std::ranges::find(frame.after, life.id, &BodySnapshot::id);
    if (at == frame.after.end()) return;
    life.puts.push_back({frame.begin, frame.end, at->position, at->rotation, true});
  }

  void Removed(Life& life, const Frame& frame) {
    life.go_begin = kNever;
    life.go_end = 0;
    for (const Record* record : candidates_[{frame.world, life.id}]) {
      if (record->begin > frame.begin) continue;
      life.go_begin = std::min(life.go_begin, record->begin);
      life.go_end = std::max(life.go_end, record->end);
    }
    if (life.go_begin == kNever) {
      life.go_end = frame.begin;
      made_.failure = Broken("a body is gone that no call has removed", frame.begin);
      return;
    }
    life.freed = life.go_end;
    life.gone_from = std::max(life.go_begin, seen_[&life]);
  }

  // The times of a body's life that an answer implies.
  void Answer(const Record& record) {
    const auto was_there = [&](BodyId id) {
      Life* const life = Find(record, id);
      if (life == nullptr || !life->ever_was()) return;
      life->here_by = std::min(life->here_by, record.end);
      if (life->gone_from != kNever) life->gone_from = std::max(life->gone_from, record.begin);
    };
    switch (record.call.kind) {
      case Kind::kDestroy:
      case Kind::kMove:
      case Kind::kSetVelocity:
      case Kind::kSetTarget:
      case Kind::kWake:
      case Kind::kReform:
      case Kind::kGet:
        if (!record.error) was_there(record.id);
        return;
      case Kind::kRay:
      case Kind::kRays:
      case Kind::kFind:
      case Kind::kCollect:
      case Kind::kNearest:
      case Kind::kCollectNearest:
        for (const BodyId id : record.ids) was_there(id);
        for (const auto& hit : record.hits) {
          if (hit) was_there(hit->body);
        }
        return;
      default:
        return;
    }
  }

  const History& history_;
  LivesOfWorlds made_;
  std::map<std::pair<std::uint8_t, BodyId>, std::vector<const Record*>> candidates_;
  std::map<const Life*, Stamp> seen_;  // in the last frame in which it was there
};

}  // namespace

LivesOfWorlds LivesOf(const WorldProgram& program, const History& history) {
  return Builder(program, history).Build();
}

std::optional<std::vector<Put>> PlacesOf(const Life& life, Stamp begin, Stamp end) {
  std::vector<Put> places;
  for (const Put& put : life.puts) {
    if (put.begin > end) continue;
    const bool is_replaced = std::ranges::any_of(
        life.puts, [&](const Put& later) { return later.begin > put.end && later.end < begin; });
    if (is_replaced) continue;
    if (put.is_update && begin < put.end) return std::nullopt;
    places.push_back(put);
  }
  return places;
}

}  // namespace nowait::world_programs
