// Model of src/events/owned_lanes.h, over src/sync/index_pool.h, which has a separate model.
//
// Promise checked: a lane has one owner at a time, and a merge has all of them, or does nothing.
// Each post is therefore in exactly one merge. A lane that no thread has can be taken.
//
// Examined: every execution of a thread that posts beside a thread that merges, with one lane and
// with two; of two threads that post to one lane beside a merge; of two posts beside two merges;
// and of a lane whose owner is moved.
#include "src/events/owned_lanes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

// As src/events/lane.h: for one owner at a time.
class Lane {
 public:
  void Post() { posts_.set(posts_.get() + 1); }
  int Clear() {
    const int posts = posts_.get();
    if (posts != 0) posts_.set(0);
    return posts;
  }

 private:
  ModelSync::plain<int> posts_{0};
};

// The last thread merges, the others post.
template <std::uint32_t kLanes, int kPosters>
class Streams {
 public:
  static constexpr int kThreads = kPosters + 1;

  void After() {
    Check(Merge(), "a lane that no thread has can be taken");
    int posted = 0;
    for (const int posts : posted_) posted += posts;
    Check(merged_ == posted, "each post is in one merge");
  }

 protected:
  using Lanes = OwnedLanes<Lane, ModelSync>;

  static bool Merges(int t) { return t == kPosters; }
  std::optional<typename Lanes::Owner> Take() {
    const Call call("Take");
    return lanes_.Take();
  }
  void Post(int t, const typename Lanes::Owner& lane) {
    const Call call("Post");
    lane->Post();
    ++posted_[t];
  }
  void OpenAndPost(int t) {
    const auto lane = Take();
    if (lane) Post(t, *lane);
  }
  bool Merge() {
    const Call call("Merge");
    return lanes_.TakeAll([this] {
      for (Lane& lane : lanes_.all()) merged_ += lane.Clear();
    });
  }

 private:
  Lanes lanes_{kLanes};
  std::array<int, kPosters> posted_{};  // each by its thread
  int merged_ = 0;                      // by the thread that merges
};

template <std::uint32_t kLanes, int kPosters, int kTimes>
struct PostAndMerge : Streams<kLanes, kPosters> {
  void Thread(int t) {
    for (int i = 0; i < kTimes; ++i) {
      if (this->Merges(t)) {
        this->Merge();
      } else {
        this->OpenAndPost(t);
      }
    }
  }
};
const Scenario<PostAndMerge<2, 1, 1>> two_lanes({
    .name = "two_lanes",
    .promise = "a thread posts beside a merge that may get one of two lanes, or both",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<PostAndMerge<1, 2, 1>> one_lane({
    .name = "one_lane",
    .promise = "a lane goes from one thread to another, or into a merge",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<PostAndMerge<1, 1, 2>> merged_twice({
    .name = "merged_twice",
    .promise = "a thread that posts again, with a lane that was merged, is in a later merge",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The thread that posts has its lane already.
struct LetGo : Streams<1, 1> {
  LetGo() : lane(Take()) {}
  void Thread(int t) {
    if (Merges(t)) {
      Merge();
      return;
    }
    Post(t, *lane);
    lane.reset();
  }

  std::optional<Lanes::Owner> lane;
};
const Scenario<LetGo> let_go({
    .name = "let_go",
    .promise = "a merge finds a lane that is let go of with its posts, or not at all",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Each thread that posts gives its lane to another owner first.
struct Moved : Streams<1, 2> {
  void Thread(int t) {
    if (Merges(t)) {
      Merge();
      return;
    }
    auto lane = Take();
    if (!lane) return;
    const auto other = std::move(*lane);
    lane.reset();
    Post(t, other);
  }
};
const Scenario<Moved> moved({
    .name = "moved",
    .promise = "a lane has the owner to which it was moved, and no other one",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
