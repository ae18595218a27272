#include "src/live/service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

// The time between two looks at the feed, by which a frame may reach a viewer late.
constexpr std::chrono::milliseconds kTick(4);

}  // namespace

Result<std::unique_ptr<LiveService>> LiveService::Start(LiveFeed& feed, const LiveServiceDef& def) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<LiveService>> {
    std::unique_ptr<LiveService> service(new LiveService(feed, def));
    if (def.port) {
      auto token = MakeToken();
      if (!token) return std::unexpected(token.error());
      auto server =
          LiveServer::Listen({.port = *def.port,
                              .token = std::move(*token),
                              .hello = def.hello,
                              .documents = def.documents},
                             [&feed](const LiveCommand& command) { return feed.Give(command); });
      if (!server) return std::unexpected(server.error());
      service->server_ = std::move(*server);
    }
    service->Ask();  // so that the first frame has the recorded parts
    auto thread = EngineSync::thread::Start("live", [it = service.get()] { it->Work(); });
    if (!thread) return std::unexpected(thread.error());
    service->thread_ = std::move(*thread);
    return service;
  });
}

void LiveService::Stop() {
  if (!thread_.joinable()) return;
  {
    const ScopedLock lock(mutex_);
    stopping_ = true;
  }
  thread_.join();
}

bool LiveService::Stopping() {
  const ScopedLock lock(mutex_);
  return stopping_;
}

void LiveService::Ask() {
  LiveParts wanted = encoder_.shown();
  if (server_) wanted = wanted | server_->Wanted();
  if (wanted == asked_) return;
  LiveCommand command;
  command.kind = LiveCommand::Kind::kShow;
  command.parts = wanted;
  // If there is no room, the next round asks again.
  if (feed_.Give(command)) asked_ = wanted;
}

// Passes cameras that have moved on to the feed. Where the feed has no room, the next round tries
// again.
void LiveService::Look() {
  const std::vector<LiveCamera> cameras = server_->Cameras();
  if (cameras == looking_) return;
  const auto is_there = [](const std::vector<LiveCamera>& list, std::uint64_t viewer) {
    return std::ranges::binary_search(list, viewer, {}, &LiveCamera::viewer);
  };
  LiveCommand command;
  command.kind = LiveCommand::Kind::kLook;
  command.on = false;
  for (const LiveCamera& before : looking_) {
    command.viewer = before.viewer;
    if (!is_there(cameras, before.viewer) && !feed_.Give(command)) return;
  }
  command.on = true;
  for (const LiveCamera& now : cameras) {
    if (std::ranges::find(looking_, now) != looking_.end()) continue;
    command.viewer = now.viewer;
    command.camera = now.camera;
    if (!feed_.Give(command)) return;
  }
  looking_ = cameras;
}

void LiveService::Work() {
  if (!server_) {
    while (LiveFrame* frame = feed_.Take()) {
      Record(*frame);
      feed_.Release();
    }
    return;
  }
  LiveFrame* frame = nullptr;
  bool old = false;  // whether the frames in the feed predate the first viewer
  bool due = true;   // whether a frame has come since the cameras were passed on
  while (!Stopping()) {
    server_->Serve(kTick);
    Ask();
    // Once for each frame: moving cameras would take the room of other commands.
    if (due) Look();
    due = false;
    const bool wanted = record_ || server_->HasViewers();
    while (wanted && feed_.TryTake(&frame) && frame != nullptr) {
      due = true;
      if (!old) {
        Record(*frame);
        server_->Send(*frame);
      }
      feed_.Release();
    }
    old = !wanted;
  }
  while (feed_.TryTake(&frame) && frame != nullptr) {
    Record(*frame);
    feed_.Release();
  }
}

void LiveService::Record(const LiveFrame& frame) {
  if (!record_) return;
  if (recorded_) {
    const auto message = encoder_.Encode(frame);
    recorded_ = message ? recorder_.Add(frame.number, *message)
                        : Result<void>(std::unexpected(message.error()));
  }
  if (recorded_) {
    dropped_ = encoder_.dropped();
  } else {
    ++after_end_;
  }
}

}  // namespace nowait
