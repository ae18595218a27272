#include "models/kit/arm/sharing.h"

#include <bit>
#include <cstdio>

namespace nowait::arm {

Sharing::Met Sharing::At(std::uint64_t address, unsigned size) const {
  Met met;
  for (std::uint64_t byte = address; byte < address + size; ++byte) {
    const auto found = owner_.find(byte);
    if (found == owner_.end()) continue;
    met.shared = true;
    char text[120];
    if (found->second == address && locations_.at(address) == size) {
      if (address % size == 0) continue;
      std::snprintf(text, sizeof text, "%u bytes at 0x%llx are not aligned: no single access", size,
                    static_cast<unsigned long long>(address));
      met.problem = text;
      break;
    }
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
    if (use.threads == 0) {
      use.address = address;
      use.size = size;
    }
    use.threads |= std::uint64_t{1} << thread;
    use.written = use.written || writes;
  }
}

bool Sharing::Update() {
  bool news = false;
  for (const auto& [byte, use] : uses_) {
    if (std::has_single_bit(use.threads) || !use.written || owner_.contains(byte)) continue;
    locations_[use.address] = use.size;
    for (std::uint64_t of = use.address; of < use.address + use.size; ++of) {
      owner_[of] = use.address;
    }
    news = true;
  }
  return news;
}

}  // namespace nowait::arm
