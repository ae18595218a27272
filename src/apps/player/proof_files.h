// ProofFiles: the counterexamples and the progress of a check, for the viewer's page.
//
//   ProofFiles files("out");
//   files.Find("/proofs")                        the list, as JSON (docs/live-wire.md, "Proofs")
//   files.Find("/proofs/gallery/NAME.html")      a page that ./nowait gallery has written
//   files.Find("/proofs/counterexamples/NAME.html")    one of a check that has failed
//
// The files are looked at anew for each request, so that the viewer sees a page when it is written.
// A path leads to a file directly in one of the two folders and nowhere else: a name has letters,
// digits and -_. alone, and does not begin with a dot. A link to a file is no file.
//
// Thread safety: const; any thread. Blocking: the file system. Find may throw std::bad_alloc.
// Complexity: the list is linear in the files of the folders, of which it opens at most kMostPages.
#ifndef NOWAIT_SRC_APPS_PLAYER_PROOF_FILES_H_
#define NOWAIT_SRC_APPS_PLAYER_PROOF_FILES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/live/document.h"

namespace nowait {

class ProofFiles {
 public:
  static constexpr std::size_t kMostPages = 256;  // of the list; it has the number of the others
  static constexpr std::int64_t kMostPageBytes = 64 << 20;
  static constexpr std::int64_t kMostProgressBytes = 64 << 10;

  // folder: has gallery/, counterexamples/ and check/progress.json, or will have them.
  explicit ProofFiles(std::string folder) : folder_(std::move(folder)) {}

  std::optional<LiveDocument> Find(std::string_view path) const;

 private:
  LiveDocument List() const;

  const std::string folder_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_PROOF_FILES_H_
