#include "src/apps/terminal/keys.h"

#include <optional>

namespace nowait {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kEndOfInput = '\x04';

std::optional<Key> KeyOf(char byte) {
  switch (byte) {
    case 'q':
    case kEndOfInput:
      return Key::kQuit;
    case ' ':
      return Key::kPause;
    case 's':
      return Key::kStep;
    case '+':
    case '=':  // the same key without shift
      return Key::kCloser;
    case '-':
      return Key::kFarther;
    case 't':
      return Key::kThrow;
    case 'w':
      return Key::kWake;
    case 'x':
      return Key::kThrough;
    default:
      return std::nullopt;
  }
}

std::optional<Key> ArrowOf(char final_byte) {
  switch (final_byte) {
    case 'A':
      return Key::kUp;
    case 'B':
      return Key::kDown;
    case 'C':
      return Key::kRight;
    case 'D':
      return Key::kLeft;
    default:
      return std::nullopt;
  }
}

bool IsFinal(char byte) { return byte >= '@' && byte <= '~'; }

}  // namespace

std::vector<Key> KeyReader::Read(std::string_view bytes) {
  std::vector<Key> keys;
  if (bytes.empty()) begun_.clear();
  const auto keep = [&keys](std::optional<Key> key) {
    if (key) keys.push_back(*key);
  };
  for (const char byte : bytes) {
    if (byte == kEscape) {
      begun_ = byte;
    } else if (begun_.size() == 1) {
      // "[" or "O" introduces a sequence; anything else is a key that was pressed with Alt.
      begun_ = byte == '[' || byte == 'O' ? begun_ + byte : std::string();
    } else if (!begun_.empty()) {
      if (!IsFinal(byte)) continue;  // a parameter
      keep(ArrowOf(byte));
      begun_.clear();
    } else {
      keep(KeyOf(byte));
    }
  }
  return keys;
}

}  // namespace nowait
