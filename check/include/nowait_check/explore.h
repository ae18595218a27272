// check::explore: runs a program of two to four threads in every execution that C++20 allows. It
// reports that all N executions keep the program's promises, or shows one that breaks a promise.
//
//   const check::Result result = check::explore([] { ... threads, joins, check::require ... });
//   return result.report();   // or assert(result.passed()), or an adapter: catch2.h, gtest.h
//
// The body must do the same whenever it runs: no clocks, no randomness (use check::choose), no
// statics or thread_local objects that carry over, no malloc memory in objects that threads share.
// It runs once for each execution, and its locals and everything that it allocates by `new` belong
// to that execution. `new` and `delete` are watched while it runs: a leak, a second delete, and the
// use of an atomic or var that no longer exists are failures, and a freed block may be reused.
// Outside of explore the program's `new` is malloc, as usual: statics of the program are not
// affected. A static that first allocates in a body loses that memory, and ends the exploration.
//
// Thread safety: a program may run one exploration at a time.
// Limits: docs/check-your-structure.md.
#ifndef NOWAIT_CHECK_EXPLORE_H_
#define NOWAIT_CHECK_EXPLORE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

namespace nowait::check {

// Behaviour that C++20 allows and the search never produces.
enum class Gap : std::uint8_t {
  load_buffering,              // reads that cause, through other threads' writes, what they read
  second_spurious_failure,     // spurious failure or wake-up, in one thread
  spurious_failure_elsewhere,  // at an object other than the thread's first one
  weak_consume,                // a consume load that orders less than an acquire load
};

enum class Verdict : std::uint8_t {
  passed,        // every execution that C++20 allows was examined and kept every promise
  failed,        // an execution breaks a promise: the counterexample
  gaps,          // like passed, except for behaviours that the search never produces
  not_finished,  // no failure up to a limit, but more executions remain
  not_checked,   // the program cannot be examined in this form; the words say why
};
const char* name(Verdict verdict);

struct Options {
  std::string name = "program";    // the structure's name, for reports and the page's file
  std::string promise = {};        // one sentence
  std::vector<Gap> accepted = {};  // gaps that do not prevent a pass
  double seconds = 60;             // limit
  std::uint64_t executions = 0;    // limit; 0: no limit
  unsigned jobs = 1;               // processes that search, at most 256
  std::string replay = {};         // the name of an execution from a report, to run it alone
  // The folder in which report() writes the page. Empty: the environment's NOWAIT_CHECK_PAGES,
  // otherwise the test's outputs (TEST_UNDECLARED_OUTPUTS_DIR), otherwise the current folder.
  std::string pages = {};
  // Where to look for the page's source files if the compiler was given relative names.
  std::vector<std::string> sources = {};
};

class Result {
 public:
  Verdict verdict = Verdict::not_checked;
  std::uint64_t executions = 0;   // examined; all of them different
  bool complete = false;          // no further execution exists
  unsigned threads = 0;           // of the program
  std::vector<std::string> gaps;  // in words, including accepted ones
  std::string failure;            // "data race", or the broken promise; empty: no failure
  std::string place;              // of the failure, such as "stack.h:31", if one operation is
                                  // responsible
  std::string replay;             // the execution's name, for Options::replay

  // Whether the verdict is `passed`, and no other.
  bool passed() const { return verdict == Verdict::passed; }
  // "all 22 executions examined", or the counterexample in lanes. If the program cannot be
  // examined, a further line says what to do.
  std::string words() const { return words_; }
  // The result and the counterexample as JSON (docs/check-your-structure.md).
  std::string json() const { return json_; }
  // The counterexample as one HTML file; empty if there was no failure.
  std::string page() const { return page_; }
  // Prints the words. For a failure it also writes the page and its JSON, and prints where they
  // are. Returns 0 if the program passed, otherwise 1: the result for main.
  int report() const;

  friend std::ostream& operator<<(std::ostream& out, const Result& result);

 private:
  friend Result explore(std::function<void()> body, Options options);

  std::string name_;
  std::string pages_;
  std::string words_;
  std::string json_;
  std::string record_;
  std::string page_;
};

Result explore(std::function<void()> body, Options options = {});

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_EXPLORE_H_
