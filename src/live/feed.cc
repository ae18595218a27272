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
  lane_tasks_lost_.resize(lanes_.size());
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
    TakeEntries(held_);
    return {};
  });
  offered_last_ = filled.has_value();
  if (!filled) return std::unexpected(filled.error());
  frames_.Publish();
  held_ = nullptr;
  return true;
}

void LiveFeed::TakeEntries(LiveFrame* frame) {
  // keeps: whether an entry belongs to this frame although the one before was left out.
  const auto take = [this]<class T>(std::uint32_t lane, SpscRing<Live<T>>* ring,
                                    std::vector<std::uint64_t>& lost, const auto& keeps, auto& to) {
    if (ring == nullptr) return;
    // Bounded, because the lane's thread continues to push.
    const std::size_t there = ring->SizeHint();
    for (std::size_t taken = 0; taken < there; ++taken) {
      Live<T> next{};
      if (!ring->TryPop(&next)) break;
      if (offered_last_) lost_spans_ += next.lost - lost[lane];
      lost[lane] = next.lost;
      if (!offered_last_ && !keeps(next.entry)) continue;
      if (to.size() == kMostSpans) {
        ++lost_spans_;
      } else {
        to.push_back({lane, next.entry});
      }
    }
  };
  const std::uint64_t begin = frame->moment.begin;
  frame->spans.clear();
  frame->tasks.clear();
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    const auto keeps = [begin](const Span& span) { return span.end >= begin; };
    take(i, profile_->lanes()[i].live.get(), lane_lost_, keeps, frame->spans);
  }
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    const auto keeps = [begin](const TaskRecord& task) { return task.time >= begin; };
    take(i, profile_->lanes()[i].live_tasks.get(), lane_tasks_lost_, keeps, frame->tasks);
  }
  frame->lost_spans = lost_spans_;
}

}  // namespace nowait
