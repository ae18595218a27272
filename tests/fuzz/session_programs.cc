// A session's bytes from outside. The first byte chooses: a log, as it is or with the right
// checksums; or the body of a request. Refused with one line, or whole.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "src/apps/session/edit_log.h"
#include "src/apps/session/session.h"
#include "src/resource/document_text.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void CheckLog(std::string_view bytes) {
  const auto content = ReadLog(bytes);
  if (!content) {
    fuzz::PromiseOneLine(ToString(content.error()));
    fuzz::Promise(content.error().code == ErrorCode::kCorrupt, "a wrong log comes from outside");
    return;
  }
  fuzz::Promise(content->whole <= bytes.size(), "what is whole is a part");
  const auto again = ReadLog(bytes.substr(0, content->whole));
  fuzz::Promise(again && again->whole == content->whole && again->texts == content->texts,
                "the whole part alone has the same records");
  for (const std::string& text : content->texts) {
    fuzz::Promise(!text.empty(), "a record has a text");
    const auto revision = RevisionOf(text);
    if (!revision) {
      fuzz::PromiseOneLine(ToString(revision.error()));
      continue;
    }
    const auto back = RevisionOf(RecordOf(*revision));
    fuzz::Promise(
        back && back->author == revision->author && Same(back->document, revision->document),
        "a revision is read as it was written");
  }
}

// Texts stand behind each other, each ends with a NUL.
std::string LogOf(std::string_view bytes) {
  std::string log(EditLog::kMark);
  while (!bytes.empty()) {
    const std::string_view text = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(text.size() + (text.size() < bytes.size() ? 1 : 0));
    const auto checksum = [](const void* begin, std::size_t size) {
      return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(begin), size));
    };
    std::uint32_t head[3] = {static_cast<std::uint32_t>(text.size()),
                             checksum(text.data(), text.size()), 0};
    head[2] = checksum(head, 8);
    log.append(reinterpret_cast<const char*>(head), sizeof head).append(text);
  }
  return log;
}

void CheckBody(std::string_view bytes) {
  const auto edit = EditOf(bytes);
  if (!edit) return fuzz::PromiseOneLine(ToString(edit.error()));
  const auto again = EditOf("{\"base\":" + std::to_string(edit->base) + "," +
                            RecordOf({edit->author, edit->document}).substr(1));
  fuzz::Promise(again && again->base == edit->base && again->author == edit->author &&
                    Same(again->document, edit->document),
                "an edit is read as it was written");
}

void Check(std::string_view bytes) {
  if (bytes.empty()) return;
  const char choice = bytes[0];
  bytes.remove_prefix(1);
  if (choice == 'b') return CheckBody(bytes);
  if (choice == 'l') return CheckLog(bytes);
  CheckLog(LogOf(bytes));
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nowait::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
