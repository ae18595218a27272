#include "models/gallery/index.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace nowait::model::gallery {
namespace {

using Json = nlohmann::ordered_json;

std::string Escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (c == '&') {
      text += "&amp;";
    } else if (c == '<') {
      text += "&lt;";
    } else {
      text += c;
    }
  }
  return text;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return lines;
}

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Defects of published designs, and their effects - nowait</title>
<style>
:root { --text: #1a1c1e; --soft: #50565c; --faint: #d5d9dd; --paper: #fff; --link: #00518a;
        --edge: #b77f00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaec; --soft: #b0b7bd; --faint: #3d4449; --paper: #16181a; --link: #7cc4f5;
          --edge: #f0c040; }
}
body { max-width: 54rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, "DejaVu Sans",
       sans-serif; color: var(--text); background: var(--paper); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 0 0 .2rem; }
a { color: var(--link); } a:focus-visible { outline: 3px solid var(--edge); outline-offset: 2px; }
ol { list-style: none; padding: 0; }
li { border-left: 4px solid var(--edge); padding: .1rem 0 .1rem 1rem; margin: 0 0 1.4rem; }
.missing li { border-color: var(--faint); }
p { margin: .2rem 0; } .soft { color: var(--soft); font-size: .9rem; }
</style>
</head>
<body>
<main>
<h1>Defects of published designs, and their effects</h1>
<p>Defects that were found by modelling published algorithms, or variants that one would write
after reading. Each page shows one execution in which the defect breaks a promise, the smallest that
the checker found: step through it, predict what each load reads, compare it with the repair.</p>
)";

std::string EntriesOf(const Defects& defects, bool published) {
  std::string entries;
  for (const Defect& defect : defects.pages) {
    if (defect.published != published) continue;
    entries += fmt::format(
        "<li id=\"{}\"><h2>{}. <a href=\"{}.html\">{}</a></h2>\n<p>{}</p>\n"
        "<p class=\"soft\">Fixed by: {}</p>\n<p class=\"soft\">Source: {}</p></li>\n",
        defect.page, Escaped(defect.number), defect.page, Escaped(defect.title),
        Escaped(defect.happens), Escaped(defect.fixed), Escaped(defect.source));
  }
  return entries;
}

}  // namespace

std::string StoryOf(const Defect& defect, const std::vector<SourceFile>& repaired) {
  Json sources = Json::array();
  for (const SourceFile& file : repaired) {
    sources.push_back({{"file", file.name}, {"lines", Lines(file.text)}});
  }
  const Json story = {
      {"title", defect.title},
      {"about", defect.structure},
      {"parts", Json::array({{{"heading", "The belief"}, {"words", defect.believed}},
                             {{"heading", "What happens"}, {"words", defect.happens}},
                             {{"heading", "The repair"}, {"words", defect.fixed}}})},
      {"source", defect.source},
      {"repaired", sources}};
  return story.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string IndexOf(const Defects& defects) {
  std::string page(kHead);
  page += "<ol>\n" + EntriesOf(defects, true) + "</ol>\n";
  if (const std::string others = EntriesOf(defects, false); !others.empty()) {
    page +=
        "<h1>Defects for lectures</h1>\n"
        "<p>Made for lectures of the course, to show a defect that a structure guards "
        "against.</p>\n<ol>\n" +
        others + "</ol>\n";
  }
  if (!defects.missing.empty()) {
    page += "<h1>Without a page</h1>\n<ol class=\"missing\">\n";
    for (const Missing& missing : defects.missing) {
      page += fmt::format("<li><h2>{}. {}</h2>\n<p>{}.</p></li>\n", Escaped(missing.number),
                          Escaped(missing.title), Escaped(missing.why));
    }
    page += "</ol>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace nowait::model::gallery
