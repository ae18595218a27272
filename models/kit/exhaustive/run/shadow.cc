#include "models/kit/exhaustive/run/shadow.h"

#include <algorithm>
#include <utility>

namespace nowait::model {

Shadow::Shadow() : granules_(1024), cells_(1) {}

void Shadow::Clear() {
  used_ = 0;
  ++execution_;
  cells_.resize(1);
}

std::optional<Shadow::Earlier> Shadow::Add(const PlainAccess& access, const Epoch& now,
                                           const Clock& known) {
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  const std::uintptr_t end = begin + access.size;
  for (std::uintptr_t at = begin; at < end;) {
    const std::uintptr_t number = at / kGranule;
    const std::uintptr_t next = std::min(end, (number + 1) * kGranule);
    const unsigned bytes = ((1u << (next - at)) - 1) << (at % kGranule);
    if (const auto race = AddTo(number, static_cast<std::uint8_t>(bytes),
                                {now, access.writes, access.code}, known)) {
      return race;
    }
    at = next;
  }
  return std::nullopt;
}

std::optional<Shadow::Earlier> Shadow::AddTo(std::uintptr_t number, std::uint8_t bytes,
                                             const Earlier& access, const Clock& known) {
  Granule& granule = Find(number);
  std::uint32_t replaced = kNone;
  for (std::uint32_t i = granule.first; i != kNone; i = cells_[i].next) {
    const Cell& cell = cells_[i];
    const bool is_own = cell.access.epoch.thread == access.epoch.thread;
    if (is_own && cell.access.writes == access.writes && (cell.bytes & ~bytes) == 0) replaced = i;
    if ((cell.bytes & bytes) == 0 || (!cell.access.writes && !access.writes)) continue;
    if (!cell.access.epoch.IsBefore(access.epoch.thread, known)) return cell.access;
  }
  if (replaced != kNone) {
    cells_[replaced].access = access;
    cells_[replaced].bytes = bytes;
  } else {
    cells_.push_back(
        {access, bytes, std::exchange(granule.first, static_cast<std::uint32_t>(cells_.size()))});
  }
  return std::nullopt;
}

Shadow::Granule& Shadow::Find(std::uintptr_t number) {
  if (2 * used_ >= granules_.size()) Grow();
  const std::size_t mask = granules_.size() - 1;
  for (std::size_t i = (number * 0x9e3779b97f4a7c15u) >> 20;; ++i) {
    Granule& granule = granules_[i & mask];
    if (granule.execution != execution_) {
      granule = {number, execution_, kNone};
      ++used_;
      return granule;
    }
    if (granule.number == number) return granule;
  }
}

void Shadow::Grow() {
  const std::vector<Granule> old =
      std::exchange(granules_, std::vector<Granule>(2 * granules_.size()));
  used_ = 0;
  for (const Granule& granule : old) {
    if (granule.execution == execution_) Find(granule.number).first = granule.first;
  }
}

}  // namespace nowait::model
