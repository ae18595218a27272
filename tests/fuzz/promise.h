// Promise: the claim of a fuzz target about a parser's answer; a broken one ends the program, which
// is how libFuzzer learns of it.
#ifndef NOWAIT_TESTS_FUZZ_PROMISE_H_
#define NOWAIT_TESTS_FUZZ_PROMISE_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace nowait::fuzz {

inline void Promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// An error is one line that says something.
inline void PromiseOneLine(std::string_view error) {
  Promise(!error.empty(), "an error says something");
  Promise(error.find('\n') == error.npos, "an error is one line");
}

}  // namespace nowait::fuzz

#endif  // NOWAIT_TESTS_FUZZ_PROMISE_H_
