// A world with viewers that come and go has the state of a world alone; ThreadSanitizer looks on.
#include "src/live/service.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/bodies/body_def.h"
#include "src/jobs/task_pool.h"
#include "src/live/feed.h"
#include "src/live/reader.h"
#include "src/live/recording.h"
#include "src/profile/profile.h"
#include "src/world/world.h"
#include "tests/live/client.h"

namespace nowait {
namespace {

constexpr std::uint32_t kFrames = 150;

std::unique_ptr<World> MakeWorld() {
  WorldDef def;
  def.max_bodies = 256;
  def.max_contacts = 4096;
  auto made = World::Create(def);
  REQUIRE(made);
  World& world = **made;
  WaitTime wait;
  BodyDef floor;
  floor.type = BodyType::kStatic;
  floor.shape = Shape::Box({20, 1, 20});
  floor.position = {0, -1, 0};
  REQUIRE(world.CreateBody(floor, wait));
  for (int i = 0; i < 60; ++i) {
    BodyDef def;
    def.shape = i % 2 == 0 ? Shape::Sphere(0.4f) : Shape::Box({0.4f, 0.3f, 0.4f});
    def.position = {0.9f * static_cast<float>(i % 4), 1.0f + static_cast<float>(i / 4),
                    0.3f * static_cast<float>(i % 3)};
    REQUIRE(world.CreateBody(def, wait));
  }
  return std::move(*made);
}

// The frames of a run, and what was offered in the last one.
struct Ran {
  std::uint64_t hash = 0;
  std::uint32_t handed_over = 0;
  std::vector<BodySnapshot> last;
};

struct Scene {
  std::unique_ptr<World> world = MakeWorld();
  Profile profile{{.lanes = 3, .spans_per_lane = 0, .live_spans_per_lane = 256}};
};

struct RunningScene : Scene {
  std::unique_ptr<TaskPool> pool = *TaskPool::Create({.workers = 2, .profile = &profile});
  TaskPool::Registration here = *pool->Register("main");
};

Ran Run(RunningScene& scene, LiveFeed* feed, WhenFull when_full,
        const std::function<void(std::uint32_t)>& before_frame) {
  World& world = *scene.world;
  Ran ran;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    before_frame(frame);
    LiveMoment moment;
    moment.begin = SteadyNanoseconds();
    REQUIRE(world.Update(1.0f / 30, *scene.pool, 2));
    moment.end = SteadyNanoseconds();
    moment.step = frame + 1;
    if (feed == nullptr) continue;
    const auto offered = feed->Offer(world, moment, when_full);
    REQUIRE(offered);
    ran.handed_over += *offered ? 1 : 0;
  }
  ran.hash = world.StateHash();
  world.Snapshot(ran.last);
  return ran;
}

std::uint64_t HashAlone() {
  static const std::uint64_t hash = [] {
    RunningScene scene;
    return Run(scene, nullptr, WhenFull::kDrop, [](std::uint32_t) {}).hash;
  }();
  return hash;
}

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

TEST_CASE("the feed casts the ray of the last command in each frame, where its way is shown") {
  Scene scene;
  const auto feed = LiveFeed::Create(1, nullptr);
  REQUIRE(feed);
  LiveCommand command;
  const auto give = [&](LiveCommand::Kind kind) {
    command.kind = kind;
    REQUIRE((*feed)->Give(command));
    LiveCommand taken;
    CHECK(!(*feed)->TakeCommand(&taken));  // the program does not see it
  };
  const auto offered = [&] {
    REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
    LiveFrame* frame = nullptr;
    REQUIRE((*feed)->TryTake(&frame));
    const std::optional<RayTrace> ray = frame->ray;
    (*feed)->Release();
    return ray;
  };
  command.position = {10, 5, 10};
  command.translation = {0, -10, 0};
  give(LiveCommand::Kind::kRay);
  CHECK(!offered());
  command.parts = {LiveParts::kRay};
  give(LiveCommand::Kind::kShow);
  const auto ray = offered();
  REQUIRE(ray);
  REQUIRE(ray->hit);
  CHECK(ray->hit->fraction == Approx(0.5f));  // of the floor
  CHECK(!ray->nodes.empty());
  command.translation = {0, 10, 0};
  give(LiveCommand::Kind::kRay);
  CHECK(!offered()->hit);
  command.parts = {0};
  give(LiveCommand::Kind::kShow);
  CHECK(!offered());
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

TEST_CASE("spans reach the frame that they belong to, and those of frames left out do not") {
  Scene scene;
  Lane* const lane = *scene.profile.AddLane("test");
  const auto feed = LiveFeed::Create(1, &scene.profile);
  REQUIRE(feed);
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    lane->AddSpan({"span", begin, end});
  };
  LiveFrame* frame = nullptr;
  add(5, 8);  // before the first frame
  add(12, 14);
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 10, .end = 20}, WhenFull::kDrop));
  add(22, 24);
  REQUIRE(!*(*feed)->Offer(*scene.world, {.begin = 20, .end = 30}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame->spans.size() == 1);
  CHECK(frame->spans[0].span.begin == 12);
  (*feed)->Release();
  add(32, 34);
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 30, .end = 40}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame->number == 3);
  REQUIRE(frame->spans.size() == 1);
  CHECK(frame->spans[0].span.begin == 32);
  CHECK(frame->lost_spans == 0);
  (*feed)->Release();
  for (std::uint64_t i = 0; i < 300; ++i) add(50, 51);  // the ring has 256
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 40, .end = 60}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame->spans.size() == 256);
  (*feed)->Release();
  add(62, 63);  // brings the count of those that were lost
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 60, .end = 70}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame->lost_spans == 44);
}

