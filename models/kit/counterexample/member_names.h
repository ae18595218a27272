// MemberNames: names the objects of one kind, from the expressions by which the source uses them
// and from the order in which they were made.
//
// The source says "storage.leaf(body).place" of every leaf there is. But an array's elements are
// made in a row, and so are the members of each element. Where names come around in the same order
// again and again, the turn is the element's index: they become "leaf[0].place", "leaf[1].place".
// Members that one element has several of become "node[1].child[0]", "node[1].child[1]".
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_

#include <string>
#include <vector>

namespace nowait::model::counterexample {

// An object, in the order in which they were made.
struct Made {
  // The expression at each use: "node.child[slot]". Empty for an object that is used nowhere.
  std::vector<std::string> receivers = {};
  // Where it was made: the same for all objects that one constructor makes. Empty: not known.
  std::string at = {};
};

// The name of each element and of each member of one. Empty for other objects, and where the
// beginning of the row is not known. Several may have the same name.
std::vector<std::string> MemberNames(const std::vector<Made>& objects);

// Of an object's names in several places: the one that says most, then the most frequent, then the
// first. Empty if there is no name.
std::string BestReceiver(const std::vector<std::string>& receivers);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
