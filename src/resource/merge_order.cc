#include "src/resource/merge_order.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace nowait {
namespace {

using Set = std::set<std::string_view>;
using List = std::span<const std::string_view>;

Names Filter(List names, const Set& wanted) {
  Names found;
  for (const std::string_view name : names) {
    if (wanted.contains(name)) found.push_back(name);
  }
  return found;
}

// The names, with those of `list` that are wanted and not there yet: runs of them stand behind the
// name before them in the list. All runs of a call find their places before any is put in.
class Additions {
 public:
  explicit Additions(const Names& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
  }

  void Collect(List list, const Set& wanted) {
    std::size_t place = 0;  // behind so many names
    Names run;
    const auto end_run = [&] {
      if (!run.empty()) runs_[place].push_back(std::exchange(run, {}));
    };
    for (const std::string_view name : list) {
      if (const auto there = places_.find(name); there != places_.end()) {
        end_run();
        place = there->second + 1;
      } else if (wanted.contains(name)) {
        run.push_back(name);
      }
    }
    end_run();
  }

  Names Insert() {
    Names result;
    Set done(names_.begin(), names_.end());
    for (std::size_t i = 0; i <= names_.size(); ++i) {
      if (i > 0) result.push_back(names_[i - 1]);
      auto found = runs_.find(i);
      if (found == runs_.end()) continue;
      std::ranges::sort(found->second);
      for (const Names& run : found->second) {
        for (const std::string_view name : run) {
          if (done.insert(name).second) result.push_back(name);
        }
      }
    }
    return result;
  }

 private:
  const Names& names_;
  std::map<std::string_view, std::size_t> places_;  // of the names
  std::map<std::size_t, std::vector<Names>> runs_;
};

}  // namespace

Order MergeOrder(List base, List left, List right, const Set& kept) {
  const Set in_left(left.begin(), left.end()), in_right(right.begin(), right.end());
  Set common;
  for (const std::string_view name : base) {
    if (in_left.contains(name) && in_right.contains(name)) common.insert(name);
  }
  const Names of_base = Filter(base, common), of_left = Filter(left, common),
              of_right = Filter(right, common);
  const bool moved_left = of_left != of_base, moved_right = of_right != of_base;
  const bool conflict = moved_left && moved_right && of_left != of_right;
  Order order{.names = conflict || !moved_left ? of_base : of_left, .conflict = conflict};
  if (!conflict && moved_right) order.names = of_right;
  // A common name that both sides keep and the merge does not: it changed its type, for example.
  order.names = Filter(order.names, kept);

  Additions removed(order.names);
  removed.Collect(base, kept);
  order.names = removed.Insert();
  Additions added(order.names);
  added.Collect(left, kept);
  added.Collect(right, kept);
  order.names = added.Insert();
  return order;
}

}  // namespace nowait
