#include "src/jobs/job_list_runner.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"

namespace nowait {
namespace {

// The actions and reports of a round, and a script of the news that it hears.
struct Host {
  std::string* log;
  bool* news;
  bool HasNews() { return std::exchange(*news, false); }
  void SectionEnded() { *log += " section"; }
  auto RunsOf(TaskId) {
    return [](const Job& job) { job.function(job.data); };
  }
  void Complete(TaskId list) { *log += " complete" + std::to_string(list.slot()); }
};

TaskId Task(std::uint16_t number) { return TaskId(1, number, 1); }

// Lists whose jobs write their names to a log.
struct Scene {
  struct Named {
    Scene* scene;
    std::string name;
    void (*after)(Scene&);
  };

  // after: the rest of the job.
  void Add(JobList<>& list, const char* name, void (*after)(Scene&) = nullptr) {
    names.push_back({this, name, after});
    const auto added = list.Add({[](void* data) {
                                   auto& named = *static_cast<Named*>(data);
                                   named.scene->log += " " + named.name;
                                   if (named.after != nullptr) named.after(*named.scene);
                                 },
                                 &names.back()});
    REQUIRE(added.has_value());
  }
  // Posts a list, and leaves it to the round.
  void Post(JobList<>& list, std::uint16_t task) {
    list.Submit();
    const std::uint32_t slot = registry.Post(&list, Task(task), 1);
    REQUIRE(slot != JobListRegistry<>::kNone);
    REQUIRE_FALSE(registry.Leave(slot).IsTask());
  }
  bool Round(std::uint32_t entered = JobListRegistry<>::kNone) {
    return RunJobLists(registry, 1, Host{&log, &news}, counts, entered);
  }

  Scene() { names.reserve(16); }
  JobListRegistry<> registry{3, 3};
  JobList<> first{4, 1};
  JobList<> second{4};
  JobList<> third{4};
  std::string log;
  bool news = false;
  ListRunCounts counts;
  std::vector<Named> names;
};

TEST_CASE(
    "a round runs the lists of its priority in the order of their slots, and completes them") {
  Scene scene;
  scene.Add(scene.first, "a");
  scene.Add(scene.first, "b");
  scene.Add(scene.second, "c");
  scene.Add(scene.third, "low");
  scene.Post(scene.first, 1);
  scene.Post(scene.second, 2);
  scene.third.Submit();
  REQUIRE(scene.registry.Post(&scene.third, Task(3), 2) == scene.registry.Begin(2));
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " a b complete1 c complete2");
  REQUIRE(scene.counts.jobs == 3);
  REQUIRE(scene.counts.stalls == 0);
  REQUIRE(scene.counts.yields == 0);
  REQUIRE_FALSE(scene.Round());
}

TEST_CASE("a poster begins with its own list") {
  Scene scene;
  scene.Add(scene.first, "other");
  scene.Add(scene.second, "own");
  scene.Post(scene.first, 1);
  scene.second.Submit();
  REQUIRE(scene.Round(scene.registry.Post(&scene.second, Task(2), 1)));
  REQUIRE(scene.log == " own complete2 other complete1");
}

TEST_CASE("a list without jobs is complete when somebody has looked") {
  Scene scene;
  scene.Post(scene.first, 1);
  REQUIRE_FALSE(scene.Round());
  REQUIRE(scene.log == " complete1");
}

TEST_CASE("news end a round after the job, and the rest of the list stays posted") {
  Scene scene;
  scene.Add(scene.first, "first", [](Scene& scene) { scene.news = true; });
  scene.Add(scene.first, "last");
  scene.Post(scene.first, 1);
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " first");
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " first last complete1");
}

TEST_CASE(
    "a thread that leaves because of news does not complete a list that it has not finished") {
  Scene scene;
  scene.Add(scene.first, "last", [](Scene& scene) { scene.news = true; });
  scene.Post(scene.first, 1);
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " last");
  // Nothing is left, but no thread has noticed.
  REQUIRE(scene.registry.Enter(scene.registry.Begin(1)) == &scene.first);
  REQUIRE_FALSE(scene.registry.Leave(scene.registry.Begin(1)).IsTask());
  REQUIRE_FALSE(scene.Round());
  REQUIRE(scene.log == " last complete1");
}

TEST_CASE("a round does not stay for a list that waits at a sync point") {
  Scene scene;
  scene.Add(scene.first, "before");
  REQUIRE(scene.first.AddSyncPoint().has_value());
  scene.Add(scene.first, "behind");
  scene.Add(scene.second, "other");
  scene.Post(scene.first, 1);
  scene.Post(scene.second, 2);
  // As if another thread were running it.
  const std::uint32_t slot = scene.registry.Begin(1);
  REQUIRE(scene.registry.Enter(slot) == &scene.first);
  Job job;
  REQUIRE(scene.first.Fetch(&job) == RunResult::kProgress);
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " other complete2");
  REQUIRE(scene.first.Run(job));
  REQUIRE_FALSE(scene.registry.Leave(slot).IsTask());
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " other complete2 before behind complete1");
}

TEST_CASE("the thread that ends a section reports it, and goes on with the next") {
  Scene scene;
  scene.Add(scene.first, "before");
  REQUIRE(scene.first.AddSyncPoint().has_value());
  scene.Add(scene.first, "behind");
  scene.Post(scene.first, 1);
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " before section behind complete1");
}

TEST_CASE("a list whose last jobs others run is completed by them") {
  Scene scene;
  scene.Add(scene.first, "here");
  scene.Add(scene.first, "there");
  scene.Post(scene.first, 1);
  const std::uint32_t slot = scene.registry.Begin(1);
  REQUIRE(scene.registry.Enter(slot) == &scene.first);
  Job job;
  REQUIRE(scene.first.Fetch(&job) == RunResult::kProgress);
  REQUIRE(scene.Round());
  REQUIRE(scene.log == " there");
  REQUIRE(scene.registry.Enter(slot) == nullptr);  // closed
  scene.first.Run(job);
  REQUIRE(scene.registry.Leave(slot) == Task(1));
}

}  // namespace
}  // namespace nowait
