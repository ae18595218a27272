// LiveService: the thread that shows a running program to its viewers, and records it.
//
//   auto service = LiveService::Start(*feed, {.hello = {.scene = "pile", .lanes = feed->lanes()}});
//   if (!service) return std::unexpected(service.error());
//   ... feed->Offer(...) in each frame ...
//   feed->End();
//   (*service)->Stop();
//
// Its thread takes frames from the feed while a viewer is there or a recording is made. Otherwise
// it leaves the buffers where they are, and the engine copies nothing.
//
// Thread safety: Start, Stop and the destructor by one thread; what is behind Stop afterwards.
// Blocking: Stop waits until the recording has the last frame, and for a few milliseconds.
#ifndef NOWAIT_SRC_LIVE_SERVICE_H_
#define NOWAIT_SRC_LIVE_SERVICE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/live/encoder.h"
#include "src/live/feed.h"
#include "src/live/recording.h"
#include "src/live/server.h"
#include "src/sync/policy.h"

namespace nowait {

struct LiveServiceDef {
  LiveHello hello = {};
  std::optional<std::uint16_t> port = {};  // of the server (0: any); nothing: there is no server
  bool record = false;
  LiveParts recorded_parts = {};  // besides bodies and spans
  std::size_t most_recorded_bytes = kMostRecordedBytes;
};

class LiveService {
 public:
  // feed: outlives the service. Errors of LiveServer::Listen, MakeToken and EngineSync::thread.
  static Result<std::unique_ptr<LiveService>> Start(LiveFeed& feed, const LiveServiceDef& def);
  ~LiveService() { Stop(); }

  LiveService(const LiveService&) = delete;
  LiveService& operator=(const LiveService&) = delete;

  // Of the page; empty without a server.
  std::string address() const { return server_ ? server_->address() : ""; }

  // After the feed's End.
  void Stop();

  // --- After Stop.
  // The frames that the feed took over, up to the first one that the recording has no room for:
  // recorded() has that error then. The viewers and the program go on.
  std::span<const std::byte> recording() const { return recorder_.bytes(); }
  std::vector<std::byte> TakeRecording() { return recorder_.Take(); }
  const Result<void>& recorded() const { return recorded_; }
  std::uint64_t frames_dropped() const { return dropped_; }  // by the feed, before that
  std::uint64_t frames_after_end() const { return after_end_; }
  LiveCounts counts() const { return server_ ? server_->counts() : LiveCounts{}; }

 private:
  LiveService(LiveFeed& feed, const LiveServiceDef& def)
      : feed_(feed), record_(def.record), encoder_(def.hello), recorder_(def.most_recorded_bytes) {
    if (record_) encoder_.Show(def.recorded_parts);
  }

  void Work();
  bool Stopping();
  void Ask();
  void Record(const LiveFrame& frame);

  LiveFeed& feed_;
  const bool record_;
  std::unique_ptr<LiveServer> server_;
  LiveEncoder encoder_;  // of the recording
  LiveParts asked_;      // of the feed, for the viewers and the recording
  Recorder recorder_;
  Result<void> recorded_;
  std::uint64_t dropped_ = 0;
  std::uint64_t after_end_ = 0;  // frames that came when the recording had ended

  EngineSync::mutex mutex_;  // what follows
  bool stopping_ = false;

  EngineSync::thread thread_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SERVICE_H_
