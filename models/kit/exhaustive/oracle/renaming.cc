#include "models/kit/exhaustive/oracle/renaming.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

std::string Rename(const std::string& text, const std::vector<std::size_t>& names) {
  std::vector<std::string> threads(names.size());
  std::string rest;
  std::size_t thread = 0;
  std::size_t begin = 0;
  const auto renamed = [&](std::string part) {
    for (std::size_t i = 0; i + 1 < part.size(); ++i) {
      if (part[i + 1] == '.' && part[i] >= '0' && part[i] <= '9') {
        part[i] = static_cast<char>('0' + names[static_cast<std::size_t>(part[i] - '0')]);
        ++i;
      }
    }
    return part;
  };
  for (std::size_t end = text.find("| "); end != std::string::npos;
       begin = end + 2, end = text.find("| ", begin)) {
    threads[names[thread++]] = renamed(text.substr(begin, end - begin));
  }
  std::string whole;
  for (const std::string& each : threads) whole += each + "| ";
  return whole + renamed(text.substr(begin));
}

std::string RenameEnd(const std::string& text, const std::vector<std::size_t>& names) {
  const std::size_t at = text.find(" at ") + 4;
  const std::size_t comma = text.find(", ");
  std::vector<std::string> places(names.size());
  std::size_t thread = 0;
  for (std::size_t begin = at; begin < comma; ++thread) {
    const std::size_t end = std::min(text.find(' ', begin), comma);
    places[names[thread]] = text.substr(begin, end - begin);
    begin = end + 1;
  }
  std::string whole = text.substr(0, at);
  for (std::size_t t = 0; t < places.size(); ++t) whole += (t == 0 ? "" : " ") + places[t];
  std::string values = text.substr(comma);
  const std::string old = values;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::string own = ' ' + std::to_string(ValueIn(t, kOwn));
    const std::string other = ' ' + std::to_string(ValueIn(names[t], kOwn));
    for (std::size_t i = old.find(own); i != std::string::npos; i = old.find(own, i + 1)) {
      values.replace(i, own.size(), other);
    }
  }
  return whole + values;
}

std::vector<std::vector<std::size_t>> AllNames(std::size_t threads) {
  std::vector<std::size_t> names(threads);
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  do {
    all.push_back(names);
  } while (std::ranges::next_permutation(names).found);
  return all;
}

}  // namespace nowait::model::oracle
