// The page before a record is put into it; assemble.py writes its definition.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_TEMPLATE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_TEMPLATE_H_

namespace nowait::model::counterexample {

// Ends with 0. PageOf replaces {{title}}, {{text}}, {{record}} and {{story}}.
extern const char kPageTemplate[];

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_PAGE_PAGE_TEMPLATE_H_
