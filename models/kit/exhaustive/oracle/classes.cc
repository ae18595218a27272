#include "models/kit/exhaustive/oracle/classes.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace nowait::model::oracle {

StraightLine MadeSymmetric(StraightLine program, std::size_t threads) {
  const std::size_t most = 6 - threads;
  auto statements = *std::ranges::max_element(program.threads, {}, &std::vector<Statement>::size);
  statements.resize(std::min(statements.size(), most));
  program.threads.assign(threads, statements);
  return program;
}

std::string Renamed(const std::string& signature, const std::vector<std::size_t>& names) {
  std::vector<std::string> threads(names.size());
  std::string rest;
  std::istringstream words(signature);
  std::size_t thread = 0;
  for (std::string word; words >> word;) {
    if (word == "|") {
      ++thread;
      continue;
    }
    if (const std::size_t dot = word.find('.'); dot != std::string::npos) {
      word = std::to_string(names[std::stoul(word)]) + word.substr(dot);
    }
    (thread < names.size() ? threads[names[thread]] : rest) += word + ' ';
  }
  std::string renamed;
  for (const std::string& each : threads) renamed += each + "| ";
  return renamed + rest;
}

std::string ClassOf(const std::string& signature, std::size_t threads) {
  std::vector<std::size_t> names(threads);
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::string least = Renamed(signature, names);
  while (std::ranges::next_permutation(names).found) {
    least = std::min(least, Renamed(signature, names));
  }
  return least;
}

Findings ClassesOf(const Findings& all, std::size_t threads) {
  Findings classes = all;
  for (std::string& signature : classes.executions) signature = ClassOf(signature, threads);
  std::ranges::sort(classes.executions);
  const auto rest = std::ranges::unique(classes.executions);
  classes.executions.erase(rest.begin(), rest.end());
  return classes;
}

}  // namespace nowait::model::oracle
