// SiteTable: the source operations that a model has executed, with their orders and counts.
//
// A memory order that no scenario executes is not checked at all. The table is therefore part of a
// model's report (`--sites`, and the JSON report).
#ifndef NOWAIT_MODELS_KIT_PROGRAM_SITE_TABLE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_SITE_TABLE_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/kit/program/operation.h"

namespace nowait::model {

struct SiteRecord {
  Site site;
  OperationKind kind;
  std::memory_order order;    // on success, for a compare-exchange
  std::memory_order failure;  // compare-exchange only
  std::uint64_t hits;
};

class SiteTable {
 public:
  SiteTable() = default;
  SiteTable(const SiteTable&) = delete;
  SiteTable& operator=(const SiteTable&) = delete;

  void Hit(const Site& site, OperationKind kind, std::memory_order order,
           std::memory_order failure) {
    // With g++ and clang a site is one pointer, to the compiler's record of the location.
    const auto place = std::bit_cast<std::uintptr_t>(site);
    Recent& recent = recent_[(place * kSpread) >> (64 - kRecentBits)];
    if (recent.place != place || recent.kind != kind || recent.order != order) {
      recent = {place, kind, order, &Find(site, kind, order, failure)};
    }
    ++recent.record->hits;
  }

  // Adds the counts of a record from another table.
  void Add(const SiteRecord& record) {
    Find(record.site, record.kind, record.order, record.failure).hits += record.hits;
  }

  // Sorted by file, line, column, kind and order. Records of one site in a header that several
  // object files contain are added up.
  std::vector<SiteRecord> Sorted() const;

 private:
  struct Key {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
    OperationKind kind;
    std::memory_order order;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (std::size_t{key.line} * 131 + key.column) * 32 + static_cast<std::size_t>(key.kind);
    }
  };

  // A cache in front of the table: the record last found for each source location, unless another
  // location has displaced it. An operation finds its record thousands of times in a row.
  struct Recent {
    std::uintptr_t place = 1;  // no source location has this address
    OperationKind kind = OperationKind::kLoad;
    std::memory_order order = std::memory_order::relaxed;
    SiteRecord* record = nullptr;
  };
  static constexpr int kRecentBits = 8;
  static constexpr std::uintptr_t kSpread = 0x9e3779b97f4a7c15;  // Fibonacci hashing (Knuth)

  SiteRecord& Find(const Site& site, OperationKind kind, std::memory_order order,
                   std::memory_order failure);

  std::unordered_map<Key, SiteRecord, Hash> records_;
  std::array<Recent, std::size_t{1} << kRecentBits> recent_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_SITE_TABLE_H_
