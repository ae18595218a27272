#include "src/resource/blob.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint32_t kDoors = FourCharacters("DOOR");

struct Door {
  std::uint32_t room;
  std::uint32_t next_room;
  friend bool operator==(const Door&, const Door&) = default;
};
// A house names its doors, and the house behind it.
struct House {
  std::uint64_t number;
  BlobArray<Door> doors;
  BlobOffset<House> next;
  std::uint32_t zero;
};

struct Pad {
  std::uint8_t small;
  std::uint64_t large;
};
static_assert(BlobData<Door> && BlobData<House> && BlobData<double> && BlobData<std::uint8_t>);
static_assert(!BlobData<std::string> && !BlobData<const char*> && !BlobData<Pad>);
static_assert(!BlobData<bool>);

// Equal floats may differ in their bytes; padding is seen nevertheless.
struct Wall {
  std::uint64_t room;
  float height[2];
};
struct PaddedBehind {
  std::uint64_t room;
  float height;
};
struct PaddedWithin {
  float height;
  std::uint64_t room;
};
struct PaddedDeepWithin {
  std::uint64_t room;
  PaddedBehind walls[2];
  float height[2];
};
static_assert(BlobData<Wall>);
static_assert(!BlobData<PaddedBehind> && !BlobData<PaddedWithin> && !BlobData<PaddedDeepWithin>);

// Two houses; the first has three doors, the second one none.
Bytes Sound() {
  BlobWriter writer(kDoors, 7, 4096);
  const auto first = writer.Add(House{1, {}, {}, 0});
  REQUIRE(first);
  REQUIRE(writer.Add(std::uint8_t{5}));  // what comes next does not lie right behind it
  const std::vector<Door> some = {{1, 2}, {3, 4}, {5, 6}};
  const auto doors = writer.AddArray<Door>(some);
  REQUIRE(doors);
  const auto second = writer.Add(House{2, {}, {}, 0});
  REQUIRE(second);
  writer.Set(*first, House{1, *doors, *second, 0});
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  return *bytes;
}

void CheckContent(const Blob& blob) {
  CHECK(blob.kind() == kDoors);
  CHECK(blob.version() == 7);
  CHECK(blob.Expect(kDoors, 7));
  const auto house = blob.First<House>();
  REQUIRE(house);
  CHECK((*house)->number == 1);
  const auto doors = blob.Get((*house)->doors);
  REQUIRE(doors);
  CHECK(std::ranges::equal(*doors, std::vector<Door>{{1, 2}, {3, 4}, {5, 6}}));
  const auto next = blob.Get((*house)->next);
  REQUIRE(next);
  CHECK((*next)->number == 2);
  CHECK((*next)->doors.count == 0);
}

// The error of damaged bytes, which lie at an address for blobs.
Error Complaint(const Bytes& bytes) {
  const auto blob = Blob::Open(bytes);
  REQUIRE(!blob);
  CHECK(blob.error().code == ErrorCode::kCorrupt);
  CHECK(std::string(blob.error().detail) != "");
  return blob.error();
}

TEST_CASE("a blob is read where it lies, and where it is moved to") {
  const Bytes bytes = Sound();
  CHECK(bytes.size() % kBlobAlignment == 0);
  const auto blob = Blob::Open(bytes);
  REQUIRE(blob);
  CheckContent(*blob);
  const Bytes moved = bytes;
  const auto again = Blob::Open(moved);
  REQUIRE(again);
  CHECK(again->bytes().data() != blob->bytes().data());
  CheckContent(*again);
}

TEST_CASE("the same calls give the same bytes") { CHECK(Sound() == Sound()); }

