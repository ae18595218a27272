// The keys of a terminal's bytes.
#include "src/apps/terminal/keys.h"

#include <catch2/catch.hpp>
#include <vector>

namespace nowait {
namespace {

using Keys = std::vector<Key>;

TEST_CASE("letters are keys, and other bytes are left out") {
  KeyReader reader;
  CHECK(reader.Read("q t\x04w") ==
        Keys{Key::kQuit, Key::kPause, Key::kThrow, Key::kQuit, Key::kWake});
  CHECK(reader.Read("sx+=-") ==
        Keys{Key::kStep, Key::kThrough, Key::kCloser, Key::kCloser, Key::kFarther});
  CHECK(reader.Read("aQ\xff\n").empty());
  CHECK(reader.Read("").empty());
}

TEST_CASE("arrows come in both modes of a terminal, whole or in pieces") {
  KeyReader reader;
  CHECK(reader.Read("\x1b[A\x1b[B\x1b[C\x1b[D") ==
        Keys{Key::kUp, Key::kDown, Key::kRight, Key::kLeft});
  CHECK(reader.Read("\x1bOA\x1bOD") == Keys{Key::kUp, Key::kLeft});
  CHECK(reader.Read("t\x1b") == Keys{Key::kThrow});
  CHECK(reader.Read("[").empty());
  CHECK(reader.Read("Ct") == Keys{Key::kRight, Key::kThrow});
}

TEST_CASE("other sequences are left out as a whole") {
  KeyReader reader;
  CHECK(reader.Read("\x1b[3~q") == Keys{Key::kQuit});                 // delete
  CHECK(reader.Read("\x1b[1;5Cs") == Keys{Key::kRight, Key::kStep});  // an arrow with control
  CHECK(reader.Read("\x1b[200~") == Keys{});
  CHECK(reader.Read("\x1bqt") == Keys{Key::kThrow});  // with Alt
  CHECK(reader.Read("\x1b\x1b[A") == Keys{Key::kUp});
  CHECK(reader.Read("\x1b").empty());
  CHECK(reader.Read("").empty());  // a while without bytes: it was Escape
  CHECK(reader.Read("q") == Keys{Key::kQuit});
}

}  // namespace
}  // namespace nowait
