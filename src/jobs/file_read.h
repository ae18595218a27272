// FileRead: a file, or a range of one, to be read by a device's thread.
//
//   FileRead map("maps/valley.r16");
//   auto there = pool.AddRequest("disk", map.request());
//   if (!there) return std::unexpected(there.error());
//   auto build = pool.Add({.work = {&Build, &map}, .dependency = *there});
//   if (!build) return std::unexpected(build.error());
//   ...                                                   in Build:
//   const auto bytes = map.bytes();
//   if (!bytes) ... ToString(bytes.error())
//
// Thread safety, promise: as its DeviceRequest, whose owner has the path and the whole file: this
// may go when an abandoned read hangs. Errors of bytes(): those of src/resource/file.h, with a path
// that lives as long as this, and those of the request.
//
// Source: [cbloom2011], disk IO through a thread. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_FILE_READ_H_
#define NOWAIT_SRC_JOBS_FILE_READ_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"

namespace nowait {

class FileRead {
 public:
  // The whole file, into this object's own memory.
  explicit FileRead(std::string path);
  // As many bytes from `offset` on as `into` holds; `into` outlives the request, and for an
  // abandoned one the program.
  FileRead(std::string path, std::uint64_t offset, std::span<std::byte> into);

  DeviceRequest& request() { return request_; }
  const std::string& path() const { return state_->path; }

  // The bytes read, once the request's task is complete.
  Result<std::span<const std::byte>> bytes() const;

 private:
  struct State {
    const std::string path;
    const std::uint64_t offset = 0;
    const std::optional<std::span<std::byte>> into = {};  // without a value: the whole file
    std::vector<std::byte> own = {};
  };

  static Result<void> Serve(void* state);

  const std::shared_ptr<State> state_;
  DeviceRequest request_{"read file", &Serve, state_.get(), state_};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_FILE_READ_H_
