// WorldManager: connects the physics' events to the objects whose bodies they name.
//
//   manager->Bind(body, arrow, {.persists = true});          // if (!bound) ...
//   if (auto done = world->Update(dt, pool); !done) return done;
//   PostEvents(*world, *section);                            // and Merge: `stream`
//   manager->Consume(*stream);
//   if (auto ran = system->RunPhysics(pool, manager->calls()); !ran) return ran;
//
// There is no dispatcher, and no listener is called while a stream is read. The manager reads a
// stream as every consumer does, and writes a list of calls. Which function a call reaches, the
// object's script decides. An event of another type is skipped; so is one whose bodies have no
// object. A stream that was saved, sent or made by another process gives the same calls: of an id,
// the slot and the generation count, and not the number of the world.
//
// Order: calls() is sorted by receiver. Of one receiver, the events of the stream come in its
// order, followed by the contacts that persist, in the order of their bodies.
// Bound: the first `calls` of a stream are kept, those for contacts that persist last. Of more than
// `touching` contacts, the later ones do not persist. Both are counted as lost. No allocation after
// Create. A contact whose end is in no stream (it was lost, or World::Restore came first) persists
// until its object is unbound, and one that Restore has brought does not persist.
//
// Thread safety: one thread. Consume: O(e log e) for e calls; a contact that begins or ends between
// objects with `persists` costs O(touching) in addition.
// Source: [bitsquid2010], "Events". Test: tests/script/world_manager_test.cc.
// Lecture: events without a dispatcher.
#ifndef NOWAIT_SRC_SCRIPT_WORLD_MANAGER_H_
#define NOWAIT_SRC_SCRIPT_WORLD_MANAGER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/events/stream.h"
#include "src/game/object_table.h"
#include "src/script/physics_event.h"
#include "src/script/receivers.h"
#include "src/world/world_events.h"

namespace nowait {

struct WorldManagerDef {
  std::uint32_t bodies = 1024;    // slots: WorldDef::max_bodies
  std::uint32_t calls = 4096;     // of a stream
  std::uint32_t touching = 1024;  // contacts between objects with `persists`
};

struct WorldManagerCounts {
  std::uint64_t calls = 0;
  std::uint64_t unbound = 0;  // events whose bodies have no object
  std::uint64_t unknown = 0;  // events of other types
  std::uint64_t lost = 0;     // calls and contacts for which there was no room
};

struct BindingOptions {
  bool persists = false;  // whether the object hears in each update of a contact that goes on
};

class WorldManager {
 public:
  // kInvalidArgument "bodies" (at most BodyId::kMaxBodies); kCapacity "memory".
  static Result<std::unique_ptr<WorldManager>> Create(const WorldManagerDef& def);
  WorldManager(const WorldManager&) = delete;
  WorldManager& operator=(const WorldManager&) = delete;

  // The body's events are the object's, in place of an object before it and of a body that had the
  // slot before. kInvalidArgument "body id": no body, or a slot beyond `bodies`.
  Result<void> Bind(BodyId body, ObjectHandle object, BindingOptions options = {});
  // Does nothing for a body that has no object, or whose slot was bound to a later body.
  void Unbind(BodyId body);

  // Replaces calls() by those for the stream.
  void Consume(const EventStream& stream);
  std::span<const PhysicsEvent> calls() const { return calls_; }

  const WorldManagerCounts& counts() const { return counts_; }  // of all streams

 private:
  struct Binding {
    std::uint32_t generation = 0;
    bool persists = false;
    ObjectHandle object;
  };
  struct Touch {
    BodyId a;
    BodyId b;
    std::uint64_t since;  // the number of the stream in which it began
  };

  explicit WorldManager(const WorldManagerDef& def);
  const Binding* Find(BodyId body) const;  // null: no object
  void Add(PhysicsEvent call);
  void AddPair(PhysicsEvent event, BodyId a, BodyId b);
  void AddSleep(PhysicsEvent::Kind kind, BodyId body);
  void Begin(const ContactBegan& began);
  void End(const ContactEnded& ended);
  void AddPersisting();
  // The place of this contact in touching_, or where it would be.
  std::vector<Touch>::iterator PlaceOf(BodyId a, BodyId b);
  bool IsTouching(std::vector<Touch>::iterator at, BodyId a, BodyId b) const;

  const WorldManagerDef def_;
  std::vector<Binding> bindings_;  // by slot
  std::vector<Touch> touching_;    // ascending
  std::uint64_t streams_ = 0;
  std::vector<PhysicsEvent> found_;  // in the order of the stream
  ReceiverOrder order_;              // of found_
  std::vector<PhysicsEvent> calls_;
  WorldManagerCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_WORLD_MANAGER_H_
