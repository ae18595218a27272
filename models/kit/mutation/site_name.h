// Names for the atomic operations of a structure, for people and for files that outlive a line
// number:
//
//   union_find.h:Union:compare-exchange        file, function, operation
//   insert.h:PutInSlot:store#2                 the second store of that function
//
// A name changes when its function or the number of such operations in it does. Then a note about
// it has to be read again anyway.
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

// "Union" of "void nowait::UnionFind<Sync>::Union(uint32_t, uint32_t) [with Sync = ...]": as
// source_location::function_name writes it, by either compiler.
std::string FunctionName(std::string_view signature);

// Whether a source_location's file is `path`, as written from the workspace root.
bool IsFile(std::string_view file, std::string_view path);

// The visited sites of these files in the order of file, line and column.
std::vector<NamedSite> NameSites(const SiteTable& sites, const std::vector<std::string>& sources);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_SITE_NAME_H_
