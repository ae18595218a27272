// Key and KeyReader: what a person asks for, from the bytes that a terminal sends.
//
//   q, Ctrl-D        the end             arrows   turn round the middle
//   space            stand, and go on    +, -     closer, and farther away
//   s                one frame           t, w     throw a ball; wake what is in the middle
//   x                through bodies
//
// Thread safety: one thread at a time.
// Source: ECMA-48 for the arrows (CSI A .. D), as a terminal sends them in either of its modes.
#ifndef NOWAIT_SRC_APPS_TERMINAL_KEYS_H_
#define NOWAIT_SRC_APPS_TERMINAL_KEYS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nowait {

enum class Key : std::uint8_t {
  kQuit,
  kPause,
  kStep,
  kLeft,
  kRight,
  kUp,
  kDown,
  kCloser,
  kFarther,
  kThrow,
  kWake,
  kThrough,
};

class KeyReader {
 public:
  // The keys of these bytes, and of those before them that were not a whole key yet. Bytes that are
  // no key are left out. An empty text means that a while has passed without a byte; a sequence
  // that has begun is the key Escape then.
  std::vector<Key> Read(std::string_view bytes);

 private:
  std::string begun_;  // of an escape sequence
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_KEYS_H_
