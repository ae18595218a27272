// DocumentReader: the fields of a JSON document as numbers and vectors, with bounds.
//
//   DocumentReader in("camp.json");
//   const float encounter = in.Number(document, "encounter", 1, 125);
//   ...
//   if (!in.error().empty()) ...           "camp.json: encounter: not a number from 1 to 125"
//
// The first error is kept, and no later one counts. A call that fails returns the least value.
//
// Thread safety: one thread.
#ifndef NOWAIT_SRC_STREAMING_DOCUMENT_READER_H_
#define NOWAIT_SRC_STREAMING_DOCUMENT_READER_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "src/math/vec3.h"
#include "src/resource/document.h"

namespace nowait {

class DocumentReader {
 public:
  explicit DocumentReader(std::string file) : file_(std::move(file)) {}

  const std::string& error() const { return error_; }
  // field: as a person would write it, "objects[2].size".
  void Fail(std::string_view field, std::string_view why);

  // In the name of the following fields: "objects[2]."; empty at the top.
  void Enter(std::string prefix) { prefix_ = std::move(prefix); }
  // Refuses an object with a key that is not in `keys`: it is misspelt.
  void Expect(const Value& object, std::initializer_list<std::string_view> keys);

  double Number(const Value& object, std::string_view key, double least, double most);
  std::uint32_t Whole(const Value& object, std::string_view key, std::uint32_t least,
                      std::uint32_t most);
  // `count` numbers within +-most.
  std::vector<double> Numbers(const Value& object, std::string_view key, std::size_t count,
                              double most);
  Vec3 Vector(const Value& object, std::string_view key, double most);
  // The place of the text in `choices`.
  std::size_t Choice(const Value& object, std::string_view key,
                     std::initializer_list<std::string_view> choices);
  bool Flag(const Value& object, std::string_view key);
  // The items of an array; empty after an error.
  const Value::Items& Items(const Value& object, std::string_view key);
  std::string Text(const Value& item, std::string_view field);

 private:
  const Value* Find(const Value& object, std::string_view key);
  double NumberOf(const Value& value, std::string_view field, double least, double most);

  const std::string file_;
  std::string prefix_;
  std::string error_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_DOCUMENT_READER_H_
