#include "models/kit/site_table.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace nowait::model {

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