TEST_CASE("blobs one behind the other are a sequence") {
  BlobWriter empty(FourCharacters("NONE"), 1, 32);
  const auto none = empty.Finish();
  REQUIRE(none);
  CHECK(none->size() == sizeof(BlobHeader));
  Bytes all = Sound();
  const std::size_t first = all.size();
  all.insert(all.end(), none->begin(), none->end());
  const Bytes sound = Sound();
  all.insert(all.end(), sound.begin(), sound.end());

  BlobSequence sequence(all);
  auto blob = sequence.TakeNext();
  REQUIRE((blob && *blob));
  CheckContent(**blob);
  blob = sequence.TakeNext();
  REQUIRE((blob && *blob));
  CHECK((*blob)->kind() == FourCharacters("NONE"));
  CHECK(!(*blob)->First<House>());  // it has no content
  blob = sequence.TakeNext();
  REQUIRE((blob && *blob));
  CheckContent(**blob);
  blob = sequence.TakeNext();
  REQUIRE(blob);
  CHECK(!*blob);

  // An error has the place in the sequence, and the sequence stays there.
  all[first + sizeof(BlobHeader)] = std::byte{0};
  BlobSequence damaged(all);
  CHECK(damaged.TakeNext());
  CHECK(damaged.TakeNext());
  for (int i = 0; i < 2; ++i) {
    const auto wrong = damaged.TakeNext();
    REQUIRE(!wrong);
    CHECK(wrong.error().amount == static_cast<std::int64_t>(first + sizeof(BlobHeader)));
    CHECK(damaged.place() == first + sizeof(BlobHeader));
  }
}

TEST_CASE("a blob with any byte changed is refused") {
  const Bytes sound = Sound();
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (const unsigned change : {0x01u, 0x80u, 0xffu}) {
      Bytes bytes = sound;
      bytes[i] ^= static_cast<std::byte>(change);
      const Error error = Complaint(bytes);
      // Of a field of the header the place is that of the field, or of the checksum over it.
      const auto place = static_cast<std::size_t>(error.amount);
      CHECK((place <= sizeof(BlobHeader) || place == sound.size()));
      if (i < 8) CHECK(place == 0);
    }
  }
}

TEST_CASE("a blob that is cut off anywhere is refused, with the place where it ends") {
  const Bytes sound = Sound();
  for (std::size_t size = 0; size < sound.size(); ++size) {
    const Bytes bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(Complaint(bytes).amount == static_cast<std::int64_t>(size));
  }
}

TEST_CASE("what follows a blob is left alone") {
  Bytes bytes = Sound();
  const std::size_t size = bytes.size();
  bytes.resize(size + 5, std::byte{1});
  const auto blob = Blob::Open(bytes);
  REQUIRE(blob);
  CHECK(blob->bytes().size() == size);
}

