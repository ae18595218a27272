#include "models/kit/buffering/location_choices.h"

#include <algorithm>
#include <utility>

namespace nowait::model::buffering {
namespace {

class Search {
 public:
  Search(const std::vector<Access>& accesses, Word initial) : initial_(initial) {
    for (const Access& access : accesses) {
      if (access.event->Writes()) writes_.push_back(access);
      if (access.event->Reads()) reads_.push_back(access);
    }
  }

  std::vector<LocationChoice> All() {
    Arrange();
    return std::move(choices_);
  }

 private:
  static constexpr int kInitial = -1;  // the rank of the initial value

  Word ValueAt(int rank) const {
    return rank == kInitial ? initial_ : order_[static_cast<std::size_t>(rank)].event->written;
  }
  bool IsPlaced(const Access& write) const {
    return std::ranges::any_of(order_,
                               [&](const Access& placed) { return placed.number == write.number; });
  }

  // Every order of the writes that follows each thread's program order.
  void Arrange() {
    if (order_.size() == writes_.size()) {
      sources_.clear();
      ReadFrom();
      return;
    }
    for (const Access& write : writes_) {
      if (IsPlaced(write)) continue;
      const bool waits = std::ranges::any_of(writes_, [&](const Access& other) {
        return other.thread == write.thread && other.place < write.place && !IsPlaced(other);
      });
      const bool fits = write.event->kind != Event::Kind::kUpdate ||
                        write.event->read == ValueAt(static_cast<int>(order_.size()) - 1);
      if (waits || !fits) continue;
      order_.push_back(write);
      Arrange();
      order_.pop_back();
    }
  }

  void ReadFrom() {
    if (sources_.size() == reads_.size()) return Keep();
    const Access& read = reads_[sources_.size()];
    for (int source = kInitial; source < static_cast<int>(order_.size()); ++source) {
      if (ValueAt(source) != read.event->read || !IsCoherent(read, source)) continue;
      sources_.push_back(source);
      ReadFrom();
      sources_.pop_back();
    }
  }

  // Against its thread's writes and its earlier reads.
  bool IsCoherent(const Access& read, int source) const {
    for (int rank = 0; rank < static_cast<int>(order_.size()); ++rank) {
      const Access& write = order_[static_cast<std::size_t>(rank)];
      if (write.number == read.number) {
        if (source != rank - 1) return false;
      } else if (write.thread == read.thread) {
        if (write.place < read.place ? rank > source : rank <= source) return false;
      }
    }
    for (std::size_t other = 0; other < sources_.size(); ++other) {
      if (reads_[other].thread == read.thread && sources_[other] > source) return false;
    }
    return true;
  }

  void Keep() {
    LocationChoice& choice = choices_.emplace_back();
    for (const Access& write : order_) choice.writes.push_back(write.number);
    for (std::size_t read = 0; read < reads_.size(); ++read) {
      const int source = sources_[read];
      choice.sources.push_back(
          {reads_[read].number, source == kInitial
                                    ? LocationChoice::kInitial
                                    : order_[static_cast<std::size_t>(source)].number});
    }
  }

  const Word initial_;
  std::vector<Access> reads_, writes_;
  std::vector<Access> order_;  // of the writes that are placed
  std::vector<int> sources_;   // of the reads that have one: the ranks
  std::vector<LocationChoice> choices_;
};

}  // namespace

std::vector<LocationChoice> ChoicesOf(const std::vector<Access>& accesses, Word initial) {
  return Search(accesses, initial).All();
}

}  // namespace nowait::model::buffering
