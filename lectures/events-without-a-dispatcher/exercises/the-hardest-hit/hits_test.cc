// Streams of physics events, among events that the consumer has never heard of.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lectures/judge.h"

namespace nowait {
namespace {

// Words, so that the stream is aligned; zeros behind it, so that reading on does no harm here.
class Bytes {
 public:
  template <class T>
  Bytes& Add(const T& event, std::uint32_t type = T::kType) {
    std::byte* const at = reinterpret_cast<std::byte*>(words_.data()) + size_;
    const EventHeader header{type, sizeof event};
    std::memcpy(at, &header, sizeof header);
    std::memcpy(at + sizeof header, &event, sizeof event);
    size_ += BytesInStream(sizeof event);
    return *this;
  }
  std::span<const std::byte> Cut(std::size_t off) const {
    return {reinterpret_cast<const std::byte*>(words_.data()), size_ - off};
  }
  operator std::span<const std::byte>() const { return Cut(0); }

 private:
  std::array<std::uint64_t, 512> words_{};
  std::size_t size_ = 0;
};

struct Noise {
  static constexpr std::uint32_t kType = FourCharacters("Nois");
  std::array<std::uint8_t, 3> loudness;
};
struct Speech {
  static constexpr std::uint32_t kType = FourCharacters("Spch");
  std::array<std::uint64_t, 11> words;
};

BodyId Body(std::uint32_t slot, std::uint32_t generation = 1) {
  return BodyId(1, slot, generation);
}
ContactBegan Hit(BodyId a, BodyId b, float speed) { return {a, b, {}, {0, 1, 0}, speed, 0}; }

// Whether the bodies have these speeds, and no others are there.
bool Are(std::span<const std::byte> bytes, const std::vector<HardestHit>& expected) {
  const auto hits = HardestHits(bytes);
  if (!hits || hits->size() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if ((*hits)[i].body != expected[i].body || (*hits)[i].speed != expected[i].speed) return false;
  }
  return true;
}

int Main() {
  Judge judge;
  const BodyId floor = Body(0);
  const BodyId ball = Body(1);
  Bytes alone;
  alone.Add(Hit(floor, ball, 2)).Add(Hit(floor, ball, 5)).Add(Hit(floor, ball, 3));
  judge.Ask(Are(alone, {{floor, 5}, {ball, 5}}), "the hardest of several hits");
  Bytes others;
  others.Add(Noise{}).Add(Hit(floor, ball, 2)).Add(Speech{}).Add(BodyWoke{ball});
  others.Add(Hit(floor, Body(2), 7)).Add(Noise{}).Add(Hit(floor, ball, 3));
  judge.Ask(Are(others, {{floor, 7}, {ball, 3}, {Body(2), 7}}),
            "the events behind one of another type count");
  Bytes wrong;
  wrong.Add(Speech{}, ContactBegan::kType).Add(Noise{}, ContactBegan::kType);
  wrong.Add(Hit(floor, ball, 4));
  judge.Ask(Are(wrong, {{floor, 4}, {ball, 4}}), "an event of another size is no contact");
  Bytes successor;
  successor.Add(Hit(floor, Body(1, 1), 9)).Add(Hit(floor, Body(1, 2), 1));
  judge.Ask(Are(successor, {{floor, 9}, {Body(1, 1), 9}, {Body(1, 2), 1}}),
            "a body and its successor are two");
  Bytes parting;
  parting.Add(Hit(floor, ball, -2)).Add(Hit(floor, ball, -1));
  judge.Ask(Are(parting, {{floor, -1}, {ball, -1}}), "bodies that part have a negative speed");
  judge.Ask(!HardestHits(alone.Cut(8)) && !HardestHits(others.Cut(others.Cut(0).size() - 4)),
            "bytes that end within an event are refused");
  judge.Ask(Are(std::span<const std::byte>(), {}), "no events, no hits");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