TEST_CASE("a blob does not lie just anywhere") {
  Bytes bytes = Sound();
  bytes.insert(bytes.begin(), 8, std::byte{0});
  const auto blob = Blob::Open(std::span(bytes).subspan(8));
  REQUIRE(!blob);
  CHECK(blob.error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("an offset that leads out of the content is refused") {
  const Bytes bytes = Sound();
  const auto blob = Blob::Open(bytes);
  REQUIRE(blob);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const auto refused = [&](std::uint32_t at) {
    const auto door = blob->Get(BlobOffset<Door>{at});
    if (!door) CHECK(door.error().amount == at);
    return !door;
  };
  CHECK(refused(0));  // the header
  CHECK(refused(28));
  CHECK(!refused(32));
  CHECK(refused(33));  // not where a Door may lie
  CHECK(!refused(size - 8));
  CHECK(refused(size - 4));
  CHECK(refused(size));
  CHECK(refused(~std::uint32_t{3}));
  CHECK(blob->Get(BlobArray<Door>{32, (size - 32) / 8}));
  CHECK(!blob->Get(BlobArray<Door>{32, (size - 32) / 8 + 1}));
  CHECK(!blob->Get(BlobArray<Door>{32, std::numeric_limits<std::uint32_t>::max()}));
  CHECK(blob->Get(BlobArray<Door>{size, 0}));
  CHECK(!blob->Get(BlobArray<Door>{size + 8, 0}));
}

TEST_CASE("another kind of content or another version of it is refused") {
  const Bytes bytes = Sound();
  const auto blob = Blob::Open(bytes);
  REQUIRE(blob);
  const auto kind = blob->Expect(FourCharacters("OTHR"), 7);
  REQUIRE(!kind);
  CHECK(kind.error().amount == 16);
  const auto version = blob->Expect(kDoors, 8);
  REQUIRE(!version);
  CHECK(version.error().amount == 20);
}

TEST_CASE("a writer has the room that it was given") {
  BlobWriter writer(kDoors, 1, 48);
  REQUIRE(writer.Add(Door{1, 2}));
  REQUIRE(writer.Add(Door{3, 4}));
  const auto more = writer.Add(std::uint8_t{1});
  REQUIRE(!more);
  CHECK(more.error() == Error{ErrorCode::kCapacity, "blob bytes", 48});
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  CHECK(bytes->size() == 48);
  const auto blob = Blob::Open(*bytes);
  REQUIRE(blob);
  CHECK(blob->Get(BlobOffset<Door>{40}));

  BlobWriter small(kDoors, 1, 31);
  CHECK(!small.Finish());
}

TEST_CASE("a kind has a name for people") {
  CHECK(NameOf(FourCharacters("EVTS")) == "EVTS");
  CHECK(NameOf(0x00410a42) == "B.A.");
}

TEST_CASE("what a writer has no room for leaves no trace in the blob") {
  const std::vector<Door> many(5, Door{9, 9});
  BlobWriter writer(kDoors, 1, 64);
  BlobWriter other(kDoors, 1, 64);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(writer.Add(std::uint8_t{1}));
    const auto refused = writer.AddArray<Door>(many);
    REQUIRE(!refused);
    CHECK(refused.error() == Error{ErrorCode::kCapacity, "blob bytes", 64});
    REQUIRE(other.Add(std::uint8_t{1}));
  }
  const auto next = writer.Add(std::uint8_t{2});
  REQUIRE(next);
  CHECK(next->at == 34);
  REQUIRE(other.Add(std::uint8_t{2}));
  CHECK(*writer.Finish() == *other.Finish());
}

TEST_CASE("a blob whose end has no room is not finished, however often") {
  // The content ends at 44, and a blob at a multiple of 16.
  BlobWriter writer(kDoors, 1, 47);
  REQUIRE(writer.Add(Door{1, 2}));
  for (int i = 0; i < 2; ++i) {
    const auto bytes = writer.Finish();
    REQUIRE(!bytes);
    CHECK(bytes.error() == Error{ErrorCode::kCapacity, "blob bytes", 47});
  }
  CHECK(writer.Add(std::uint32_t{3})->at == 40);
}

TEST_CASE("a writer that has given its blob away begins the next one anew") {
  BlobWriter writer(kDoors, 7, 4096);
  REQUIRE(writer.AddArray<Door>(std::vector<Door>(20, Door{9, 9})));
  REQUIRE(writer.Finish());
  const auto door = writer.Add(Door{1, 2});
  REQUIRE(door);
  CHECK(door->at == sizeof(BlobHeader));
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  CHECK(bytes->size() == 48);
  const auto blob = Blob::Open(*bytes);
  REQUIRE(blob);
  CHECK(blob->Expect(kDoors, 7));
  CHECK(**blob->First<Door>() == Door{1, 2});
  CHECK(writer.Finish()->size() == sizeof(BlobHeader));
}

TEST_CASE("between two objects, and behind the last one, there are zeros") {
  BlobWriter writer(kDoors, 1, 4096);
  REQUIRE(writer.Add(std::uint8_t{0xff}));
  REQUIRE(writer.Add(std::uint64_t{~std::uint64_t{0}}));
  REQUIRE(writer.Add(std::uint8_t{0xff}));
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  REQUIRE(bytes->size() == 64);
  for (std::size_t i = 32; i < 64; ++i) {
    const bool is_object = i == 32 || (i >= 40 && i <= 48);
    CHECK((*bytes)[i] == (is_object ? std::byte{0xff} : std::byte{0}));
  }
}

TEST_CASE("an array without items has a place, and is read as one") {
  BlobWriter writer(kDoors, 1, 32);
  const auto none = writer.AddArray<Door>({});
  REQUIRE(none);
  CHECK(none->count == 0);
  const auto bytes = writer.Finish();
  REQUIRE(bytes);
  const auto blob = Blob::Open(*bytes);
  REQUIRE(blob);
  REQUIRE(blob->Get(*none));
  CHECK(blob->Get(*none)->empty());
}

TEST_CASE("a sequence that ends within a header says so, at its end") {
  Bytes all = Sound();
  const std::size_t first = all.size();
  all.resize(first + 16);
  BlobSequence sequence(all);
  REQUIRE(*sequence.TakeNext());
  CHECK(sequence.place() == first);
  const auto cut = sequence.TakeNext();
  REQUIRE(!cut);
  CHECK(cut.error().code == ErrorCode::kCorrupt);
  CHECK(cut.error().amount == static_cast<std::int64_t>(all.size()));
}

}  // namespace
}  // namespace nowait
