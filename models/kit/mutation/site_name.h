// Names of a structure's atomic operations, for readers and for files that must survive changes of
// line numbers:
//
//   union_find.h:Union:compare-exchange        file, function, operation
//   insert.h:PutInSlot:store#2                 the second store of that function
//
// A name changes if its function is renamed or if the function gains or loses such operations. A
// note about it has to be read again in that case anyway.
#ifndef NOWAIT_MODELS_KIT_MUTATION_SITE_NAME_H_
#define NOWAIT_MODELS_KIT_MUTATION_SITE_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "models/kit/program/site_table.h"

namespace nowait::model {

struct NamedSite {
  std::string name;
  SiteRecord record;
};

// The function's name in a source_location::function_name of either compiler: "Union" in "void
// nowait::UnionFind<Sync>::Union(uint32_t, uint32_t) [with Sync = ...]".
std::string FunctionName(std::string_view signature);

// Whether a source_location's file is `path`, as written from the workspace root.
bool IsFile(std::string_view file, std::string_view path);

// The visited sites of these files, ordered by file, line and column.
std::vector<NamedSite> NameSites(const SiteTable& sites, const std::vector<std::string>& sources);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_SITE_NAME_H_
