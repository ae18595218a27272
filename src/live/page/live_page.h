// LivePageOf: the viewer as one HTML file, for a running program or with a recording in it.
//
// The page is a template (page.html, page.css and the modules *.js, assembled when this library is
// built). Its security policy allows its own script and style, the connections that it is given,
// and the server's documents (src/live/document.h) in a frame. With a recording in it, the page
// works from a disk and without a network.
//
// Thread safety: the functions have no state. Test: tests/apps/player/page_test.py,
// tests/apps/player.
#ifndef NOWAIT_SRC_LIVE_PAGE_LIVE_PAGE_H_
#define NOWAIT_SRC_LIVE_PAGE_LIVE_PAGE_H_

#include <cstddef>
#include <span>
#include <string>

#include "src/base/result.h"

namespace nowait {

struct LivePageParts {
  std::string title = {};
  // Sources of connect-src and of frame-src in the page's policy: "ws://127.0.0.1:8000".
  std::string connect = "'none'";
  std::string frame = "'none'";
  std::string recording = {};  // from PackRecording; empty: the page connects to its origin
  std::string text = {};       // for a reader without JavaScript
};

// Throws std::bad_alloc.
std::string LivePageOf(const LivePageParts& parts);

// The bytes of a recording (src/live/recording.h), deflated, in base 64. kCapacity "memory".
Result<std::string> PackRecording(std::span<const std::byte> bytes);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_PAGE_LIVE_PAGE_H_
