// A world with viewers that come and go has the state of a world alone; ThreadSanitizer looks on.
#include "src/live/service.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/live/reader.h"
#include "src/live/recording.h"
#include "tests/live/client.h"
#include "tests/live/running_scene.h"

namespace nowait {
namespace {

TEST_CASE("a recording has every frame, and the world does not know of it") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(3, nullptr);
  REQUIRE(feed);
  const auto service = LiveService::Start(
      **feed, {.hello = {.scene = "test"}, .record = true, .recorded_parts = {LiveParts::kAll}});
  REQUIRE(service);
  CHECK((*service)->address().empty());
  const Ran ran = Run(scene, feed->get(), WhenFull::kWait, [&](std::uint32_t) {
    LiveCommand command;
    CHECK(!(*feed)->TakeCommand(&command));  // what is shown is the feed's own
  });
  (*feed)->End();
  (*service)->Stop();
  REQUIRE((*service)->recorded());
  CHECK(ran.hash == HashAlone());
  CHECK(ran.handed_over == kFrames);
  CHECK((*service)->frames_dropped() == 0);

  std::vector<std::byte> file((*service)->recording().begin(), (*service)->recording().end());
  LiveReader reader;
  const auto messages = ReadRecording(file, reader, [](const EventStream&) {});
  REQUIRE(messages);
  CHECK(*messages == kFrames);
  REQUIRE(reader.scene().bodies.size() == ran.last.size());
  for (const BodySnapshot& body : ran.last) {
    const LiveBody& read = reader.scene().bodies.at(body.id.slot());
    CHECK(read.place == ToLivePlace(body.position, body.rotation));
    CHECK(read.asleep == body.asleep);
    CHECK(read.island == body.island);
    CHECK(read.lane.value_or(BodySnapshot::kNoLane) == body.lane);
    CHECK((body.lane < 3) == (body.type == BodyType::kDynamic));
  }

