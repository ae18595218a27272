// Model of src/jobs/shared_part.h: answers for external tasks by threads that have not registered,
// as TaskPool::CompleteExternal gives them, over src/jobs/task_scheduler.h.
//
// Promise checked: threads that have not registered come one at a time, from the beginning of their
// presence to the end, and each finds the data of its predecessor (plain data). Of two answers for
// one task one is accepted. An answer inside an answer's hand-over needs no lock. When the answers
// are there, a waiting thread is woken and has seen the devices' writes, and Close has run the
// tasks that depend on them.
//
// Examined: every execution of two threads that come to the part alone, without a scheduler; of two
// threads that have not registered, with one task, with two, and with one that is handed over
// inside an answer; of such a thread and one that waits or closes; of two beside one that waits.
// The tasks that may start lie in one word (models/jobs/tray.h).
#include <cstdint>
#include <utility>

#include "models/jobs/scheduler_scenario.h"
#include "models/jobs/tray.h"
#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job.h"
#include "src/jobs/shared_part.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

constexpr const char* kOneAtATime = "threads that have not registered answer one at a time";

// Two threads come to one part, once each, without a scheduler; each comes again inside.
struct OneAtATime {
  static constexpr int kThreads = 2;

  struct Presence {
    Presence(ModelSync::plain<int>& calls, const Presence*& innermost) : thread(calls) {
      innermost = this;
    }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

    ModelSync::plain<int>& thread;
  };

  void Thread(int) {
    const Presence* innermost = nullptr;
    const auto enter = [this, &innermost] { return Presence(calls, innermost); };
    part.Run(innermost, enter, [&](ModelSync::plain<int>& count) {
      count.set(count.get() + 1);
      part.Run(innermost, enter, [](ModelSync::plain<int>& own) { own.set(own.get() + 1); });
    });
  }
  void After() {
    part.Await();
    Check(calls.get() == 4, kOneAtATime);
  }

