// SiteTable: which operations of the source a model has executed, with their orders, how often.
//
// A memory order that no scenario executes is checked by nobody, so the table is part of what a
// model says about itself (`--sites`, and the JSON report).
#ifndef NOWAIT_MODELS_KIT_SITE_TABLE_H_
#define NOWAIT_MODELS_KIT_SITE_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/kit/operation.h"

namespace nowait::model {

struct SiteRecord {
  Site site;
  OperationKind kind;
  std::memory_order order;    // of a compare-exchange: on success
  std::memory_order failure;  // compare-exchange only
  std::uint64_t hits;
};

class SiteTable {
 public:
  void Hit(const Site& site, OperationKind kind, std::memory_order order,
           std::memory_order failure) {
    auto [entry, is_new] =
        records_.try_emplace({site.file_name(), site.line(), site.column(), kind, order},
                             SiteRecord{site, kind, order, failure, 0});
    ++entry->second.hits;
  }

  // By file, line, column, kind and order; the records of one site from several files' object code
  // (a header's) are added up.
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

  std::unordered_map<Key, SiteRecord, Hash> records_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SITE_TABLE_H_
