#include "src/resource/merge_order.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
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

// The names of a list that have moved against the base: all but a longest part that still stands in
// the base's order. Nothing where there are several such parts: of two neighbours that have changed
// places either may be the one that moved. Both lists have the same names.
std::optional<Set> MovedNames(const Names& base, const Names& side) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < base.size(); ++i) places.emplace(base[i], i);
  std::vector<std::size_t> at;
  for (const std::string_view name : side) at.push_back(places[name]);

  // The longest rising part that ends with each item, and the one that begins with it.
  const auto lengths = [](const auto& begin, const auto& end, const auto& less) {
    std::vector<std::size_t> result, lowest;  // lowest[k]: the last item of a part of k + 1 items
    for (auto item = begin; item != end; ++item) {
      const auto place = std::lower_bound(lowest.begin(), lowest.end(), *item, less);
      result.push_back(static_cast<std::size_t>(place - lowest.begin()) + 1);
      if (place == lowest.end()) {
        lowest.push_back(*item);
      } else {
        *place = *item;
      }
    }
    return result;
  };
  const auto ending = lengths(at.begin(), at.end(), std::less<>());
  auto beginning = lengths(at.rbegin(), at.rend(), std::greater<>());
  std::ranges::reverse(beginning);
  const std::size_t longest = at.empty() ? 0 : std::ranges::max(ending);
  std::vector<std::size_t> with_length(longest +
                                       1);  // items of longest parts, by their place there
  Set moved;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (ending[i] + beginning[i] - 1 < longest) {
      moved.insert(side[i]);
    } else if (++with_length[ending[i]] > 1) {
      return std::nullopt;
    }
  }
  return moved;
}

// The base's order with the moves of both sides, if they have moved different names.
std::optional<Names> JoinMoves(const Names& base, const Names& left, const Names& right) {
  const auto by_left = MovedNames(base, left), by_right = MovedNames(base, right);
  if (!by_left || !by_right) return std::nullopt;
  Names rest;
  for (const std::string_view name : base) {
    const bool one = by_left->contains(name), other = by_right->contains(name);
    if (one && other) return std::nullopt;
    if (!one && !other) rest.push_back(name);
  }
  Additions moved(rest);
  moved.Collect(left, *by_left);
  moved.Collect(right, *by_right);
  return moved.Insert();
}

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
  Order order{.names = moved_left ? of_left : of_right};
  if (moved_left && moved_right && of_left != of_right) {
    const auto joined = JoinMoves(of_base, of_left, of_right);
    order = {.names = joined.value_or(of_base), .conflict = !joined};
  }
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
