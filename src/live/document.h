// LiveDocument: what a program serves beside the viewer's page, such as the pages of its proofs.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_LIVE_DOCUMENT_H_
#define NOWAIT_SRC_LIVE_DOCUMENT_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nowait {

struct LiveDocument {
  std::string type;  // of its content, as HTTP names it
  std::string text;
};

// Finds the document at a path ("/proofs"), or nothing. The path is what a client has sent: any
// bytes. Called on the viewers' thread, for requests with the right token, host and origin.
using LiveDocuments = std::function<std::optional<LiveDocument>(std::string_view path)>;

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_DOCUMENT_H_
