// The viewer's page before anything is put into it; assemble.py writes its definition.
#ifndef NOWAIT_SRC_LIVE_PAGE_PAGE_TEMPLATE_H_
#define NOWAIT_SRC_LIVE_PAGE_PAGE_TEMPLATE_H_

namespace nowait::live_page {

// Ends with 0. LivePageOf replaces {{title}}, {{connect}}, {{frame}}, {{text}} and {{recording}}.
extern const char kPageTemplate[];

}  // namespace nowait::live_page

#endif  // NOWAIT_SRC_LIVE_PAGE_PAGE_TEMPLATE_H_
