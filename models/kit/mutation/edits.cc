#include "models/kit/mutation/edits.h"

#include <cstring>

namespace nowait::model {
namespace {

// Each translation unit's object file has its own copy of a header's name.
bool Same(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

}  // namespace

void Edits::Set(const Site& site, OperationKind kind, std::memory_order order, Edit edit) {
  for (Entry& entry : entries_) {
    if (entry.kind == kind && entry.order == order && Same(entry.site, site)) {
      entry.edit = edit;
      return;
    }
  }
  entries_.push_back({site, kind, order, edit});
}

const Edit* Edits::Find(const Site& site, OperationKind kind, std::memory_order order) const {
  for (const Entry& entry : entries_) {
    if (entry.kind == kind && entry.order == order && Same(entry.site, site)) return &entry.edit;
  }
  return others_ ? &*others_ : nullptr;
}

}  // namespace nowait::model
