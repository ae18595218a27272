#include "models/kit/exhaustive/run/thread_locals.h"

#include <link.h>

#include <algorithm>
#include <cstring>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

namespace nowait::model {
namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr bool kSeen = false;
#else
constexpr bool kSeen = true;
#endif

// The first object that the loader lists is the program.
int FindBlock(dl_phdr_info* program, std::size_t, void* found) {
  auto& block = *static_cast<std::span<std::byte>*>(found);
  const std::span headers(program->dlpi_phdr, program->dlpi_phnum);
  const auto segment = std::ranges::find(headers, ElfW(Word){PT_TLS}, &ElfW(Phdr)::p_type);
  if (segment != headers.end() && program->dlpi_tls_data != nullptr) {
    block = {static_cast<std::byte*>(program->dlpi_tls_data), segment->p_memsz};
  }
  return 1;
}

}  // namespace

ThreadLocals::ThreadLocals() {
  if (kSeen) dl_iterate_phdr(FindBlock, &block_);
}

bool ThreadLocals::RestoreIfChanged() {
  if (std::memcmp(block_.data(), saved_.data(), block_.size()) == 0) return false;
  std::ranges::copy(saved_, block_.begin());
  return true;
}

}  // namespace nowait::model
