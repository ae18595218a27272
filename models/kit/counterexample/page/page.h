// PageOf: a counterexample as one HTML file, for somebody who has read about memory orders once.
//
// The page is a template (page.html, page.css and the modules *.js, assembled when this library is
// built) with the record in it; its scripts draw what the record says. It works from a disk, without
// a network: its security policy forbids everything but the script and the style that it came with.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_

#include <string>

namespace nowait::model::counterexample {

struct PageParts {
  std::string record;  // JSON (docs/counterexample.md); what is damaged is said by the page
  // The record as text (lanes.h), for whoever has no JavaScript.
  std::string lanes;
  // What a gallery tells before it, as JSON: {"title", "parts": [{"heading", "words"}], "source"};
  // empty: nothing.
  std::string story;
};

std::string PageOf(const PageParts& parts);

inline std::string PageOf(const std::string& record) { return PageOf(PageParts{record, "", ""}); }

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_H_
