// MemberNames: what the objects of one kind are called, from how the source calls them where it uses
// them and from the order in which they were made.
//
// The source says "storage.leaf(body).place" of every leaf there is. But an array's elements are made in a
// row, and so are the members of each element: where names come around in the same order again and again,
// the turn is the element's index. So they become "leaf[0].place", "leaf[1].place"; and what one element
// has several of, "node[1].child[0]", "node[1].child[1]".
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_

#include <string>
#include <vector>

namespace nowait::model::counterexample {

// An object, in the order in which they were made.
struct Made {
  // What it is called where it is used, each time: "node.child[slot]". An object that is used nowhere
  // has none.
  std::vector<std::string> receivers = {};
  // Where it was made: the same for what one constructor makes. Empty: not known.
  std::string at = {};
};

// Of each element and each member of one its name; empty for what is neither, or of which is not known
// where its row begins. Several may have the same.
std::vector<std::string> MemberNames(const std::vector<Made>& objects);

// Of what an object is called in several places: what says most, then what says it most often, then
// what says it first. Empty if there is nothing.
std::string BestReceiver(const std::vector<std::string>& receivers);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
