#include "models/kit/mutation/site_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::model {
namespace {

// The file's name without its folder: the files of one structure have distinct names.
std::string_view BaseName(std::string_view file) { return file.substr(file.rfind('/') + 1); }

}  // namespace

std::string FunctionName(std::string_view signature) {
  // Everything before the parameters. Template arguments may contain parentheses, and clang writes
  // parentheses around an unnamed namespace.
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  std::size_t end = 0;
  for (; end < signature.size(); ++end) {
    if (signature.substr(end).starts_with(kAnonymous)) end += kAnonymous.size();
    if (signature[end] == '<') ++depth;
    if (signature[end] == '>') --depth;
    if (signature[end] == '(' && depth == 0) break;
  }
  std::string_view name = signature.substr(0, end);
  if (name.ends_with('>')) {  // drop the arguments of a function template
    depth = 0;
    std::size_t begin = name.size();
    do {
      --begin;
      if (name[begin] == '>') ++depth;
      if (name[begin] == '<') --depth;
    } while (depth != 0 && begin != 0);
    name = name.substr(0, begin);
  }
  const std::size_t before = name.find_last_of(": *&");
  return std::string(before == name.npos ? name : name.substr(before + 1));
}

bool IsFile(std::string_view file, std::string_view path) {
  if (file.starts_with("./")) file.remove_prefix(2);
  return file == path;
}

std::vector<NamedSite> NameSites(const SiteTable& sites, const std::vector<std::string>& sources) {
  std::vector<NamedSite> named;
  std::map<std::string, int> count;
  for (const SiteRecord& record : sites.Sorted()) {
    const std::string_view file = record.site.file_name();
    if (std::none_of(sources.begin(), sources.end(),
                     [&](const std::string& source) { return IsFile(file, source); })) {
      continue;
    }
    std::string name = fmt::format("{}:{}:{}", BaseName(file),
                                   FunctionName(record.site.function_name()), Name(record.kind));
    ++count[name];
    named.push_back({std::move(name), record});
  }
  std::map<std::string, int> next;
  for (NamedSite& site : named) {
    if (count[site.name] > 1) {
      const int number = ++next[site.name];
      site.name += fmt::format("#{}", number);
    }
  }
  return named;
}

}  // namespace nowait::model
