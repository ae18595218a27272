// The list of defects, and the gallery's pages made from it.
#include <nlohmann/json.hpp>
#include <string>

#include "catch2/catch.hpp"
#include "models/gallery/defects.h"
#include "models/gallery/index.h"

namespace nowait::model::gallery {
namespace {

constexpr char kStructures[] = "[structures]\njob_list = \"jobs in a row\"\n";
constexpr char kDefect[] = R"([[defect]]
number = "1"
structure = "job_list"
page = "01-a"
title = "A & B"
mutant = "//models/jobs:job_list_job_skipped"
scenario = "2x1"
fails = "no job is lost"
headers = ["src/jobs/job_list.h"]
believed = "that a < b"
happens = "b < a"
fixed = "sorting"
source = "the talk"
)";

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST_CASE("a defect is read as it stands") {
  const auto defects = ParseDefects("d.toml", std::string(kStructures) + kDefect);
  REQUIRE(defects.has_value());
  REQUIRE(defects->pages.size() == 1);
  REQUIRE(defects->pages[0].scenario == "2x1");
  REQUIRE(defects->pages[0].fails == "no job is lost");
  REQUIRE(defects->pages[0].headers.size() == 1);
}

TEST_CASE("a mistake in the list is reported with its line") {
  const std::string whole = std::string(kStructures) + kDefect;
  const auto complaint = [](const std::string& text) {
    const auto defects = ParseDefects("d.toml", text);
    return defects ? std::string() : defects.error();
  };
  REQUIRE(complaint("") == "d.toml:1: it has no [[defect]]");
  REQUIRE(complaint(whole + "more = 1\n") == "d.toml:16: unknown key \"more\"");
  REQUIRE(complaint(Replaced(whole, "title", "tilte")).find("\"title\" is missing") !=
          std::string::npos);
  REQUIRE(complaint(whole + kDefect).find("01-a is there twice") != std::string::npos);
  REQUIRE(complaint(Replaced(whole, "01-a", "../a")).find("no name for a file") !=
          std::string::npos);
  REQUIRE(complaint(Replaced(whole, "structure = \"job_list", "structure = \"job_lists")) ==
          "d.toml:3: [structures] has no \"job_lists\"");
  REQUIRE(complaint("[[defect]\n").starts_with("d.toml:1: "));
}

TEST_CASE("the front page links to every page and escapes its words") {
  const auto defects = ParseDefects("d.toml", std::string(kStructures) + kDefect);
  const std::string page = IndexOf(*defects);
  REQUIRE(page.find("<a href=\"01-a.html\">A &amp; B</a>") != std::string::npos);
  REQUIRE(page.find("b &lt; a") != std::string::npos);
}

TEST_CASE("an unpublished defect is marked as such, behind the published ones") {
  const std::string other =
      Replaced(Replaced(kDefect, "01-a", "05-b"), "title", "published = false\ntitle");
  const auto defects = ParseDefects("d.toml", kStructures + other + kDefect);
  REQUIRE(defects.has_value());
  REQUIRE(!defects->pages[0].published);
  REQUIRE(defects->pages[1].published);
  const std::string page = IndexOf(*defects);
  const auto heading = page.find("<h1>Defects for lectures</h1>");
  REQUIRE(heading != std::string::npos);
  REQUIRE(page.find("01-a.html") < heading);
  REQUIRE(page.find("05-b.html") > heading);
  const auto none = ParseDefects("d.toml", std::string(kStructures) + kDefect);
  REQUIRE(IndexOf(*none).find("Defects for lectures") == std::string::npos);
  const auto wrong = ParseDefects("d.toml", kStructures + Replaced(other, "false", "\"no\""));
  REQUIRE(wrong.error() == "d.toml:7: \"published\" is neither true nor false");
}

TEST_CASE("a story has its three parts and the header as it should be") {
  const auto defects = ParseDefects("d.toml", std::string(kStructures) + kDefect);
  const auto story = nlohmann::json::parse(StoryOf(defects->pages[0], {{"src/a.h", "one\ntwo\n"}}));
  REQUIRE(story["title"] == "A & B");
  REQUIRE(story["about"] == "jobs in a row");
  REQUIRE(story["parts"].size() == 3);
  REQUIRE(story["parts"][1]["words"] == "b < a");
  REQUIRE(story["repaired"][0]["lines"] == nlohmann::json({"one", "two"}));
}

}  // namespace
}  // namespace nowait::model::gallery
