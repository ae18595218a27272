#include "src/live/feed.h"

#include <algorithm>

#include "src/base/or_no_memory.h"

namespace nowait {

Result<std::unique_ptr<LiveFeed>> LiveFeed::Create(std::uint32_t buffers, const Profile* profile,
                                                   TaskPool* pool) {
  if (buffers < 1 || buffers > 64) {
    return Fail(ErrorCode::kInvalidArgument, "feed buffers", buffers, "1 .. 64");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<LiveFeed>> {
    return std::unique_ptr<LiveFeed>(new LiveFeed(buffers, profile, pool));
  });
}

LiveFeed::LiveFeed(std::uint32_t buffers, const Profile* profile, TaskPool* pool)
    : profile_(profile), pool_(pool), frames_(buffers), commands_(kMostCommands) {
  if (profile == nullptr) return;
  for (const Lane& lane : profile->lanes()) lanes_.push_back(lane.name);
  lane_lost_.resize(lanes_.size());
}

bool LiveFeed::TakeCommand(LiveCommand* command) {
  while (commands_.TryPop(command)) {
    if (command->kind == LiveCommand::Kind::kShow) {
      parts_ = command->parts;
    } else if (command->kind == LiveCommand::Kind::kRay) {
      ray_ = RayCast{command->position, command->translation};
    } else if (command->kind != LiveCommand::Kind::kLook) {
      return true;
    } else if (command->on) {
      sights_.Look({command->viewer, command->camera});
    } else {
      sights_.LookAway(command->viewer);
    }
  }
  return false;
}

Result<bool> LiveFeed::Offer(const World& world, const LiveMoment& moment, WhenFull when_full) {
  ++number_;
  if (held_ == nullptr) {
    held_ = when_full == WhenFull::kWait ? &frames_.Fill() : frames_.TryFill();
  }
  if (held_ == nullptr) {
    offered_last_ = false;
    return false;
  }
  const Result<void> filled = OrNoMemory([&]() -> Result<void> {
    held_->number = number_;
    held_->moment = moment;
    auto& lights = held_->moment.lights;
    lights.resize(std::min(lights.size(), kMostLights));
    held_->stats = world.stats();
    world.Snapshot(held_->bodies);
    held_->parts = parts_;
    if (parts_.tree()) world.SnapshotTree(LiveParts::kMostBoxes, held_->tree);
    if (parts_.links()) world.SnapshotLinks(LiveParts::kMostLinks, held_->links);
    held_->ray.reset();
    if (parts_.ray() && ray_) {
      WaitTime wait;
      world.TraceRay(*ray_, {}, wait, held_->ray.emplace());
    }
    if (pool_ != nullptr) {
      const auto found =
          sights_.Find(world, held_->bodies, held_->moment.lights, *pool_, held_->sights);
      if (!found) return found;
    }
    TakeSpans(held_);
    return {};
  });
  offered_last_ = filled.has_value();
  if (!filled) return std::unexpected(filled.error());
  frames_.Publish();
  held_ = nullptr;
  return true;
}

void LiveFeed::TakeSpans(LiveFrame* frame) {
  frame->spans.clear();
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = profile_->lanes()[i];
    if (lane.live == nullptr) continue;
    // Bounded, because the lane's thread continues to push.
    const std::size_t there = lane.live->SizeHint();
    for (std::size_t taken = 0; taken < there; ++taken) {
      LiveSpan next{};
      if (!lane.live->TryPop(&next)) break;
      if (offered_last_) lost_spans_ += next.lost - lane_lost_[i];
      lane_lost_[i] = next.lost;
      if (!offered_last_ && next.span.end < frame->moment.begin) continue;
      if (frame->spans.size() == kMostSpans) {
        ++lost_spans_;
      } else {
        frame->spans.push_back({i, next.span});
      }
    }
  }
  frame->lost_spans = lost_spans_;
}

}  // namespace nowait
