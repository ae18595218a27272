#include "check/body.h"

#include <fmt/format.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "models/kit/process/arena.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/machine.h"

namespace nowait::check {
namespace {

namespace context = boost::context::detail;
using model::FailExecution;
using model::FailureKind;
using model::Site;

constinit Body* current = nullptr;

// Runs user code and returns the words of an exception that leaves it; empty if none does. The
// caller fails the execution with them, outside of the handler, so that no stack is left inside
// one. The words are not memory of the execution.
template <class F>
std::string Run(F&& function) {
  model::Region* const region = model::current_region;
  std::string words;
  try {
    function();
  } catch (const std::exception& exception) {
    model::current_region = nullptr;
    words = fmt::format("an exception leaves it: {}", exception.what());
  } catch (...) {
    model::current_region = nullptr;
    words = "an exception leaves it";
  }
  model::current_region = region;
  return words;
}

}  // namespace

// --- the stack ---

struct BodyStack::Switch {
  static constinit BodyStack* running;

  static void Swap(BodyStack& stack) {
    stack.context_ = context::jump_fcontext(stack.context_, nullptr).fctx;
  }
  static void Main(context::transfer_t came) noexcept {
    BodyStack& stack = *running;
    stack.context_ = came.fctx;
    stack.exception_ = Run(stack.body_);
    stack.ended_ = true;
    Swap(stack);
    std::abort();
  }
};
constinit BodyStack* BodyStack::Switch::running = nullptr;

BodyStack::BodyStack(const std::function<void()>& body) : body_(body) {
  // Reserved here because Save runs in an execution, whose memory is reset and given out again.
  saved_.reserve(stack_.size());
}

void BodyStack::Start() {
  ended_ = false;
  exception_.clear();
  context_ = context::make_fcontext(stack_.end(), stack_.size(), &Switch::Main);
  Continue();
}

void BodyStack::Continue() {
  const model::CodeStack::Running runs(stack_);
  Switch::running = this;
  Switch::Swap(*this);
}

void BodyStack::Suspend() { Switch::Swap(*this); }

void BodyStack::Save() {
  suspended_at_ = context_;
  saved_.assign(static_cast<const char*>(context_), static_cast<const char*>(stack_.end()));
}

void BodyStack::Restore() {
  context_ = suspended_at_;
  ended_ = false;
  std::memcpy(suspended_at_, saved_.data(), saved_.size());
}

// --- the program ---

Body* Body::Current() { return current; }

Body::Body(BodyStack& stack) : stack_(stack) {
  current = this;
  FailIfRefused();
  stack_.Start();
  if (!stack_.exception().empty()) {
    FailExecution(FailureKind::kInvariant, "of the body: " + stack_.exception(), Site());
  }
  suspended_ = !stack_.ended();
  if (suspended_) stack_.Save();
  // It is restored even in the execution that saved it, so that all executions begin alike.
}

Body::~Body() { current = nullptr; }

// Set-up may be a copy: apart from the object, nothing of this execution is known.
void Body::BeginThreads() {
  if (restored_) return;
  restored_ = true;
  current = this;
  if (suspended_) stack_.Restore();
  FailIfRefused();
}

void Body::FailIfRefused() const {
  if (const auto& refusal = stack_.refusal()) {
    FailExecution(FailureKind::kNotFinished, refusal->words, refusal->site);
  }
}

void Body::Thread(int t) {
  BeginThreads();
  const std::function<void()>& function = functions_[static_cast<std::size_t>(t)];
  if (!function) return;
  const std::string exception = Run(function);
  if (!exception.empty()) {
    FailExecution(FailureKind::kInvariant, fmt::format("of thread {}: {}", t, exception), Site());
  }
}

void Body::After() {
  BeginThreads();
  if (suspended_) stack_.Continue();
  if (!stack_.exception().empty()) {
    FailExecution(FailureKind::kInvariant, "of the body: " + stack_.exception(), Site());
  }
  FailIfRefused();  // there may be no further execution, or only one in another process
}

unsigned Body::StartThread(std::function<void()> function, const Site& site) {
  if (model::CurrentMachine()->Thread() != model::kSetUp || joined_ != 0) {
    FailExecution(FailureKind::kNotFinished,
                  "a thread is started by a thread, or after a join; start all threads in the "
                  "body, before the first join",
                  site);
  }
  if (threads_ == model::kMaxThreads) {
    FailExecution(FailureKind::kNotFinished,
                  fmt::format("more than {0} threads, with which no search ends; write a program "
                              "of {0} at most for each interplay",
                              model::kMaxThreads),
                  site);
  }
  functions_[threads_] = std::move(function);
  return ++threads_;
}

void Body::JoinThread(unsigned thread, const Site& site) {
  if (thread == 0) {
    FailExecution(FailureKind::kNotFinished, "join() of a thread that is not joinable", site);
  }
  const int caller = model::CurrentMachine()->Thread();
  if (caller >= 0) {
    FailExecution(FailureKind::kNotFinished, "a thread joins another one; join in the body", site);
  }
  if (joined_++ == 0) stack_.Suspend();
}

void Body::FailTurn(const Site& site) const {
  FailExecution(FailureKind::kNotFinished,
                "the body does something between its first thread and its last join, where it is "
                "no thread; do it before, after, or in a check::thread",
                site);
}

}  // namespace nowait::check
