// LiveService: the thread that shows a running program to its viewers, and records it.
//
//   auto service = LiveService::Start(*feed, {.hello = {.scene = "pile", .lanes = feed->lanes()}});
//   if (!service) return std::unexpected(service.error());
//   ... feed->Offer(...) in each frame ...
//   feed->End();
//   (*service)->Stop();
//
// Its thread takes frames from the feed while a viewer is present or a recording is made. Otherwise
// it leaves the buffers where they are, and the engine copies nothing.
//
// Thread safety: Start, Stop and the destructor by one thread; the members below Stop only
// after it.
// Blocking: Stop waits until the recording has the last frame, and for a few milliseconds.
#ifndef NOWAIT_SRC_LIVE_SERVICE_H_
#define NOWAIT_SRC_LIVE_SERVICE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/live/document.h"
#include "src/live/encoder.h"
#include "src/live/feed.h"
#include "src/live/recording.h"
#include "src/live/server.h"
#include "src/sync/policy.h"

namespace nowait {

struct LiveServiceDef {
  LiveHello hello = {};
  std::optional<std::uint16_t> port = {};  // of the server (0: any free one); nothing: no server
  bool record = false;
  LiveParts recorded_parts = {};  // in addition to bodies and spans
  std::size_t most_recorded_bytes = kMostRecordedBytes;
  LiveDocuments documents = {};  // of the server
};

class LiveService {
 public:
  // feed: outlives the service. Errors of LiveServer::Listen, MakeToken and EngineSync::thread.
  static Result<std::unique_ptr<LiveService>> Start(LiveFeed& feed, const LiveServiceDef& def);
  ~LiveService() { Stop(); }

  LiveService(const LiveService&) = delete;
  LiveService& operator=(const LiveService&) = delete;

  // The address of the page; empty without a server.
  std::string address() const { return server_ ? server_->address() : ""; }

  // Called after the feed's End.
  void Stop();

  // --- To be called after Stop.
  // The frames that the feed took over, up to the first one for which the recording had no room;
  // recorded() then returns that error. The viewers and the program are not affected.
  std::span<const std::byte> recording() const { return recorder_.bytes(); }
  std::vector<std::byte> TakeRecording() { return recorder_.Take(); }
  const Result<void>& recorded() const { return recorded_; }
  std::uint64_t frames_dropped() const { return dropped_; }  // by the feed, before the recording
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
  void Look();
  void Record(const LiveFrame& frame);

  LiveFeed& feed_;
  const bool record_;
  std::unique_ptr<LiveServer> server_;
  LiveEncoder encoder_;              // for the recording
  LiveParts asked_;                  // requested from the feed, for the viewers and the recording
  std::vector<LiveCamera> looking_;  // as the feed knows them, by ascending viewer
  Recorder recorder_;
  Result<void> recorded_;
  std::uint64_t dropped_ = 0;
  std::uint64_t after_end_ = 0;  // frames that arrived after the recording had ended

  EngineSync::mutex mutex_;  // guards the following
  bool stopping_ = false;

  EngineSync::thread thread_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SERVICE_H_
