#include "tests/whole/cores/cache_lines.h"

#include <algorithm>

namespace nowait::whole {

Served CacheLines::Serve(std::uint32_t core, Access access, const void* address,
                         std::uint64_t now) {
  const auto [found, is_new] =
      numbers_.try_emplace(reinterpret_cast<std::uintptr_t>(address) / kBytes, lines_.size());
  if (is_new) lines_.emplace_back();
  Line& line = lines_[found->second];
  const std::uint64_t own = std::uint64_t{1} << core;
  const bool loads = access == Access::kLoad;
  const bool hits = line.cores == 0 || (loads ? (line.cores & own) != 0 : line.cores == own);
  Served served{found->second, !hits, 0, now};
  if (!hits) {
    const std::uint64_t begin = std::max(now, line.busy_until);
    served.waited = begin - now;
    served.end = begin + transfer_;
  }
  served.end += access == Access::kUpdate ? update_ : hit_;
  // Other cores' loads of a line that they have go on beside a transfer to one that loads it.
  if (!hits || !loads) line.busy_until = std::max(line.busy_until, served.end);
  line.cores = loads ? line.cores | own : own;
  return served;
}

}  // namespace nowait::whole
