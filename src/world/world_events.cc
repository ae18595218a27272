#include "src/world/world_events.h"

namespace nowait {

void PostEvents(const World& world, EventLanes::Section& section) {
  auto next_hit = world.contact_hits().begin();
  for (const ContactEvent& event : world.contact_events()) {
    switch (event.kind) {
      case ContactEvent::Kind::kBegan: {
        const ContactHit& hit = *next_hit++;
        section.Post(ContactBegan{event.a, event.b, hit.place, hit.normal, hit.speed, hit.slide});
        break;
      }
      case ContactEvent::Kind::kEnded:
        section.Post(ContactEnded{event.a, event.b});
        break;
    }
  }
  for (const SleepEvent& event : world.sleep_events()) {
    switch (event.kind) {
      case SleepEvent::Kind::kWoke:
        section.Post(BodyWoke{event.body});
        break;
      case SleepEvent::Kind::kFellAsleep:
        section.Post(BodyFellAsleep{event.body});
        break;
    }
  }
  for (const JointEvent& event : world.joint_events()) {
    switch (event.kind) {
      case JointEvent::Kind::kBodyGone:
        section.Post(JointBodyGone{event.joint, event.a, event.b});
        break;
      case JointEvent::Kind::kPartnerGone:
        section.Post(JointPartnerGone{event.joint, event.a, event.b});
        break;
      case JointEvent::Kind::kBroke:
        section.Post(JointBroke{event.joint, event.a, event.b});
        break;
    }
  }
}

}  // namespace nowait
