// Svg: a picture as text, written from front to back.
//
// It has only the features that the project's pictures need: elements with attributes, groups,
// text, and a style sheet for light and dark paper. Text is escaped; coordinates have two decimals.
//
// The classes of the style sheet: "ink" and "soft" for text, "line" for thin lines of the ink's
// colour, "card" for the picture's own background. Viewers that support prefers-color-scheme choose
// the colours that suit the page; all others show the light ones.
//
// Thread safety: a picture is a value.
#ifndef NOWAIT_SRC_APPS_SVG_SVG_H_
#define NOWAIT_SRC_APPS_SVG_SVG_H_

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowait {

// & < > " and ' as entities, so that any text can stand in an element or an attribute.
std::string XmlEscaped(std::string_view text);

class Svg {
 public:
  // width, height: in user units, which are pixels at the picture's natural size.
  // title: read by screen readers. style: added to the common style sheet.
  Svg(double width, double height, std::string_view title, std::string_view style = {});

  // An element with no content: Element("circle", "cx='{}' cy='{}' r='3'", x, y).
  template <class... Args>
  void Element(std::string_view name, fmt::format_string<Args...> attributes, Args&&... args) {
    body_ += fmt::format("<{} {}/>\n", name, fmt::format(attributes, std::forward<Args>(args)...));
  }

  // anchor: "start", "middle" or "end". more: further attributes.
  void Text(double x, double y, std::string_view text, std::string_view css_class = "ink",
            std::string_view anchor = "start", std::string_view more = {});

  void Open(std::string_view name, std::string_view attributes);
  void Close(std::string_view name);

  // The whole file.
  std::string Finish() const;

  // Several whole files as one, each below the one before.
  static std::string Stacked(std::string_view title, const std::vector<std::string>& pictures);

 private:
  std::string head_;
  std::string body_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SVG_SVG_H_
