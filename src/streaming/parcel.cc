#include "src/streaming/parcel.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/jobs/priority.h"
#include "src/profile/profile.h"
#include "src/resource/file.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_blob.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

// So that a query that has found a body can say where it is from.
std::uint64_t UserOf(const ParcelName& name) {
  return IsScene(name) ? std::uint64_t{1} << 32 | std::get<SceneNumber>(name).number : 0;
}

}  // namespace

Result<std::vector<std::byte>> ReadParcelFile(const std::string& path) {
  return ReadFile(path, std::max(TileBlob::kMostBytes, SceneBlob::kMostBytes));
}

Result<void> Parcel::Start(const ParcelName& name, const SceneSite& site, std::string path) {
  name_ = name;
  site_ = site;
  path_ = std::move(path);
  error_.clear();
  lacks_room_ = false;
  wanted_ = true;  // the disk does not have it yet
  file_bytes_ = 0;
  bodies_.clear();
  request_.emplace("read file", &Read, this);
  const auto read = def_.pool->AddRequest("disk", *request_);
  if (!read) return std::unexpected(read.error());
  const auto task = def_.pool->Add({.work = {&Make, this},
                                    .dependency = *read,
                                    .priority = static_cast<std::uint8_t>(Priority::kLow)});
  if (!task) {
    // Its request is still this thread's: it is cancelled before the disk can have it.
    const auto cancelled = def_.pool->Cancel(*read);
    NOWAIT_ASSERT(cancelled, "a task that is held can be cancelled");
    const auto submitted = def_.pool->Submit(*read);
    static_cast<void>(submitted);  // it is complete already
    return std::unexpected(task.error());
  }
  task_ = *task;
  auto submitted = def_.pool->Submit(*read);
  if (submitted) submitted = def_.pool->Submit(*task);
  NOWAIT_ASSERT(submitted, "the creator of a task may submit it");
  return {};
}

// A read that has begun goes on to its end, and its task is not worth stopping.
void Parcel::Cancel() {
  const ScopedLock lock(mutex_);
  wanted_ = false;
}

bool Parcel::IsWanted() {
  const ScopedLock lock(mutex_);
  return wanted_;
}

Result<void> Parcel::Read(void* data) {
  auto& parcel = *static_cast<Parcel*>(data);
  if (!parcel.IsWanted()) return Fail(ErrorCode::kWrongPhase, "load", 0, "let go");
  auto bytes = parcel.def_.read(parcel.path_);
  if (!bytes) return std::unexpected(bytes.error());
  parcel.file_ = *std::move(bytes);
  return {};
}

void Parcel::Make(void* data) {
  auto& parcel = *static_cast<Parcel*>(data);
  const ProfileScope scope("load");
  Result<void> made = parcel.request_->answer();
  parcel.file_bytes_ = parcel.file_.size();
  if (made) made = parcel.MakeContents();
  if (made && parcel.def_.prepares) made = parcel.Prepare();
  parcel.file_ = {};
  if (!made) parcel.error_ = ToString(made.error());
}

Result<void> Parcel::MakeContents() {
  return OrNoMemory([&]() -> Result<void> {
    const auto file = std::make_shared<const std::vector<std::byte>>(std::move(file_));
    auto contents =
        IsScene(name_) ? ReadScene(*file, std::get<SceneNumber>(name_).number, site_, UserOf(name_))
                       : ReadTile(*file, file, std::get<TileCoord>(name_), UserOf(name_));
    if (!contents) return std::unexpected(contents.error());
    contents_ = *std::move(contents);
    return {};
  });
}

Result<void> Parcel::Prepare() {
  auto batch = def_.world->PrepareBatch(contents_.bodies);
  if (!batch) {
    lacks_room_ = batch.error().code == ErrorCode::kCapacity;
    return std::unexpected(batch.error());
  }
  batch_ = *std::move(batch);
  return {};
}

void Parcel::Discard() {
  const auto aborted = def_.world->AbortBatch(batch_);
  NOWAIT_ASSERT(aborted, "a batch is its own world's");
  contents_ = {};
}

bool Parcel::Enter(WaitTime& wait) {
  if (!def_.prepares) {
    if (const auto prepared = Prepare(); !prepared) {
      error_ = ToString(prepared.error());
      Discard();
      return false;
    }
  }
  auto bodies = def_.world->FinaliseBatch(batch_, wait);
  NOWAIT_ASSERT(bodies, "a prepared batch of this world can be finalised");
  bodies_ = *std::move(bodies);
  contents_.bodies = {};
  return true;
}

std::size_t Parcel::Leave(std::size_t most, WaitTime& wait) {
  const std::size_t count = std::min(most, bodies_.size());
  // From the back: the ground is the first.
  static_cast<void>(def_.world->RemoveBodies(std::span(bodies_).last(count), wait));
  bodies_.resize(bodies_.size() - count);
  return count;
}

}  // namespace nowait
