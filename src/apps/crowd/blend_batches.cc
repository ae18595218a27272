#include "src/apps/crowd/blend_batches.h"

#include <algorithm>

#include "src/animation/blend.h"
#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// An address that no other running thread has.
const void* Here() {
  struct Tag;
  return &EngineSync::PerThread<char, Tag>();
}

}  // namespace

BlendBatches::Batch::Batch(BlendBatches& all, std::uint32_t number, const Skeleton& skeleton)
    : owner(all),
      index(number),
      a(kBlends, Pose(skeleton)),
      b(a),
      out{a, a},
      job{[](void* data, int run) { static_cast<Batch*>(data)->Compute(run); },
          [](void* data, int run) { static_cast<Batch*>(data)->Commit(run); },
          [](void* data) {
            Batch& batch = *static_cast<Batch*>(data);
            batch.owner.free_.Return(batch.index);
          },
          this} {}

void BlendBatches::Batch::Compute(int run) {
  const ProfileScope piece("blend");
  const FloatModeScope mode;
  const BlendBatchesDef& def = owner.def_;
  if (def.begins != nullptr) def.begins(def.data, run, caller == Here());
  for (std::uint32_t i = 0; i < count; ++i) {
    Blend(a[i], b[i], weight[i], out[static_cast<std::size_t>(run)][i]);
  }
}

void BlendBatches::Batch::Commit(int run) {
  for (std::uint32_t i = 0; i < count; ++i) *to[i] = out[static_cast<std::size_t>(run)][i];
}

Result<std::unique_ptr<BlendBatches>> BlendBatches::Create(TaskPool& pool, const Skeleton& skeleton,
                                                           const BlendBatchesDef& def) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<BlendBatches>> {
    std::unique_ptr<BlendBatches> all(new BlendBatches(pool, def));
    for (std::uint32_t i = 0; i < def.batches; ++i) all->batches_.emplace_back(*all, i, skeleton);
    return all;
  });
}

// Whether there is a task for them now.
bool BlendBatches::Add(std::span<const BlendJob> blends, TaskId loop) {
  const std::uint32_t index = free_.Take();
  if (index == IndexPool<>::kNone) return false;
  Batch& batch = batches_[index];
  batch.count = static_cast<std::uint32_t>(blends.size());
  batch.caller = Here();
  for (std::uint32_t i = 0; i < batch.count; ++i) {
    batch.a[i] = *blends[i].a;
    batch.b[i] = *blends[i].b;
    batch.weight[i] = blends[i].weight;
    batch.to[i] = blends[i].out;
  }
  if (def_.idempotent) {
    if (pool_.AddIdempotent(batch.job, {.parent = loop})) return true;
  } else {
    const auto run = [](void* data) {
      Batch& own = *static_cast<Batch*>(data);
      own.Compute(0);
      own.Commit(0);
      own.job.release(data);
    };
    if (pool_.Add({.work = {run, &batch}, .parent = loop})) return true;
  }
  free_.Return(index);
  return false;
}

Result<void> BlendBatches::Run(std::span<const BlendJob> blends) {
  if (blends.empty()) return {};
  if (auto may = pool_.MayWait(); !may) return may;
  const auto loop = pool_.AddEmpty();
  if (!loop && loop.error().code != ErrorCode::kCapacity) return std::unexpected(loop.error());
  for (std::size_t at = 0; at < blends.size(); at += kBlends) {
    const auto some = blends.subspan(at, std::min<std::size_t>(kBlends, blends.size() - at));
    if (loop && Add(some, *loop)) continue;
    const FloatModeScope mode;
    for (const BlendJob& blend : some) Blend(*blend.a, *blend.b, blend.weight, *blend.out);
  }
  if (!loop) return {};
  return pool_.Wait(*loop);
}

}  // namespace nowait
