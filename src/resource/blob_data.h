// BlobData: the types whose objects may lie in a blob or in a stream of events, as their bytes.
//
//   struct Door { std::uint32_t room; std::uint32_t next_room; };   // may
//   struct Named { std::string name; };                             // may not: has an address
//   struct Open { std::uint8_t open; std::uint64_t since; };        // may not: has padding
//
// Such a type is trivially copyable, has no pointer or reference (which the compiler does not
// check), accepts every bit pattern, and has no padding: equal values have equal bytes, and no byte
// is left uninitialised. A `bool`, or an `enum` that is not checked, therefore does not belong in
// one.
//
// Names of kinds are four characters, so that a person finds them in a dump.
//
// Source: [bitsquid2010], "The Blob and I".
#ifndef NOWAIT_SRC_RESOURCE_BLOB_DATA_H_
#define NOWAIT_SRC_RESOURCE_BLOB_DATA_H_

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

namespace nowait {

static_assert(std::endian::native == std::endian::little, "blobs lie as they are: little-endian");

// Objects in a blob are aligned to their alignment, which is at most this.
inline constexpr std::uint32_t kBlobAlignment = 16;

// Whether every byte of a T belongs to its value. The compiler's own answer is no for a struct with
// floats. Of such a struct the bytes of T{} are a constant expression only where each has a value:
// a byte of padding has no value, and `signed char`, unlike `unsigned char`, may not take such a
// byte ([bit.cast]).
template <class T>
concept HasNoPadding = std::has_unique_object_representations_v<T> || requires {
  typename std::bool_constant<(
      static_cast<void>(std::bit_cast<std::array<signed char, sizeof(T)>>(T{})), true)>;
};

template <class T>
concept BlobData =
    std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && !std::is_pointer_v<T> &&
    !std::is_same_v<T, bool> && HasNoPadding<T> && alignof(T) <= kBlobAlignment;

// "EVTS" as a number whose bytes in memory are these characters.
constexpr std::uint32_t FourCharacters(const char (&name)[5]) {
  std::uint32_t number = 0;
  for (int i = 3; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(name[i]);
  return number;
}

// For display: the four characters, with a dot for each that cannot be printed.
inline std::string NameOf(std::uint32_t four_characters) {
  std::string name;
  for (int shift = 0; shift < 32; shift += 8) {
    const char c = static_cast<char>(four_characters >> shift);
    name += c > ' ' && c <= '~' ? c : '.';
  }
  return name;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_BLOB_DATA_H_