TEST_CASE("tasks reach the frame of their first span, and those that are lost are counted") {
  Profile profile({.lanes = 2, .spans_per_lane = 0, .live_spans_per_lane = 4});
  Lane* const maker = *profile.AddLane("maker");
  Lane* const runner = *profile.AddLane("runner");
  const auto feed = LiveFeed::Create(1, &profile);
  REQUIRE(feed);
  const std::unique_ptr<World> world = MakeWorld();
  const auto offer = [&](std::uint64_t begin, std::vector<LaneTask>* tasks) {
    const auto offered = (*feed)->Offer(*world, {.begin = begin}, WhenFull::kDrop);
    if (!offered || !*offered) return ~std::uint64_t{0};
    LiveFrame* const frame = (*feed)->Take();
    *tasks = frame->tasks;
    const std::uint64_t lost = frame->lost_spans;
    (*feed)->Release();
    return lost;
  };
  std::vector<LaneTask> tasks;
  REQUIRE(offer(0, &tasks) == 0);
  maker->AddTask({.time = 11, .task = 1});
  runner->AddSpan({"task", 12, 13, 1});
  runner->AddTask({.time = 12, .task = 2, .parent = 1});
  REQUIRE(offer(10, &tasks) == 0);
  REQUIRE(tasks.size() == 2);
  CHECK((tasks[0].lane == 0 && tasks[0].task.task == 1));
  CHECK((tasks[1].lane == 1 && tasks[1].task.task == 2 && tasks[1].task.parent == 1));
  for (std::uint32_t i = 0; i < 7; ++i) maker->AddTask({.time = 20 + i, .task = 3 + i});
  REQUIRE(offer(20, &tasks) == 0);  // known with the next one that has room
  CHECK(tasks.size() == 4);
  maker->AddTask({.time = 30, .task = 20});
  CHECK(offer(30, &tasks) == 3);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].task.task == 20);
}

TEST_CASE("frames are numbered as they were offered, and a feed that is full leaves them out") {
  Scene scene;
  for (const std::uint32_t bad : {0u, 65u}) {
    CHECK(LiveFeed::Create(bad, nullptr).error() ==
          Error{ErrorCode::kInvalidArgument, "feed buffers", bad, "1 .. 64"});
  }
  CHECK(LiveFeed::Create(64, nullptr));
  const auto feed = LiveFeed::Create(2, nullptr);
  REQUIRE(feed);
  CHECK((*feed)->lanes().empty());
  LiveFrame* frame = nullptr;
  CHECK(!(*feed)->TryTake(&frame));
  for (int i = 0; i < 5; ++i) {
    CHECK(*(*feed)->Offer(*scene.world, {.step = 10}, WhenFull::kDrop) == (i < 2));
  }
  for (const std::uint64_t number : {1u, 2u}) {
    REQUIRE((*feed)->TryTake(&frame));
    CHECK(frame->number == number);
    CHECK(frame->moment.step == 10);
    (*feed)->Release();
  }
  CHECK(!(*feed)->TryTake(&frame));
  REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
  (*feed)->End();
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame != nullptr);
  CHECK(frame->number == 6);
  (*feed)->Release();
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame == nullptr);
}

TEST_CASE("a feed carries so many commands, in order, and keeps what viewers show to itself") {
  Scene scene;
  const auto feed = LiveFeed::Create(2, nullptr);
  REQUIRE(feed);
  LiveCommand command;
  CHECK(!(*feed)->TakeCommand(&command));
  command.kind = LiveCommand::Kind::kStep;
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < LiveFeed::kMostCommands; ++i) {
      command.frames = i;
      REQUIRE((*feed)->Give(command));
    }
    CHECK(!(*feed)->Give(command));
    LiveCommand taken;
    for (std::uint32_t i = 0; i < LiveFeed::kMostCommands; ++i) {
      REQUIRE((*feed)->TakeCommand(&taken));
      CHECK(taken.frames == i);
    }
    CHECK(!(*feed)->TakeCommand(&taken));
  }
  LiveCommand show;
  show.kind = LiveCommand::Kind::kShow;
  LiveFrame* frame = nullptr;
  for (const std::uint32_t parts : {LiveParts::kLinks, LiveParts::kAll, 0u}) {
    show.parts.bits = parts;
    REQUIRE((*feed)->Give(show));
    REQUIRE((*feed)->Give(command));
    LiveCommand taken;
    REQUIRE((*feed)->TakeCommand(&taken));
    CHECK(taken.kind == LiveCommand::Kind::kStep);
    CHECK(!(*feed)->TakeCommand(&taken));
    REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
    REQUIRE((*feed)->TryTake(&frame));
    CHECK(frame->parts == LiveParts{parts});
    (*feed)->Release();
  }
}

}  // namespace
}  // namespace nowait
