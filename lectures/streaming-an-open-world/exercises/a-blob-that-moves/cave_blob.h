// CaveBlob: the rooms of a cave as a blob, and the doors that lead from one to another.
//
//   CaveHeader    where the rooms are, and the doors
//   rooms         each has a run of doors
//   doors         each leads to a room
//
// Thread safety: a view of bytes that others own.
// Errors: a cave comes from outside. kCorrupt "blob" (src/resource/blob.h), or "door" with its
// number.
#ifndef NOWAIT_LECTURES_A_BLOB_THAT_MOVES_CAVE_BLOB_H_
#define NOWAIT_LECTURES_A_BLOB_THAT_MOVES_CAVE_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kCaveKind = FourCharacters("CAVE");
inline constexpr std::uint32_t kCaveVersion = 1;

struct Door {
  std::uint64_t to = 0;  // the offset of its room in the blob; behind Open, the room's address
};
static_assert(BlobData<Door>);

struct Room {
  std::uint32_t first = 0;  // its first door
  std::uint32_t doors = 0;
  std::uint64_t gold = 0;
};
static_assert(BlobData<Room>);

struct CaveHeader {
  BlobArray<Room> rooms;
  BlobArray<Door> doors;
};
static_assert(BlobData<CaveHeader>);

class CaveBlob {
 public:
  // The cave at the beginning of `bytes`.
  static Result<CaveBlob> Open(std::span<std::byte> bytes) {
    const auto blob = Blob::Open(bytes);
    if (!blob) return std::unexpected(blob.error());
    if (auto kind = blob->Expect(kCaveKind, kCaveVersion); !kind) {
      return std::unexpected(kind.error());
    }
    const auto header = blob->First<CaveHeader>();
    if (!header) return std::unexpected(header.error());
    const auto rooms = blob->Get((*header)->rooms);
    if (!rooms) return std::unexpected(rooms.error());
    const auto doors = blob->Get((*header)->doors);
    if (!doors) return std::unexpected(doors.error());
    for (const Room& room : *rooms) {
      if (room.doors > doors->size() || room.first > doors->size() - room.doors) {
        return Wrong(room.first);
      }
    }
    for (std::size_t i = 0; i < doors->size(); ++i) {
      const std::uint64_t from = (*doors)[i].to - (*header)->rooms.at;
      if (from % sizeof(Room) != 0 || from / sizeof(Room) >= rooms->size()) return Wrong(i);
      const_cast<Door&>((*doors)[i]).to =
          reinterpret_cast<std::uint64_t>(bytes.data() + (*doors)[i].to);
    }
    return CaveBlob(*rooms, *doors);
  }

  std::span<const Room> rooms() const { return rooms_; }
  // These two check nothing: Open has.
  std::span<const Door> DoorsOf(const Room& room) const {
    return doors_.subspan(room.first, room.doors);
  }
  const Room& Through(const Door& door) const { return *reinterpret_cast<const Room*>(door.to); }

  // A cave whose room i has gold[i], and doors to the rooms doors[i].
  static Result<std::vector<std::byte>> Make(std::span<const std::uint64_t> gold,
                                             std::span<const std::vector<std::uint32_t>> doors) {
    std::vector<Room> rooms(gold.size());
    std::vector<Door> all;
    // The rooms lie behind the header, which has a whole number of alignments.
    constexpr std::uint64_t kRooms = sizeof(BlobHeader) + sizeof(CaveHeader);
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      rooms[i] = {static_cast<std::uint32_t>(all.size()),
                  static_cast<std::uint32_t>(doors[i].size()), gold[i]};
      for (const std::uint32_t to : doors[i]) all.push_back({kRooms + to * sizeof(Room)});
    }
    return Write(rooms, all);
  }
  // With these numbers, whatever they are.
  static Result<std::vector<std::byte>> Write(std::span<const Room> rooms,
                                              std::span<const Door> doors) {
    BlobWriter writer(kCaveKind, kCaveVersion, 1u << 20);
    CaveHeader header;
    const auto first = writer.Add(header);
    if (!first) return std::unexpected(first.error());
    const auto written = writer.AddArray<Room>(rooms);
    if (!written) return std::unexpected(written.error());
    const auto leading = writer.AddArray<Door>(doors);
    if (!leading) return std::unexpected(leading.error());
    header = {*written, *leading};
    writer.Set(*first, header);
    return writer.Finish();
  }

 private:
  CaveBlob(std::span<const Room> rooms, std::span<const Door> doors)
      : rooms_(rooms), doors_(doors) {}

  static std::unexpected<Error> Wrong(std::size_t number) {
    return Fail(ErrorCode::kCorrupt, "door", static_cast<std::int64_t>(number), "no such room");
  }

  std::span<const Room> rooms_;
  std::span<const Door> doors_;
};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_A_BLOB_THAT_MOVES_CAVE_BLOB_H_
