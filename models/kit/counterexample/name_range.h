// NameRange: names that differ in one index, which increases by one from name to name.
//
// "stripes[0].readers", "stripes[1].readers" and so on to 15 become "stripes[0..15].readers".
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_NAME_RANGE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_NAME_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nowait::model::counterexample {

class NameRange {
 public:
  // The smallest number of names that is worth a range.
  static constexpr std::size_t kWorthIt = 4;

  explicit NameRange(std::string name) : names_{std::move(name)} {}

  // Returns false, and leaves the range unchanged, if the name is not the next one.
  bool Add(const std::string& name);

  const std::vector<std::string>& names() const { return names_; }
  // The range, as "stripes[0..15].readers", or the only name.
  std::string Words() const;

 private:
  // For two or more names: the text before the index, the first index, the text after it.
  std::string before_;
  std::uint64_t first_ = 0;
  std::string behind_;
  std::vector<std::string> names_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_NAME_RANGE_H_
