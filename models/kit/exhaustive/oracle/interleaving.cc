#include "models/kit/exhaustive/oracle/interleaving.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nowait::model::oracle::interleaving {

std::string WriteOut(const State& state) {
  std::vector<std::vector<Done>> threads;
  for (const ThreadState& thread : state.threads) threads.push_back(thread.done);
  std::vector<std::vector<Done::Place>> writes(kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) {
    for (const Written& written : state.objects[i].writes) writes[i].push_back(written.place);
  }
  return FormatExecution(threads, writes);
}

std::string EndOf(const State& state, bool spins) {
  std::vector<std::size_t> at;
  for (const ThreadState& thread : state.threads) at.push_back(thread.at);
  std::vector<int> values;
  for (std::size_t i = 0; i < kFirstCondition; ++i) values.push_back(state.objects[i].value);
  return FormatEnd(spins, at, values);
}

std::string KeyOf(const State& state) {
  std::string key = WriteOut(state) + static_cast<char>('0' + state.undeclared);
  for (const ThreadState& thread : state.threads) {
    for (const std::size_t part :
         {thread.at, static_cast<std::size_t>(thread.phase), static_cast<std::size_t>(thread.found),
          static_cast<std::size_t>(thread.sleep), thread.observed, thread.yielded_after}) {
      key += static_cast<char>('0' + part);
    }
  }
  return key;
}

}  // namespace nowait::model::oracle::interleaving
