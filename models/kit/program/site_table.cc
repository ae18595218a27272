#include "models/kit/program/site_table.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace nowait::model {

SiteRecord& SiteTable::Find(const Site& site, OperationKind kind, std::memory_order order,
                            std::memory_order failure) {
  return records_
      .try_emplace({site.file_name(), site.line(), site.column(), kind, order},
                   SiteRecord{site, kind, order, failure, 0})
      .first->second;
}

std::vector<SiteRecord> SiteTable::Sorted() const {
  using Key =
      std::tuple<std::string, std::uint32_t, std::uint32_t, OperationKind, std::memory_order>;
  std::map<Key, SiteRecord> by_name;
  for (const auto& [key, record] : records_) {
    auto [entry, is_new] =
        by_name.try_emplace({key.file, key.line, key.column, key.kind, key.order}, record);
    if (!is_new) entry->second.hits += record.hits;
  }
  std::vector<SiteRecord> sorted;
  for (const auto& [key, record] : by_name) sorted.push_back(record);
  return sorted;
}

}  // namespace nowait::model