  const LiveStructures& structures = reader.scene().structures;
  TreeSnapshot tree;
  scene.world->SnapshotTree(LiveParts::kMostBoxes, tree);
  REQUIRE(structures.boxes.size() == tree.boxes.size());
  for (const TreeBox& box : tree.boxes) {
    REQUIRE(structures.boxes.contains(box.node));
    CHECK(structures.boxes.at(box.node) == LiveBox::Of(box));
  }
  LinkSnapshot links;
  scene.world->SnapshotLinks(LiveParts::kMostLinks, links);
  CHECK(links.links.size() > 10);
  CHECK(structures.links.size() == links.links.size());
  for (const BodyLink& link : links.links) CHECK(structures.links.contains(KeyOf(link)));
}

TEST_CASE("a recording that is full ends in good order, and the run goes on") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(3, nullptr);
  REQUIRE(feed);
  const auto service = LiveService::Start(
      **feed, {.hello = {.scene = "test"}, .record = true, .most_recorded_bytes = 20'000});
  REQUIRE(service);
  const Ran ran = Run(scene, feed->get(), WhenFull::kWait, [](std::uint32_t) {});
  (*feed)->End();
  (*service)->Stop();
  CHECK(ran.hash == HashAlone());
  CHECK(ran.handed_over == kFrames);
  REQUIRE(!(*service)->recorded());
  CHECK((*service)->recorded().error() == Error{ErrorCode::kCapacity, "recording", 20'000});
  const std::vector<std::byte> file = (*service)->TakeRecording();
  CHECK(file.size() <= 20'000);
  CHECK((*service)->recording().empty());
  LiveReader reader;
  const auto messages = ReadRecording(file, reader, [](const EventStream&) {});
  REQUIRE(messages);
  CHECK(*messages >= 2);
  CHECK(*messages + (*service)->frames_after_end() == kFrames);
  CHECK(reader.scene().frame->step == *messages);
}

TEST_CASE("viewers come, go in the middle, and send commands; the state is that of a world alone") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(3, &scene.profile);
  REQUIRE(feed);
  const auto service =
      LiveService::Start(**feed, {.hello = {.scene = "test"}, .port = std::uint16_t{0}});
  REQUIRE(service);
  const std::string address = (*service)->address();
  std::uint32_t read = 0;
  std::uint32_t with_links = 0;
  bool good = true;
  std::jthread viewers([&] {
    for (int i = 0; i < 6; ++i) {
      Client client(address);
      good = good && client.Upgrade() == "HTTP/1.1 101";
      client.Send(Client::Frame(2, std::string("CmPa\4\0\0\0\1\0\0\0\0\0\0\0", 16)));
      client.Send(Client::Frame(2, std::string("CmSh\4\0\0\0\3\0\0\0\0\0\0\0", 16)));
      LiveReader reader;
      for (int k = 0; k < 5 * i; ++k) {
        const auto message = client.ReadMessage();
        if (!message) return;  // the run has ended
        const auto stream = EventStream::Open(*message);
        good = good && stream && reader.Read(*stream);
        ++read;
        if (!reader.scene().structures.links.empty()) ++with_links;
      }
    }
  });
  std::uint32_t commands = 0;
  const Ran ran = Run(scene, feed->get(), WhenFull::kDrop, [&](std::uint32_t) {
    LiveCommand command;
    while ((*feed)->TakeCommand(&command)) ++commands;
    EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(5));
  });
  (*feed)->End();
  (*service)->Stop();
  viewers.join();
  CHECK(good);
  CHECK(ran.hash == HashAlone());
  CHECK(read > 0);
  CHECK(with_links > 0);
  CHECK(commands > 0);
  CHECK(ran.handed_over > 0);
}

// The camera looks down at a corner of the floor, beside the bodies; one of its numbers is another.
std::string LookAtCorner(std::size_t changed = 0, float value = 15) {
  float numbers[17] = {15, 9, 15, 0, -1, 0, 0, 0, 1, -0.2f, 0.2f, -0.2f, 0.2f, 50, 0, 0, 0};
  numbers[changed] = value;
  std::string bytes("CmVi\x44\0\0\0", 8);
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return bytes.append(4, '\0');
}

TEST_CASE("a viewer with a camera gets what it sees; the state is that of a world alone") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(3, &scene.profile, scene.pool.get());
  REQUIRE(feed);
  const auto service =
      LiveService::Start(**feed, {.hello = {.scene = "test"}, .port = std::uint16_t{0}});
  REQUIRE(service);
  struct Viewer {
    LiveScene scene;
    std::uint64_t bytes = 0;  // behind the first ten messages
    std::atomic<std::uint32_t> messages = 0;
    bool good = false;
  };
  Viewer looking, other;
  const auto view = [&](Viewer& viewer, bool looks) {
    return std::jthread([&viewer, looks, address = (*service)->address()] {
      Client client(address);
      viewer.good = client.Upgrade() == "HTTP/1.1 101";
      if (looks) client.Send(Client::Frame(2, LookAtCorner()));
      LiveReader reader;
      while (const auto message = client.ReadMessage()) {
        const auto stream = EventStream::Open(*message);
        viewer.good = viewer.good && stream && reader.Read(*stream);
        if (++viewer.messages > 10) viewer.bytes += message->size();
      }
      viewer.scene = reader.scene();
    });
  };
  std::jthread threads[] = {view(looking, true), view(other, false)};
  const Ran ran = Run(scene, feed->get(), WhenFull::kDrop, [&](std::uint32_t frame) {
    LiveCommand command;
    const auto take = [&] {
      while ((*feed)->TakeCommand(&command)) CHECK(false);  // cameras are the feed's own
    };
    take();
    // On any machine the viewers get messages of bodies that move.
    while (std::min(looking.messages.load(), other.messages.load()) < frame / 5) {
      REQUIRE((*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
      take();
      EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(1));
    }
  });
  (*feed)->End();
  (*service)->Stop();
  for (std::jthread& thread : threads) thread.join();
  const LiveCounts counts = (*service)->counts();
  CHECK(looking.good);
  CHECK(other.good);
  CHECK(ran.hash == HashAlone());
  REQUIRE(looking.messages > 20);
  REQUIRE(other.messages > 20);
  for (const auto& [slot, body] : looking.scene.bodies) {
    CHECK(body.in_sight == (body.record.dynamic == 0));  // of the floor, it sees a corner
  }
  for (const auto& [slot, body] : other.scene.bodies) CHECK(body.in_sight);
  CHECK(looking.scene.frame->bodies == 61);
  CHECK(looking.bytes / looking.messages < other.bytes / other.messages);
  CHECK(counts.bytes > looking.bytes + other.bytes);
}

TEST_CASE("hostile cameras and documents end their own connection; the state is a world's alone") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(3, &scene.profile, scene.pool.get());
  REQUIRE(feed);
  const auto service = LiveService::Start(
      **feed, {.hello = {.scene = "test"}, .port = std::uint16_t{0}, .documents = [](auto) {
                 return LiveDocument{"text/plain", std::string(std::size_t{8} << 20, 'x')};
               }});
  REQUIRE(service);
  const std::string address = (*service)->address();
  constexpr std::uint64_t kRounds = 3;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::pair<std::size_t, float> wrong[] = {
      {0, std::numeric_limits<float>::quiet_NaN()}, {13, kInfinity}, {8, 0.0f}};
  std::uint64_t ended = 0;  // connections, by the server
  std::jthread hostile([&] {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      Client restless(address);
      if (restless.Upgrade() != "HTTP/1.1 101") return;
      for (int i = 0; i < 1000; ++i) {
        restless.Send(Client::Frame(2, LookAtCorner(0, static_cast<float>(i))));
      }
      for (const auto& [changed, value] : wrong) {
        Client client(address);
        if (client.Upgrade() != "HTTP/1.1 101") return;
        client.Send(Client::Frame(2, LookAtCorner(changed, value)));
        while (client.ReadMessage()) {
        }
        ++ended;
      }
      Client reader(address);
      reader.Send(reader.Request("GET", "/proofs?token=" + reader.token(), ""));
      restless.Send(Client::Frame(9, ""));
      static_cast<void>(restless.ReadPong());  // all its cameras have been read
      reader.Close();                          // in the middle of its document
    }
  });
  const Ran ran = Run(scene, feed->get(), WhenFull::kDrop, [&](std::uint32_t frame) {
    LiveCommand command;
    while ((*feed)->TakeCommand(&command)) CHECK(false);  // cameras are the feed's own
    EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(2));
    if (frame == kFrames - 10) hostile.join();
  });
  (*feed)->End();
  (*service)->Stop();
  CHECK(ran.hash == HashAlone());
  CHECK(ended == kRounds * std::size(wrong));
  const LiveCounts counts = (*service)->counts();
  CHECK(counts.bad_messages == ended);
  CHECK(counts.commands == 1000 * kRounds);
  CHECK(counts.viewers == kRounds * (1 + std::size(wrong)));
}

