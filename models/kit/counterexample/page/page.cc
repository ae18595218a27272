#include "models/kit/counterexample/page/page.h"

#include <map>
#include <string>
#include <string_view>

#include "models/kit/counterexample/page/page_template.h"
#include "nlohmann/json.hpp"

namespace nowait::model::counterexample {
namespace {

using nlohmann::json;

std::string AsText(std::string_view words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

// JSON within a script element. Only "</script" and "<!--" have a meaning there, and in JSON "<"
// occurs in strings alone: once it is escaped, neither can occur.
std::string AsScript(std::string_view text) {
  std::string script;
  for (const char c : text) {
    if (c == '<') {
      script += "\\u003c";
    } else {
      script += c;
    }
  }
  return script;
}

std::string TextAt(const json& record, const char* pointer) {
  const json::json_pointer at(pointer);
  return record.contains(at) && record.at(at).is_string() ? record.at(at).get<std::string>() : "";
}

std::string TitleOf(const PageParts& parts) {
  const json story = json::parse(parts.story, nullptr, /*allow_exceptions=*/false);
  if (const std::string title = TextAt(story, "/title"); !title.empty()) return title + " - nowait";
  const json record = json::parse(parts.record, nullptr, /*allow_exceptions=*/false);
  const std::string structure = TextAt(record, "/structure");
  if (structure.empty()) return "A counterexample that cannot be read - nowait";
  return structure + " " + TextAt(record, "/scenario/name") +
         " fails: " + TextAt(record, "/execution/failure/kind") + " - nowait";
}

}  // namespace

std::string PageOf(const PageParts& parts) {
  const std::map<std::string_view, std::string> values = {
      {"title", AsText(TitleOf(parts))},
      {"text", AsText(parts.lanes)},
      {"record", AsScript(parts.record)},
      {"story", parts.story.empty() ? "null" : AsScript(parts.story)},
  };
  // One pass over the template: text of a value that looks like a placeholder stays unchanged.
  std::string page;
  std::string_view rest = kPageTemplate;
  for (;;) {
    const auto begin = rest.find("{{");
    if (begin == std::string_view::npos) return page.append(rest);
    const auto end = rest.find("}}", begin);
    page.append(rest.substr(0, begin));
    page.append(values.at(rest.substr(begin + 2, end - begin - 2)));
    rest.remove_prefix(end + 2);
  }
}

}  // namespace nowait::model::counterexample
