#include "models/kit/watch/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace nowait::model {
namespace {

// The difference between the program's load address and its linked address. This program is the
// first entry of the list.
std::uintptr_t LoadedAt() {
  std::uintptr_t at = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;
      },
      &at);
  return at;
}

std::string Demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? readable.get() : name;
}

// A copy of the data at `offset` of the file; empty beyond the end of the file.
template <class T>
std::vector<T> Read(const std::vector<char>& file, std::size_t offset, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return {};
  std::vector<T> read(count);
  if (count != 0) std::memcpy(read.data(), file.data() + offset, count * sizeof(T));
  return read;
}

}  // namespace

std::string SymbolAt(const void* address) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::vector<char> file(std::istreambuf_iterator<char>(in), {});
  const std::vector<ElfW(Ehdr)> header = Read<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty()) return "";
  const auto sections = Read<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  const std::uintptr_t wanted = reinterpret_cast<std::uintptr_t>(address) - LoadedAt();
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& strings = sections[section.sh_link];
    const std::vector<char> names = Read<char>(file, strings.sh_offset, strings.sh_size);
    for (const ElfW(Sym) & symbol :
         Read<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      const int type = symbol.st_info & 0xf;
      if (type != STT_OBJECT && type != STT_FUNC) continue;
      if (wanted - symbol.st_value >= symbol.st_size || symbol.st_name >= names.size()) continue;
      const std::uintptr_t offset = wanted - symbol.st_value;
      std::string name = Demangled(&names[symbol.st_name]);
      if (type == STT_OBJECT && offset != 0) name += " + " + std::to_string(offset);
      return name;
    }
  }
  return "";
}

}  // namespace nowait::model