// Behind a ping's answer the commands before it have been obeyed.
TEST_CASE("a camera that never rests does not take the room of other commands") {
  const auto feed = LiveFeed::Create(2, nullptr);
  REQUIRE(feed);
  const auto service =
      LiveService::Start(**feed, {.hello = {.scene = "test"}, .port = std::uint16_t{0}});
  REQUIRE(service);
  Client restless((*service)->address());
  REQUIRE(restless.Upgrade() == "HTTP/1.1 101");
  std::string look = LookAtCorner();
  for (char i = 0; i < 100; ++i) {
    look[8] = i;  // another place
    restless.Send(Client::Frame(2, look));
    EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(5));
  }
  Client other((*service)->address());
  REQUIRE(other.Upgrade() == "HTTP/1.1 101");
  other.Send(Client::Frame(2, std::string("CmPa\4\0\0\0\1\0\0\0\0\0\0\0", 16)));
  other.Send(Client::Frame(9, ""));
  REQUIRE(other.ReadPong());
  LiveCommand command;
  REQUIRE((*feed)->TakeCommand(&command));
  CHECK(command.kind == LiveCommand::Kind::kPause);
  (*feed)->End();
  (*service)->Stop();
  CHECK((*service)->counts().bad_messages == 0);
}

TEST_CASE("without a viewer nothing is copied after the first frames") {
  RunningScene scene;
  const auto feed = LiveFeed::Create(2, &scene.profile);
  REQUIRE(feed);
  const auto service =
      LiveService::Start(**feed, {.hello = {.scene = "test"}, .port = std::uint16_t{0}});
  REQUIRE(service);
  const Ran ran = Run(scene, feed->get(), WhenFull::kDrop, [](std::uint32_t) {});
  (*feed)->End();
  (*service)->Stop();
  CHECK(ran.handed_over == 2);
  CHECK(ran.hash == HashAlone());
}

}  // namespace
}  // namespace nowait
