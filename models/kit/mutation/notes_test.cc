// The contents of the notes file. Every mistake in it is reported with its line.
#include "models/kit/mutation/notes.h"

#include <catch2/catch.hpp>
#include <string>

namespace nowait::model {
namespace {

constexpr const char* kGood = R"(sources = ["src/a.h", "src/b.h"]
[[survivor]]
mutations = ["a.h:F:store:delayed", "a.h:G:store:delayed"]
class = "equivalent"
because = "private"
[[survivor]]
mutations = ["b.h:F:load:to-relaxed"]
class = "unverified"
litmus = "S+rel+rlx"
because = "late stores"
[[survivor]]
mutations = ["b.h:F:store:dropped"]
class = "performance"
shown_by = "tests/b_test.cc"
because = "a cache"
[[stronger]]
sites = ["a.h:F:store"]
because = "other compilers"
[[disagreement]]
mutations = ["b.h:F:store:delayed"]
litmus = "LB+rlx"
because = "load buffering"
)";

std::string ErrorOf(const std::string& text) {
  const auto notes = ParseNotes(text, "x.toml");
  return notes ? "" : notes.error();
}

TEST_CASE("notes are read") {
  const auto notes = ParseNotes(kGood, "x.toml");
  REQUIRE(notes.has_value());
  CHECK(notes->sources.size() == 2);
  REQUIRE(notes->FindSurvivor("a.h:G:store:delayed") != nullptr);
  CHECK(notes->FindSurvivor("a.h:G:store:delayed")->because == "private");
  CHECK(notes->FindSurvivor("b.h:F:load:to-relaxed")->litmus == "S+rel+rlx");
  CHECK(notes->FindSurvivor("b.h:F:store:dropped")->shown_by == "tests/b_test.cc");
  CHECK(notes->FindSurvivor("a.h:H:store:delayed") == nullptr);
  CHECK(notes->FindStronger("a.h:F:store")->because == "other compilers");
  CHECK(notes->FindDisagreement("b.h:F:store:delayed")->litmus == "LB+rlx");
  CHECK(notes->FindDisagreement("b.h:F:store:dropped") == nullptr);
}

TEST_CASE("a mistake in the notes is named with its line") {
  CHECK(ErrorOf("sources = [").starts_with("x.toml:1: "));
  CHECK(ErrorOf("") == "x.toml:1: \"sources\" is missing or not a list of texts");
  CHECK(ErrorOf("sources = [1]").find("an entry that is not a text") != std::string::npos);
  CHECK(ErrorOf("sources = [\"a\"]\nsurprise = 1") == "x.toml:2: unknown key \"surprise\"");
  const std::string sources = "sources = [\"a\"]\n";
  CHECK(ErrorOf(sources + "\"two\\nlines\" = 1") == "x.toml:2: unknown key \"two lines\"");
  CHECK(ErrorOf(sources + "[ = 1").starts_with("x.toml:2: "));
  CHECK(ErrorOf(sources + "\xcb\x94 = 1") == "x.toml:2: a character that is not ASCII");
  CHECK(ErrorOf(sources + "survivor = 1").find("[[survivor]]") != std::string::npos);
  CHECK(ErrorOf(sources + "executions = 0") == "x.toml:1: \"executions\" is not a positive number");
  const std::string survivor = sources + "[[survivor]]\nmutations = [\"m\"]\n";
  CHECK(ErrorOf(survivor + "class = \"equivalent\"") ==
        "x.toml:2: \"because\" is missing or not a text");
  CHECK(ErrorOf(survivor + "class = \"equivalent\"\nbecause = \" \\n\"") ==
        "x.toml:2: \"because\" is missing or not a text");
  CHECK(ErrorOf(survivor + "class = \"fine\"\nbecause = \"b\"") ==
        "x.toml:2: unknown class \"fine\"");
  // Only a behaviour that the graphs leave out explains why Relacy shows a failure that the graphs
  // do not.
  CHECK(ErrorOf(sources + "[[disagreement]]\nmutations = [\"m\"]\nbecause = \"b\"\n"
                          "litmus = \"S+rel+rlx\"") ==
        "x.toml:2: S+rel+rlx is no row that graphs leaves out");
  // Each class requires its own evidence.
  CHECK(ErrorOf(survivor + "class = \"unverified\"\nbecause = \"b\"") ==
        "x.toml:2: \"litmus\" is missing or not a text");
  CHECK(ErrorOf(survivor + "class = \"performance\"\nbecause = \"b\"") ==
        "x.toml:2: \"shown_by\" is missing or not a text");
  CHECK(ErrorOf(survivor + "class = \"equivalent\"\nbecause = \"b\"\nlitmus = \"SB\"")
            .find("is for unverified") != std::string::npos);
  CHECK(ErrorOf(survivor + "class = \"equivalent\"\nbecause = \"b\"\n[[survivor]]\n"
                           "mutations = [\"m\"]\nclass = \"equivalent\"\nbecause = \"b\"")
            .find("m is here twice") != std::string::npos);
}

TEST_CASE("every prefix of a file is read or refused, and nothing else happens") {
  const std::string text = kGood;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto notes = ParseNotes(text.substr(0, length), "x.toml");
    if (!notes) {
      CHECK(notes.error().starts_with("x.toml:"));
      CHECK(notes.error().find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("a missing file is reported as unreadable") {
  const auto notes = ReadNotes("no/such/file.toml");
  REQUIRE_FALSE(notes.has_value());
  CHECK(notes.error() == "no/such/file.toml cannot be read: No such file or directory");
}

}  // namespace
}  // namespace nowait::model
