// ContactColours: the contacts of one island in groups, each of which many threads can solve.
//
// Contacts of one colour touch no body twice: solved in any order, or at once, they give the same
// bits. The order of the colours, and of the contacts without a colour, depends on the order of the
// contacts alone. An island that is solved in this order comes out the same with any number of
// threads.
//
// Greedy: each contact gets the first colour that neither of its bodies has yet. A body's colours
// are the bits of a word. A body with more contacts than colours, such as the hub of a wheel,
// leaves some contacts without a colour. A colour with few contacts is dropped, because it is worth
// neither SIMD lanes nor a synchronisation of all threads. All contacts without a colour are the
// rest, which one thread solves after the colours, one by one.
//
// Thread safety: one thread. O(contacts + bodies); keeps its arrays between calls.
//
// Source: the idea is that of Jolt Physics' LargeIslandSplitter and Box2D v3's graph colouring (E.
// Catto, "SIMD Matters", 2024). Bits of a word and the first free one are usual in register
// allocation. Lecture: the wide solver by colours.
#ifndef NOWAIT_SRC_ISLANDS_CONTACT_COLOURS_H_
#define NOWAIT_SRC_ISLANDS_CONTACT_COLOURS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace nowait {

// The bodies that a contact can move, numbered within the island.
struct ContactEnds {
  static constexpr std::uint32_t kFixed = ~std::uint32_t{0};
  std::uint32_t a = kFixed;
  std::uint32_t b = kFixed;
};

class ContactColours {
 public:
  // A colour with fewer contacts becomes part of the rest.
  static constexpr std::uint32_t kWorthAColour = 8;

  // bodies: the number of bodies in the island.
  void Assign(std::span<const ContactEnds> contacts, std::uint32_t bodies) {
    used_.assign(bodies, 0);
    colour_of_.resize(contacts.size());
    std::uint32_t sizes[kRest + 1] = {};
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto [a, b] = contacts[i];
      const std::uint64_t taken =
          (a == ContactEnds::kFixed ? 0 : used_[a]) | (b == ContactEnds::kFixed ? 0 : used_[b]);
      // If all bits are taken, this is the index of the rest.
      const auto colour = static_cast<std::uint32_t>(std::countr_one(taken));
      colour_of_[i] = static_cast<std::uint8_t>(colour);
      ++sizes[colour];
      if (colour == kRest) continue;
      if (a != ContactEnds::kFixed) used_[a] |= std::uint64_t{1} << colour;
      if (b != ContactEnds::kFixed) used_[b] |= std::uint64_t{1} << colour;
    }
    Order(sizes);
  }

  // Whether the contacts of each colour share no body, as Assign promises; for assertions and
  // tests. contacts: those of Assign. O(contacts + bodies).
  bool AreApart(std::span<const ContactEnds> contacts) {
    std::ranges::fill(used_, 0);
    for (std::uint32_t colour = 0; colour < count(); ++colour) {
      const std::uint64_t bit = std::uint64_t{1} << colour;
      for (const std::uint32_t i : (*this)[colour]) {
        for (const std::uint32_t body : {contacts[i].a, contacts[i].b}) {
          if (body == ContactEnds::kFixed) continue;
          if ((used_[body] & bit) != 0) return false;
          used_[body] |= bit;
        }
      }
    }
    return true;
  }

  // The number of colours, without the rest.
  std::uint32_t count() const { return static_cast<std::uint32_t>(starts_.size()) - 2; }
  // The positions in Assign's contacts, ascending: those of a colour, those of the rest.
  std::span<const std::uint32_t> operator[](std::uint32_t colour) const {
    return std::span(order_).subspan(starts_[colour], starts_[colour + 1] - starts_[colour]);
  }
  std::span<const std::uint32_t> rest() const { return (*this)[count()]; }
  // All positions: colour after colour, then the rest.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  static constexpr std::uint32_t kRest = 64;

  // A counting sort by colour; small colours count as the rest.
  void Order(std::span<const std::uint32_t> sizes) {
    std::uint32_t group_of[kRest + 1];
    starts_.assign(1, 0);
    for (std::uint32_t colour = 0; colour < kRest; ++colour) {
      if (sizes[colour] < kWorthAColour) continue;
      group_of[colour] = static_cast<std::uint32_t>(starts_.size()) - 1;
      starts_.push_back(starts_.back() + sizes[colour]);
    }
    const auto rest = static_cast<std::uint32_t>(starts_.size()) - 1;
    for (std::uint32_t colour = 0; colour <= kRest; ++colour) {
      if (colour == kRest || sizes[colour] < kWorthAColour) group_of[colour] = rest;
    }
    starts_.push_back(static_cast<std::uint32_t>(colour_of_.size()));
    next_.assign(starts_.begin(), starts_.end() - 1);
    order_.resize(colour_of_.size());
    for (std::uint32_t i = 0; i < colour_of_.size(); ++i) {
      order_[next_[group_of[colour_of_[i]]]++] = i;
    }
  }

  std::vector<std::uint64_t> used_;      // colours of its contacts, by body
  std::vector<std::uint8_t> colour_of_;  // by contact
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> starts_;  // of each colour in order_, of the rest, and the end
  std::vector<std::uint32_t> next_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_CONTACT_COLOURS_H_