  SharedPart<ModelSync> part;
  ModelSync::plain<int> calls{0};
};
const Scenario<OneAtATime> one_at_a_time({
    .name = "one_at_a_time",
    .promise =
        "each of two presences finds all that its predecessor did, and comes in again freely",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A scheduler in which one thread can register; the other threads share one part.
template <int kCount, std::uint32_t kRoom>
struct Guests {
  static constexpr int kThreads = kCount;
  using Scheduler = TaskScheduler<ModelSync, Tray, 1>;

  // As TaskPool's: the calling thread is found by it. `present` stands for the counts that come
  // with it.
  struct Presence {
    explicit Presence(Guests& in)
        : all(in), thread(in.guest), outer(std::exchange(in.Innermost(), this)) {
      Check(!all.present.get(), kOneAtATime);
      all.present.set(true);
    }
    ~Presence() {
      all.present.set(false);
      all.Innermost() = outer;
    }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

    Guests& all;
    Member<Scheduler>& thread;
    Presence* const outer;
  };

  bool Answer(TaskId task) {
    return part.Run(
        Innermost(), [this] { return Presence(*this); },
        [task](Member<Scheduler>& thread) { return thread.TryCompleteExternal(task); });
  }
  bool IsComplete(TaskId task) const { return scheduler.graph().IsComplete(task); }

  Presence*& Innermost() { return innermost[ModelSync::ThreadSlot()]; }

  Scheduler scheduler{{.graph = {.capacity = kRoom, .threads = 2, .tag = 1}}};
  Member<Scheduler> member{scheduler, 0, 0};
  Member<Scheduler> guest{scheduler, 1, 0};
  SharedPart<ModelSync> part;
  Presence* innermost[kCount] = {};
  ModelSync::plain<bool> present{false};
};

// Two threads answer for one task, or for two; another task depends on each of them.
template <bool kSame>
struct TwoAnswers : Guests<2, 4> {
  TwoAnswers() {
    for (int i = 0; i < (kSame ? 1 : 2); ++i) {
      asked[i] = this->member.AddAndSubmit({.kind = TaskKind::kExternal});
      then[i] = this->member.AddAndSubmit({.work = work[i].job(), .dependency = asked[i]});
    }
  }
  void Thread(int t) { answered[t].set(this->Answer(asked[kSame ? 0 : t])); }
  void After() {
    const int answers = answered[0].get() + answered[1].get();
    Check(answers == (kSame ? 1 : 2), "each external task is answered for once");
    for (int i = 0; i < answers; ++i) {
      this->member.Wait(then[i]);
      Check(work[i].mark.get() == 1, kOnce);
    }
  }

  TaskId asked[2], then[2];
  Work work[2];
  ModelSync::plain<bool> answered[2];
};
const Scenario<TwoAnswers<false>> two_answers({
    .name = "two_answers",
    .promise = "two threads that have not registered answer for two tasks, one after the other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<TwoAnswers<true>> answered_twice({
    .name = "answered_twice",
    .promise = "of two answers of threads that have not registered one is accepted",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The first answer makes another external task ready, whose hand-over answers at once, on the same
// thread. The other thread answers for a third task.
struct AnswersAtOnce : Guests<2, 3> {
  AnswersAtOnce() {
    asked[0] = member.AddAndSubmit({.kind = TaskKind::kExternal});
    asked[1] = member.AddAndSubmit({.kind = TaskKind::kExternal});
    inner = member.Add(
        {.work = {&AnswerAtOnce, this}, .dependency = asked[0], .kind = TaskKind::kExternal});
    member.Submit(inner);
  }
  void Thread(int t) { Check(Answer(asked[t]), "the answer is accepted"); }
  void After() {
    Check(IsComplete(inner) && IsComplete(asked[0]) && IsComplete(asked[1]),
          "an answered task is complete");
  }
  static void AnswerAtOnce(void* data) {
    auto& all = *static_cast<AnswersAtOnce*>(data);
    Check(all.Answer(all.inner), "the answer is accepted");
  }

  TaskId asked[2], inner;
};
const Scenario<AnswersAtOnce> answers_at_once({
    .name = "answers_at_once",
    .promise = "a hand-over inside an answer may answer, too",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 waits for a task that depends on two answers, or closes the scheduler. The other threads
// have not registered, and answer; a single one answers for both.
template <int kOthers, bool kCloses>
struct AnsweredMeanwhile : Guests<1 + kOthers, 4> {
  AnsweredMeanwhile() {
    const TaskId whole = this->member.Add({});
    for (TaskId& task : asked) {
      task = this->member.Add({.parent = whole, .kind = TaskKind::kExternal});
      this->member.Submit(task);
    }
    this->member.Submit(whole);
    then = this->member.AddAndSubmit({.work = {&Use, this}, .dependency = whole});
  }
  void Thread(int t) {
    if (t != 0) {
      for (int i = kOthers == 1 ? 0 : t - 1; i < (kOthers == 1 ? 2 : t); ++i) {
        read[i].set(1);
        Check(this->Answer(asked[i]), "the answer is accepted");
      }
      return;
    }
    kCloses ? this->member.Close(TaskShutdown::kFinish) : this->member.Wait(then);
    Check(this->IsComplete(then), kCloses ? kClosed : "an awaited task is complete");
    Check(used.get() == 2, kSeen);
  }
  static void Use(void* data) {
    auto& all = *static_cast<AnsweredMeanwhile*>(data);
    all.used.set(all.used.get() + all.read[0].get() + all.read[1].get());
  }

  TaskId asked[2], then;
  ModelSync::plain<int> read[2];
  ModelSync::plain<int> used{0};
};
const Scenario<AnsweredMeanwhile<1, false>> waits({
    .name = "waits",
    .promise = "a waiting thread is woken by the answers of a thread that has not registered",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<AnsweredMeanwhile<1, true>> closes({
    .name = "closes",
    .promise = "Close waits for the answers of a thread that has not registered",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<AnsweredMeanwhile<2, false>> waits_for_two({
    .name = "waits_for_two",
    .promise = "a waiting thread is woken by the answers of two threads that have not registered",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<AnsweredMeanwhile<2, true>> closes_for_two({
    .name = "closes_for_two",
    .promise = "Close waits for the answers of two threads that have not registered",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
