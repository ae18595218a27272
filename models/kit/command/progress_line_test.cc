// The display of a search in progress.
#include "models/kit/command/progress_line.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <limits>
#include <string>

#include "models/kit/command/report.h"

namespace nowait::model {
namespace {

// A file in memory, read back.
class Screen {
 public:
  Screen() : file_(std::tmpfile()) {}
  ~Screen() { std::fclose(file_); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  std::FILE* file() { return file_; }
  std::string Text() {
    std::rewind(file_);
    std::string text;
    for (int c; (c = std::fgetc(file_)) != EOF;) text.push_back(static_cast<char>(c));
    return text;
  }

 private:
  std::FILE* file_;
};

TEST_CASE("progress in words") {
  CHECK(FormatProgress("2x1 full", {61'234, 12.4, 0.413, 17.2}) ==
        "2x1 full: 41%, 61,234 executions, 12 s, about 17 s left");
  CHECK(FormatProgress("x", {1, 300, 0.5, 7'200}) == "x: 50%, 1 executions, 5 min, about 2 h left");
  CHECK(FormatProgress("x", {1, 0, 0, std::numeric_limits<double>::infinity()}) ==
        "x: 0%, 1 executions, 0 s, about years left");
}

TEST_CASE("a fraction is rounded, but not to nothing and not to all") {
  CHECK(FormatFraction(0) == "0%");
  CHECK(FormatFraction(1e-9) == "under 0.01%");
  CHECK(FormatFraction(0.00123) == "0.12%");
  CHECK(FormatFraction(0.0312) == "3.1%");
  CHECK(FormatFraction(0.41) == "41%");
  CHECK(FormatFraction(0.9999) == "99%");
  CHECK(FormatFraction(1) == "100%");
}

TEST_CASE("a terminal's line is rewritten, and empty in the end") {
  Screen screen;
  {
    ProgressLine line(screen.file(), true, "full", 0);
    line.Show({1, 0.25, 0.5, 1});
    line.Show({2, 0.5, 0.75, 1});
  }
  CHECK(screen.Text() ==
        "\r\x1b[Kfull: 50%, 1 executions, 0 s, about 1 s left"
        "\r\x1b[Kfull: 75%, 2 executions, 0 s, about 1 s left\r\x1b[K");
}

TEST_CASE("a log gets a line every ten seconds") {
  Screen screen;
  {
    ProgressLine line(screen.file(), false, "full", 100);
    for (int second = 100; second < 125; ++second) {
      line.Show({1, static_cast<double>(second), 0.5, 9});
    }
  }
  CHECK(screen.Text() ==
        "full: 50%, 1 executions, 2 min, about 9 s left\n"
        "full: 50%, 1 executions, 2 min, about 9 s left\n");
}

TEST_CASE("a short search leaves nothing") {
  Screen screen;
  { ProgressLine line(screen.file(), true, "full", 0); }
  { ProgressLine(screen.file(), false, "full", 0).Show({1, 9.9, 0.5, 9}); }
  CHECK(screen.Text().empty());
}

}  // namespace
}  // namespace nowait::model
