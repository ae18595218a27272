// Body: the program of check::explore as a scenario of the checker.
//
// The checker expects a scenario in three parts: set-up, the threads, the end (scenario.h). The
// user writes one function. It runs on a stack of its own: up to its first join as set-up, where it
// is suspended; after the threads have ended it continues as the end. Set-up runs for each
// execution and is not copied, because the function may set variables outside of the execution
// (ExhaustiveMachine). The stack is saved when the function suspends itself, and restored before
// the first thread runs.
#ifndef NOWAIT_CHECK_BODY_H_
#define NOWAIT_CHECK_BODY_H_

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/process/code_stack.h"
#include "models/kit/program/operation.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::check {

// The stack, and the data that outlive the executions of one exploration.
class BodyStack {
 public:
  explicit BodyStack(const std::function<void()>& body);
  ~BodyStack() = default;
  BodyStack(const BodyStack&) = delete;
  BodyStack& operator=(const BodyStack&) = delete;

  // Called off the stack. Runs the body from its start, or from where it suspended itself, until it
  // suspends itself again or ends. Sets `failure` if an exception left it.
  void Start();
  void Continue();
  bool ended() const { return ended_; }
  const std::string& exception() const { return exception_; }
  // A reason to end the exploration, with the next execution. (During the construction of a static
  // no execution can be abandoned, because the compiler's guard would stay locked.)
  struct Refusal {
    const char* words;
    model::Site site;
  };
  void Refuse(const Refusal& refusal) {
    if (!refusal_) refusal_ = refusal;
  }
  const std::optional<Refusal>& refusal() const { return refusal_; }
  // Called on the stack.
  void Suspend();
  // Called off the stack: saves the contents at the moment when the body suspended itself.
  void Save();
  void Restore();

 private:
  struct Switch;

  const std::function<void()>& body_;
  const model::CodeStack stack_{model::CodeStack::kCodeSize};
  void* context_ = nullptr;  // where the body continues; while it runs: where it was resumed
  void* suspended_at_ = nullptr;
  std::vector<char> saved_;
  std::string exception_;
  std::optional<Refusal> refusal_;
  bool ended_ = true;
};

// One execution's program.
class Body final : public model::Program {
 public:
  explicit Body(BodyStack& stack);
  ~Body() override;
  void Thread(int t) override;
  void After() override;

  // The running body; null: no body runs.
  static Body* Current();

  // Called from the body.
  unsigned StartThread(std::function<void()> function, const model::Site& site);
  void JoinThread(unsigned thread, const model::Site& site);
  // Fails the execution if the body, rather than a thread, does something between its first thread
  // and its last join.
  void RequireTurn(const model::Site& site) const {
    if (threads_ != joined_) FailTurn(site);
  }
  void Refuse(const BodyStack::Refusal& refusal) { stack_.Refuse(refusal); }
  unsigned threads() const { return threads_; }

 private:
  void FailTurn(const model::Site& site) const;
  void FailIfRefused() const;
  void BeginThreads();

  BodyStack& stack_;
  std::array<std::function<void()>, model::kMaxThreads> functions_;
  unsigned threads_ = 0;
  unsigned joined_ = 0;
  bool suspended_ = false;
  bool restored_ = false;
};

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_BODY_H_
