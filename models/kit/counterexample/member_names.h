// MemberNames: names the objects of one kind, from the expressions by which the source uses them
// and from the order in which they were made.
//
// The source says "storage.leaf(body).place" for every leaf. But the elements of an array are made
// one after another, and so are the members of each element. Where names repeat in the same order
// again and again, the repetition is the element's index: "leaf[0].place", "leaf[1].place". If an
// element has several such members, they become "node[1].child[0]", "node[1].child[1]".
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_

#include <string>
#include <vector>

namespace nowait::model::counterexample {

// One of the objects, which are listed in the order in which they were made.
struct Made {
  // The expression at each use, such as "node.child[slot]". Empty if the object is never used.
  std::vector<std::string> receivers = {};
  // Where it was made, which is the same for all objects of one constructor. Empty: unknown.
  std::string at = {};
};

// The names of the elements and of their members. The name is empty for other objects and where the
// beginning of the row is unknown. Several objects may have the same name.
std::vector<std::string> MemberNames(const std::vector<Made>& objects);

// The best of an object's names in several places: the one that says most, then the most frequent
// one, then the first. Empty if there is no name.
std::string BestReceiver(const std::vector<std::string>& receivers);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_MEMBER_NAMES_H_
