// PageOf: a counterexample as one HTML file, for a reader who has once read about memory orders.
//
// The page is a template (page.html, page.css and the modules *.js, assembled when this library is
// built) with the record in it. Its scripts draw the record. It works from a disk and without a
// network: its security policy forbids everything but its own script and style.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_

#include <string>

namespace nowait::model::counterexample {

struct PageParts {
  std::string record;  // JSON (docs/counterexample.md); the page reports damage to it
  // The record as text (lanes.h), for readers without JavaScript.
  std::string lanes;
  // A gallery's story before the record, as JSON: {"title", "parts": [{"heading", "words"}],
  // "source"}; empty if there is no story.
  std::string story;
};

std::string PageOf(const PageParts& parts);

inline std::string PageOf(const std::string& record) { return PageOf(PageParts{record, "", ""}); }

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_
