// Wrapped text: lines no wider than the terminal, and the inks in which they are printed.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_WRAPPED_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_WRAPPED_H_

#include <string>
#include <string_view>
#include <vector>

namespace nowait::model::counterexample {

enum class Ink { kPlain, kFaint, kCall, kStale, kSync, kBroken };

// The text in that ink, by the codes of ECMA-48 that terminals know.
std::string Inked(Ink ink, const std::string& text);

// The width in characters of UTF-8, all of which are assumed to be equally wide.
int WidthOf(std::string_view text);

// The text, cut to `width` characters.
std::string Cut(std::string_view text, int width);

// Breaks the text between words into lines of at most `width` characters.
std::vector<std::string> Wrap(std::string_view text, int width);

// The text without leading and trailing spaces.
std::string Trim(std::string_view line);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_WRAPPED_H_
