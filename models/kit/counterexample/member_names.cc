#include "models/kit/counterexample/member_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string_view>

namespace nowait::model::counterexample {
namespace {

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "a.b" from "a.b(c)[d]": the text without the brackets at its end.
std::string_view WithoutBrackets(std::string_view text) {
  while (!text.empty() && (text.back() == ']' || text.back() == ')')) {
    int depth = 0;
    std::size_t at = text.size();
    do {
      --at;
      if (text[at] == ']' || text[at] == ')') ++depth;
      if (text[at] == '[' || text[at] == '(') --depth;
    } while (at > 0 && depth > 0);
    if (depth > 0) return "";
    text = text.substr(0, at);
  }
  return text;
}

std::string_view LastName(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && IsPartOfName(text[begin - 1])) --begin;
  return text.substr(begin);
}

// The parts of a receiver: "node" and "child" in "storage.node(2).child[slot]".
struct Member {
  std::string text;
  std::string name;
  std::string owner;  // empty: not a member
  bool has_index = false;

  explicit Member(std::string_view receiver = "") : text(receiver) {
    const std::string_view bare = WithoutBrackets(receiver);
    has_index = bare.size() < receiver.size();
    name = LastName(bare);
    std::string_view rest = bare.substr(0, bare.size() - name.size());
    const bool is_member = rest.ends_with('.') || rest.ends_with("->");
    if (!is_member) return;
    rest.remove_suffix(rest.ends_with('.') ? 1 : 2);
    owner = LastName(WithoutBrackets(rest));
  }

  // A parameter or a local reference has a bare name; a member's name says more.
  bool SaysMore() const { return has_index || !owner.empty() || name.ends_with('_'); }
};

Member Best(const std::vector<std::string>& receivers) {
  std::map<std::string, int> count;
  for (const std::string& receiver : receivers) ++count[Member(receiver).name];
  Member best;
  for (const std::string& receiver : receivers) {
    const Member member(receiver);
    if (member.name.empty()) continue;
    const auto rank = [&](const Member& it) { return std::pair(it.SaysMore(), count[it.name]); };
    if (best.name.empty() || rank(member) > rank(best)) best = member;
  }
  return best;
}

// Names an object that is never used. If the objects made at the same place have one name, it gets
// that name. Otherwise it gets the name of the objects made before and after it, if they agree.
void FillIn(const std::vector<Made>& objects, std::vector<Member>& members) {
  std::map<std::string, Member> of_place;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].name.empty() || objects[i].at.empty()) continue;
    const auto [entry, is_new] = of_place.try_emplace(objects[i].at, members[i]);
    if (!is_new && entry->second.name != members[i].name) entry->second = Member();
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto known = of_place.find(objects[i].at);
    if (members[i].name.empty() && known != of_place.end()) members[i] = known->second;
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::size_t end = i;
    while (end < members.size() && members[end].name.empty()) ++end;
    if (i == 0 || end == i || end == members.size()) continue;
    if (members[i - 1].name == members[end].name) members[i] = members[i - 1];
  }
}

// Whether the preceding object cannot belong to the same row.
bool BeginsHere(const std::vector<Made>& objects, const std::vector<Member>& members,
                std::size_t begin) {
  if (begin == 0 || !members[begin - 1].name.empty()) return true;
  const std::string& before = objects[begin - 1].at;
  return !before.empty() && !objects[begin].at.empty() && before != objects[begin].at;
}

// Names that repeat: `turns` times the names of `steps` objects.
struct Row {
  std::size_t steps = 1;
  std::size_t turns = 1;

  std::size_t size() const { return steps * turns; }
};

Row RowAt(const std::vector<Member>& members, std::size_t begin) {
  Row best;
  for (std::size_t steps = 1; begin + 2 * steps <= members.size(); ++steps) {
    std::size_t end = begin + steps;
    while (end < members.size() && !members[end].name.empty() &&
           members[end].name == members[end - steps].name) {
      ++end;
    }
    const Row row{steps, (end - begin) / steps};
    if (row.turns > 1 && row.size() > best.size()) best = row;
  }
  return best;
}

// The word for an element, taken from the first of its members that has one.
std::string OwnerIn(const std::vector<Member>& members, std::size_t begin, std::size_t size) {
  for (std::size_t i = begin; i < begin + size; ++i) {
    if (!members[i].owner.empty()) return members[i].owner;
  }
  return "";
}

// Names the members of the element that begins at `begin`.
void NameElement(const std::vector<Member>& members, std::size_t begin, std::size_t steps,
                 const std::string& element, std::vector<std::string>& names) {
  for (std::size_t i = begin; i < begin + steps; ++i) {
    const auto is_same = [&](const Member& other) { return other.name == members[i].name; };
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto here = members.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = first + static_cast<std::ptrdiff_t>(steps);
    names[i] = fmt::format("{}.{}", element, members[i].name);
    if (std::count_if(first, end, is_same) > 1) {
      names[i] += fmt::format("[{}]", std::count_if(first, here, is_same));
    }
  }
}

}  // namespace

std::vector<std::string> MemberNames(const std::vector<Made>& objects) {
  std::vector<Member> members;
  for (const Made& object : objects) members.push_back(Best(object.receivers));
  FillIn(objects, members);
  std::vector<std::string> names(members.size());
  for (std::size_t begin = 0; begin < members.size();) {
    const Row row = RowAt(members, begin);
    const std::string owner = OwnerIn(members, begin, row.size());
    const bool is_array = row.steps == 1 && members[begin].has_index;
    const bool is_row = row.turns > 1 && BeginsHere(objects, members, begin);
    for (std::size_t turn = 0; is_row && turn < row.turns; ++turn) {
      const std::size_t at = begin + turn * row.steps;
      if (is_array) {
        names[at] = fmt::format("{}[{}]", members[at].name, turn);
      } else if (!owner.empty()) {
        NameElement(members, at, row.steps, fmt::format("{}[{}]", owner, turn), names);
      }
    }
    begin += row.size();
  }
  return names;
}

std::string BestReceiver(const std::vector<std::string>& receivers) { return Best(receivers).text; }

}  // namespace nowait::model::counterexample
