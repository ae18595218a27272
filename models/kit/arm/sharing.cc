#include "models/kit/arm/sharing.h"

#include <cstdio>

namespace nowait::arm {

Sharing::Met Sharing::At(std::uint64_t address, unsigned size) const {
  Met met;
  for (std::uint64_t byte = address; byte < address + size; ++byte) {
    const auto found = owner_.find(byte);
    if (found == owner_.end()) continue;
    met.shared = true;
    if (found->second == address && locations_.at(address) == size) continue;
    char text[120];
    std::snprintf(text, sizeof text,
                  "%u bytes at 0x%llx overlap a shared location of %u bytes at 0x%llx", size,
                  static_cast<unsigned long long>(address), locations_.at(found->second),
                  static_cast<unsigned long long>(found->second));
    met.problem = text;
    break;
  }
  return met;
}

void Sharing::NoteAccess(std::size_t thread, std::uint64_t address, unsigned size, bool writes) {
  for (std::uint64_t byte = address; byte < address + size; ++byte) {
    Use& use = uses_[byte];
    if (use.threads.empty()) {
      use.address = address;
      use.size = size;
    }
    use.threads.insert(thread);
    use.written = use.written || writes;
  }
}

void Sharing::NoteValue(std::size_t thread, std::uint64_t address, std::uint64_t value) {
  const bool added = written_[address][thread].insert(value).second;
  if (added && locations_.contains(address)) news_ = true;
}

bool Sharing::Update() {
  for (const auto& [byte, use] : uses_) {
    if (use.threads.size() < 2 || !use.written || owner_.contains(byte)) continue;
    locations_[use.address] = use.size;
    for (std::uint64_t of = use.address; of < use.address + use.size; ++of) {
      owner_[of] = use.address;
    }
    news_ = true;
  }
  const bool news = news_;
  news_ = false;
  return news;
}

std::set<std::uint64_t> Sharing::ValuesFor(std::size_t thread, std::uint64_t address) const {
  std::set<std::uint64_t> values;
  const auto found = written_.find(address);
  if (found == written_.end()) return values;
  for (const auto& [writer, written] : found->second) {
    if (writer != thread) values.insert(written.begin(), written.end());
  }
  return values;
}

}  // namespace nowait::arm
