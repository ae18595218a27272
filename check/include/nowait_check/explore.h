// check::explore: runs a program of two to four threads in every execution that C++20 allows, and
// says of its promises that they were kept in all N, or shows one that breaks them.
//
//   const check::Result result = check::explore([] { ... threads, joins, check::require ... });
//   return result.report();   // or assert(result.passed()), or an adapter: catch2.h, gtest.h
//
// The body does the same whenever it is run: no clocks, no randomness (check::choose instead), no
// statics and no thread_local objects that carry over, no memory of malloc in objects that threads
// share. It is run once for each execution, and its locals and all that it allocates by `new` are
// those of that execution. `new` and `delete` are watched while it runs: a leak, a second delete
// and the use of an atomic or var that is gone are failures, and a freed block may come again.
// Outside of explore the program's `new` is malloc, as ever: statics of the program are not
// touched. A static that first allocates in a body loses that memory, and ends the exploration.
//
// Thread safety: one exploration at a time in a program.
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
  load_buffering,              // reads that lead, over other threads' writes, to what they read
  second_spurious_failure,     // or waking, in one thread
  spurious_failure_elsewhere,  // at another object than the thread's first one
  weak_consume,                // a consume that orders less than an acquire
};

enum class Verdict : std::uint8_t {
  passed,        // every execution that C++20 allows was examined, and kept every promise
  failed,        // one does not: the counterexample
  gaps,          // as passed, but for behaviours that the search never produces
  not_finished,  // no failure up to a limit, and there are more executions
  not_checked,   // the program cannot be examined as it is written: the words say why
};
const char* name(Verdict verdict);

struct Options {
  std::string name = "program";    // of the structure: in reports, and of the file of the page
  std::string promise = {};        // one sentence
  std::vector<Gap> accepted = {};  // gaps that do not hinder a pass
  double seconds = 60;             // limit
  std::uint64_t executions = 0;    // limit; 0: none
  unsigned jobs = 1;               // processes that search, 256 at most
  std::string replay = {};         // only the execution that a report names so
  // Where report() writes the page; empty: the environment's NOWAIT_CHECK_PAGES, or the test's
  // outputs (TEST_UNDECLARED_OUTPUTS_DIR), or here.
  std::string pages = {};
  // Where the page's source lines are looked for when the compiler was given relative names.
  std::vector<std::string> sources = {};
};

class Result {
 public:
  Verdict verdict = Verdict::not_checked;
  std::uint64_t executions = 0;   // examined; each another one
  bool complete = false;          // there are no more
  unsigned threads = 0;           // of the program
  std::vector<std::string> gaps;  // in words, the accepted ones too
  std::string failure;            // "data race", or the promise that is broken; empty: no failure
  std::string place;              // of the failure, "stack.h:31", where one operation is to blame
  std::string replay;             // the execution's name, for Options::replay

  // The verdict `passed`, no other.
  bool passed() const { return verdict == Verdict::passed; }
  // "all 22 executions examined", or the counterexample in lanes; then a line that says what to do
  // where the program cannot be examined.
  std::string words() const { return words_; }
  // The result and the counterexample as JSON (docs/check-your-structure.md).
  std::string json() const { return json_; }
  // The counterexample as one HTML file; empty if there is no failure.
  std::string page() const { return page_; }
  // Prints the words; of a failure it writes the page and its JSON and prints where. Returns 0 if
  // it has passed, otherwise 1: for main.
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
