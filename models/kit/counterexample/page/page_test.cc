// PageOf embeds the record so that none of its values can become markup.
#include "models/kit/counterexample/page/page.h"

#include <string>

#include "catch2/catch.hpp"

namespace nowait::model::counterexample {
namespace {

constexpr char kRecord[] = R"({"structure": "gate", "scenario": {"name": "2x1"},
  "execution": {"failure": {"kind": "data race", "words": "a </script><!-- {{text}} & b"}}})";

std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_CASE("no value closes the script or opens a comment") {
  const std::string page = PageOf(kRecord);
  REQUIRE(Count(page, "</script") == 3);  // those of the record, the story and the script
  REQUIRE(Count(page, "<!--") == 0);
  REQUIRE(Count(page, R"(a \u003c/script>\u003c!-- {{text}} & b)") == 1);
}

TEST_CASE("the title says what fails") {
  REQUIRE(Count(PageOf(kRecord), "<title>gate 2x1 fails: data race - nowait</title>") == 1);
}

TEST_CASE("a story has the title") {
  const std::string page =
      PageOf(PageParts{kRecord, "", R"({"title": "The lost <job>", "parts": []})"});
  REQUIRE(Count(page, "<title>The lost &lt;job&gt; - nowait</title>") == 1);
}

TEST_CASE("text for readers without JavaScript") {
  const std::string page = PageOf(PageParts{kRecord, "thread 0 | reads <1>", ""});
  REQUIRE(Count(page, "<pre>thread 0 | reads &lt;1&gt;</pre>") == 1);
}

TEST_CASE("a text that is not JSON still makes a page, which reports it") {
  for (const char* record : {"", "{\"structure\": ", "[1, 2]", "<!DOCTYPE html>", "null"}) {
    const std::string page = PageOf(record);
    REQUIRE(Count(page, "<title>A counterexample that cannot be read - nowait</title>") == 1);
    REQUIRE(Count(page, "<!DOCTYPE html>") == 1);
  }
}

TEST_CASE("nothing is loaded from anywhere") {
  const std::string page = PageOf(kRecord);
  REQUIRE(Count(page, "default-src 'none'") == 1);
  for (const char* way : {"src=", "<link", "@import", "url(h", "unsafe-inline", "fetch("}) {
    INFO(way);
    REQUIRE(Count(page, way) == 0);
  }
}

}  // namespace
}  // namespace nowait::model::counterexample
