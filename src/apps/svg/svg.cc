#include "src/apps/svg/svg.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace nowait {
namespace {

constexpr std::string_view kStyle = R"(
text { font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; font-size: 12px; }
.title { font-size: 17px; font-weight: bold; }
.card { fill: #fdfdfb; stroke: #d5d5cf; }
.ink { fill: #23262b; }
.soft { fill: #5d636d; }
.line { stroke: #5d636d; stroke-width: 1; fill: none; }
.faint { stroke: #dcdcd6; stroke-width: 1; fill: none; }
@media (prefers-color-scheme: dark) {
  .card { fill: #16191d; stroke: #343a42; }
  .ink { fill: #e6e8eb; }
  .soft { fill: #a3aab4; }
  .line { stroke: #a3aab4; }
  .faint { stroke: #2d333b; }
}
)";

}  // namespace

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

Svg::Svg(double width, double height, std::string_view title, std::string_view style)
    : head_(fmt::format("<svg xmlns='http://www.w3.org/2000/svg' "
                        "xmlns:xlink='http://www.w3.org/1999/xlink' width='{0}' height='{1}' "
                        "viewBox='0 0 {0} {1}' role='img'>\n<title>{2}</title>\n"
                        "<style>{3}{4}</style>\n"
                        "<rect class='card' x='0.5' y='0.5' width='{5}' height='{6}' rx='8'/>\n",
                        width, height, XmlEscaped(title), kStyle, style, width - 1, height - 1)) {}

void Svg::Text(double x, double y, std::string_view text, std::string_view css_class,
               std::string_view anchor, std::string_view more) {
  body_ += fmt::format("<text x='{:.2f}' y='{:.2f}' class='{}' text-anchor='{}' {}>{}</text>\n", x,
                       y, css_class, anchor, more, XmlEscaped(text));
}

void Svg::Open(std::string_view name, std::string_view attributes) {
  body_ += fmt::format("<{} {}>\n", name, attributes);
}

void Svg::Close(std::string_view name) { body_ += fmt::format("</{}>\n", name); }

std::string Svg::Finish() const { return head_ + body_ + "</svg>\n"; }

std::string Svg::Stacked(std::string_view title, const std::vector<std::string>& pictures) {
  constexpr std::string_view kTag = "<svg";
  // The first number behind the name of an attribute, which the constructor has written.
  const auto number = [](const std::string& picture, std::string_view name) {
    return std::strtod(picture.c_str() + picture.find(name) + name.size(), nullptr);
  };
  double width = 0, height = 0;
  std::string body;
  for (const std::string& picture : pictures) {
    body += fmt::format("{} y='{}'{}", kTag, height, picture.substr(kTag.size()));
    width = std::max(width, number(picture, " width='"));
    height += number(picture, " height='");
  }
  Svg whole(width, height, title);
  whole.body_ = std::move(body);
  return whole.Finish();
}

}  // namespace nowait
