// Objects are named by their element and their member.
#include "models/kit/counterexample/member_names.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace nowait::model::counterexample {
namespace {

using Names = std::vector<std::string>;

// The names of objects that each have this name in one place.
Names NamesOf(const Names& receivers) {
  std::vector<Made> objects;
  for (const std::string& receiver : receivers) {
    objects.push_back({receiver.empty() ? Names() : Names{receiver}});
  }
  return MemberNames(objects);
}

TEST_CASE("an object that stands alone has no such name") {
  CHECK(NamesOf({}) == Names());
  CHECK(NamesOf({"root_", "epoch_"}) == Names({"", ""}));
  CHECK(NamesOf({"", "slot->next"}) == Names({"", ""}));
}

TEST_CASE("an array's elements have indices") {
  CHECK(NamesOf({"count_", "links_[i]", "links_[i + 1]"}) == Names({"", "links_[0]", "links_[1]"}));
}

TEST_CASE("the member of each element is named after the element") {
  CHECK(NamesOf({"storage.leaf(body).place", "storage_.leaf(kA).place"}) ==
        Names({"leaf[0].place", "leaf[1].place"}));
  CHECK(NamesOf({"slots_[i]->state", "slots_[j]->state"}) ==
        Names({"slots_[0].state", "slots_[1].state"}));
}

TEST_CASE("so are the members of elements that have several, and arrays in them") {
  const Names node = {"min[axis][slot]", "min[axis][slot]", "node.child[0]", "node.child[slot]",
                      "changed"};
  Names receivers = {"waiting_"};
  Names names = {""};
  for (const char* index : {"0", "1", "2"}) {
    receivers.insert(receivers.end(), node.begin(), node.end());
    for (const char* member : {"min[0]", "min[1]", "child[0]", "child[1]", "changed"}) {
      names.push_back(std::string("node[") + index + "]." + member);
    }
  }
  CHECK(NamesOf(receivers) == names);
}

TEST_CASE("of several names the one that says most is taken") {
  CHECK(MemberNames({{{"target", "target", "links_[a]"}}, {{"links_[b]", "target"}}}) ==
        Names({"links_[0]", "links_[1]"}));
  CHECK(BestReceiver({"target", "target", "links_[a]"}) == "links_[a]");
  CHECK(BestReceiver({"value", "count", "count"}) == "count");
  CHECK(BestReceiver({}).empty());
}

TEST_CASE("an unused object has the name of the objects made with it") {
  CHECK(MemberNames({{{}, "a.h:3"}, {{"stripes[s].readers"}, "a.h:3"}, {{}, "b.h:1"}}) ==
        Names({"stripes[0].readers", "stripes[1].readers", ""}));
}

TEST_CASE("no index is given where it is not known where the row begins") {
  const char* box = "leaf(body).box";
  CHECK(NamesOf({"height", box, "", box}) ==
        Names({"", "leaf[0].box", "leaf[1].box", "leaf[2].box"}));
  CHECK(NamesOf({"height", "", box, box}) == Names({"", "", "", ""}));
  CHECK(MemberNames({{{}, "a.h:1"}, {{box}, "b.h:2"}, {{box}, "b.h:2"}}) ==
        Names({"", "leaf[0].box", "leaf[1].box"}));
}

TEST_CASE("a text that is no expression is no reason to fail") {
  for (const char* text : {"]", ")(", "a[", "a.", ".b", "->", "(*this)", "f()", "a]]"}) {
    CHECK(NamesOf({text, text}).size() == 2);
  }
}

}  // namespace
}  // namespace nowait::model::counterexample
